//! Texts that must fit.

use super::{ChartError, font};

/// The longest text that is looked at, in characters: none that is shown has room for more.
const MOST: usize = 2000;

/// `text` in lines of at most `room` pixels, broken between words; a word that is longer has a
/// line of its own.
pub(super) fn wrap(text: &str, em: f64, room: f64) -> Result<Vec<String>, ChartError> {
    let mut lines: Vec<String> = Vec::new();
    let text: String = text.chars().take(MOST).collect();
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if font::width(&longer, em)? <= room {
                *line = longer;
                continue;
            }
        }
        lines.push(word.to_owned());
    }
    Ok(lines)
}

/// `text`, or as much of its beginning as has room with a mark that something is left out.
pub(super) fn cut(text: &str, em: f64, room: f64) -> Result<String, ChartError> {
    // An em is at most a few letters.
    let most = (room / em * 8.0) as usize;
    let mut shorter: String = text.chars().take(most.min(MOST)).collect();
    let mut shown = shorter.clone();
    while font::width(&shown, em)? > room && shorter.pop().is_some() {
        shown = format!("{}…", shorter.trim_end());
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "as many words as there are in this line";
        let whole = font::width(text, 12.0).unwrap();
        assert_eq!(wrap(text, 12.0, whole + 1.0).unwrap(), [text]);
        let lines = wrap(text, 12.0, whole / 2.0).unwrap();
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), text);
        for line in &lines {
            assert!(font::width(line, 12.0).unwrap() <= whole / 2.0, "{line}");
        }
        assert_eq!(wrap("", 12.0, 100.0).unwrap(), [""; 0]);
    }

    #[test]
    fn what_is_too_long_ends_with_a_mark() {
        assert_eq!(cut("short", 12.0, 100.0).unwrap(), "short");
        let cut = cut("much too long for that", 12.0, 60.0).unwrap();
        assert!(cut.ends_with('…') && cut.starts_with("much"), "{cut}");
        assert!(font::width(&cut, 12.0).unwrap() <= 60.0);
    }
}
