//! Continuous collision: fast bodies do not tunnel.

mod after_solve;
mod rotation;
