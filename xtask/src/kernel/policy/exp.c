/*
 * Discussed for SIS_UTIL: 113 - 2^(x / 7) of 112 CPUs, and the same share of other LLCs, with
 *
 *	x = sum_util * 100 / (weight * 1024)
 *
 * The power is taken in 65536ths: 2^(x div 7) times a seventh root for the rest.
 */
static int sis_util_exp_nr(const struct sis_llc *llc)
{
	static const u32 roots[7] = { 65536, 72358, 79889, 88205, 97386, 107523, 118715 };
	const u64 one = 1 << 16, all = 112;
	u64 x = (u64)llc->sum_util * 100 / ((u64)llc->weight * SCHED_CAPACITY_SCALE);
	/* 2^7 is above 113 already. */
	u64 power = (u64)roots[x % 7] << min_t(u64, x / 7, 7);
	u64 share = (all + 1) * one - min_t(u64, power, (all + 1) * one);

	return share * llc->weight / (all * one);
}

static void sis_util_exp_search(struct sis_search *search)
{
	search->nr = sis_nr_of_stored(search->target);
}

