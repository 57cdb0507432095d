//! Numbers as benchmarks print them.

/// A finite number: digits with an optional sign, decimal point and exponent, or with a comma
/// between each three digits of the whole part.
pub(super) fn number(text: &str) -> Option<f64> {
    // Rust's parser would also take "nan" and "infinity".
    if text
        .chars()
        .any(|c| c.is_ascii_alphabetic() && c != 'e' && c != 'E')
    {
        return None;
    }
    let value: f64 = if text.contains(',') {
        without_commas(text)?.parse().ok()?
    } else {
        text.parse().ok()?
    };
    value.is_finite().then_some(value)
}

/// `1,234.5` → `1234.5`. A comma anywhere else may be a decimal one, so that is no number.
fn without_commas(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.trim_start_matches(['+', '-']).split(',');
    let first = groups.next()?;
    let well_formed = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3)
        && !fraction.contains(',');
    well_formed.then(|| text.replace(',', ""))
}

/// The number behind `label`, up to the next white space.
pub(super) fn after(line: &str, label: &str) -> Option<f64> {
    number(line.strip_prefix(label)?.split_whitespace().next()?)
}

/// `99.9` → `p99_9`, the end of a metric's name.
pub(super) fn percentile_name(text: &str) -> Option<String> {
    let percentile = number(text).filter(|p| (0.0..=100.0).contains(p) && text.len() <= 10)?;
    Some(format!("p{}", percentile.abs()).replace('.', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, value) in [
            ("0.237", Some(0.237)),
            ("-3", Some(-3.0)),
            ("1e6", Some(1e6)),
            ("1,234.5", Some(1234.5)),
            ("12,345,678", Some(12_345_678.0)),
            ("-1,000", Some(-1000.0)),
            // Decimal commas, or nothing at all.
            ("0,123", None),
            ("1,23", None),
            ("1234,567", None),
            ("1.234,567", None),
            (",123", None),
            ("1,,234", None),
            ("", None),
            (".", None),
            ("nan", None),
            ("inf", None),
            ("-infinity", None),
            ("1e999", None),
            ("12ms", None),
            ("١٢", None),
        ] {
            assert_eq!(number(text), value, "{text:?}");
        }
    }

    #[test]
    fn percentiles() {
        for (text, name) in [
            ("50.0000", Some("p50")),
            ("99.9", Some("p99_9")),
            ("100", Some("p100")),
            ("100.1", None),
            ("-1", None),
            ("99.90000000000000", None),
        ] {
            assert_eq!(percentile_name(text).as_deref(), name, "{text}");
        }
    }
}
