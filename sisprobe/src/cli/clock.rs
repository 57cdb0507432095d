//! When the intervals of a run end.

use std::time::{Duration, Instant};

use super::stop::Stop;

/// Times on the command line are short enough for `u64`, see `args`.
fn nanoseconds(count: u128) -> Duration {
    Duration::from_nanos(u64::try_from(count).unwrap_or(u64::MAX))
}

/// When the intervals of a run end.
pub(super) struct Clock {
    began: Instant,
    interval: Duration,
    duration: Option<Duration>,
}

impl Clock {
    /// Begins now; for ever where there is no `duration`.
    pub(super) fn start(interval: Duration, duration: Option<Duration>) -> Self {
        Self {
            began: Instant::now(),
            interval,
            duration,
        }
    }

    /// Waits for the end of the next whole interval; false where the run ends before it does.
    pub(super) fn next(&self, stop: &Stop) -> bool {
        let (until, last) = self.after(self.began.elapsed());
        stop.wait(self.began + until);
        !last && !stop.asked()
    }

    /// When, since the beginning, the interval ends in which `elapsed` lies, and whether the run
    /// ends then too.
    fn after(&self, elapsed: Duration) -> (Duration, bool) {
        let into = elapsed.as_nanos() % self.interval.as_nanos();
        let next = elapsed + self.interval - nanoseconds(into);
        match self.duration {
            Some(duration) if duration <= next => (duration, true),
            _ => (next, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn clock(interval: Duration, duration: Option<Duration>) -> Clock {
        Clock {
            began: Instant::now(),
            interval,
            duration,
        }
    }

    #[test]
    fn intervals_end_at_whole_multiples() {
        let clock = clock(ms(1000), None);
        for (elapsed, next) in [
            (0, 1000),
            (1, 1000),
            (999, 1000),
            (1000, 2000),
            (1001, 2000),
        ] {
            assert_eq!(clock.after(ms(elapsed)), (ms(next), false));
        }
        // One that took too long leaves out those that it covered.
        assert_eq!(clock.after(ms(5300)), (ms(6000), false));
    }

    #[test]
    fn the_run_ends_with_its_duration() {
        let whole = clock(ms(100), Some(ms(300)));
        assert_eq!(whole.after(ms(100)), (ms(200), false));
        assert_eq!(whole.after(ms(200)), (ms(300), true));
        let broken = clock(ms(100), Some(ms(250)));
        assert_eq!(broken.after(ms(110)), (ms(200), false));
        assert_eq!(broken.after(ms(200)), (ms(250), true));
        // Over already, shorter than an interval, none at all.
        assert_eq!(broken.after(ms(900)), (ms(250), true));
        assert_eq!(clock(ms(1000), Some(ms(70))).after(ms(0)), (ms(70), true));
        assert_eq!(clock(ms(1000), Some(ms(0))).after(ms(0)), (ms(0), true));
    }

    #[test]
    fn years_of_short_intervals_do_not_overflow() {
        let year = Duration::from_secs(365 * 24 * 3600);
        let clock = clock(ms(10), None);
        assert_eq!(clock.after(50 * year), (50 * year + ms(10), false));
    }

    #[test]
    fn next_waits_and_says_whether_there_is_more() {
        let stop = Stop::unwatched();
        let clock = clock(ms(20), Some(ms(50)));
        let mut intervals = 0;
        while clock.next(&stop) {
            intervals += 1;
            assert!(clock.began.elapsed() >= intervals * ms(20));
        }
        assert!((1..=2).contains(&intervals), "{intervals} whole intervals");
        assert!(clock.began.elapsed() >= ms(50));
    }

    #[test]
    fn a_stop_ends_the_run_at_once() {
        let stop = Stop::unwatched();
        let clock = clock(Duration::from_secs(3600), None);
        let asked = stop.clone();
        let waiter = std::thread::current();
        std::thread::spawn(move || {
            std::thread::sleep(ms(20));
            asked
                .flag()
                .store(true, std::sync::atomic::Ordering::Release);
            waiter.unpark();
        });
        assert!(!clock.next(&stop));
        assert!(clock.began.elapsed() < Duration::from_secs(3600));
        assert!(!clock.next(&stop));
    }
}
