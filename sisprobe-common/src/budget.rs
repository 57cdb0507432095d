//! How a policy bounds one linear scan: the rules, and the arithmetic of those that go by times.
//! Integer for integer as the kernel computes it.

/// How the scheduler feature that is on bounds a linear scan.
pub mod rule {
    /// Not known: nothing is held against it.
    pub const UNKNOWN: u32 = 0;
    /// No limit: all CPUs of the LLC that the task may use.
    pub const WEIGHT: u32 = 1;
    /// As many CPUs as `nr_idle_scan`; 0 is no search, not even for an idle core.
    pub const NR_IDLE_SCAN: u32 = 2;
    /// One less than `nr_idle_scan`.
    pub const NR_IDLE_SCAN_MINUS_ONE: u32 = 3;
    /// One less than [`super::prop`] of `wake_avg_idle`.
    pub const WAKE_AVG_IDLE: u32 = 4;
    /// One less than [`super::prop`] of `avg_idle / 512`.
    pub const AVG_IDLE: u32 = 5;
    /// One less than [`super::core_window`].
    pub const CORE_WINDOW: u32 = 6;
    /// [`super::NO_CORE`] CPUs, and no search for an idle core.
    pub const NO_CORE: u32 = 7;
    /// All CPUs, or none where looking at them would take longer than a CPU is idle.
    pub const AVG_COST: u32 = 8;
}

/// CPUs that a search looks at under [`rule::NO_CORE`].
pub const NO_CORE: u32 = 4;

/// The longest time that the rules below tell from longer ones, in ns: four seconds, far above
/// what the kernel lets its averages grow to. No product overflows with it.
const MOST_TIME: u64 = u32::MAX as u64;

#[inline(always)]
const fn bounded(time: u64) -> u64 {
    if time < MOST_TIME { time } else { MOST_TIME }
}

/// `span_avg`, in ns.
#[inline(always)]
pub const fn span_avg(span_weight: u32, avg_idle: u64) -> u64 {
    span_weight as u64 * bounded(avg_idle)
}

/// `avg_cost`, in ns, at least 1.
#[inline(always)]
pub const fn avg_cost(avg_scan_cost: u64) -> u64 {
    bounded(avg_scan_cost) + 1
}

/// `nr` of `SIS_PROP`, at least 4: kernel/sched/fair.c, `select_idle_cpu`, up to 6.6. `avg_cost`
/// is [`avg_cost`]'s.
#[inline(always)]
pub const fn prop(span_avg: u64, avg_cost: u64) -> u64 {
    if span_avg > 4 * avg_cost {
        span_avg / avg_cost
    } else {
        4
    }
}

/// `nr` of the 2019 series: `floor` to twice that, `floor` the CPUs of a core, at least 2.
/// `avg_cost` is [`avg_cost`]'s.
#[inline(always)]
pub const fn core_window(span_avg: u64, avg_cost: u64, smt: u32) -> u64 {
    let floor = if smt < 2 { 2 } else { smt };
    let limit = 2 * floor as u64;
    if span_avg <= floor as u64 * avg_cost {
        return floor as u64;
    }
    let nr = span_avg / avg_cost;
    if nr < limit { nr } else { limit }
}

/// `rq->wake_avg_idle` as a search at `jiffies` would use it: halved for each jiffy since
/// `rq->wake_stamp`.
#[inline(always)]
pub const fn aged(wake_avg_idle: u64, wake_stamp: u64, jiffies: u64) -> u64 {
    match jiffies.saturating_sub(wake_stamp) {
        halvings @ 0..64 => wake_avg_idle >> halvings,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_do_not_overflow() {
        assert_eq!(span_avg(3, 5), 15);
        assert_eq!(span_avg(u32::MAX, u64::MAX), MOST_TIME * MOST_TIME);
        assert_eq!(avg_cost(u64::MAX), MOST_TIME + 1);
        assert_eq!(prop(span_avg(1, 0), avg_cost(u64::MAX)), 4);
    }

    #[test]
    fn the_floor_holds_until_one_more_is_worth_it() {
        assert_eq!(prop(400, 100), 4);
        assert_eq!(prop(499, 100), 4);
        assert_eq!(prop(500, 100), 5);
        assert_eq!(core_window(300, 100, 2), 3);
        assert_eq!(core_window(199, 100, 1), 2);
        assert_eq!(core_window(900, 100, 4), 8);
    }

    #[test]
    fn idle_time_is_halved_each_jiffy() {
        assert_eq!(aged(1000, 10, 10), 1000);
        assert_eq!(aged(1000, 10, 9), 1000);
        assert_eq!(aged(1000, 10, 13), 125);
        assert_eq!(aged(u64::MAX, 0, 64), 0);
    }
}
