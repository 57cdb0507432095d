/*
 * SIS_UTIL's first RFC: nothing where load balance would call the LLC overloaded (as
 * group_is_overloaded() has it), everything elsewhere:
 *
 *	no search where total_capacity * 100 < sum_util * imbalance_pct
 */
static int sis_util_85_nr(const struct sis_llc *llc)
{
	if (llc->total_capacity * 100 < llc->sum_util * llc->imbalance_pct)
		return 0;

	return llc->weight;
}

static void sis_util_85_search(struct sis_search *search)
{
	search->nr = sis_nr_of_stored(search->target);
}

