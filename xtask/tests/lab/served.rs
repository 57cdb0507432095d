//! A daemon on a real kernel, seen from outside the guest: forwarded ports, and HTTP.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::Value;
use xtask::lab::{Forward, Lab, Outcome};

use crate::guest;

/// The longest time that an answer may take.
const ANSWER: Duration = Duration::from_secs(30);

/// A guest in which `sisprobe serve` runs.
pub struct Served {
    port: u16,
    shell: u16,
    guest: Option<JoinHandle<Outcome>>,
}

impl Served {
    /// Boots it with `script`, one of this folder's that ends when /tmp/end is there, and waits
    /// until the daemon has figures.
    pub fn start(kernel: &str, script: &str) -> Self {
        let lab = guest::lab(kernel).debuginfo(true);
        Self::start_in(lab, script)
    }

    /// The same in a guest with more than usual.
    pub fn start_in(lab: Lab, script: &str) -> Self {
        let forward = |guest| Forward::to(guest).expect("a port");
        let (serves, shell) = (forward(19747), forward(7000));
        let lab = lab
            .forward(serves)
            .forward(shell)
            .timeout(Duration::from_secs(550));
        // What is to be built is not waited for below.
        lab.prepare().expect("the lab works");
        let command = format!(". /with/{script}");
        let guest = thread::spawn(move || guest::run(&lab, &command));
        let served = Self {
            port: serves.host,
            shell: shell.host,
            guest: Some(guest),
        };
        served.wait_until_ready();
        served
    }

    fn wait_until_ready(&self) {
        let began = Instant::now();
        while self.get("/readyz").is_none() {
            let has_ended = self.guest.as_ref().is_some_and(JoinHandle::is_finished);
            assert!(!has_ended, "the guest ended before its daemon was ready");
            assert!(
                began.elapsed() < Duration::from_secs(240),
                "it is not ready"
            );
            thread::sleep(Duration::from_millis(500));
        }
    }

    /// `ADDR:PORT` of the daemon.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// What is at `path`; none unless it is there (200).
    pub fn get(&self, path: &str) -> Option<String> {
        get(&format!("http://{}{path}", self.address()))
    }

    /// The report, as the daemon gives it now.
    pub fn report(&self) -> Value {
        let text = self.get("/api/v1/report").expect("a report");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        document["report"].clone()
    }

    /// What `script` writes when a shell of the guest runs it; what it leaves behind must have no
    /// output of this shell's.
    pub fn sh(&self, script: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.shell)).expect("the guest listens");
        let patience = Duration::from_secs(120);
        stream
            .set_read_timeout(Some(patience))
            .expect("a time that is not 0");
        write!(stream, "{{ {script}\n}} 2>&1; exit\n").expect("the guest reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Ends the daemon as a signal does, and the guest.
    pub fn end(mut self) -> Outcome {
        self.sh("touch /tmp/end");
        let guest = self.guest.take().expect("it ends once");
        guest.join().expect("the daemon ends in order")
    }
}

/// What a URL has; none unless it is there (200).
pub fn get(url: &str) -> Option<String> {
    let request = ureq::get(url).config().timeout_global(Some(ANSWER)).build();
    let mut answer = request.call().ok()?;
    answer.body_mut().read_to_string().ok()
}
