//! Many clients, and ill-behaved ones, of a daemon on a real kernel: they get what they may have,
//! they harm nobody, and what is counted stays the same to the last event.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use sisprobe::{report::Report, sink::json};
use tempfile::TempDir;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use xtask::lab::Forward;

use crate::{guest, served::Served, witness};

/// What a scrape may take beside 64 other clients: 16 emulated CPUs share one of this machine's,
/// which may be busy. (Less than 50 ms is asked for in the tests of sisprobe's daemon.)
const SCRAPE: Duration = Duration::from_secs(5);
/// The same where the others ask for nothing.
const UNDISTURBED: Duration = Duration::from_secs(3);
/// An interval of the daemon's, and time to make its report.
const INTERVAL: Duration = Duration::from_secs(3);
/// How much the daemon's memory may grow, in bytes.
const GROWTH: f64 = 4e6;

/// The password of /with/web/web.yml, and its hash.
const PASSWORD: &str = "secret";
const HASH: &str = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

#[test]
fn harms_nobody() {
    let (web, other) = (Web::new(), Web::new());
    let guarded = Forward::to(19748).expect("a port");
    let lab = guest::lab("6.12")
        .debuginfo(true)
        .with(web.folder.path().join("web"))
        .forward(guarded);
    let served = Served::start_in(lab, "load.sh");
    served.sh("until grep -q ^ready /out/witness.bt; do sleep 0.2; done");
    // The witness was not there when the daemon began; LLC 1 has been quiet since it came.
    thread::sleep(INTERVAL);
    let start = counted(&served);
    // What it has once, however many ask: buffers, threads.
    wrk(&served, 3);
    let before = memory(&served);
    thread::scope(|scope| {
        let workload = "taskset -c 8-15 hackbench -g 1 -f 8 -l 1500 -s 100; echo $?";
        let workload = scope.spawn(|| served.sh(workload));
        beside(&served, SCRAPE, |_| wrk(&served, 30));
        assert!(workload.join().expect("a shell").ends_with("\n0\n"));
    });
    let after = memory(&served);
    eprintln!("memory: {before} bytes before, {after} after");
    assert!(after - before < GROWTH, "from {before} to {after} bytes");

    beside(&served, UNDISTURBED, |over| strangers(&served, over));
    beside(&served, UNDISTURBED, |_| {
        passwords(guarded.host, &web, &other);
    });
    assert!(memory(&served) - before < GROWTH);

    // All that was counted is in the report of the next interval.
    thread::sleep(INTERVAL);
    let report = since(&counted(&served), &start);
    guest::nothing_unmatched(&report);
    let outcome = served.end();
    witness::agrees(&report, &guest::left(&outcome, "witness.bt"), "under load");
    let log = guest::left(&outcome, "serve.log");
    assert!(!log.contains("panicked"), "{log}");
}

/// Everything counted so far.
fn counted(served: &Served) -> Report {
    let text = served.get("/api/v1/report").expect("a report");
    json::read(&text).expect("a report")
}

/// What happened between two reports, as JSON.
fn since(last: &Report, first: &Report) -> Value {
    let between = last.since(first).expect("counters only grow");
    let mut text = Vec::new();
    json::write_line(&mut text, &between).expect("text");
    let document: Value = serde_json::from_slice(&text).expect("JSON");
    document["report"].clone()
}

/// Asks for the metrics each second while `clients` go on, and holds that each scrape has its
/// answer within `most`. `clients` are told when to end by a flag, which is never set before they
/// have done at least once what they do.
fn beside(served: &Served, most: Duration, clients: impl FnOnce(&AtomicBool) + Send) {
    let over = AtomicBool::new(false);
    let mut times = Vec::new();
    thread::scope(|scope| {
        let clients = scope.spawn(|| clients(&over));
        while !clients.is_finished() {
            let began = Instant::now();
            assert!(served.get("/metrics").is_some(), "a scrape failed");
            times.push(began.elapsed());
            over.store(times.len() >= 5, Ordering::Relaxed);
            thread::sleep(Duration::from_secs(1).saturating_sub(began.elapsed()));
        }
        clients.join().expect("the clients fare as they should");
    });
    times.sort_unstable();
    eprintln!("{} scrapes, the slowest: {:?}", times.len(), times.last());
    assert!(times.iter().all(|time| *time < most), "{times:?}");
}

/// 64 connections that ask for nothing but metrics, all of which have their answers.
fn wrk(served: &Served, seconds: u32) {
    let mut wrk = Command::new("wrk");
    wrk.args(["-t", "1", "-c", "64", "--timeout", "30s"])
        .args(["-d", &format!("{seconds}s")])
        .arg(format!("http://{}/metrics", served.address()));
    let told = xtask::command::output(&mut wrk).unwrap_or_else(|error| panic!("{error:#}"));
    let line = |begin: &str| {
        let mut lines = told.lines().map(str::trim);
        lines.find_map(|line| line.strip_prefix(begin).map(str::to_owned))
    };
    for trouble in ["Socket errors:", "Non-2xx or 3xx responses:"] {
        assert_eq!(line(trouble), None, "{told}");
    }
    let rate = line("Requests/sec:").expect("a rate");
    eprintln!(
        "wrk, 64 connections, {seconds} s: {} requests/s",
        rate.trim()
    );
    assert!(
        rate.trim().parse::<f64>().expect("a number") > 1.0,
        "{told}"
    );
}

/// What the daemon holds of memory, in bytes.
fn memory(served: &Served) -> f64 {
    let text = served.get("/metrics").expect("metrics");
    let line = (text.lines())
        .find_map(|line| line.strip_prefix("process_resident_memory_bytes "))
        .expect("the process's memory");
    line.parse().expect("a number")
}

/// Clients that send slowly, or without end, or nonsense. None has what it asks for.
fn strangers(served: &Served, over: &AtomicBool) {
    let connect = || TcpStream::connect(served.address()).expect("a connection");
    let head = "GET /metrics HTTP/1.1\r\nHost: x\r\nX: ";
    let mut slow: Vec<TcpStream> = (0..100).map(|_| connect()).collect();
    for stream in &mut slow {
        stream.write_all(head.as_bytes()).expect("sent");
    }
    let answer = |request: &[u8]| {
        let mut stream = connect();
        stream.set_read_timeout(Some(SCRAPE)).expect("a time");
        // It may be hung up on before it has sent all.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    };
    let boundless = format!("{head}{}\r\n\r\n", "a".repeat(10 << 20));
    loop {
        for request in [
            &b"NONSENSE\r\n\r\n"[..],
            b"GET /metrics HTTP/1.1\r\nX: \0\r\n\r\n",
            b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
            boundless.as_bytes(),
        ] {
            let answer = answer(request);
            let line = answer.lines().next().unwrap_or_default();
            let is_refused = ["", "HTTP/1.1 400 Bad Request"].contains(&line)
                || line.starts_with("HTTP/1.1 431 ");
            assert!(is_refused, "{line}");
        }
        for stream in &mut slow {
            // One that was hung up on for a newer one is no surprise.
            let _ = stream.write_all(b"a");
        }
        if over.load(Ordering::Relaxed) {
            break;
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// Who comes without TLS, trusts another authority, or has the wrong password stays outside.
fn passwords(port: u16, web: &Web, other: &Web) {
    let url = |user: &str| format!("https://{user}localhost:{port}/metrics");
    for (trusts, user, status) in [
        (web, "prom:secret@", Some(200)),
        (web, "prom:wrong@", Some(401)),
        (web, "other:secret@", Some(401)),
        (web, "", Some(401)),
        (other, "prom:secret@", None),
        (web, "prom:secret@", Some(200)),
    ] {
        assert_eq!(trusts.status(&url(user)), status, "{user}");
    }
    let plain = format!("http://prom:{PASSWORD}@localhost:{port}/metrics");
    assert_eq!(web.status(&plain), None, "plain HTTP");
}

/// A certificate for localhost, and a web configuration with it.
struct Web {
    folder: TempDir,
    certificate: Vec<u8>,
}

impl Web {
    fn new() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("made");
        let folder = tempfile::tempdir().expect("a folder");
        let web = folder.path().join("web");
        fs::create_dir(&web).expect("a folder");
        let config = format!(
            "tls_server_config: {{cert_file: cert.pem, key_file: key.pem}}\n\
             basic_auth_users: {{prom: {HASH}}}\n"
        );
        let key = made.signing_key.serialize_pem();
        for (name, text) in [
            ("cert.pem", made.cert.pem()),
            ("key.pem", key),
            ("web.yml", config),
        ] {
            fs::write(web.join(name), text).expect("written");
        }
        Self {
            folder,
            certificate: made.cert.der().to_vec(),
        }
    }

    /// The status of what a client gets who trusts this certificate alone; none without an answer.
    fn status(&self, url: &str) -> Option<u16> {
        let root = Certificate::from_der(&self.certificate).to_owned();
        let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[root]));
        let config = ureq::Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .timeout_global(Some(SCRAPE))
            .build();
        let answer = config.new_agent().get(url).call();
        answer.ok().map(|answer| answer.status().as_u16())
    }
}
