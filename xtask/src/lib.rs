//! Everything that is done to the project. `cargo xtask --help` lists it; the library part lets
//! integration tests boot guests ([`lab::Lab`]).

use anyhow::Result;
use clap::{Parser, Subcommand};

pub mod apt;
pub mod cache;
pub mod command;
pub mod compile;
pub mod demo;
pub mod kernel;
pub mod lab;
pub mod progress;
pub mod prometheus;
pub mod setup;
pub mod test;
pub mod toolchain;

/// What is done to the project, one command each.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, about)]
pub struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Demo(demo::Args),
    Test(test::Args),
    Lab(lab::cli::Args),
    Kernel(kernel::Args),
    Build(compile::Args),
    Setup(setup::Args),
}

impl Cli {
    /// Does what was asked and gives the exit status.
    ///
    /// # Errors
    ///
    /// Whatever kept the task from being done, with the command that failed.
    pub fn run(self) -> Result<u8> {
        match self.task {
            Task::Demo(args) => args.run(),
            Task::Test(args) => args.run(),
            Task::Lab(args) => args.run(),
            Task::Kernel(args) => args.run(),
            Task::Build(args) => args.run(),
            Task::Setup(args) => args.run(),
        }
    }

    /// The exit status where [`Cli::run`] fails: the lab keeps the low ones for the command in
    /// its guest.
    pub fn failure_status(&self) -> u8 {
        match self.task {
            Task::Lab(_) => lab::STATUS_FAILURE,
            _ => 1,
        }
    }
}
