use std::fs;

use tempfile::TempDir;

use super::*;

fn id(text: &str) -> BuildId {
    text.parse().unwrap()
}

fn profile() -> Profile {
    Profile {
        format: FORMAT.to_owned(),
        version: VERSION,
        build_id: id("0123456789abcdef"),
        release: Some("6.12.0".into()),
        machine: "x86_64".into(),
        copies: vec![InlinedCopy {
            function: "select_idle_cpu".into(),
            host: "select_task_rq_fair".into(),
            entry: 0x545,
            ranges: vec![(0x545, 0x600), (-16, -8)],
            through: vec!["select_idle_sibling".into()],
        }],
    }
}

fn written(text: &str) -> Result<Profile, ProfileError> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("p.json");
    fs::write(&path, text).unwrap();
    Profile::read(&path)
}

#[test]
fn what_is_written_is_read_and_leaves_no_other_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("p.json");
    profile().write(&path).unwrap();
    assert_eq!(Profile::read(&path).unwrap(), profile());
    // Over an older one as well.
    profile().write(&path).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_write_that_fails_says_so_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    // A folder in the file's place.
    let path = folder.path().join("p.json");
    fs::create_dir(&path).unwrap();
    assert!(profile().write(&path).is_err());
    assert!(profile().write(&folder.path().join("no/p.json")).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn another_build_is_refused_with_both_ids() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("p.json");
    profile().write(&path).unwrap();
    let error = Profile::read_for(&path, &id("ffffffffffffffff")).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("0123456789abcdef") && text.contains("ffffffffffffffff"),
        "{text}"
    );
}

#[test]
fn the_first_folder_wins_and_bad_ones_are_remarked_on() {
    let (system, user) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let folders = [system.path().to_owned(), user.path().to_owned()];
    let build_id = profile().build_id;
    let name = Profile::file_name(&build_id);
    let mut remarks = Vec::new();
    assert_eq!(find(&folders, &build_id, &mut remarks), None);
    assert!(remarks.is_empty());

    profile().write(&user.path().join(&name)).unwrap();
    let facts = find(&folders, &build_id, &mut remarks).unwrap();
    assert_eq!(facts.source, InlineSource::Profile(user.path().join(&name)));

    fs::write(system.path().join(&name), "{").unwrap();
    assert!(find(&folders, &build_id, &mut remarks).is_some());
    assert_eq!(remarks.len(), 1);

    profile().write(&system.path().join(&name)).unwrap();
    let facts = find(&folders, &build_id, &mut remarks).unwrap();
    assert_eq!(
        facts.source,
        InlineSource::Profile(system.path().join(&name))
    );
}

#[test]
fn hostile_files_are_refused() {
    let good = serde_json::to_value(profile()).unwrap();
    assert!(written(&good.to_string()).is_ok());
    let changed = |path: &str, value: serde_json::Value| {
        let mut profile = good.clone();
        *profile.pointer_mut(path).unwrap() = value;
        written(&profile.to_string())
    };
    for (path, value) in [
        ("/format", "other".into()),
        ("/version", 2.into()),
        ("/version", (-1).into()),
        ("/build_id", "xyz".into()),
        ("/build_id", "../../etc/passwd".into()),
        ("/copies/0/function", "commit_creds".into()),
        ("/copies/0/host", "".into()),
        ("/copies/0/host", "a b".into()),
        ("/copies/0/host", "x".repeat(512).into()),
        ("/copies/0/through/0", "../x".into()),
        ("/copies/0/entry", (1_u64 << 31).into()),
        ("/copies/0/entry", (-1).into()),
        ("/copies/0/ranges/0", serde_json::json!([5, 5])),
        ("/copies/0/ranges/0", serde_json::json!([6, 5])),
        ("/copies/0/ranges/0", serde_json::json!([0, 1_i64 << 40])),
        ("/copies/0/ranges/0", serde_json::json!([i64::MIN, 0])),
        (
            "/copies/0/ranges",
            vec![serde_json::json!([1, 2]); MOST_RANGES + 1].into(),
        ),
        (
            "/copies",
            vec![good["copies"][0].clone(); MOST_COPIES + 1].into(),
        ),
        ("/machine", serde_json::Value::Null),
    ] {
        assert!(changed(path, value.clone()).is_err(), "{path} = {value}");
    }
    let mut more = good.clone();
    more["else"] = 1.into();
    assert!(written(&more.to_string()).is_err(), "an unknown field");
    for text in ["", "[]", "{}", "null", "{\"format\":"] {
        assert!(written(text).is_err(), "{text}");
    }
    let long = format!(
        "{}{}",
        good,
        " ".repeat(usize::try_from(MOST_BYTES).unwrap())
    );
    assert!(matches!(written(&long), Err(ProfileError::Invalid(_))));
    let deep = "[".repeat(60_000);
    assert!(matches!(written(&deep), Err(ProfileError::Json(_))));
}
