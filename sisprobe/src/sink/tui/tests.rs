//! What the screen shows, drawn into memory.

use ratatui::{Terminal, backend::TestBackend, crossterm::event::KeyCode};

use super::*;
use crate::sink::{sample, tests::assert_fixture};

/// The screen's lines, without trailing blanks.
fn screen(width: u16, height: u16, shown: &Shown, view: &mut View) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| draw::draw(frame, shown, view))
        .unwrap();
    let buffer = terminal.backend().buffer();
    let cells = buffer.content.chunks(usize::from(width).max(1));
    cells
        .map(|line| {
            line.iter()
                .map(ratatui::buffer::Cell::symbol)
                .collect::<String>()
        })
        .map(|line| line.trim_end().to_owned())
        .collect()
}

fn shown(report: Report) -> Shown {
    Shown {
        total: report,
        delta: None,
    }
}

/// For a person at a terminal:
/// `cargo test -p sisprobe --lib by_hand -- --ignored --nocapture`.
#[test]
#[ignore = "needs a terminal and someone who looks at it"]
fn by_hand() {
    let mut seconds = 0;
    let source = || {
        seconds += 1;
        match std::env::var("SISPROBE_SAMPLE").as_deref() {
            Ok("bracketed") => Ok::<_, io::Error>(sample::bracketed(2, seconds)),
            Ok("error") if seconds > 3 => Err(io::Error::other("the slots are gone")),
            Ok("panic") if seconds > 3 => panic!("on purpose"),
            Ok("many") => Ok(sample::report(64, seconds)),
            Ok("cpus") => Ok(sample::by_cpu(224, seconds)),
            _ => Ok(sample::report(3, seconds)),
        }
    };
    let stop = std::sync::Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGTERM, stop.clone()).unwrap();
    let end = run(source, Options::default(), &stop);
    println!("{:?}", end.map(|report| report.elapsed));
}

fn keys(view: &mut View, keys: &str) {
    for key in keys.chars() {
        assert_eq!(view.press(KeyCode::Char(key).into(), 3), Step::Stay);
    }
}

/// The screen after some keys.
fn after(pressed: &str, width: u16, height: u16, report: Report) -> String {
    let mut view = View::new(Unit::Ns);
    keys(&mut view, pressed);
    screen(width, height, &shown(report), &mut view).join("\n") + "\n"
}

#[test]
fn screens_as_a_person_looked_at_them() {
    let report = || sample::report(3, 5);
    let mut help = after("?", 80, 24, report());
    help += &after("?", 40, 12, report());
    for (name, screen) in [
        ("80x24", after("", 80, 24, report())),
        ("40x12", after("", 40, 12, report())),
        ("120x40", after("", 120, 40, report())),
        ("us", after("u", 80, 24, report())),
        ("core", after("mmm", 80, 24, report())),
        ("all", after("a", 80, 24, report())),
        ("all-40x12", after("a", 40, 12, report())),
        ("bracketed", after("", 80, 24, sample::bracketed(2, 5))),
        ("by-cpu", after("a", 80, 24, sample::by_cpu(224, 5))),
        ("policies", after("p", 80, 24, report())),
        ("policies-40x12", after("p", 40, 12, report())),
        ("scanned", after("mm", 80, 24, report())),
        ("help", help),
    ] {
        assert_fixture(&format!("screen-{name}.txt"), &screen);
    }
}

#[test]
fn no_size_and_no_state_breaks_the_screen() {
    let mut reports = vec![
        sample::report(64, 5),
        sample::bracketed(1, 5),
        sample::report(1, 1),
        sample::by_cpu(224, 1),
    ];
    reports[2].groups.clear();
    reports[0].source.warnings = vec!["something to know".into(); 30];
    for report in reports {
        let shown = shown(report);
        for (width, height) in [
            (0, 0),
            (1, 1),
            (3, 2),
            (10, 3),
            (40, 12),
            (63, 9),
            (300, 90),
        ] {
            for pressed in ["", "m", "mm", "mmm", "mmmm", "a", "p", "?", "u", "c", "f"] {
                let mut view = View::new(Unit::Ns);
                keys(&mut view, pressed);
                view.group = 60;
                view.clamp(shown.groups());
                view.scroll = -7;
                screen(width, height, &shown, &mut view);
            }
        }
    }
}

#[test]
fn the_wide_histogram_has_bpftraces_form() {
    let lines = after("m", 80, 30, sample::report(1, 1));
    let mut expected = crate::sink::rows::rows(
        &sample::figures(1).duration,
        crate::sink::rows::Labels::Binary,
        crate::sink::rows::BAR,
    );
    expected.truncate(5);
    for row in expected {
        assert!(lines.contains(&row.to_string()), "{row}\n{lines}");
    }
}

#[test]
fn the_chosen_of_many_groups_is_always_among_the_tabs() {
    let shown = shown(sample::report(64, 1));
    for width in [30, 80, 200] {
        for group in 0..64 {
            let mut view = View::new(Unit::Ns);
            view.group = group;
            let tabs = screen(width, 24, &shown, &mut view).swap_remove(1);
            assert!(
                format!("{tabs} ").contains(&format!(" LLC {group} ")),
                "{tabs}"
            );
        }
    }
}

#[test]
fn the_overview_turns_its_page_with_the_choice() {
    let shown = shown(sample::report(64, 1));
    for group in 0..64 {
        let mut view = View::new(Unit::Ns);
        keys(&mut view, "a");
        view.group = group;
        let lines = screen(80, 12, &shown, &mut view);
        let name = format!("LLC {group} ");
        assert!(
            lines.iter().any(|line| line.starts_with(&name)),
            "{lines:?}"
        );
    }
}

fn live(seconds: u32) -> Live {
    Live::new(sample::report(1, seconds), View::new(Unit::Ns))
}

fn top(live: &mut Live) -> String {
    screen(80, 24, &live.shown, &mut live.view).swap_remove(0)
}

#[test]
fn the_last_interval_is_the_difference() {
    let mut live = live(5);
    keys(&mut live.view, "c");
    assert!(
        top(&mut live).contains("since the start, 5.0 s"),
        "there is none yet"
    );
    live.update(sample::report(1, 7));
    assert!(top(&mut live).contains("last 2.0 s"));
    let lines = screen(80, 24, &live.shown, &mut live.view).join("\n");
    assert!(lines.contains("wake-ups 240000 (120000/s)"), "{lines}");
    keys(&mut live.view, "c");
    let lines = screen(80, 24, &live.shown, &mut live.view).join("\n");
    assert!(lines.contains("wake-ups 840000 (120000/s)"), "{lines}");
}

#[test]
fn a_frozen_view_stands_still_and_then_catches_up() {
    let mut live = live(5);
    keys(&mut live.view, "f");
    live.update(sample::report(1, 6));
    live.update(sample::report(1, 7));
    let frozen = top(&mut live);
    assert!(
        frozen.contains("FROZEN") && frozen.contains("5.0 s"),
        "{frozen}"
    );
    keys(&mut live.view, "fc");
    live.thaw();
    let top = top(&mut live);
    assert!(
        top.contains("last 1.0 s") && !top.contains("FROZEN"),
        "{top}"
    );
}

#[test]
fn misses_losses_and_warnings_are_on_the_screen() {
    let mut report = sample::report(1, 1);
    report.health.probes[0].recursion_misses = Some(12);
    report.health.unmatched_exits = 34;
    report.source.warnings = vec!["a BPF scheduler is active".into()];
    let lines = after("", 80, 24, report);
    assert!(
        lines.contains("inlined by kprobe  lost 34  misses 12, some unknown"),
        "{lines}"
    );
    assert!(lines.contains("\na BPF scheduler is active\n"), "{lines}");
}

#[test]
fn searches_over_the_limit_are_seen_from_afar() {
    let mut report = sample::report(1, 1);
    report.groups[0].figures.over_limit = 3;
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    let mut view = View::new(Unit::Ns);
    terminal
        .draw(|frame| draw::draw(frame, &shown(report), &mut view))
        .unwrap();
    let cells = &terminal.backend().buffer().content;
    let text: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
    let place = text.find("OVER LIMIT 3, <0.1 % (0 expected)").unwrap();
    assert_eq!(text[..place].chars().count(), place, "only ASCII before it");
    assert_eq!(cells[place].style().fg, draw::ALARM.fg);
}

#[test]
fn chosen_policies_are_told_beside_the_active_one() {
    let mut view = View::new(Unit::Ns);
    view.chosen = vec![
        Policy::SisUtil,
        Policy::NoCore,
        Policy::SisProp,
        Policy::Full,
    ];
    keys(&mut view, "mm");
    let lines = screen(120, 40, &shown(sample::report(1, 1)), &mut view).join("\n");
    assert!(
        lines.contains("  predicted sis_util 5\npredicted no_core 4  full 8\n"),
        "{lines}"
    );
    assert!(lines.contains("| <- sis_util 5, no_core 4\n"), "{lines}");
    assert!(!lines.contains("sis_prop"), "{lines}");
}

#[test]
fn the_policies_scroll_and_say_why_there_are_none() {
    let shown = shown(sample::report(1, 1));
    let mut view = View::new(Unit::Ns);
    keys(&mut view, "p");
    view.scroll = 99;
    let lines = screen(80, 14, &shown, &mut view).join("\n");
    assert!(lines.contains("\nsis_core_window "), "{lines}");
    assert!(
        !lines.contains("active"),
        "the first is out of sight: {lines}"
    );
    assert!(view.scroll < 20);
    let lines = after("p", 80, 24, sample::by_cpu(8, 1));
    assert!(lines.contains("its CPUs were not looked at"), "{lines}");
    let mut report = sample::report(1, 1);
    report.groups[0].predictions.clear();
    let lines = after("p", 80, 24, report);
    assert!(lines.contains("policies go by whole LLCs"), "{lines}");
}

#[test]
fn scrolling_is_limited_to_what_there_is() {
    let shown = shown(sample::report(1, 1));
    let mut view = View::new(Unit::Ns);
    keys(&mut view, "m");
    for (scroll, seen, unseen) in [
        (99, "[1M, 2M)", "[256, 512)"),
        (-99, "[256, 512)", "[1M, 2M)"),
    ] {
        view.scroll = scroll;
        let lines = screen(80, 20, &shown, &mut view).join("\n");
        assert!(lines.contains(seen) && !lines.contains(unseen), "{lines}");
        assert!(view.scroll.abs() < 20, "{}", view.scroll);
    }
}

#[test]
fn an_error_of_the_first_report_leaves_the_terminal_alone() {
    let stop = AtomicBool::new(false);
    let source = || Err::<Report, _>(io::Error::other("no slots"));
    let error = run(source, Options::default(), &stop).unwrap_err();
    assert!(matches!(error, Error::Source(_)));
    assert_eq!(error.to_string(), "no slots");
}
