//! Charts of captures as they come out.

use super::*;
use crate::{
    capture::sample,
    sink::chart::{self, Chart, Layer, Size},
};

fn counted(name: &str, times: u64) -> Counted {
    let capture = sample::capture(2);
    let mut counted = Counted::of(name.into(), &capture, None, None).unwrap();
    counted.figures = crate::sink::sample::figures(times);
    counted
}

fn lines(chart: &Chart) -> Vec<&chart::Line> {
    let lines = chart.layers.iter().filter_map(|layer| match layer {
        Layer::Line(line) => Some(line),
        _ => None,
    });
    lines.collect()
}

#[test]
fn shares_are_of_each_capture_by_itself() {
    for of in [Of::Duration, Of::Scanned] {
        let chart = histogram(of, &[counted("base", 1), counted("new", 1000)]);
        let [base, new] = &lines(&chart)[..] else {
            panic!("{chart:?}")
        };
        assert_eq!((&*base.name, &*new.name), ("base", "new"));
        assert_eq!(base.values, new.values);
        let sum: f64 = base.values.iter().step_by(2).map(|(_, share)| share).sum();
        assert!((sum - 100.0).abs() < 1e-9, "{sum}");
        // Above the powers of two in which they lie: 0 CPUs in the first.
        if of == Of::Scanned {
            let share = 100.0 * 9438.0 / 16741.0;
            assert_eq!(base.values[..2], [(-1.0, share), (0.0, share)]);
        }
        assert!(matches!(chart.layers[1], Layer::Bars(_)));
    }
}

#[test]
fn what_is_up_to_a_bound_only_grows_and_is_all_at_the_end() {
    for of in [Of::Duration, Of::Scanned] {
        let chart = cumulative(of, &[counted("base", 3)]);
        let values = &lines(&chart)[0].values;
        for pair in values.windows(2) {
            assert!(pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1, "{pair:?}");
        }
        assert_eq!(values.first().unwrap().1, 0.0);
        assert!((values.last().unwrap().1 - 100.0).abs() < 1e-9);
        if of == Of::Scanned {
            // 9438 of 16741 looked at none, and no more before one that looked at 1.
            let none = 100.0 * (9438.0 / 16741.0);
            assert_eq!(values[..3], [(-1.0, 0.0), (-1.0, none), (0.0, none)]);
        }
    }
}

#[test]
fn everything_can_be_drawn_from_nothing_to_many() {
    let many: Vec<Counted> = (0..14)
        .map(|n| counted(&format!("capture {n}"), n))
        .collect();
    for all in [&many[..0], &many[..1], &many[1..3], &many[..]] {
        for of in [Of::Duration, Of::Scanned] {
            for chart in [histogram(of, all), cumulative(of, all)] {
                let svg = chart::svg(&chart, Size::default()).unwrap();
                roxmltree::Document::parse(&svg).unwrap();
                assert_eq!(lines(&chart).len(), all.len().min(12));
            }
            let words = histogram_in_words(of, all) + &cumulative_in_words(of, all);
            assert_eq!(words.contains("Not drawn: 2 more"), all.len() == 14);
        }
    }
}

#[test]
fn figures_in_words() {
    let all = [counted("base", 1), counted("new", 0)];
    assert_eq!(
        histogram_in_words(Of::Duration, &all),
        "base: most (56.1 %) from 2048 to below 4096 ns; new: nothing counted."
    );
    assert_eq!(
        cumulative_in_words(Of::Scanned, &all),
        "base: half up to 0, 99 % up to 7 CPUs; new: nothing counted."
    );
}

#[test]
fn a_run_over_time_is_of_that_run() {
    let capture = sample::capture(3);
    let all = OverTime::of(&capture, None, None, COLUMNS).unwrap();
    assert_eq!(all.title(), "run 2, all groups together");
    assert_eq!(all.heatmap().x.label, "seconds of the run");
    assert_eq!((all.heatmap().x.from, all.heatmap().x.to), (0.0, 10.0));
    let one = OverTime::of(&capture, Some(3), Some("LLC 0"), COLUMNS).unwrap();
    assert_eq!(one.title(), "run 3, LLC 0");
    assert_eq!(lines(&one.depth()).len(), 3);
    assert!(
        one.depth_in_words()
            .starts_with("In 15.0 s: CPUs scanned, mean: ")
    );
    assert!(
        one.heatmap_in_words()
            .starts_with("In 15.0 s: 251115 in all")
    );
    assert_eq!(busiest(&capture.runs[0].report), Some("LLC 0"));
}

#[test]
fn what_is_not_there_is_told() {
    let capture = sample::capture(1);
    let error = OverTime::of(&capture, None, Some("LLC 7"), COLUMNS).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no group \"LLC 7\": it has LLC 0, LLC 1"
    );
    let error = Counted::of(String::new(), &capture, Some(0), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no run 0: it has 1, counted from 1"
    );
    let mut empty = capture;
    empty.runs.clear();
    assert_eq!(
        OverTime::of(&empty, None, None, COLUMNS).unwrap_err(),
        NoFigure::Empty
    );
}
