//! Our edits to the kernel's source: text put in before a named anchor, so that no kernel text
//! needs to be kept here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// Text that goes in before the one line that begins with the anchor.
#[derive(Debug)]
pub(super) struct Edit {
    /// The file, from the tree's top.
    pub(super) file: &'static str,
    /// How the line begins.
    pub(super) anchor: &'static str,
    /// What goes in before it.
    pub(super) insert: &'static str,
}

/// Makes the two functions of the domain search symbols of their own.
pub(super) const OUT_OF_LINE: &[Edit] = &[
    Edit {
        file: "kernel/sched/fair.c",
        anchor: "static int select_idle_cpu(",
        insert: "noinline ",
    },
    Edit {
        file: "kernel/sched/fair.c",
        anchor: "static int select_idle_core(",
        insert: "noinline ",
    },
];

/// Ending of the copy of a file as it came.
const PRISTINE: &str = "sisprobe-pristine";

/// Files that some edit touches: each is put back to what it was before the edits go in.
const TOUCHED: [&str; 1] = ["kernel/sched/fair.c"];

/// Brings the tree to "as it came, plus these edits". A file that is so already keeps its time,
/// so that nothing is compiled for it.
pub(super) fn apply_all(tree: &Path, edits: &[Edit]) -> Result<()> {
    let mut files: BTreeMap<&str, Vec<&Edit>> =
        TOUCHED.iter().map(|&file| (file, Vec::new())).collect();
    for edit in edits {
        files.entry(edit.file).or_default().push(edit);
    }
    for (file, edits) in files {
        let path = tree.join(file);
        let pristine = tree.join(format!("{file}.{PRISTINE}"));
        let current =
            fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        if !pristine.exists() {
            fs::write(&pristine, &current)
                .with_context(|| format!("write {}", pristine.display()))?;
        }
        let mut text = fs::read_to_string(&pristine)
            .with_context(|| format!("read {}", pristine.display()))?;
        for edit in edits {
            text = apply(&text, edit).with_context(|| format!("edit {file}"))?;
        }
        if text != current {
            fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
        }
    }
    Ok(())
}

/// The text with the insertion in it.
fn apply(text: &str, edit: &Edit) -> Result<String> {
    let mut places = text
        .match_indices(edit.anchor)
        .map(|(place, _)| place)
        .filter(|&place| place == 0 || text.as_bytes()[place - 1] == b'\n');
    match (places.next(), places.count()) {
        (Some(place), 0) => {
            let (before, after) = text.split_at(place);
            Ok(format!("{before}{}{after}", edit.insert))
        }
        (None, _) => bail!(
            "no line begins with {:?}: this source needs another anchor",
            edit.anchor
        ),
        (Some(_), more) => bail!(
            "{} lines begin with {:?}, where one must: this source needs another anchor",
            more + 1,
            edit.anchor
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, OUT_OF_LINE, PRISTINE, apply, apply_all};

    const EDIT: Edit = Edit {
        file: "a.c",
        anchor: "static int f(",
        insert: "noinline ",
    };

    #[test]
    fn the_insertion_stands_before_the_anchor() {
        let text = "int x = f(1);\nstatic int f(int a)\n{\n}\n";
        assert_eq!(
            apply(text, &EDIT).expect("one anchor"),
            "int x = f(1);\nnoinline static int f(int a)\n{\n}\n"
        );
        assert_eq!(
            apply("static int f(void);", &EDIT).expect("one anchor"),
            "noinline static int f(void);"
        );
    }

    #[test]
    fn an_anchor_must_be_there_once() {
        let none = apply("  static int f(int a)\n", &EDIT).expect_err("not at a line's start");
        assert!(none.to_string().contains("static int f("), "{none}");
        let text = "static int f(int a);\nstatic int f(int a)\n";
        let two = apply(text, &EDIT).expect_err("two lines");
        assert!(two.to_string().contains("2 lines"), "{two}");
    }

    #[test]
    fn edits_come_and_go_and_leave_times_alone() {
        let tree = tempfile::tempdir().expect("a folder");
        let file = tree.path().join("kernel/sched/fair.c");
        std::fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
        let text = "static int select_idle_core(int a)\nstatic int select_idle_cpu(int a)\n";
        std::fs::write(&file, text).expect("a file");
        let read = || std::fs::read_to_string(&file).expect("a file");

        apply_all(tree.path(), OUT_OF_LINE).expect("anchors are there");
        assert_eq!(read().matches("noinline static").count(), 2);
        let time = file
            .metadata()
            .and_then(|meta| meta.modified())
            .expect("a time");
        apply_all(tree.path(), OUT_OF_LINE).expect("anchors are there");
        let again = file
            .metadata()
            .and_then(|meta| meta.modified())
            .expect("a time");
        assert_eq!(time, again);

        apply_all(tree.path(), &[]).expect("nothing to do");
        assert_eq!(read(), text);
        assert!(file.with_file_name(format!("fair.c.{PRISTINE}")).exists());
    }
}
