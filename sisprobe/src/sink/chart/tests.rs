//! Charts as they come out: well-formed, complete, with no text over another.

use roxmltree::{Document, Node};

use super::*;
use crate::{
    policy::{Choice, Curve, LlcState, Measured, Policy},
    report::{Column, Totals},
    sink::{
        curve, sample,
        timeline::{self, Span},
    },
};

fn llc(weight: u32, times: bool) -> LlcState {
    LlcState {
        smt: weight.min(2),
        avg_idle: times.then_some(500_000),
        wake_avg_idle: times.then_some(100_000),
        avg_scan_cost: times.then_some(2_000),
        ..LlcState::unused(weight)
    }
}

fn model(weight: u32, times: bool) -> Chart {
    curve::chart(&Curve::new(llc(weight, times), &Choice::all(), 1))
}

fn measured(labels: &[&str]) -> Chart {
    let measured = labels.iter().map(|&label| Measured {
        label: label.into(),
        utilisation_percent: 42.0,
        scanned_mean: 130.5,
    });
    let curve = Curve::new(llc(112, false), &Choice::all(), 1);
    curve::chart(&curve.with_measured(measured.collect()))
}

/// All charts that `sisprobe model` may draw, more or less.
fn charts() -> Vec<Chart> {
    let mut charts: Vec<Chart> = [1, 2, 8, 16, 112, 1000, 8192]
        .into_iter()
        .flat_map(|weight| [model(weight, false), model(weight, true)])
        .collect();
    let one = Curve::new(llc(16, false), &"sis_util".parse().unwrap(), 1);
    charts.push(curve::chart(&one));
    let none = Curve::new(llc(16, false), &"sis_prop".parse().unwrap(), 1);
    charts.push(curve::chart(&none));
    charts.push(measured(&[
        "LLC 0",
        "LLC 1",
        "a machine with quite a long name",
    ]));
    charts
}

/// A text of an SVG, and about where it is.
#[derive(Debug)]
struct Shown {
    text: String,
    place: canvas::Rect,
}

impl Shown {
    fn new(node: Node<'_, '_>) -> Self {
        let number = |name: &str| -> f64 { node.attribute(name).unwrap().parse().unwrap() };
        let text = node.text().unwrap().trim().to_owned();
        let em = number("font-size");
        let width = font::width(&text, em).unwrap();
        let start = match node.attribute("text-anchor").unwrap() {
            "start" => 0.0,
            "middle" => -width / 2.0,
            "end" => -width,
            other => panic!("{other}"),
        };
        let (x, y) = (number("x"), number("y"));
        // From the top of a letter to below the base line, which lies 0.76 em below the place.
        let place = if node.attribute("transform").is_some() {
            canvas::Rect {
                left: x,
                top: y - start - width,
                right: x + em,
                bottom: y - start,
            }
        } else {
            canvas::Rect {
                left: x + start,
                top: y,
                right: x + start + width,
                bottom: y + em,
            }
        };
        Self { text, place }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self.place, other.place);
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
    }
}

/// All texts of a chart.
fn texts(chart: &Chart, size: Size) -> Vec<Shown> {
    let svg = svg(chart, size).unwrap();
    let document = Document::parse(&svg).unwrap();
    let texts = document.descendants();
    texts
        .filter(|node| node.has_tag_name("text"))
        .map(Shown::new)
        .collect()
}

fn sizes() -> [Size; 3] {
    let size = |width, height| Size { width, height };
    [Size::default(), size(640, 440), size(1600, 900)]
}

#[test]
fn no_text_lies_over_another_or_outside() {
    for chart in charts() {
        for size in sizes() {
            all_can_be_read(&chart, size);
        }
    }
}

fn all_can_be_read(chart: &Chart, size: Size) {
    let texts = texts(chart, size);
    for (index, text) in texts.iter().enumerate() {
        let overlapped = texts[..index].iter().find(|other| text.overlaps(other));
        assert!(overlapped.is_none(), "{text:?} lies over {overlapped:?}");
        let place = text.place;
        let (right, bottom) = (f64::from(size.width), f64::from(size.height));
        assert!(
            place.left >= 0.0
                && place.top >= 0.0
                && place.right <= right * 10.0
                && place.bottom <= bottom * 10.0,
            "{text:?} is not in {size:?}"
        );
    }
}

/// A depth chart and a heatmap of `count` columns, with a gap in every third.
fn timeline(count: u32) -> [Chart; 2] {
    let source = sample::report(1, 1).source;
    let group = sample::group(0, sample::figures(1));
    let columns: Vec<Column> = (0..count)
        .map(|index| {
            let from = f64::from(index) * 3.0;
            let mut column = Column::new(from);
            let times = u64::from(index % 3) * 1000;
            let now = Totals::of(&sample::figures(times));
            column.extend(from + 3.0, &Totals::of(&sample::figures(0)), &now);
            column.look(&group, source.policy.policy);
            column
        })
        .collect();
    [
        timeline::depth(&columns, &source, group.size, Span::UntilNow),
        timeline::heatmap(&columns, &source, Span::UntilNow),
    ]
}

/// Also where the legend is below.
#[test]
fn charts_of_a_page_can_be_read_at_any_width() {
    for count in [0, 1, 10, 200] {
        for chart in timeline(count) {
            for width in [300, 343, 500, 639, 640, 1200] {
                all_can_be_read(&chart, Size { width, height: 300 });
            }
        }
    }
}

#[test]
fn a_heatmap_has_a_cell_for_each_count_and_tells_what_colours_mean() {
    let [_, heatmap] = timeline(6);
    let [Layer::Cells(cells)] = &heatmap.layers[..] else {
        panic!("{:?}", heatmap.layers)
    };
    // Two columns of three have all the rows of the sample.
    let rows = sample::figures(1).duration.log2_rows();
    let filled = rows.iter().filter(|(_, count)| *count > 0).count();
    assert_eq!(cells.cells.len(), 4 * filled);
    let total: u64 = cells.cells.iter().map(|cell| cell.count).sum();
    assert_eq!(
        total,
        2 * (1000 + 2000) * sample::figures(1).duration.count()
    );
    for width in [400, 900] {
        let size = Size { width, height: 300 };
        let svg = svg(&heatmap, size).unwrap();
        let document = Document::parse(&svg).unwrap();
        let coloured = document.descendants().filter(|node| {
            let fill = node.attribute("fill").unwrap_or_default();
            let is = |Colour(r, g, b): &Colour| fill == format!("#{r:02X}{g:02X}{b:02X}");
            node.has_tag_name("rect") && cells::RAMP.iter().any(is)
        });
        let legend = cells.scale().legend();
        assert_eq!(coloured.count(), cells.cells.len() + legend.len());
        let texts = texts(&heatmap, size);
        for (_, name) in legend {
            assert!(texts.iter().any(|shown| shown.text == name), "{name}");
        }
        for name in ["searches", "1K", "seconds before the last reading"] {
            assert!(texts.iter().any(|shown| shown.text == name), "{name}");
        }
    }
}

#[test]
fn a_line_has_gaps_where_there_is_nothing() {
    let [depth, _] = timeline(6);
    let Layer::Line(line) = &depth.layers[0] else {
        panic!("{:?}", depth.layers[0])
    };
    assert_eq!(line.name, "scanned, mean");
    let gaps = line.values.iter().filter(|(_, y)| y.is_nan());
    assert_eq!(gaps.count(), 4, "both ends of two columns");
    let svg = svg(&depth, Size::default()).unwrap();
    let colour = format!(
        "stroke=\"#{:02X}{:02X}{:02X}\"",
        SCANNED.0, SCANNED.1, SCANNED.2
    );
    let document = svg
        .lines()
        .filter(|one| one.starts_with("<polyline") && one.contains(&colour));
    // Two pieces, and the sample in the legend.
    assert_eq!(document.count(), 3);
}

#[test]
fn an_svg_stands_alone_and_scales() {
    let svg = svg(&model(112, true), Size::default()).unwrap();
    let document = Document::parse(&svg).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("width"), Some("900"));
    assert_eq!(root.attribute("height"), Some("560"));
    assert_eq!(root.attribute("viewBox"), Some("0 0 9000 5600"));
    for node in document.descendants() {
        let names = node.attributes().map(|attribute| attribute.name());
        assert!(!names.into_iter().any(|name| name == "href"), "{node:?}");
        if node.has_tag_name("text") {
            assert_eq!(node.attribute("font-family"), Some("sans-serif"));
        }
    }
    assert!(svg.len() < 200 << 10, "{} bytes", svg.len());
}

#[test]
fn signs_of_xml_are_texts_too() {
    let mut chart = model(16, false);
    chart.title = "a < b & \"c\" > 'd'".into();
    let texts = texts(&chart, Size::default());
    assert!(texts.iter().any(|shown| shown.text == chart.title));
}

#[test]
fn everything_is_named() {
    for (times, drawn) in [(false, 8), (true, 12)] {
        let chart = model(112, times);
        assert_eq!(chart.layers.len(), drawn);
        let texts: Vec<String> = (texts(&chart, Size::default()).into_iter())
            .map(|shown| shown.text)
            .collect();
        let all = texts.join("\n");
        for policy in Policy::ALL {
            let named = texts.iter().any(|text| text == policy.name());
            let missing = chart.notes.iter().any(|note| note.contains(policy.name()));
            assert!(named != missing, "{policy}: {all}");
        }
        for note in &chart.notes {
            assert!(all.contains(note), "{note}: {all}");
        }
        for expected in [
            "LLC of 112 CPUs",
            "SMT 2, imbalance_pct 117",
            &chart.x.label,
            &chart.y.label,
            "\n112\n",
            "\n100\n",
        ] {
            assert!(all.contains(expected), "{expected}: {all}");
        }
        assert_eq!(all.contains("wake_avg_idle 100000 ns"), times, "{all}");
    }
}

/// Also above the size of the LLC, where a search looked for a core and then for a CPU.
#[test]
fn what_was_measured_is_in_the_chart_and_the_legend() {
    let chart = measured(&["LLC 0", "LLC 1", "LLC 0"]);
    assert!(chart.y.to >= 130.5, "{:?}", chart.y);
    let names: Vec<_> = chart.layers.iter().skip(8).map(Layer::name).collect();
    assert_eq!(names, ["measured: LLC 0", "measured: LLC 1"]);
    let many = measured(&["0", "1", "2", "3", "4"]);
    let names: Vec<_> = many.layers.iter().skip(8).map(Layer::name).collect();
    assert_eq!(names, ["measured: 5 series"]);
}

#[test]
fn a_png_has_its_size_and_the_lines_their_colours() {
    let chart = model(112, true);
    for size in &sizes()[..2] {
        let bytes = png(&chart, *size).unwrap();
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (size.width, size.height));
        for (policy, style) in Policy::ALL.into_iter().zip(STYLES) {
            let Colour(red, green, blue) = style.colour;
            let count = pixels
                .chunks(3)
                .filter(|pixel| **pixel == [red, green, blue]);
            assert!(count.count() > 20, "{policy} is not to be seen");
        }
        // All four corners are paper.
        let row = size.width as usize * 3;
        for corner in [0, row - 3, pixels.len() - row, pixels.len() - 3] {
            assert_eq!(pixels[corner..corner + 3], [255, 255, 255]);
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let small = Size {
        width: 200,
        height: 100,
    };
    let chart = model(16, false);
    assert_eq!(svg(&chart, small), Err(ChartError::TooSmall(small)));
    assert!(png(&chart, small).is_err());
    for to in [0.0, f64::NAN, f64::INFINITY] {
        let mut chart = chart.clone();
        chart.y.to = to;
        let error = svg(&chart, Size::default()).unwrap_err();
        assert!(matches!(error, ChartError::Axis { .. }), "{error}");
    }
}

#[test]
fn more_than_has_room_is_counted() {
    let mut chart = model(16, true);
    let one = chart.layers[0].clone();
    chart.layers.extend(std::iter::repeat_n(one, 100));
    let texts = texts(&chart, Size::default());
    let names = texts.iter().filter(|shown| shown.text == "full").count();
    // Of the 112, the first 12 have names of their own.
    let more = format!("and {} more", 101 - names);
    assert!(texts.iter().any(|shown| shown.text == more), "{more}");
}
