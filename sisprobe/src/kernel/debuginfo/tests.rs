use super::super::fixture::{self, Machine};
use super::super::{Answer, Facts, Root, Sources};
use super::*;

const ID: &str = "0123456789abcdef0123456789abcdef01234567";

fn made(name: &str) -> Result<Vmlinux, DebugInfoError> {
    Vmlinux::read(&fixture::path(&format!("made/{name}.elf")))
}

fn copy(function: &str, entry: u64, ranges: &[(i64, i64)], through: &[&str]) -> InlinedCopy {
    InlinedCopy {
        function: function.into(),
        host: "select_task_rq_fair".into(),
        entry,
        ranges: ranges.to_vec(),
        through: through.iter().map(|&name| name.into()).collect(),
    }
}

/// As `readelf --debug-dump=info` and `nm` show them for dwarf5.elf.
fn both_inlined() -> Vec<InlinedCopy> {
    vec![
        copy(
            "select_idle_cpu",
            60,
            &[(60, 166), (166, 176), (-119, -95)],
            &["select_idle_sibling"],
        ),
        copy(
            "select_idle_core",
            122,
            &[(122, 125), (144, 166)],
            &["select_idle_sibling", "select_idle_cpu"],
        ),
    ]
}

#[test]
fn dwarf_5_and_4_compressed_and_apart_say_the_same() {
    for name in [
        "dwarf5",
        "dwarf4",
        "zlib",
        "zstd",
        "debug-only",
        "no-symbols",
    ] {
        let vmlinux = made(name).unwrap();
        assert_eq!(vmlinux.copies, both_inlined(), "{name}");
        assert_eq!(vmlinux.build_id.to_string(), ID);
        assert_eq!(vmlinux.machine, "x86_64");
    }
    assert_eq!(
        made("dwarf5").unwrap().release.as_deref(),
        Some("0.0.0-made")
    );
    // Its sections have no content, its symbols are gone.
    assert_eq!(made("debug-only").unwrap().release, None);
    assert_eq!(made("no-symbols").unwrap().release, None);
}

/// Clang gives no entry address, so that it is the lowest of the copy's.
#[test]
fn clang_goes_through_tables() {
    let copies = [
        copy(
            "select_idle_cpu",
            89,
            &[(89, 223)],
            &["select_idle_sibling"],
        ),
        copy(
            "select_idle_core",
            157,
            &[(157, 174)],
            &["select_idle_sibling", "select_idle_cpu"],
        ),
    ];
    assert_eq!(made("clang").unwrap().copies, copies);
}

#[test]
fn what_is_out_of_line_is_no_copy() {
    let copies = made("core-out-of-line").unwrap().copies;
    assert_eq!(copies.len(), 1);
    assert_eq!(
        (copies[0].function.as_str(), copies[0].entry),
        ("select_idle_cpu", 91)
    );
    assert_eq!(made("out-of-line").unwrap().copies, []);
}

#[test]
fn every_way_not_to_serve_has_its_own_words() {
    use DebugInfoError as E;
    assert!(matches!(made("no-dwarf"), Err(E::NoDwarf)));
    assert!(matches!(made("split"), Err(E::Split)));
    assert!(matches!(made("not-linked"), Err(E::NotLinked)));
    assert!(matches!(made("no-build-id"), Err(E::NoBuildId)));
    assert!(matches!(made("no-such-file"), Err(E::Read(_))));
    assert!(matches!(
        Vmlinux::read(&fixture::path("made")),
        Err(E::Read(_))
    ));
    assert!(matches!(
        Vmlinux::read(&fixture::path("made/made.btf")),
        Err(E::Elf(_))
    ));
    // Debug info of something else: this very test, if it has any.
    let own = std::env::current_exe().unwrap();
    assert!(matches!(
        Vmlinux::read(&own),
        Err(E::NoFairUnit | E::NoDwarf | E::NoBuildId)
    ));
}

/// Cut anywhere, or with bytes changed, a file gives an error or an answer but no panic.
#[test]
fn damaged_files_do_not_panic() {
    let whole = std::fs::read(fixture::path("made/dwarf5.elf")).unwrap();
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("vmlinux");
    for length in (0..whole.len()).step_by(97) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let _ = Vmlinux::read(&path);
    }
    for place in (0..whole.len()).step_by(23) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0xff;
        std::fs::write(&path, &damaged).unwrap();
        let _ = Vmlinux::read(&path);
    }
}

/// The notes of a kernel with build id `id`.
fn notes(id: &BuildId) -> Vec<u8> {
    let mut notes = Vec::new();
    for word in [4, u32::try_from(id.as_bytes().len()).unwrap(), 3] {
        notes.extend(u32::to_ne_bytes(word));
    }
    notes.extend(b"GNU\0");
    notes.extend(id.as_bytes());
    notes
}

/// A machine that runs the kernel with build id `id`.
fn machine(id: &str) -> Machine {
    let machine = Machine::from_files(&[("/proc/sys/kernel/osrelease", "1.2-made\n")]);
    machine.write("/sys/kernel/notes", &notes(&id.parse().unwrap()));
    machine
}

fn put(machine: &Machine, path: &str, made: &str) {
    let content = std::fs::read(fixture::path(&format!("made/{made}.elf"))).unwrap();
    machine.write(path, &content);
}

fn inlined(root: &Root) -> Answer<InlineFacts> {
    Facts::gather(root, &Sources::default()).unwrap().inlined
}

#[test]
fn each_usual_place_is_found() {
    let id: BuildId = ID.parse().unwrap();
    let places = candidates(&id, Some("1.2-made"));
    assert_eq!(places.len(), 11);
    assert_eq!(
        places[0].to_str().unwrap(),
        "/usr/lib/debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug"
    );
    for place in places {
        let machine = machine(ID);
        put(&machine, place.to_str().unwrap(), "dwarf5");
        let facts = inlined(&machine.root);
        let facts = facts.found().unwrap();
        assert_eq!(facts.source, InlineSource::Debuginfo(place));
        assert_eq!(facts.copies, both_inlined());
        assert_eq!(facts.remarks, [""; 0]);
        assert_eq!(facts.copies_of("select_idle_core").count(), 1);
    }
    // A release that would lead out of the folders is not used.
    assert_eq!(candidates(&id, Some("../../etc")).len(), 1);
}

#[test]
fn a_file_of_another_build_is_passed_over_and_named() {
    let machine = machine(ID);
    put(
        &machine,
        "/usr/lib/debug/boot/vmlinux-1.2-made",
        "other-build",
    );
    let Answer::Absent(why) = inlined(&machine.root) else {
        panic!("there is no debug info of this build");
    };
    assert!(why.contains(ID), "{why}");
    assert!(
        why.contains("vmlinux-1.2-made is of another build: its build id is ffffffff"),
        "{why}"
    );

    put(&machine, "/boot/vmlinux-1.2-made", "no-dwarf");
    put(&machine, "/lib/modules/1.2-made/build/vmlinux", "dwarf5");
    let facts = inlined(&machine.root);
    let facts = facts.found().unwrap();
    assert_eq!(facts.remarks.len(), 2);
    assert!(facts.remarks[1].contains("/boot/vmlinux-1.2-made has no debug info"));
}

#[test]
fn a_named_vmlinux_must_serve() {
    let machine = machine(ID);
    let with = |made: &str| {
        let sources = Sources {
            vmlinux: Some(fixture::path(&format!("made/{made}.elf"))),
            ..Sources::default()
        };
        Facts::gather(&machine.root, &sources).map(|facts| facts.inlined)
    };
    assert_eq!(
        with("dwarf5").unwrap().found().unwrap().copies,
        both_inlined()
    );
    let error = with("other-build").unwrap_err().to_string();
    assert!(error.contains("--vmlinux") && error.contains(ID), "{error}");
    assert!(with("no-dwarf").is_err());
    machine.remove("/sys/kernel/notes");
    let error = with("dwarf5").unwrap_err().to_string();
    assert!(error.contains("/sys/kernel/notes"), "{error}");
}
