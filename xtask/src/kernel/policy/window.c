/*
 * Where the last scan for a target ended, for the policies whose window goes around: the CPU that
 * it found, or the first that it did not look at. -1 before the first.
 */
static DEFINE_PER_CPU(int, sis_next_cpu) = -1;

