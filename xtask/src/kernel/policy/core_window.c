/*
 * A series of 2019: from one core's CPUs to two cores', by the idle time, in a window that goes
 * around. With avg_idle / 512 and avg_scan_cost + 1 of the CPU where the wake-up runs:
 *
 *	floor = max(CPUs of the target's core, 2), limit = 2 * floor
 *	span_avg = span_weight * avg_idle
 *	nr = span_avg > floor * avg_cost ? min(span_avg / avg_cost, limit) : floor
 *
 * of which the scan may look at nr - 1. The search for an idle core is not bounded.
 */
static void sis_core_window_search(struct sis_search *search)
{
	u64 floor, span_avg, avg_cost;

	search->nr = INT_MAX;
	if (search->has_idle_core)
		return;

	search->this_sd = rcu_dereference(*this_cpu_ptr(&sd_llc));
	if (!search->this_sd) {
		search->nr = 0;
		return;
	}

	floor = max_t(u64, cpumask_weight(cpu_smt_mask(search->target)), 2);
	span_avg = search->sd->span_weight * (this_rq()->avg_idle / 512);
	avg_cost = READ_ONCE(search->this_sd->avg_scan_cost) + 1;
	search->nr = floor;
	if (span_avg > floor * avg_cost)
		search->nr = min_t(u64, span_avg / avg_cost, 2 * floor);

	search->next_cpu = per_cpu_ptr(&sis_next_cpu, search->target);
	search->start = local_clock();
}

/* Accounts for a scan that did not stop at its budget, as the kernels up to 6.6 do. */
static void sis_core_window_end(struct sis_search *search)
{
	if (search->this_sd)
		update_avg(&search->this_sd->avg_scan_cost, local_clock() - search->start);
}

