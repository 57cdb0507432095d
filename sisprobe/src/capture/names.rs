//! What captures are called beside each other.

use std::{collections::BTreeMap, path::Path};

use super::Capture;

/// A short name for each file: its setting and load where it is a cell of a matrix, else that of
/// the file; with the file's before it where that would be the same for two, and with a number
/// where even that is.
pub fn names(files: &[(&Path, &Capture)]) -> Vec<String> {
    let short: Vec<String> = files
        .iter()
        .map(|(path, capture)| short(path, capture))
        .collect();
    let longer: Vec<String> = files
        .iter()
        .zip(&short)
        .map(|((path, _), name)| match count(&short, name) {
            1 => name.clone(),
            _ if *name == stem(path) => path.display().to_string(),
            _ => format!("{}: {name}", stem(path)),
        })
        .collect();
    let mut seen = BTreeMap::<&str, u32>::new();
    let numbered = longer.iter().map(|name| {
        let nth = seen.entry(name).or_default();
        *nth += 1;
        match count(&longer, name) {
            1 => name.clone(),
            _ => format!("{name} ({nth})"),
        }
    });
    numbered.collect()
}

fn count(names: &[String], name: &str) -> usize {
    names.iter().filter(|other| *other == name).count()
}

fn short(path: &Path, capture: &Capture) -> String {
    match &capture.cell {
        Some(cell) => match cell.load {
            Some(load) => format!("{}, {load} %", cell.setting),
            None => cell.setting.clone(),
        },
        None => stem(path),
    }
}

/// A capture file's name without its folder and what its form is told by.
pub fn stem(path: &Path) -> String {
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let name = name.strip_suffix(".zst").unwrap_or(&name);
    name.strip_suffix(".json").unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::sample;

    #[test]
    fn no_two_have_the_same_name() {
        let mut cell = sample::capture(1);
        let mut plain = cell.clone();
        plain.cell = None;
        let of = |files: &[(&str, &Capture)]| {
            let files: Vec<(&Path, &Capture)> = files
                .iter()
                .map(|(path, capture)| (Path::new(*path), *capture))
                .collect();
            names(&files)
        };
        let two = of(&[("a/base.json", &plain), ("b.json.zst", &cell)]);
        assert_eq!(two, ["base", "sis_util, 50 %"]);
        let same = of(&[("a.json", &cell), ("b.json", &cell), ("b.json", &cell)]);
        assert_eq!(
            same,
            [
                "a: sis_util, 50 %",
                "b: sis_util, 50 % (1)",
                "b: sis_util, 50 % (2)"
            ]
        );
        assert_eq!(
            of(&[("a/x.json", &plain), ("b/x.json", &plain)]),
            ["a/x.json", "b/x.json"]
        );
        cell.cell.as_mut().unwrap().load = None;
        assert_eq!(of(&[("", &cell)]), ["sis_util"]);
    }
}
