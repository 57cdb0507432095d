//! Keys → what is shown. Pure.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::{
    policy::Policy,
    sink::{Unit, metric::Metric},
};

/// How many groups a page is: there may be one for each CPU of a large machine.
const PAGE: usize = 16;

/// Which histograms are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    /// Duration and CPUs scanned side by side.
    Both,
    /// One of them, over the whole width.
    One(Metric),
}

impl Pane {
    const fn next(self) -> Self {
        match self {
            Self::Both => Self::One(Metric::Duration),
            Self::One(Metric::Duration) => Self::One(Metric::Scanned),
            Self::One(Metric::Scanned) => Self::One(Metric::Core),
            Self::One(Metric::Core) => Self::One(Metric::Limit),
            Self::One(Metric::Limit) => Self::Both,
        }
    }
}

/// The time that the figures cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    /// Everything since the probes were enabled.
    Cumulative,
    /// What happened between the last two refreshes.
    LastInterval,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Stay,
    Quit,
}

/// Everything that keys decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// Index of the chosen group.
    pub(super) group: usize,
    /// All groups in a table, instead of the chosen one alone.
    pub(super) overview: bool,
    pub(super) pane: Pane,
    /// What every policy says, in place of the histograms.
    pub(super) policies: bool,
    /// Policies whose predictions are told besides that of the active one.
    pub(super) chosen: Vec<Policy>,
    pub(super) window: Window,
    pub(super) unit: Unit,
    pub(super) frozen: bool,
    pub(super) help: bool,
    /// Histogram rows to move down from the place that shows most values. Drawing limits it to
    /// what there is.
    pub(super) scroll: isize,
}

impl View {
    pub(super) const fn new(unit: Unit) -> Self {
        Self {
            group: 0,
            overview: false,
            pane: Pane::Both,
            policies: false,
            chosen: Vec::new(),
            window: Window::Cumulative,
            unit,
            frozen: false,
            help: false,
            scroll: 0,
        }
    }

    /// What a key does where there are `groups` groups.
    pub(super) fn press(&mut self, key: KeyEvent, groups: usize) -> Step {
        if key.kind == KeyEventKind::Release {
            return Step::Stay;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c' | 'd') => Step::Quit,
                _ => Step::Stay,
            };
        }
        self.clamp(groups);
        match key.code {
            KeyCode::Esc if self.help => self.help = false,
            KeyCode::Char('q') | KeyCode::Esc => return Step::Quit,
            KeyCode::Char('?' | 'h') => self.help = !self.help,
            KeyCode::Right | KeyCode::Tab => self.choose(1, groups),
            KeyCode::Left | KeyCode::BackTab => self.choose(-1, groups),
            KeyCode::Down if self.overview => self.choose(1, groups),
            KeyCode::Up if self.overview => self.choose(-1, groups),
            KeyCode::Down => self.scroll += 1,
            KeyCode::Up => self.scroll -= 1,
            KeyCode::PageDown => self.jump(self.group.saturating_add(PAGE), groups),
            KeyCode::PageUp => self.jump(self.group.saturating_sub(PAGE), groups),
            KeyCode::Home => self.jump(0, groups),
            KeyCode::End => self.jump(groups, groups),
            KeyCode::Char('a') => self.overview = !self.overview,
            KeyCode::Enter => self.overview = false,
            KeyCode::Char('m') => {
                self.pane = self.pane.next();
                self.overview = false;
                self.policies = false;
                self.scroll = 0;
            }
            KeyCode::Char('p') => {
                // Out of the overview it is to be seen.
                self.policies = self.overview || !self.policies;
                self.overview = false;
                self.scroll = 0;
            }
            KeyCode::Char('c') => {
                self.window = match self.window {
                    Window::Cumulative => Window::LastInterval,
                    Window::LastInterval => Window::Cumulative,
                }
            }
            KeyCode::Char('u') => self.unit = self.unit.other(),
            KeyCode::Char(' ' | 'f') => self.frozen = !self.frozen,
            _ => {}
        }
        Step::Stay
    }

    /// Keeps the chosen group among those that there are.
    pub(super) fn clamp(&mut self, groups: usize) {
        self.group = self.group.min(groups.saturating_sub(1));
    }

    /// Group `to`, or the last.
    fn jump(&mut self, to: usize, groups: usize) {
        self.group = to;
        self.clamp(groups);
        self.scroll = 0;
    }

    /// The group `by` places further, around the end.
    fn choose(&mut self, by: isize, groups: usize) {
        let groups = groups.max(1) as isize;
        self.group = (self.group as isize + by).rem_euclid(groups) as usize;
        self.scroll = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(view: &mut View, code: KeyCode) -> Step {
        view.press(code.into(), 3)
    }

    fn pressed(codes: &[KeyCode]) -> View {
        let mut view = View::new(Unit::Ns);
        for &code in codes {
            assert_eq!(press(&mut view, code), Step::Stay, "{code:?}");
        }
        view
    }

    use KeyCode::{
        BackTab, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
    };

    #[test]
    fn groups_go_around_in_both_directions() {
        assert_eq!(pressed(&[Right]).group, 1);
        assert_eq!(pressed(&[Tab, Tab]).group, 2);
        assert_eq!(pressed(&[Right, Right, Right]).group, 0);
        assert_eq!(pressed(&[Left]).group, 2);
        assert_eq!(pressed(&[BackTab, BackTab]).group, 1);
    }

    #[test]
    fn many_groups_are_gone_through_by_pages() {
        let mut view = View::new(Unit::Ns);
        let mut chosen = |code: KeyCode| {
            view.press(code.into(), 40);
            view.group
        };
        let seen = [PageDown, PageDown, PageDown, PageUp, PageUp, PageUp].map(&mut chosen);
        assert_eq!(seen, [16, 32, 39, 23, 7, 0], "not around the end");
        assert_eq!([End, Home].map(chosen), [39, 0]);
    }

    #[test]
    fn no_group_or_fewer_than_before_is_no_trouble() {
        let mut view = View::new(Unit::Ns);
        for code in [
            Right,
            Left,
            Down,
            Up,
            PageDown,
            PageUp,
            Home,
            End,
            Char('a'),
            Down,
            Char('m'),
        ] {
            assert_eq!(view.press(code.into(), 0), Step::Stay);
            assert_eq!(view.group, 0);
        }
        let mut view = pressed(&[Left]);
        view.press(Right.into(), 2);
        assert_eq!(view.group, 0, "2 was the last, and is 1 now");
    }

    #[test]
    fn quitting() {
        for code in [Char('q'), Esc] {
            assert_eq!(press(&mut View::new(Unit::Ns), code), Step::Quit);
        }
        let ctrl = |c| KeyEvent::new(Char(c), KeyModifiers::CONTROL);
        assert_eq!(View::new(Unit::Ns).press(ctrl('c'), 3), Step::Quit);
        let mut view = View::new(Unit::Ns);
        assert_eq!(view.press(ctrl('m'), 3), Step::Stay);
        assert_eq!(view, View::new(Unit::Ns), "other control keys do nothing");
    }

    #[test]
    fn escape_closes_help_before_it_quits() {
        let mut view = pressed(&[Char('?'), Esc]);
        assert!(!view.help);
        assert_eq!(press(&mut view, Esc), Step::Quit);
        let mut view = pressed(&[Char('h')]);
        assert!(view.help);
        assert_eq!(press(&mut view, Char('q')), Step::Quit);
    }

    #[test]
    fn metrics_come_around() {
        let seen: Vec<Pane> = (0..6).map(|n| pressed(&vec![Char('m'); n]).pane).collect();
        let one = Pane::One;
        assert_eq!(
            seen,
            [
                Pane::Both,
                one(Metric::Duration),
                one(Metric::Scanned),
                one(Metric::Core),
                one(Metric::Limit),
                Pane::Both,
            ]
        );
    }

    #[test]
    fn window_unit_and_freeze_are_switches() {
        assert_eq!(pressed(&[Char('c')]).window, Window::LastInterval);
        assert_eq!(pressed(&[Char('c'), Char('c')]).window, Window::Cumulative);
        assert_eq!(pressed(&[Char('u')]).unit, Unit::Us);
        assert_eq!(pressed(&[Char('u'), Char('u')]).unit, Unit::Ns);
        assert!(pressed(&[Char(' ')]).frozen);
        assert!(!pressed(&[Char('f'), Char(' ')]).frozen);
    }

    #[test]
    fn arrows_scroll_a_histogram_and_choose_in_the_overview() {
        let view = pressed(&[Down, Down, Up]);
        assert_eq!((view.scroll, view.group), (1, 0));
        assert_eq!(
            pressed(&[Down, Right]).scroll,
            0,
            "another group, from its top"
        );
        let view = pressed(&[Char('a'), Down]);
        assert!(view.overview);
        assert_eq!((view.scroll, view.group), (0, 1));
        assert!(!pressed(&[Char('a'), Down, Enter]).overview);
        assert!(!pressed(&[Char('a'), Char('a')]).overview);
        assert!(!pressed(&[Char('a'), Char('m')]).overview);
    }

    #[test]
    fn policies_take_the_place_of_histograms() {
        assert!(pressed(&[Char('p')]).policies);
        assert!(!pressed(&[Char('p'), Char('p')]).policies);
        let view = pressed(&[Char('p'), Char('a'), Char('p')]);
        assert!(view.policies && !view.overview);
        let view = pressed(&[Char('p'), Char('m')]);
        assert!(!view.policies);
        assert_eq!(view.pane, Pane::One(Metric::Duration));
        assert_eq!(pressed(&[Down, Char('p')]).scroll, 0);
    }

    #[test]
    fn releases_and_unknown_keys_do_nothing() {
        let mut view = View::new(Unit::Ns);
        let mut release = KeyEvent::from(Char('q'));
        release.kind = KeyEventKind::Release;
        assert_eq!(view.press(release, 3), Step::Stay);
        assert_eq!(press(&mut view, Char('x')), Step::Stay);
        assert_eq!(view, View::new(Unit::Ns));
    }
}
