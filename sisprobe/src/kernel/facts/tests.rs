use super::super::fixture::{self, Machine, machine};
use super::*;

fn gather(machine: &Machine) -> Facts {
    Facts::gather(&machine.root, &Sources::default()).unwrap()
}

#[test]
fn a_real_machine() {
    let machine = machine("6.12-2llc");
    let facts = gather(&machine);
    let release = "6.12.117+deb12-cloud-amd64";
    assert_eq!(facts.release, Answer::Found(release.into()));
    assert_eq!(facts.machine, Answer::Found("x86_64".into()));
    assert!(facts.build_id.found().is_some());
    assert!(facts.symbols.found().is_some());
    assert!(facts.features.found().is_some());
    assert!(facts.topology.found().is_some());
    assert!(matches!(facts.sched_ext, Answer::Absent(_)));
    assert!(matches!(facts.inlined, Answer::Absent(_)));
    assert!(facts.debuginfo_command.unwrap().contains(release));
}

#[test]
fn an_empty_folder_is_a_machine_of_which_nothing_is_known() {
    let facts = gather(&Machine::from_files(&[]));
    assert!(facts.release.why_not().is_some());
    assert!(facts.machine.why_not().is_some());
    assert!(facts.inlined.why_not().is_some());
    assert!(facts.topology.why_not().is_some());
    assert_eq!(facts.debuginfo_command, None);
}

#[test]
fn the_running_machine_can_be_asked() {
    let facts = Facts::gather(&Root::default(), &Sources::default()).unwrap();
    assert!(facts.machine.found().is_some());
    assert!(facts.topology.found().is_some());
}

#[test]
fn a_profile_stands_in_for_debug_info() {
    let machine = machine("6.12-2llc");
    let id = "7f76f39faf07f34cfa9fadd801e131bfa8cb6dc3";
    let profile = format!(
        r#"{{"format": "sisprobe-profile", "version": 1, "build_id": "{id}", "release": null,
            "machine": "x86_64", "copies": [{{"function": "select_idle_cpu",
            "host": "select_task_rq_fair", "entry": 1349, "ranges": [], "through": []}}]}}"#
    );
    let place = format!("/etc/sisprobe/profiles/{id}.json");
    machine.write(&place, profile.as_bytes());
    let facts = gather(&machine);
    let inlined = facts.inlined.found().unwrap();
    assert!(matches!(
        &inlined.source,
        super::super::InlineSource::Profile(_)
    ));
    assert_eq!(inlined.copies[0].entry, 0x545);

    // Under this build's name, but another build's: named and passed over.
    let other = profile.replace(id, "0000000000000000");
    machine.write(&place, other.as_bytes());
    let facts = gather(&machine);
    let why = facts.inlined.why_not().unwrap();
    assert!(
        why.contains("0000000000000000") && why.contains(id),
        "{why}"
    );

    // Named by the user, that is an error.
    let sources = Sources {
        profile: Some(machine.root.path(&place)),
        ..Sources::default()
    };
    let error = Facts::gather(&machine.root, &sources)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("--profile") && error.contains("0000000000000000"),
        "{error}"
    );
}

#[test]
fn per_cpu_addresses_from_kallsyms_else_from_btf() {
    let machine = machine("6.12-2llc");
    let address = gather(&machine).percpu_address("sd_llc_shared");
    assert_eq!(address, Answer::Found(0x21728));

    machine.write(
        "/proc/kallsyms",
        b"ffffffff81000000 T _text\nffffffff82000000 D __per_cpu_start\n",
    );
    assert!(matches!(
        gather(&machine).percpu_address("sd_llc_shared"),
        Answer::Absent(_)
    ));
    let btf = std::fs::read(fixture::path("made/made.btf")).unwrap();
    machine.write("/sys/kernel/btf/vmlinux", &btf);
    let address = gather(&machine).percpu_address("sd_llc_shared");
    assert_eq!(address, Answer::Found(0xffff_ffff_8200_0040));
}
