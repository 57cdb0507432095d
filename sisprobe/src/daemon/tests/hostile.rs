//! Clients that mean no good, while a scraper wants its metrics.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::time::sleep;

use super::*;

/// What an answer may take, by half of the scrapes of one round.
const USUAL: Duration = Duration::from_millis(50);
const SCRAPES: usize = 20;
/// This machine may be busy with other things: the best of so many rounds counts.
const ROUNDS: usize = 10;

/// Sends `request`, again and again until `over`, in pieces of `piece` bytes with a pause after
/// each; begins anew where it is hung up on.
async fn harass(address: SocketAddr, request: Vec<u8>, piece: usize, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(address).await else {
            continue;
        };
        for part in request.chunks(piece) {
            if over.load(Ordering::Relaxed) || stream.write_all(part).await.is_err() {
                break;
            }
            sleep(Duration::from_millis(1)).await;
        }
    }
}

/// The median time of a scrape in the best round; every scrape is answered.
async fn scrapes(address: SocketAddr) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let mut times = Vec::new();
        for _ in 0..SCRAPES {
            let began = Instant::now();
            assert_eq!(ask(address, "/metrics", "").await.status, 200);
            times.push(began.elapsed());
            sleep(Duration::from_millis(20)).await;
        }
        times.sort_unstable();
        best = best.min(times[SCRAPES / 2]);
        if best < USUAL {
            break;
        }
    }
    best
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn they_do_not_keep_a_scraper_waiting() {
    let running = start();
    running.publisher.publish(observed(1));
    let over = Arc::new(AtomicBool::new(false));
    let head = "GET /metrics HTTP/1.1\r\nHost: x\r\nX: ";
    let slow = format!("{head}{}", "a".repeat(16 << 10));
    let boundless = format!("{head}{}", "a".repeat(10 << 20));
    let broken = "GET\0/metrics HTTP/9\r\n: :\r\n\r\n".to_owned();
    let many = |count, request: &str, piece| {
        (0..count)
            .map(|_| {
                let (request, over) = (request.as_bytes().to_vec(), Arc::clone(&over));
                tokio::spawn(harass(running.address, request, piece, over))
            })
            .collect::<Vec<_>>()
    };
    let clients: Vec<_> = (many(100, &slow, 1).into_iter())
        .chain(many(2, &boundless, 64 << 10))
        .chain(many(2, &broken, 100))
        .collect();
    let usual = scrapes(running.address).await;
    over.store(true, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
    assert!(usual < USUAL, "{usual:?}");
}

/// As wrk does, with pauses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crowds_do_not_keep_a_scraper_waiting() {
    let running = start();
    running.publisher.publish(observed(1));
    let over = Arc::new(AtomicBool::new(false));
    let crowd: Vec<_> = (0..64)
        .map(|_| {
            let (address, over) = (running.address, Arc::clone(&over));
            tokio::spawn(async move {
                let mut answered = 0;
                while !over.load(Ordering::Relaxed) {
                    assert_eq!(ask(address, "/metrics", "").await.status, 200);
                    answered += 1;
                    // All of them share this process with the server.
                    sleep(Duration::from_millis(20)).await;
                }
                answered
            })
        })
        .collect();
    let usual = scrapes(running.address).await;
    over.store(true, Ordering::Relaxed);
    for client in crowd {
        assert!(client.await.unwrap() > 0);
    }
    assert!(usual < USUAL, "{usual:?}");
}
