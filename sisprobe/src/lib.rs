//! sisprobe: what the scheduler's search for an idle CPU costs on a running machine, how far it
//! looks, and how far its policy says it should look. See docs/architecture.md.

pub mod ab;
pub mod aggregate;
pub mod bench;
pub mod capture;
pub mod cli;
pub mod compare;
pub mod daemon;
pub mod doctor;
pub mod failure;
pub mod histogram;
pub mod kernel;
pub mod measure;
pub mod plan;
pub mod policy;
pub mod prediction;
pub mod probe;
pub mod report;
pub mod run;
pub mod sink;
pub mod summary;
pub mod whatif;
mod whole_file;
