//! The daemon: one thread measures, others answer.

use std::{
    net::{SocketAddr, TcpListener},
    thread,
    time::{Instant, SystemTime},
};

use tokio::runtime::{self, Runtime};

use super::{args::ServeArgs, begin::begin, clock::Clock, logging, select};
use crate::{
    daemon::{self, App, Options, Publisher, Server, WebConfig},
    failure::Failure,
    measure::{Grouping, Measurement},
    report::Observation,
    sink::prometheus,
};

/// Threads that answer requests, and that write what is answered.
const THREADS: (usize, usize) = (2, 4);

/// Serves until a signal comes, or the measurement fails.
pub(super) fn run(args: &ServeArgs) -> Result<(), Failure> {
    logging::start(args.log_format, args.log_level);
    let grouping = select::grouping(&args.groups)?;
    let web = match &args.web_config_file {
        Some(path) => WebConfig::read(path)?,
        None => WebConfig::default(),
    };
    let (publisher, source) = daemon::source(args.interval);
    let options = Options {
        metrics: prometheus::Options {
            durations: args.duration_buckets,
            policies: args.policy.policies().to_vec(),
        },
    };
    let app = App::new(source, options).map_err(|error| Failure::Other(error.to_string()))?;
    let runtime = threads()?;
    // Before anything is attached: where this fails there was nothing to be undone.
    let server = listen(args.listen, &runtime, app, web)?;

    thread::scope(|scope| {
        let measuring = thread::Builder::new()
            .name("measure".into())
            .spawn_scoped(scope, || measure(args, grouping, publisher))
            .map_err(|error| Failure::Other(format!("tried to start a thread: {error}")))?;
        // Ends when the publisher is gone, however that came.
        let served = runtime.block_on(runtime.spawn(server.run()));
        let measured = measuring.join();
        measured.unwrap_or_else(|_| {
            Err(Failure::Other(
                "the thread that measures has panicked, see above: a fault of sisprobe".into(),
            ))
        })?;
        served
            .map(|_| ())
            .map_err(|error| Failure::Other(format!("the server has ended: {error}")))
    })
}

fn threads() -> Result<Runtime, Failure> {
    let (workers, blocking) = THREADS;
    runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .max_blocking_threads(blocking)
        .thread_name("serve")
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Failure::Other(format!("tried to start the server's threads: {error}")))
}

fn listen(at: SocketAddr, runtime: &Runtime, app: App, web: WebConfig) -> Result<Server, Failure> {
    let _inside = runtime.enter();
    let listen = || {
        let listener = TcpListener::bind(at)?;
        listener.set_nonblocking(true)?;
        let server = Server::new(listener, app, web)?;
        let bound = server.address()?;
        Ok((server, bound))
    };
    let (server, bound) = listen().map_err(|error: std::io::Error| {
        Failure::Other(format!(
            "tried to listen on {at}; the answer was: {error}. --listen takes another address or \
             port"
        ))
    })?;
    tracing::info!(address = %bound, "listening");
    Ok(server)
}

/// Measures, and publishes what is observed each interval, until a signal comes.
fn measure(args: &ServeArgs, grouping: Grouping, publisher: Publisher) -> Result<(), Failure> {
    let (mut measurement, stop) = begin(&args.how, grouping)?;
    if args.bpf_stats {
        measurement.count_runs()?;
    }
    let began = SystemTime::now();
    tell(&measurement);
    let clock = Clock::start(args.interval, None);
    loop {
        if !publisher.publish(observe(&mut measurement, began)) {
            return Err(Failure::Other(
                "the server has ended, so nobody can be told what is measured".into(),
            ));
        }
        if !clock.next(&stop) {
            break;
        }
    }
    tracing::info!("ending");
    // First, so that who serves ends while the probes are taken out.
    drop(publisher);
    drop(measurement);
    tracing::info!("ended");
    Ok(())
}

fn observe(measurement: &mut Measurement, began: SystemTime) -> Observation {
    let before = Instant::now();
    let report = measurement.report();
    let runs = measurement.runs();
    Observation {
        report,
        plan: measurement.plan().clone(),
        possible_cpus: measurement.possible_cpus(),
        disarmed: measurement.disarmed(),
        runs,
        began,
        taken: SystemTime::now(),
        took: before.elapsed(),
    }
}

/// Logs what is measured, and what to know of it.
fn tell(measurement: &Measurement) {
    let plan = measurement.plan();
    let (fidelity, attach, probes) = (plan.fidelity, plan.attach, plan.probes.len());
    tracing::info!(%fidelity, %attach, probes, "measuring");
    for warning in measurement.warnings() {
        tracing::warn!("{warning}");
    }
}
