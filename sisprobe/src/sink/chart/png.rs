//! PNG, for what does not show SVG.

use plotters::prelude::BitMapBackend;

use super::{
    Chart, ChartError, Size,
    canvas::{Canvas, TextRule},
    draw, font,
};

/// Drawn larger by this, then averaged: plotters smooths its lines, but not its shapes.
const FACTOR: u32 = 3;
const CHANNELS: usize = 3;

/// How plotters places texts with ab_glyph: the base line half a size below.
const TEXT: TextRule = TextRule {
    size: font::LINE_PER_EM,
    ascent: font::LINE_PER_EM / 2.0,
};

/// The chart as a PNG image of `size` pixels.
///
/// # Errors
///
/// [`ChartError`]: an axis is not one, or there is no room.
pub fn png(chart: &Chart, size: Size) -> Result<Vec<u8>, ChartError> {
    let large = (size.width * FACTOR, size.height * FACTOR);
    let mut pixels = vec![0; large.0 as usize * large.1 as usize * CHANNELS];
    {
        let mut backend = BitMapBackend::with_buffer(&mut pixels, large);
        draw(chart, size, &mut Canvas::new(&mut backend, FACTOR, TEXT))?;
    }
    encode(&averaged(&pixels, size), size).map_err(ChartError::draw)
}

/// Each pixel the mean of a square of `FACTOR` × `FACTOR`.
fn averaged(large: &[u8], size: Size) -> Vec<u8> {
    let factor = FACTOR as usize;
    let (width, height) = (size.width as usize, size.height as usize);
    let stride = width * factor * CHANNELS;
    let mut small = Vec::with_capacity(width * height * CHANNELS);
    let count = FACTOR * FACTOR;
    for y in 0..height {
        for x in 0..width {
            for channel in 0..CHANNELS {
                let mut sum = count / 2;
                for row in 0..factor {
                    let start = (y * factor + row) * stride + x * factor * CHANNELS + channel;
                    for column in 0..factor {
                        sum += u32::from(large[start + column * CHANNELS]);
                    }
                }
                // A mean of bytes is a byte.
                small.push((sum / count) as u8);
            }
        }
    }
    small
}

fn encode(pixels: &[u8], size: Size) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.width, size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
