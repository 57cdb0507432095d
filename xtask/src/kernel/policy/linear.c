/*
 * SIS_UTIL's second RFC, March 2022: a straight line down to half of the capacity,
 *
 *	nr = llc_size - (llc_size - 4) * 2 * sum_util / total_capacity, at least 4
 *
 * of which the scan may look at nr - 1. The search for an idle core is not bounded.
 */
static int sis_util_linear_nr(const struct sis_llc *llc)
{
	s64 size = llc->weight, drop = size;

	if (llc->total_capacity)
		drop = (size - 4) * 2 * (s64)llc->sum_util / (s64)llc->total_capacity;

	return max_t(s64, size - drop, 4);
}

static void sis_util_linear_search(struct sis_search *search)
{
	/* 0 is left by another policy or by boot, and must not keep from the search for a core. */
	search->nr = max(sis_stored(search->target), 1);
}

