//! Our edits to the kernel's source: text put in beside a named anchor, so that no kernel text
//! needs to be kept here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// Text that goes in beside the one line that begins with the anchor.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    /// The file, from the tree's top.
    pub(super) file: &'static str,
    /// How the first line of the function or struct begins in which the anchor is; none: anywhere.
    pub(super) within: Option<&'static str>,
    /// How the line begins.
    pub(super) anchor: &'static str,
    /// Where, of that line.
    pub(super) side: Side,
    /// What goes in.
    pub(super) insert: Cow<'static, str>,
}

/// Where, of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    /// Where the line begins; what goes in need not be a line of its own.
    Before,
    /// Where the next line begins.
    After,
    /// Before the first such word of the line.
    Word(&'static str),
}

/// Makes the two functions of the domain search symbols of their own.
pub(super) const OUT_OF_LINE: &[Edit] = &[
    prefix(
        "kernel/sched/fair.c",
        "static int select_idle_cpu(",
        "noinline ",
    ),
    prefix(
        "kernel/sched/fair.c",
        "static int select_idle_core(",
        "noinline ",
    ),
];

/// Words at the beginning of the line that begins with the anchor.
pub(super) const fn prefix(file: &'static str, anchor: &'static str, words: &'static str) -> Edit {
    Edit {
        file,
        within: None,
        anchor,
        side: Side::Before,
        insert: Cow::Borrowed(words),
    }
}

impl Edit {
    /// What identifies it, for a cache's key: no more than must be said, so that kernels built
    /// before there was more to say stay known.
    pub(super) fn parts(&self) -> Vec<&str> {
        let mut parts = vec![self.file, self.anchor, &self.insert];
        if let Some(within) = self.within {
            parts.extend(["within", within]);
        }
        match self.side {
            Side::Before => {}
            Side::After => parts.push("after"),
            Side::Word(word) => parts.extend(["word", word]),
        }
        parts
    }
}

/// Ending of the copy of a file as it came.
const PRISTINE: &str = "sisprobe-pristine";

/// Files that some edit touches: each is put back to what it was before the edits go in.
const TOUCHED: [&str; 5] = [
    "include/linux/sched/topology.h",
    "kernel/sched/core.c",
    "kernel/sched/fair.c",
    "kernel/sched/features.h",
    "kernel/sched/sched.h",
];

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
pub(super) fn apply(text: &str, edit: &Edit) -> Result<String> {
    let block = match edit.within {
        Some(first) => block(text, first)?,
        None => 0..text.len(),
    };
    let line = line(text, block, edit.anchor)
        .with_context(|| format!("in {}", edit.within.unwrap_or("the file")))?;
    let place = match edit.side {
        Side::Before => line,
        Side::After => text[line..]
            .find('\n')
            .map_or(text.len(), |end| line + end + 1),
        Side::Word(word) => {
            let words = text[line..].lines().next().unwrap_or_default();
            line + words
                .find(word)
                .with_context(|| format!("there is no {word:?} in {words:?}"))?
        }
    };
    let (before, after) = text.split_at(place);
    Ok(format!("{before}{}{after}", edit.insert))
}

/// A function or struct: from the line that begins so to the first that begins with its brace.
fn block(text: &str, first: &str) -> Result<Range<usize>> {
    let start = line(text, 0..text.len(), first)?;
    let end = text[start..]
        .find("\n}")
        .with_context(|| format!("{first:?} has no end: this source needs another anchor"))?;
    Ok(start..start + end)
}

/// Where the one line of `range` begins that begins with the anchor.
fn line(text: &str, range: Range<usize>, anchor: &str) -> Result<usize> {
    let mut places = text[range.clone()]
        .match_indices(anchor)
        .map(|(place, _)| range.start + place)
        .filter(|&place| place == 0 || text.as_bytes()[place - 1] == b'\n');
    match (places.next(), places.count()) {
        (Some(place), 0) => Ok(place),
        (None, _) => bail!("no line begins with {anchor:?}: this source needs another anchor"),
        (Some(_), more) => bail!(
            "{} lines begin with {anchor:?}, where one must: this source needs another anchor",
            more + 1,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, OUT_OF_LINE, PRISTINE, Side, TOUCHED, apply, apply_all, prefix};

    const EDIT: Edit = prefix("a.c", "static int f(", "noinline ");

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
    fn or_after_its_line() {
        let edit = Edit {
            side: Side::After,
            insert: "new\n".into(),
            ..EDIT
        };
        assert_eq!(
            apply("a\nstatic int f(int a)\n{\n", &edit).expect("one anchor"),
            "a\nstatic int f(int a)\nnew\n{\n"
        );
        assert_eq!(
            apply("static int f(int a)", &edit).expect("one anchor"),
            "static int f(int a)new\n"
        );
    }

    #[test]
    fn or_before_a_word_of_it() {
        let edit = |word| Edit {
            side: Side::Word(word),
            insert: "long ".into(),
            ..EDIT
        };
        let text = "static int f(int a)\nvoid g();\n";
        assert_eq!(
            apply(text, &edit("int")).expect("a word"),
            "static long int f(int a)\nvoid g();\n"
        );
        let error = apply(text, &edit("void")).expect_err("another line has it");
        assert!(error.to_string().contains("void"), "{error}");
    }

    #[test]
    fn an_anchor_must_be_there_once() {
        let words = |text, edit: &Edit| format!("{:#}", apply(text, edit).expect_err("an error"));
        let none = words("  static int f(int a)\n", &EDIT);
        assert!(none.contains("static int f("), "{none}");
        let text = "static int f(int a);\nstatic int f(int a)\n";
        let two = words(text, &EDIT);
        assert!(two.contains("2 lines"), "{two}");
    }

    #[test]
    fn an_anchor_may_be_sought_in_one_function() {
        let edit = Edit {
            within: Some("int g("),
            anchor: "\treturn",
            insert: "\tx();\n".into(),
            ..EDIT
        };
        let text =
            "int f(int a)\n{\n\treturn 1;\n}\n\nint g(int a)\n{\n\treturn 2;\n}\n\treturn 3;\n";
        let edited = apply(text, &edit).expect("one anchor");
        assert_eq!(
            edited,
            text.replace("\treturn 2", "\tx();\n\treturn 2"),
            "{edited}"
        );
        let words = |edit: &Edit| format!("{:#}", apply(text, edit).expect_err("an error"));
        let none = words(&Edit {
            anchor: "\tgoto",
            ..edit.clone()
        });
        assert!(none.contains("int g(") && none.contains("goto"), "{none}");
        let nowhere = words(&Edit {
            within: Some("int h("),
            ..edit.clone()
        });
        assert!(nowhere.contains("int h("), "{nowhere}");
        let endless = apply("int g(int a)\n\treturn", &edit).expect_err("no end");
        assert!(endless.to_string().contains("no end"), "{endless}");
    }

    #[test]
    fn edits_come_and_go_and_leave_times_alone() {
        let tree = tempfile::tempdir().expect("a folder");
        for file in TOUCHED {
            let file = tree.path().join(file);
            std::fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
            std::fs::write(&file, "").expect("a file");
        }
        let file = tree.path().join("kernel/sched/fair.c");
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
