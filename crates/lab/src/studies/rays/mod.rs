//! Study A: does an octree help a ray find its triangle? (Lorenzi 2014; Lorenzi and Brandi 2015)

pub mod plan;
pub mod row;
pub mod run;
mod tally;
