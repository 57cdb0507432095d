//! The matrix of settings and loads: what is run, in which order, and the scheduler features that
//! are switched for it.

mod load;
mod matrix;
mod setting;
mod switch;

pub use self::{
    load::Load,
    matrix::{Matrix, Step},
    setting::{Setting, SettingError},
    switch::{LeftOver, SwitchError, Switched, left_over},
};
