//! Which captures are held against which.

use super::{CompareError, measured::Measured};

/// Captures under one name: one file, or all cells of a setting.
pub(super) struct Side<'a> {
    pub(super) name: String,
    pub(super) captures: Vec<Measured<'a>>,
    /// Whether its captures are cells, which are paired by case and load.
    is_setting: bool,
}

impl<'a> Side<'a> {
    /// That of the same case under the same load. Files stand for what they are compared for,
    /// whatever their loads.
    pub(super) fn like(&self, base: &Measured<'_>) -> Option<&Measured<'a>> {
        let is_setting = self.is_setting;
        let mut captures = self.captures.iter();
        captures.find(|there| !is_setting || is_alike(there, base))
    }
}

pub(super) fn is_alike(a: &Measured<'_>, b: &Measured<'_>) -> bool {
    (&a.case, &a.load) == (&b.case, &b.load)
}

/// A side for each setting where all captures are cells and there is more than one setting, else
/// one for each capture; the base first.
///
/// # Errors
///
/// Less than two sides; two captures of one cell.
pub(super) fn of(captures: Vec<Measured<'_>>) -> Result<Vec<Side<'_>>, CompareError> {
    let first = captures.first().and_then(Measured::setting);
    let is_matrix = captures.iter().all(|one| one.setting().is_some())
        && captures.iter().any(|one| one.setting() != first);
    let mut sides: Vec<Side<'_>> = Vec::new();
    for capture in captures {
        let setting = capture.setting().filter(|_| is_matrix);
        let name = setting.unwrap_or(capture.name).to_owned();
        let place = sides.iter().position(|side| is_matrix && side.name == name);
        match place.and_then(|place| sides.get_mut(place)) {
            Some(side) => side.captures.push(capture),
            None => sides.push(Side {
                name,
                captures: vec![capture],
                is_setting: is_matrix,
            }),
        }
    }
    if sides.len() < 2 {
        return Err(CompareError::One);
    }
    for side in &mut sides {
        let load = |one: &Measured<'_>| one.capture.cell.as_ref().and_then(|cell| cell.load);
        side.captures.sort_by_key(load);
        for (place, one) in side.captures.iter().enumerate() {
            let earlier = &side.captures[..place];
            if let Some(other) = earlier.iter().find(|other| is_alike(other, one)) {
                return Err(CompareError::Twice {
                    setting: side.name.clone(),
                    load: one.load.clone(),
                    files: format!("{} and {}", other.name, one.name),
                });
            }
        }
    }
    Ok(sides)
}
