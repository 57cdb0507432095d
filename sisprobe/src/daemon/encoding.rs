//! Which encodings a client takes, and the one that there is.

use std::io::{self, Write as _};

use axum::http::{HeaderMap, header};
use flate2::{Compression, write::GzEncoder};

/// Whether `Accept-Encoding` allows gzip (RFC 9110, 12.5.3): named, or by `*`, and not with a
/// weight of 0.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let offers: Vec<_> = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(offer)
        .collect();
    let weight = |wanted: &str| {
        let mut named = offers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
        named.next().map(|(_, weight)| *weight)
    };
    weight("gzip")
        .or_else(|| weight("*"))
        .is_some_and(|weight| weight > 0.0)
}

/// `text`, compressed quickly rather than well.
pub(super) fn gzip(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text)?;
    gzip.finish()
}

/// `gzip;q=0.5` → its name and weight; one that cannot be read is 0.
fn offer(text: &str) -> (&str, f32) {
    let (name, parameters) = text.split_once(';').unwrap_or((text, ""));
    let weight = match parameters.trim().strip_prefix("q=") {
        Some(weight) => weight.trim().parse().unwrap_or(0.0),
        None => 1.0,
    };
    (name.trim(), weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_named_and_not_refused() {
        for (value, accepted) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.5", true),
            ("*", true),
            ("", false),
            ("identity", false),
            ("gzip;q=0", false),
            ("*, gzip;q=0.0", false),
            ("gzip;q=x", false),
            ("xgzip", false),
        ] {
            let mut headers = HeaderMap::new();
            assert!(!accepts_gzip(&headers));
            headers.insert(header::ACCEPT_ENCODING, value.parse().unwrap());
            assert_eq!(accepts_gzip(&headers), accepted, "{value}");
        }
    }
}
