//! Replicas: the published algorithms of three studies, as published, and structures by name.
//!
//! A replica repeats its study exactly, faults included, so that published counts can be compared
//! with measured ones. What each study publishes, and what we found ourselves, is in
//! `docs/studies.md`.
//!
//! | module | study | subject |
//! |---|---|---|
//! | [`lorenzi2014`] | H. Lorenzi 2014 | rays against triangles, octree |
//! | [`lasch`] | R. M. Lasch | 3D collision simulator |
//! | [`goncales2016`] | V. H. P. Gonçales et al. 2016 | 2D broad phase in a web page |
//!
//! [`structure`] lists every structure that can be chosen by name, of the engine and of the
//! replicas. [`triangle_tests`] are the ray–triangle tests that Lorenzi 2014 names or uses, beside
//! that of the engine.
//!
//! ```text
//! mesh, boxes, bodies ──► replica ──────────────► hits, pairs, steps   (faults included)
//!                    └──► structure, by name ──► engine or replica, behind one interface
//! ```
//!
//! The engine, `embate`, does not depend on this crate.

pub mod goncales2016;
pub mod lasch;
pub mod lorenzi2014;
pub mod structure;
pub mod triangle_tests;
