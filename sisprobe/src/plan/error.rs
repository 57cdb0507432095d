//! Why there is no plan.

use thiserror::Error;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// This process, or the state of the kernel, forbids it.
    #[error("{0}")]
    NotPermitted(String),
    /// A BPF scheduler has all tasks.
    #[error(
        "the sched_ext scheduler {scheduler} is {state} and has all tasks, so no wake-up comes \
         through select_task_rq_fair and there is nothing to measure. Unload it first"
    )]
    Bypassed {
        /// Its name.
        scheduler: String,
        /// The kernel's word for its state.
        state: String,
    },
    /// Something that only a privileged process can see is needed.
    #[error("{what} is needed, but: {why}. {remedy}")]
    Hidden {
        /// What was looked for.
        what: String,
        /// Why it could not be seen.
        why: String,
        /// What to do.
        remedy: String,
    },
    /// The kernel lacks something without which nothing can be measured.
    #[error("{what} is needed, but: {why}. {remedy}")]
    Missing {
        /// What was looked for.
        what: String,
        /// The kernel's answer.
        why: String,
        /// What to do.
        remedy: String,
    },
    /// The request cannot be met, though another could.
    #[error("--{option} {value} was asked for, but: {why}. {remedy}")]
    Request {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// What stands against it.
        why: String,
        /// What to do.
        remedy: String,
    },
}
