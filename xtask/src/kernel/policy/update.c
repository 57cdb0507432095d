/*
 * Stores what a policy that goes by utilisation says, at the times at which
 * update_idle_cpu_scan() does. False: that is to run.
 */
static bool sis_update_idle_cpu_scan(struct lb_env *env, unsigned long sum_util,
				     unsigned long total_capacity)
{
	struct sis_llc llc = {
		.weight = per_cpu(sd_llc_size, env->dst_cpu),
		.imbalance_pct = env->sd->imbalance_pct,
		.sum_util = sum_util,
		.total_capacity = total_capacity,
	};
	struct sched_domain_shared *shared;
	int nr;

	if (env->idle == CPU_NEWLY_IDLE || env->sd->span_weight != llc.weight)
		return false;

	nr = sis_nr_idle_scan(&llc);
	if (nr < 0)
		return false;

	shared = rcu_dereference(per_cpu(sd_llc_shared, env->dst_cpu));
	if (shared && READ_ONCE(shared->nr_idle_scan) != nr)
		WRITE_ONCE(shared->nr_idle_scan, nr);

	return true;
}

