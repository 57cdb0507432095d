//! The HTTP side over real connections, fed with made-up observations.

mod hostile;

use std::{
    io::Read as _,
    net::{SocketAddr, TcpListener as StdListener},
    time::{Duration, Instant},
};

use flate2::read::GzDecoder;
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _,
        BufReader,
    },
    net::TcpStream,
    task::JoinHandle,
    time::timeout,
};

use super::{App, Ended, Options, Publisher, Server, WebConfig, source};
use crate::{
    report::Observation,
    sink::{json, prometheus::tests::observation, sample},
};

pub(super) struct Running {
    pub(super) publisher: Publisher,
    pub(super) address: SocketAddr,
    server: JoinHandle<Ended>,
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    body: Vec<u8>,
}

impl Answer {
    fn text(&self) -> &str {
        str::from_utf8(&self.body).unwrap()
    }
}

fn start() -> Running {
    start_with(WebConfig::default())
}

pub(super) fn start_with(web: WebConfig) -> Running {
    let interval = Duration::from_secs(1);
    let listener = StdListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let (publisher, source) = source(interval);
    let app = App::new(source, Options::default()).unwrap();
    let server = Server::new(listener, app, web).unwrap();
    Running {
        publisher,
        address: server.address().unwrap(),
        server: tokio::spawn(server.run()),
    }
}

pub(super) fn observed(seconds: u32) -> Observation {
    observation(sample::report(2, seconds))
}

pub(super) async fn ask(address: SocketAddr, path: &str, headers: &str) -> Answer {
    send(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n"),
    )
    .await
}

/// What comes back for `request` until the connection ends.
async fn send(address: SocketAddr, request: &str) -> Answer {
    let stream = TcpStream::connect(address).await.unwrap();
    send_over(stream, request).await
}

/// The same over any stream.
pub(super) async fn send_over(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    request: &str,
) -> Answer {
    // The server may hang up while it is being written to.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
    let (head, body) = bytes.split_at(end.map_or(bytes.len(), |end| end + 4));
    let head = String::from_utf8(head.to_vec()).unwrap();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head: head.to_ascii_lowercase(),
        body: body.to_vec(),
    }
}

#[tokio::test]
async fn nothing_is_told_before_there_is_something() {
    let running = start();
    for (path, status) in [
        ("/healthz", 200),
        ("/", 200),
        ("/readyz", 503),
        ("/metrics", 503),
        ("/api/v1/report", 503),
        ("/debug/probes", 503),
        ("/nothing", 404),
    ] {
        assert_eq!(
            ask(running.address, path, "").await.status,
            status,
            "{path}"
        );
    }
    assert!(running.publisher.publish(observed(1)));
    for path in ["/readyz", "/metrics", "/api/v1/report", "/debug/probes"] {
        assert_eq!(ask(running.address, path, "").await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn figures_that_nobody_reads_any_more_are_not_ready() {
    let mut source = source(Duration::from_millis(1));
    source.1.set_stale(Duration::from_millis(50));
    source.0.publish(observed(1));
    assert_eq!(source.1.ready(), Ok(()));
    tokio::time::sleep(Duration::from_millis(60)).await;
    let why = source.1.ready().unwrap_err().to_string();
    assert!(why.contains("not been read"), "{why}");
    assert!(source.1.last().is_ok(), "what was read is still told");
}

#[tokio::test]
async fn the_report_is_the_document_of_json() {
    let running = start();
    running.publisher.publish(observed(3));
    let answer = ask(running.address, "/api/v1/report", "").await;
    assert!(
        answer.head.contains("content-type: application/json"),
        "{}",
        answer.head
    );
    assert_eq!(json::read(answer.text()).unwrap(), sample::report(2, 3));
}

#[tokio::test]
async fn metrics_are_text_and_compressed_for_who_wants_it() {
    let running = start();
    running.publisher.publish(observed(3));
    let plain = ask(running.address, "/metrics", "").await;
    assert!(
        plain.head.contains("text/plain; version=0.0.4"),
        "{}",
        plain.head
    );
    assert!(!plain.head.contains("content-encoding"), "{}", plain.head);
    for name in [
        "sisprobe_searches_total{group=\"LLC 0\"",
        "sisprobe_scrape_duration_seconds_count 0\n",
        "process_start_time_seconds",
    ] {
        assert!(plain.text().contains(name), "{name} in\n{}", plain.text());
    }
    let small = ask(running.address, "/metrics", "Accept-Encoding: gzip\r\n").await;
    assert!(
        small.head.contains("content-encoding: gzip"),
        "{}",
        small.head
    );
    assert!(small.body.len() * 3 < plain.body.len());
    let mut text = String::new();
    GzDecoder::new(&small.body[..])
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, plain.text(), "one snapshot, one text");

    running.publisher.publish(observed(4));
    let later = ask(running.address, "/metrics", "").await;
    assert!(
        later
            .text()
            .contains("sisprobe_scrape_duration_seconds_count 2\n")
    );
    assert!(
        later.text().contains("path=\"exec\"} 12\n"),
        "{}",
        later.text()
    );
}

#[tokio::test]
async fn many_scrapers_share_one_snapshot() {
    let running = start();
    running.publisher.publish(observed(1));
    let scrapes: Vec<_> = (0..64)
        .map(|_| {
            let address = running.address;
            tokio::spawn(async move { ask(address, "/metrics", "").await.body })
        })
        .collect();
    let mut bodies = Vec::new();
    for scrape in scrapes {
        bodies.push(scrape.await.unwrap());
    }
    // The count of scrapes is in it: it would differ if the text had been made anew.
    assert!(bodies.iter().all(|body| *body == bodies[0]));
}

#[tokio::test]
async fn a_stream_has_what_is_there_and_what_follows_and_ends() {
    let running = start();
    running.publisher.publish(observed(1));
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let request = b"GET /api/v1/stream HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut publisher = Some(running.publisher);
    let mut seen = 0;
    let read = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            if let Some(document) = line.strip_prefix("data: ") {
                seen += 1;
                assert_eq!(json::read(document).unwrap(), sample::report(2, seen));
                match seen {
                    1 => assert!(publisher.as_ref().unwrap().publish(observed(2))),
                    _ => drop(publisher.take()),
                }
            }
        }
    };
    timeout(Duration::from_secs(5), read)
        .await
        .expect("it ends with the source");
    assert_eq!(seen, 2);
    assert_eq!(running.server.await.unwrap(), Ended);
}

#[tokio::test]
async fn only_so_many_streams() {
    let running = start();
    running.publisher.publish(observed(1));
    let mut streams = Vec::new();
    for _ in 0..super::stream::STREAMS {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        let request = b"GET /api/v1/stream HTTP/1.1\r\nHost: x\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut some = [0; 12];
        stream.read_exact(&mut some).await.unwrap();
        assert_eq!(&some, b"HTTP/1.1 200");
        streams.push(stream);
    }
    assert_eq!(ask(running.address, "/api/v1/stream", "").await.status, 503);
    assert_eq!(ask(running.address, "/metrics", "").await.status, 200);
    drop(streams);
    let freed = async {
        // A place is free once the server has noticed, at the next write at the latest.
        loop {
            running.publisher.publish(observed(1));
            let mut stream = TcpStream::connect(running.address).await.unwrap();
            let request = b"GET /api/v1/stream HTTP/1.1\r\nHost: x\r\n\r\n";
            stream.write_all(request).await.unwrap();
            let mut some = [0; 12];
            stream.read_exact(&mut some).await.unwrap();
            if &some == b"HTTP/1.1 200" {
                return;
            }
        }
    };
    timeout(Duration::from_secs(5), freed)
        .await
        .expect("places are given back");
}

#[tokio::test]
async fn it_ends_with_its_source_whoever_is_connected() {
    let running = start();
    running.publisher.publish(observed(1));
    let mut silent = TcpStream::connect(running.address).await.unwrap();
    let mut half = TcpStream::connect(running.address).await.unwrap();
    half.write_all(b"GET /metrics HT").await.unwrap();
    assert_eq!(ask(running.address, "/healthz", "").await.status, 200);
    let began = Instant::now();
    drop(running.publisher);
    assert_eq!(running.server.await.unwrap(), Ended);
    assert!(
        began.elapsed() < Duration::from_millis(900),
        "{:?}",
        began.elapsed()
    );
    let mut rest = Vec::new();
    let _ = silent.read_to_end(&mut rest).await;
    assert!(
        TcpStream::connect(running.address).await.is_err(),
        "nobody listens"
    );
}

#[tokio::test]
async fn silent_clients_do_not_keep_others_out() {
    let running = start();
    running.publisher.publish(observed(1));
    let mut silent = Vec::new();
    for number in 0..600 {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        if number % 2 == 0 {
            let _ = stream.write_all(b"GET /metrics HTTP/1.1\r\nX-Slow: ").await;
        }
        silent.push(stream);
    }
    let began = Instant::now();
    assert_eq!(ask(running.address, "/metrics", "").await.status, 200);
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn broken_and_boundless_requests_are_refused() {
    let running = start();
    running.publisher.publish(observed(1));
    for (request, statuses) in [
        ("NONSENSE\r\n\r\n".to_owned(), &[400][..]),
        (
            "GET /metrics HTTP/1.1\r\nHost: x\r\nX: \u{0}\r\n\r\n".to_owned(),
            &[400],
        ),
        // It may be told, or hung up on with bytes unread, which resets the connection.
        (
            format!(
                "GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n",
                "a".repeat(10 << 20)
            ),
            &[431, 0],
        ),
        (
            "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
                .to_owned(),
            &[405],
        ),
        (
            "HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_owned(),
            &[200],
        ),
    ] {
        let answer = send(running.address, &request).await;
        let line = request.lines().next().unwrap();
        assert!(statuses.contains(&answer.status), "{line}: {}", answer.head);
        assert_eq!(
            ask(running.address, "/metrics", "").await.status,
            200,
            "after {line}"
        );
    }
}
