//! The host tier: the command on the machine that runs the tests, which needs no more than Linux.
//! Nothing here requires root or BPF; what the machine allows is asked of the machine.

mod arguments;
mod capture;
mod command;
mod compare;
mod doctor;
mod measure;
mod profile;
mod serve;
