/*
 * SIS_UTIL's third version, a parabola in steps of a percent:
 *
 *	pct = sum_util * 100 / (nr_llc * 1024)
 *	nr = max(0, (100 - pct * pct / 72) * nr_llc / 100)
 */
static int sis_util_quad_nr(const struct sis_llc *llc)
{
	u64 pct = (u64)llc->sum_util * 100 / ((u64)llc->weight * SCHED_CAPACITY_SCALE);
	u64 drop = min_t(u64, pct * pct / 72, 100);

	return (100 - drop) * llc->weight / 100;
}

static void sis_util_quad_search(struct sis_search *search)
{
	search->nr = sis_nr_of_stored(search->target);
}

