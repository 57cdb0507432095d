//! Says what a long step is doing: a spinner on a terminal, plain lines elsewhere.

use std::io::{IsTerminal as _, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long a step may take before it is worth a line.
const PATIENCE: Duration = Duration::from_secs(2);

/// Set where others write to the terminal at the same time.
static PLAIN: AtomicBool = AtomicBool::new(false);

/// From now on plain lines only, on a terminal too.
pub fn plain() {
    PLAIN.store(true, Ordering::Relaxed);
}

fn is_plain() -> bool {
    PLAIN.load(Ordering::Relaxed) || !stderr().is_terminal()
}

/// One step that takes a while. What it says goes to standard error.
#[derive(Debug)]
pub struct Step {
    text: String,
    start: Instant,
    bar: Option<ProgressBar>,
    said: bool,
}

impl Step {
    /// Begins the step.
    pub fn new(text: impl Into<String>) -> Self {
        let mut step = Self::lazy(text);
        step.say();
        step
    }

    /// Begins a step that mostly has nothing to do: off a terminal it says nothing until it has
    /// taken two seconds and [`Step::tick`] is called.
    pub fn lazy(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            bar: (!is_plain()).then(|| spinner(&text)),
            text,
            start: Instant::now(),
            said: false,
        }
    }

    /// Lets a lazy step speak once it takes long.
    pub fn tick(&mut self) {
        if self.start.elapsed() > PATIENCE {
            self.say();
        }
    }

    fn say(&mut self) {
        if self.bar.is_none() && !self.said {
            eprintln!("{} ...", self.text);
        }
        self.said = true;
    }

    /// Says how far it is; off a terminal, nothing.
    pub fn detail(&self, detail: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}: {detail}", self.text));
        }
    }

    /// Says how far it is where there is no terminal; for now and then.
    pub fn news(&self, news: &str) {
        if self.bar.is_none() {
            eprintln!("{}: {news}", self.text);
        }
    }

    /// Time since the step began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Ends the step with a line that tells its time; a lazy one that was quick, without.
    pub fn done(mut self) {
        self.tick();
        if !self.said {
            return;
        }
        let line = format!("{}: {}", self.text, seconds(self.start.elapsed()));
        self.done_with(&line);
    }

    /// Ends the step with a line of its own.
    pub fn done_with(mut self, line: &str) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        eprintln!("{line}");
    }
}

/// A step that fails leaves the terminal to the error.
impl Drop for Step {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A time as people say it: `0.3 s`, `41 s`, `5 min 31 s`.
pub fn seconds(time: Duration) -> String {
    let secs = time.as_secs();
    match secs {
        0..=19 => format!("{:.1} s", time.as_secs_f64()),
        20..=119 => format!("{secs} s"),
        _ => format!("{} min {} s", secs / 60, secs % 60),
    }
}

fn spinner(text: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::new_spinner()
        .with_style(style)
        .with_message(text.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::seconds;

    #[test]
    fn times_are_said_in_the_unit_that_fits() {
        assert_eq!(seconds(Duration::from_millis(320)), "0.3 s");
        assert_eq!(seconds(Duration::from_secs(41)), "41 s");
        assert_eq!(seconds(Duration::from_secs(331)), "5 min 31 s");
    }
}
