//! Tests on stock kernels in QEMU guests. They drive the release build of sisprobe as a user
//! would, and believe what another tool, or the kernel's arithmetic, says.

mod ab;
mod daemon;
mod doctor;
mod ending;
mod experiment;
mod guest;
mod load;
mod model;
mod own;
mod page;
mod policies;
mod prometheus;
mod refused;
mod served;
mod topology;
mod witness;
