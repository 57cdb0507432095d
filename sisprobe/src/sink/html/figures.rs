//! Figures with their words.

use maud::{Markup, PreEscaped, html};

use super::Part;
use crate::sink::{
    chart::{self, Chart, Layer, Size},
    figure::{self, Counted, Of},
};

/// Drawn as wide as half a screen, and not too wide for a phone. The legend is then below.
const WIDTH: u32 = 420;
/// Without the legend.
const HEIGHT: u32 = 290;
/// Of a row of the legend, and about how many letters have room in it.
const ROW: u32 = 23;
const LETTERS: usize = 52;
/// What a sample takes of these.
const SAMPLE: usize = 10;

/// Histograms and cumulative distributions of all captures over each other.
pub(super) fn section(parts: &[Part<'_>]) -> Markup {
    let counted: Vec<Counted> = (parts.iter())
        .filter_map(|part| {
            let report = part.report.as_ref()?;
            Some(Counted {
                name: part.name.clone(),
                figures: report.total(),
                fidelity: report.source.fidelity,
            })
        })
        .collect();
    let both = |of, id: &str, title: &str| {
        let (bars, line) = (
            figure::histogram(of, &counted),
            figure::cumulative(of, &counted),
        );
        html! {
            (figure(id, title, &bars, &figure::histogram_in_words(of, &counted)))
            (figure(
                &format!("{id}-cumulative"),
                &format!("{title}, cumulative"),
                &line,
                &figure::cumulative_in_words(of, &counted),
            ))
        }
    };
    html! {
        section aria-labelledby="distributions" {
            h2 #distributions { "Distributions" }
            div.pair {
                (both(Of::Duration, "duration", "How long searches took"))
                (both(Of::Scanned, "scanned", "How many CPUs they looked at"))
            }
        }
    }
}

/// A chart under a heading, with what it shows in words.
pub(super) fn figure(id: &str, title: &str, chart: &Chart, words: &str) -> Markup {
    let letters = chart.layers.iter().map(|layer| match layer {
        Layer::Cells(_) => 2 * LETTERS,
        Layer::Bars(_) => 0,
        Layer::Line(_) | Layer::Points(_) => layer.name().chars().count() + SAMPLE,
    });
    let rows = letters.sum::<usize>() / LETTERS + 1;
    let size = Size {
        width: WIDTH,
        height: HEIGHT + ROW * u32::try_from(rows).unwrap_or(1),
    };
    let (heading, caption) = (format!("{id}-heading"), format!("{id}-words"));
    html! {
        figure {
            h3 id=(heading) { (title) }
            @match chart::svg_of_page(chart, size) {
                Ok(svg) => {
                    div.chart role="img" aria-labelledby=(heading) aria-describedby=(caption) {
                        (PreEscaped(inline(&svg)))
                    }
                },
                Err(error) => p.notice { "Not drawn: " (error.to_string()) },
            }
            figcaption id=(caption) { (words) }
        }
    }
}

/// An SVG document as an element of a page, which needs no name space, and whose texts are told
/// otherwise.
fn inline(svg: &str) -> String {
    svg.replacen(
        " xmlns=\"http://www.w3.org/2000/svg\"",
        " aria-hidden=\"true\"",
        1,
    )
}
