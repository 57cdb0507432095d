//! One daemon, and all that look at it from outside its guest.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{page, prometheus, served::Served};

#[test]
fn is_seen_by_prometheus_and_browsers() {
    let served = Served::start("6.12", "serve.sh");
    prometheus::stores_what_sisprobe_says(&served);
    page::shows_what_sisprobe_says(&served);
    switches_are_told(&served);
    served.end();
}

/// Probes that a switch of the kernel disarms are told wherever probes are.
fn switches_are_told(served: &Served) {
    for (kind, switch) in [
        ("kprobe:", "/sys/kernel/debug/kprobes/enabled"),
        ("fentry:", "/proc/sys/kernel/ftrace_enabled"),
    ] {
        let told = |value: &str| {
            let began = Instant::now();
            loop {
                let text = served.get("/metrics").expect("metrics");
                let mut probes = (text.lines())
                    .filter_map(|line| line.strip_prefix("sisprobe_probe_attached{probe=\""))
                    .filter(|line| line.starts_with(kind))
                    .peekable();
                assert!(probes.peek().is_some(), "no {kind} in\n{text}");
                if probes.all(|line| line.ends_with(value)) {
                    break;
                }
                let patience = Duration::from_secs(20);
                assert!(began.elapsed() < patience, "not{value}:\n{text}");
                thread::sleep(Duration::from_millis(300));
            }
            let view = served.get("/page/view").expect("a view");
            let view: Value = serde_json::from_str(&view).expect("JSON");
            let verdict = view["health"]["verdict"].as_str().expect("words");
            assert_eq!(verdict.contains("disarmed"), value == " 0", "{verdict}");
        };
        told(" 1");
        let answer = served.sh(&format!("echo 0 >{switch}"));
        assert_eq!(answer, "", "{switch}");
        told(" 0");
        served.sh(&format!("echo 1 >{switch}"));
        told(" 1");
    }
}
