//! The live view in a terminal.

mod draw;
mod help;
mod overview;
mod panes;
mod predictions;
mod view;

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use ratatui::{
    DefaultTerminal,
    crossterm::event::{self, Event},
};
use thiserror::Error;

use self::{
    draw::Shown,
    view::{Step, View},
};
use super::Unit;
use crate::{policy::Policy, report::Report};

/// What the caller chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The unit of durations at the start; a key switches it.
    pub unit: Unit,
    /// Policies whose predictions are told besides that of the active one.
    pub policies: Vec<Policy>,
    /// Time between two refreshes.
    pub interval: Duration,
    /// Ends by itself after this time; none: when the user or `stop` says so.
    pub duration: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            unit: Unit::default(),
            policies: Vec::new(),
            interval: Duration::from_secs(1),
            duration: None,
        }
    }
}

/// Why the live view ended early. The terminal is restored all the same.
#[derive(Debug, Error)]
pub enum Error {
    /// The terminal cannot be used.
    #[error("the terminal cannot show the live view: {0}; --plain shows the same as text")]
    Terminal(#[from] io::Error),
    /// There is no further report.
    #[error(transparent)]
    Source(Box<dyn std::error::Error + Send + Sync>),
}

/// How long a stop flag may go unseen.
const PATIENCE: Duration = Duration::from_millis(100);

/// Shows what `source` reports, each interval anew, until the user quits, `stop` is set (by a
/// signal handler, say) or the time is over. Returns the last report.
///
/// The first report is read before the terminal is touched, so that an error then is seen as
/// usual. The terminal is restored at the end, on errors and on panics.
///
/// # Errors
///
/// What the terminal or `source` answers.
pub fn run<E>(
    mut source: impl FnMut() -> Result<Report, E>,
    options: Options,
    stop: &AtomicBool,
) -> Result<Report, Error>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut next = || source().map_err(|error| Error::Source(error.into()));
    let first = next()?;
    let began = Instant::now();
    let over = || {
        let out_of_time = options
            .duration
            .is_some_and(|limit| began.elapsed() >= limit);
        out_of_time || stop.load(Ordering::Relaxed)
    };
    let guard = Restore;
    let mut terminal = ratatui::try_init()?;
    let view = View {
        chosen: options.policies,
        ..View::new(options.unit)
    };
    let mut live = Live::new(first, view);
    let mut refresh = Instant::now() + options.interval;
    while !over() {
        live.draw(&mut terminal)?;
        match wait(refresh, over)? {
            Some(Event::Key(key)) => {
                if live.view.press(key, live.shown.groups()) == Step::Quit {
                    break;
                }
                live.thaw();
            }
            // A resize, say: draw again.
            Some(_) => {}
            None if Instant::now() >= refresh => {
                live.update(next()?);
                refresh = Instant::now() + options.interval;
            }
            None => {}
        }
    }
    drop(terminal);
    drop(guard);
    next()
}

/// The next event; none if `until` passes or `over` comes true before there is one.
fn wait(until: Instant, over: impl Fn() -> bool) -> io::Result<Option<Event>> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if event::poll(left.min(PATIENCE))? {
            return event::read().map(Some);
        }
        if left.is_zero() || over() {
            return Ok(None);
        }
    }
}

/// Gives the terminal back.
struct Restore;

impl Drop for Restore {
    fn drop(&mut self) {
        // After a panic the hook of `ratatui::try_init` has done so, before the message was
        // written; doing it again would move the cursor back over that message.
        if !std::thread::panicking() {
            // Nobody is left to tell; the terminal may be gone.
            let _ = ratatui::try_restore();
        }
    }
}

/// The reports so far and what is made of them.
struct Live {
    view: View,
    latest: Shown,
    /// The latest, or what was when the user froze the view.
    shown: Shown,
}

impl Live {
    fn new(first: Report, view: View) -> Self {
        let latest = Shown {
            total: first,
            delta: None,
        };
        Self {
            view,
            shown: latest.clone(),
            latest,
        }
    }

    /// Also while frozen, so that the last interval is right when it goes on.
    fn update(&mut self, report: Report) {
        let delta = report.since(&self.latest.total).ok();
        self.latest = Shown {
            total: report,
            delta,
        };
        self.thaw();
    }

    fn thaw(&mut self) {
        if !self.view.frozen {
            self.shown.clone_from(&self.latest);
        }
        self.view.clamp(self.shown.groups());
    }

    fn draw(&mut self, terminal: &mut DefaultTerminal) -> io::Result<()> {
        terminal
            .draw(|frame| draw::draw(frame, &self.shown, &mut self.view))
            .map(drop)
    }
}

#[cfg(test)]
mod tests;
