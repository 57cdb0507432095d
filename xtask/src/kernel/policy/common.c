/* What the policies share. */

/* An LLC's figures, in periodic load balance. */
struct sis_llc {
	unsigned int weight;
	unsigned int imbalance_pct;
	unsigned long sum_util;
	unsigned long total_capacity;
};

/* One search, and what a policy makes of it. */
struct sis_search {
	struct sched_domain *sd;
	int target;
	bool has_idle_core;
	/* One more than the CPUs that the scan may look at; 0 keeps from the search for a core too. */
	int nr;
	/* Where the window goes on; NULL: the scan begins after the target. */
	int *next_cpu;
	/* Whose avg_scan_cost the scan counts for, and when it began; NULL: for none. */
	struct sched_domain *this_sd;
	u64 start;
};

/* What load balance stored; without a place for it, no limit. */
static inline int sis_stored(int target)
{
	struct sched_domain_shared *shared;

	shared = rcu_dereference(per_cpu(sd_llc_shared, target));
	return shared ? READ_ONCE(shared->nr_idle_scan) : INT_MAX - 1;
}

/* The budget rule of nr_idle_scan: as many looks as the number, 0 is no search. */
static inline int sis_nr_of_stored(int target)
{
	int stored = sis_stored(target);

	return stored ? stored + 1 : 0;
}

