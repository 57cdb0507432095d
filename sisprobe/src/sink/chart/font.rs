//! The font: embedded, since a server has none.
//!
//! An SVG names only `sans-serif`, and the reader's machine chooses. DejaVu Sans is as wide as
//! such fonts get, so what has room with its widths has room with others.

use std::sync::OnceLock;

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

use super::ChartError;

/// DejaVu Sans, cut down to Latin-1 and some signs; its licence lies beside it.
static DEJAVU_SANS: &[u8] = include_bytes!("../../../assets/DejaVuSans-subset.ttf");

/// Height of the font's line over its em: what ab_glyph takes for the size of a font.
pub(super) const LINE_PER_EM: f64 = 1.164;

/// Size at which widths are taken, since they come in whole pixels.
const MEASURED_AT: f64 = 1024.0;

/// The font whose em is `em` pixels on a backend that takes `per_em` for one.
pub(super) fn font(em: f64, per_em: f64) -> Result<FontDesc<'static>, ChartError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let registered = REGISTERED.get_or_init(|| {
        let family = FontFamily::SansSerif.as_str();
        register_font(family, FontStyle::Normal, DEJAVU_SANS).is_ok()
    });
    if !registered {
        return Err(ChartError::Draw("the embedded font is damaged".into()));
    }
    let size = em * per_em;
    Ok(FontDesc::new(
        FontFamily::SansSerif,
        size,
        FontStyle::Normal,
    ))
}

/// How wide `text` is with an em of `em` pixels.
pub(super) fn width(text: &str, em: f64) -> Result<f64, ChartError> {
    let (width, _) = font(MEASURED_AT, LINE_PER_EM)?
        .box_size(text)
        .map_err(ChartError::draw)?;
    Ok(f64::from(width) * em / MEASURED_AT)
}
