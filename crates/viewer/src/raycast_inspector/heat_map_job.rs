//! Heat map job: a heat map computed in slices.
//!
//! Every eighth row first, then the rows between, so that the whole picture appears early. A row
//! that is not computed yet repeats the row above it.

use embate::geometry::{Camera, PrimaryRays};
use embate::raycast::TraversalStats;
use embate_replica::structure::RayStructure;
use serde::Serialize;

use super::{RaycastInspector, TECHNIQUES};
use crate::heat_map::{HeatMap, Metric};

/// Rows of the first round are so far apart, and half as far in each round after.
const FIRST_STRIDE: u32 = 8;

/// Pixels on a side, at most: more than a page shows.
const MAX_SIDE: u32 = 2_048;

/// Camera, size and metric of a heat map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatMapRequest {
    /// Position of the camera.
    pub eye: [f32; 3],
    /// Target of the camera.
    pub at: [f32; 3],
    /// Vertical field of view, in degrees.
    pub fov: f32,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Counter shown as heat.
    pub metric: Metric,
}

/// Incremental computation of the heat maps of all built structures.
#[derive(Debug)]
pub struct HeatMapJob {
    rays: PrimaryRays,
    size: [u32; 2],
    metric: Metric,
    /// In which order rows are made, and how many follow that show the same until they are.
    rows: Vec<(u32, u32)>,
    /// Rows that are done.
    done: usize,
    maps: Vec<Map>,
}

#[derive(Debug)]
struct Map {
    technique: RayStructure,
    heat: Vec<u32>,
    most: u32,
    total: u64,
    hits: usize,
    counts: TraversalStats,
}

#[derive(Serialize)]
struct JobSummary<'a> {
    /// From 0 to 1.
    progress: f64,
    width: u32,
    height: u32,
    metric: &'a str,
    /// Of the hottest pixel of all.
    most: u32,
    maps: Vec<MapSummary>,
}

#[derive(Serialize)]
struct MapSummary {
    name: &'static str,
    total: u64,
    mean: f64,
    max: u32,
    hits: usize,
    tests: u64,
    boxes: u64,
}

impl HeatMapJob {
    /// Begins; nothing is cast yet.
    ///
    /// # Errors
    /// If the camera looks nowhere, or the picture has no pixels or too many.
    pub fn new(inspector: &RaycastInspector, request: &HeatMapRequest) -> Result<Self, String> {
        let HeatMapRequest { eye, at, fov, size: [width, height], metric } = *request;
        if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
            return Err(format!("{width} × {height} pixels: from 1 to {MAX_SIDE} on a side"));
        }
        let view = Camera {
            eye,
            target: at,
            up: [0.0, 1.0, 0.0],
            vertical_fov: fov.to_radians(),
            aspect: width as f32 / height as f32,
            near: 0.0,
            far: 1.0,
        };
        let rays = view.primary_rays(width, height).ok_or("the camera looks nowhere")?;
        let pixels = (width * height) as usize;
        let triangles = inspector.mesh.triangles().len() as u32;
        let built =
            TECHNIQUES.into_iter().filter(|&technique| inspector.index(technique).is_some());
        let maps = built.map(|technique| Map::new(technique, pixels, triangles, metric)).collect();
        Ok(Self { rays, size: [width, height], metric, rows: rows(height), done: 0, maps })
    }

    /// Computes rows until `is_time_up`; true once all rows are done.
    pub fn advance(
        &mut self,
        inspector: &RaycastInspector,
        mut is_time_up: impl FnMut() -> bool,
    ) -> bool {
        let [width, height] = self.size;
        while let Some(&(row, repeats)) = self.rows.get(self.done) {
            for map in &mut self.maps {
                // Brute force is not run: it tests every triangle for every pixel.
                let Some(index) = inspector.index(map.technique).filter(|_| map.is_cast()) else {
                    continue;
                };
                let made = HeatMap::row(index, &self.rays, width, row, self.metric);
                map.take(&made, row, row..(row + repeats).min(height));
            }
            self.done += 1;
            if is_time_up() {
                break;
            }
        }
        self.done == self.rows.len()
    }

    /// Progress and sums, as JSON.
    #[must_use]
    pub fn summary(&self) -> String {
        let [width, height] = self.size;
        let pixels = (self.done * width as usize).max(1) as f64;
        let maps = self.maps.iter().map(|map| MapSummary {
            name: map.technique.name(),
            total: map.total,
            mean: if map.is_cast() { map.total as f64 / pixels } else { f64::from(map.most) },
            max: map.most,
            hits: map.hits,
            tests: map.counts.triangle_tests,
            boxes: map.counts.nodes_visited,
        });
        let summary = JobSummary {
            progress: self.done as f64 / self.rows.len() as f64,
            width,
            height,
            metric: self.metric.name(),
            most: self.max_heat(),
            maps: maps.collect(),
        };
        serde_json::to_string(&summary).unwrap_or_default()
    }

    /// Heat of the hottest pixel of all maps.
    #[must_use]
    pub fn max_heat(&self) -> u32 {
        self.maps.iter().map(|map| map.most).max().unwrap_or(0)
    }

    /// The pixels of one map, row by row from the top.
    #[must_use]
    pub fn heat(&self, index: usize) -> &[u32] {
        self.maps.get(index).map_or(&[], |map| &map.heat)
    }
}

impl Map {
    fn new(technique: RayStructure, pixels: usize, triangles: u32, metric: Metric) -> Self {
        let mut map = Self {
            technique,
            heat: vec![0; pixels],
            most: 0,
            total: 0,
            hits: 0,
            counts: TraversalStats::default(),
        };
        if !map.is_cast() {
            let tests = u64::from(triangles) * pixels as u64;
            map.counts = TraversalStats { triangle_tests: tests, nodes_visited: 0 };
            if metric == Metric::Tests {
                map.heat.fill(triangles);
                (map.most, map.total) = (triangles, tests);
            }
        }
        map
    }

    fn is_cast(&self) -> bool {
        self.technique.reference() != self.technique
    }

    fn take(&mut self, made: &HeatMap, row: u32, shown: core::ops::Range<u32>) {
        let width = made.heat.len();
        for each in shown {
            let start = each as usize * width;
            self.heat[start..start + width].copy_from_slice(&made.heat);
        }
        debug_assert!(row as usize * width < self.heat.len());
        self.most = self.most.max(made.max());
        self.total += made.total();
        self.hits += made.hits;
        self.counts += made.counts;
    }
}

/// Every row once: far apart first. Beside each, how many rows show what it shows until they are
/// made themselves.
fn rows(height: u32) -> Vec<(u32, u32)> {
    let mut rows = Vec::with_capacity(height as usize);
    let mut stride = FIRST_STRIDE;
    rows.extend((0..height).step_by(stride as usize).map(|row| (row, stride)));
    while stride > 1 {
        let half = stride / 2;
        rows.extend((half..height).step_by(stride as usize).map(|row| (row, half)));
        stride = half;
    }
    rows
}
