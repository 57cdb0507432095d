//! Bytes → a capture → everything that looks at one. None of it may panic, take much memory, or
//! take long. Run by the fuzz target, and by the tests over the stored corpus.

use serde_json::{Value, json};
use sisprobe::{
    capture::{self, Capture},
    compare::{Choice, Comparison, Named},
    sink::{
        Unit,
        chart::{self, Chart, Size},
        compare::{self, Form},
        figure::{self, COLUMNS, Counted, Of, OverTime, busiest},
        html, show,
        text::Options,
    },
};

/// Inputs that are no JSON are edits of this.
const BASE: &str = include_str!("base.json");

/// Edits that begin with this are drawn too, which takes a hundred times as long as all else.
const DRAWN: u8 = b'd';

/// What begins like JSON is the text of a capture file; all else says how to spoil a good one.
pub fn run(bytes: &[u8]) {
    let Some((&first, edits)) = bytes.split_first() else {
        return;
    };
    let text = match first {
        b'{' => bytes.to_vec(),
        _ => spoilt(edits),
    };
    // More than that is slow for its length alone.
    if text.len() > 1 << 20 {
        return;
    }
    if let Ok(capture) = capture::parse(&text, "fuzz") {
        look(&capture, first == b'{' || first == DRAWN);
    }
}

/// Everything that is made of a capture.
fn look(capture: &Capture, is_drawn: bool) {
    let options = || Options {
        unit: Unit::Us,
        policies: Vec::new(),
    };
    let again = capture::to_json(capture).expect("what was read can be written");
    assert_eq!(capture::parse(&again, "again").expect("and read"), *capture);
    for run in [None, Some(1), Some(usize::MAX)] {
        // That there is no such run is an answer.
        let _ = show::capture(capture, run, options());
    }
    let names = capture::names(&[("a.json".as_ref(), capture), ("a.json".as_ref(), capture)]);
    let named: Vec<(String, &Capture)> = names.into_iter().map(|name| (name, capture)).collect();
    compared(capture);
    let draw = |chart: &Chart| {
        if is_drawn {
            // That it cannot be drawn is an answer too.
            let _ = chart::svg(chart, Size::default());
        }
    };
    if is_drawn {
        let page = html::page(&named[..1], None);
        assert!(!page.contains("<script"));
    }
    for of in [Of::Duration, Of::Scanned] {
        let counted = named.iter().cloned();
        let counted: Result<Vec<Counted>, _> = counted
            .map(|(name, capture)| Counted::of(name, capture, None, None))
            .collect();
        if let Ok(counted) = counted {
            draw(&figure::histogram(of, &counted));
            draw(&figure::cumulative(of, &counted));
        }
    }
    if let Ok(all) = OverTime::of(capture, None, None, COLUMNS) {
        draw(&all.heatmap());
        let one = OverTime::of(capture, None, busiest(&all.run.report), COLUMNS);
        draw(&one.expect("the busiest group is there").depth());
    }
}

/// A good one against this one, in every form.
fn compared(capture: &Capture) {
    let good = capture::parse(BASE.as_bytes(), "base").expect("the base is a capture");
    let named = [("base", &good), ("new", capture)].map(|(name, capture)| Named {
        name: name.into(),
        capture,
    });
    // That the two cannot be compared is an answer.
    let Ok(comparison) = Comparison::of(&named, &Choice::default()) else {
        return;
    };
    for form in [Form::Ab, Form::TwoColumn, Form::Percentile] {
        compare::text(&comparison, form);
        compare::markdown(&comparison, form);
        compare::table_html(&comparison, form);
    }
    compare::csv(&comparison).expect("CSV");
    compare::json(&comparison).expect("JSON");
}

/// A good capture, of which each three bytes spoil one place.
fn spoilt(edits: &[u8]) -> Vec<u8> {
    let mut document: Value = serde_json::from_str(BASE).expect("the base is JSON");
    for edit in edits.chunks_exact(3).take(12) {
        let mut place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % count(&document);
        if let Some(value) = nth(&mut document, &mut place) {
            spoil(value, edit[2]);
        }
    }
    document.to_string().into_bytes()
}

/// How many values there are, itself and all in it.
fn count(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Object(fields) => fields.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    };
    inner + 1
}

/// The value with so many before it.
fn nth<'a>(value: &'a mut Value, before: &mut usize) -> Option<&'a mut Value> {
    if *before == 0 {
        return Some(value);
    }
    *before -= 1;
    match value {
        Value::Object(fields) => fields.values_mut().find_map(|inner| nth(inner, before)),
        Value::Array(items) => items.iter_mut().find_map(|inner| nth(inner, before)),
        _ => None,
    }
}

fn spoil(value: &mut Value, how: u8) {
    match how % 24 {
        0 => *value = Value::Null,
        1 => *value = json!(0),
        2 => *value = json!(1),
        3 => *value = json!(-1),
        4 => *value = json!(u32::MAX),
        5 => *value = json!(u64::MAX),
        6 => *value = json!(i64::MIN),
        7 => *value = json!(1e308),
        8 => *value = json!(-1e308),
        9 => *value = json!(5e-324),
        10 => *value = json!(1e17),
        11 => *value = json!(""),
        12 => *value = json!("\u{1b}[2J\u{0}<script>\"'&\u{202e}\n"),
        13 => *value = json!("word ".repeat(2000)),
        14 => *value = json!("0-65535"),
        15 => *value = json!([]),
        16 => *value = json!({}),
        17 => *value = json!("bracketed"),
        18 => *value = json!({ "signal": i32::MAX }),
        // More of the same: runs, groups, columns.
        19..24 => match value {
            Value::Array(items) => {
                let more = items.iter().take(64).cloned().collect::<Vec<_>>();
                items.extend(more);
                if how.is_multiple_of(2) {
                    items.reverse();
                }
            }
            Value::Object(fields) => {
                let name = fields.keys().nth(usize::from(how / 24)).cloned();
                if let Some(name) = name {
                    fields.remove(&name);
                }
            }
            Value::Number(_) => *value = json!(u64::from(how) << 20),
            _ => *value = json!(true),
        },
        _ => {}
    }
}
