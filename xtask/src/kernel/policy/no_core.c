/*
 * A series of 2018: 4 CPUs at most, in a window that goes around, and no search for an idle core.
 */
static void sis_no_core_search(struct sis_search *search)
{
	search->nr = 4 + 1;
	search->next_cpu = per_cpu_ptr(&sis_next_cpu, search->target);
}

