//! Options of a study: declared once, for the command line, the page and the equivalent command.

use embate_replica::lorenzi2014::{MAX_LEVELS, PUBLISHED_LEVELS};
use embate_replica::structure::PairStructure;
use embate_replica::structure::RayStructure;
use embate_replica::triangle_tests::TriangleTestKind;
use embate_scene::generators::{Bounds, Family, Span};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod error;
mod experiment;
mod world_size;

pub use error::ConfigError;
pub use experiment::{Experiment, OwnExperiment};
pub use world_size::WorldSize;

use crate::studies::moving_worlds;
use crate::studies::triangle_tests::plan::TriangleTestsPlan;
use crate::studies::{broad2d, broad3d, rays, simulator};
use crate::study_kind::StudyKind;

/// Options of a study, by the names of the command line; `None` selects the value of the study.
///
/// The descriptions of the fields are the help texts of the command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct StudyConfig {
    /// Reduced study of about a minute: fewer sizes, rays, frames and worlds
    #[cfg_attr(feature = "clap", arg(long))]
    pub quick: bool,
    /// Seed of the random numbers [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub seed: Option<u64>,
    /// Structures to measure [default: all]
    #[cfg_attr(
        feature = "clap",
        arg(long, visible_alias = "structure", value_name = "T,..", value_delimiter = ',')
    )]
    pub technique: Option<Vec<String>>,
    /// Repeats of each time measurement; the median is reported [default: 3; for moving worlds 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub repeats: Option<u32>,
    /// Number of cases measured in parallel; above 1 the times are less reliable [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub threads: Option<usize>,
    /// Triangle counts of the random cases [default: the published 30 sizes]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N,..", value_delimiter = ',', help_heading = RAYS))]
    pub sizes: Option<Vec<u32>>,
    /// Families of the random cases: low, medium, high [default: all]
    #[cfg_attr(feature = "clap", arg(long, value_name = "F,..", value_delimiter = ',', help_heading = RAYS))]
    pub families: Option<Vec<Family>>,
    /// Rays per row of the results; also of study triangle-tests [default: 10000; there 30000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = RAYS))]
    pub rays: Option<u32>,
    /// Levels of the Lorenzi 2014 octree, 1 to 12 [default: 6]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = RAYS))]
    pub depth: Option<u8>,
    /// In 2D, run only experiment 1 (cell sizes), 2 (object counts), `capacity` (most objects at 60
    /// and 30 frames per second) or `coherence` (time by speed); with other parameters of 1 or 2
    /// changed, the case is called `custom`
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", help_heading = BROAD))]
    pub experiment: Option<Experiment>,
    /// Size of the world, in 3D `WxHxD` [default: 2000x2000; in 3D two cubic units per object]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WxH", help_heading = BROAD))]
    pub world: Option<WorldSize>,
    /// Object counts, one world each [default: the published 10 to 5000; in 3D 100 to 50000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N,..", value_delimiter = ',', help_heading = BROAD))]
    pub objects: Option<Vec<u32>>,
    /// In 2D, the bounding volume of the objects: aabb or circle [default: both]
    #[cfg_attr(feature = "clap", arg(long, value_name = "B", help_heading = BROAD))]
    pub bounds: Option<Bounds>,
    /// Minimum and maximum side of a box or diameter of a circle [default: 5..50; in 3D 0.5..1.5]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MIN..MAX", help_heading = BROAD))]
    pub size: Option<Span>,
    /// Minimum and maximum speed, in units per second [default: 5..50; in 3D 0.5..1.5]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MIN..MAX", help_heading = BROAD))]
    pub speed: Option<Span>,
    /// In 2D, cell edges of the grids [default: 100; in experiment 1 sixteen from 5 to 2000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "X,..", value_delimiter = ',', help_heading = BROAD))]
    pub cell_size: Option<Vec<f32>>,
    /// Frames per world [default: 500; in 3D fewer with more objects]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = BROAD))]
    pub frames: Option<u32>,
    /// Worlds of each kind, with consecutive seeds [default: 5; in 3D 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = BROAD))]
    pub seeds: Option<u32>,
}

#[cfg(feature = "clap")]
const RAYS: &str = "Study rays";
#[cfg(feature = "clap")]
const BROAD: &str = "Studies broad2d and broad3d";

/// The options that not every study has. `--mesh`, which names files, is the command line's own.
const OPTIONS_OF: [(StudyKind, &[&str]); 5] = [
    (StudyKind::Rays, &["sizes", "families", "rays", "depth"]),
    (
        StudyKind::Broad2d,
        &[
            "experiment",
            "world",
            "objects",
            "bounds",
            "size",
            "speed",
            "cell-size",
            "frames",
            "seeds",
        ],
    ),
    (StudyKind::Broad3d, &["world", "objects", "size", "speed", "frames", "seeds"]),
    (StudyKind::Simulator, &[]),
    (StudyKind::TriangleTests, &["rays"]),
];

/// Minimum and maximum of the options.
pub mod limits {
    /// Repeats of each time measurement.
    pub const REPEATS: [u32; 2] = [1, 1_000];
    /// Triangles of a random case.
    pub const SIZES: [u32; 2] = [1, 10_000_000];
    /// Rays per row.
    pub const RAYS: [u32; 2] = [1, 10_000_000];
    /// Frames of a world.
    pub const FRAMES: [u32; 2] = [1, 1_000_000];
    /// Worlds of each kind.
    pub const SEEDS: [u32; 2] = [1, 10_000];
    /// Cases measured in parallel.
    pub const THREADS: [u32; 2] = [1, 1_024];
}

impl StudyConfig {
    /// Lorenzi 2014, without meshes of the user.
    ///
    /// # Errors
    /// [`ConfigError`] with the flag to change.
    pub fn rays_plan(&self) -> Result<rays::plan::RaysPlan, ConfigError> {
        self.check(StudyKind::Rays)?;
        let base = if self.quick {
            rays::plan::RaysPlan::quick()
        } else {
            rays::plan::RaysPlan::published()
        };
        let known = || RayStructure::ALL.map(RayStructure::name).to_vec();
        let mut plan = rays::plan::RaysPlan {
            sizes: self.sizes.clone().unwrap_or(base.sizes),
            families: self.families.clone().unwrap_or(base.families),
            rays: self.rays.unwrap_or(base.rays),
            depth: self.depth.map_or(base.depth, usize::from),
            seed: self.seed.unwrap_or(base.seed),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: self.named(base.techniques, RayStructure::from_name, known)?,
            threads: self.threads.unwrap_or(base.threads),
            meshes: base.meshes,
            compare: base.compare,
        };
        plan.drop_repetitions();
        let names_literal_octree =
            self.technique.is_some() && plan.techniques.contains(&RayStructure::LiteralOctree);
        if names_literal_octree && plan.depth > PUBLISHED_LEVELS {
            let (value, max) = (plan.depth as u64, PUBLISHED_LEVELS as u64);
            return Err(ConfigError::OutOfRange { option: "depth", value, min: 1, max });
        }
        Ok(plan)
    }

    /// Gonçales et al. 2016.
    ///
    /// # Errors
    /// [`ConfigError`] with the flag to change.
    pub fn broad2d_plan(&self) -> Result<moving_worlds::Plan<2>, ConfigError> {
        self.check(StudyKind::Broad2d)?;
        let changes = broad2d::plan::Request {
            experiment: self.experiment,
            world: self.sides()?,
            objects: self.objects.clone(),
            bounds: self.bounds,
            size: self.size,
            speed: self.speed,
            cell_sizes: self.cell_size.clone(),
        };
        let base = if self.quick { broad2d::plan::quick() } else { broad2d::plan::published() };
        broad2d::plan::plan(&changes, self.budget(base, &PairStructure::choices_2d())?)
    }

    /// Broad phases of Lasch.
    ///
    /// # Errors
    /// [`ConfigError`] with the flag to change.
    pub fn broad3d_plan(&self) -> Result<moving_worlds::Plan<3>, ConfigError> {
        self.check(StudyKind::Broad3d)?;
        let changes = broad3d::plan::Request {
            world: self.sides()?,
            objects: self.objects.clone(),
            size: self.size,
            speed: self.speed,
        };
        let base = if self.quick { broad3d::plan::quick() } else { broad3d::plan::published() };
        let choices = base.techniques.clone();
        broad3d::plan::plan(&changes, self.budget(base, &choices)?, self.quick)
    }

    /// Simulator of Lasch.
    ///
    /// # Errors
    /// [`ConfigError`] with the flag to change.
    pub fn simulator_plan(&self) -> Result<simulator::Plan, ConfigError> {
        self.check(StudyKind::Simulator)?;
        let base = simulator::Budget::new(self.quick);
        let all = simulator::TECHNIQUES;
        let find = |name: &str| all.into_iter().find(|known| *known == name);
        let selected = self.named(all.to_vec(), find, || all.to_vec())?;
        let in_order = all.into_iter().filter(|name| selected.contains(name));
        Ok(simulator::Plan::new(simulator::Budget {
            seed: self.seed.unwrap_or(base.seed),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: in_order.map(str::to_owned).collect(),
            threads: self.threads.unwrap_or(base.threads),
            ..base
        }))
    }

    /// Ray–triangle tests.
    ///
    /// # Errors
    /// [`ConfigError`] with the flag to change.
    pub fn triangle_tests_plan(&self) -> Result<TriangleTestsPlan, ConfigError> {
        self.check(StudyKind::TriangleTests)?;
        let base = TriangleTestsPlan::new(self.quick);
        let all = TriangleTestKind::ALL;
        let known = || all.map(TriangleTestKind::name).to_vec();
        let selected = self.named(all.to_vec(), TriangleTestKind::from_name, known)?;
        Ok(TriangleTestsPlan {
            rays: self.rays.unwrap_or(base.rays),
            seed: self.seed.unwrap_or(base.seed),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: all.into_iter().filter(|kind| selected.contains(kind)).collect(),
            threads: self.threads.unwrap_or(base.threads),
            ..base
        })
    }

    /// Equivalent command line.
    #[must_use]
    pub fn command(&self, study: &str) -> Vec<String> {
        fn in_words(value: &Value) -> String {
            match value {
                Value::String(text) => text.clone(),
                Value::Array(items) => items.iter().map(in_words).collect::<Vec<_>>().join(","),
                other => other.to_string(),
            }
        }
        let mut command = ["embate", "study", study].map(str::to_owned).to_vec();
        let mut options = self.given();
        command.extend(options.remove("quick").map(|_| "--quick".to_owned()));
        if self.threads == Some(1) {
            options.remove("threads");
        }
        for (name, value) in options {
            command.extend([format!("--{name}"), in_words(&value)]);
        }
        command
    }

    /// The options with a value, by name.
    fn given(&self) -> Map<String, Value> {
        // By way of a text: as a value, 0.1 in single precision has 17 digits.
        let text = serde_json::to_string(self).unwrap_or_default();
        let mut options: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
        options.retain(|_, value| !value.is_null() && *value != Value::Bool(false));
        options
    }

    /// Rejects options that a study does not have.
    ///
    /// # Errors
    /// [`ConfigError`] with the flag to remove.
    pub fn check_belongs_to(&self, study: StudyKind) -> Result<(), ConfigError> {
        for name in self.given().keys() {
            let has = |options: &[&str]| options.contains(&name.as_str());
            let owners: Vec<&'static str> = OPTIONS_OF
                .iter()
                .filter(|(_, options)| has(options))
                .map(|(study, _)| study.name())
                .collect();
            if !owners.is_empty() && !owners.contains(&study.name()) {
                return Err(ConfigError::OtherStudy { option: name.clone(), studies: owners });
            }
        }
        Ok(())
    }

    /// Rejects options that not every study has, and technique names, which differ.
    ///
    /// # Errors
    /// [`ConfigError`] with the flag to remove.
    pub fn check_belongs_to_all(&self) -> Result<(), ConfigError> {
        StudyKind::ALL.into_iter().try_for_each(|study| self.check_belongs_to(study))?;
        if self.technique.is_some() {
            let studies = StudyKind::ALL.map(StudyKind::name).to_vec();
            return Err(ConfigError::OtherStudy { option: "technique".to_owned(), studies });
        }
        Ok(())
    }

    /// `choices` are the techniques that may be named; those of `base` are measured if none is.
    fn budget(
        &self,
        base: moving_worlds::Budget,
        choices: &[PairStructure],
    ) -> Result<moving_worlds::Budget, ConfigError> {
        let known = || {
            let names = choices.iter().map(|technique| technique.name());
            core::iter::once("auto").chain(names).collect()
        };
        let find = |name: &str| PairStructure::from_name(name, choices);
        let selected = self.named(base.techniques, find, known)?;
        Ok(moving_worlds::Budget {
            frames: self.frames.or(base.frames),
            seed: self.seed.unwrap_or(base.seed),
            seeds: self.seeds.unwrap_or(base.seeds),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: PairStructure::in_order(choices, &selected),
            threads: self.threads.unwrap_or(base.threads),
        })
    }

    /// The techniques of the names that were given, or all.
    fn named<T>(
        &self,
        all: Vec<T>,
        find: impl Fn(&str) -> Option<T>,
        known: impl Fn() -> Vec<&'static str>,
    ) -> Result<Vec<T>, ConfigError> {
        let Some(names) = &self.technique else { return Ok(all) };
        let found = names.iter().map(|name| {
            find(name)
                .ok_or_else(|| ConfigError::UnknownTechnique { name: name.clone(), known: known() })
        });
        found.collect()
    }

    /// As many sides as the study's worlds have.
    fn sides<const D: usize>(&self) -> Result<Option<[f32; D]>, ConfigError> {
        let Some(WorldSize(sides)) = &self.world else { return Ok(None) };
        let sides = <[f32; D]>::try_from(sides.as_slice());
        sides.map(Some).map_err(|_| ConfigError::WorldDimension { sides: D })
    }

    /// Checks names and ranges of the options.
    fn check(&self, study: StudyKind) -> Result<(), ConfigError> {
        self.check_belongs_to(study)?;
        let one = |value: Option<u64>| value.into_iter().collect::<Vec<_>>();
        let sizes = self.sizes.iter().flatten().map(|&size| size.into()).collect();
        let experiment = self.experiment.and_then(|experiment| match experiment {
            Experiment::Published(number) => Some(number.into()),
            Experiment::Own(_) => None,
        });
        for (option, values, range) in [
            ("repeats", one(self.repeats.map(u64::from)), limits::REPEATS),
            ("sizes", sizes, limits::SIZES),
            ("rays", one(self.rays.map(u64::from)), limits::RAYS),
            ("depth", one(self.depth.map(u64::from)), [1, MAX_LEVELS as u32]),
            ("experiment", one(experiment), [1, 2]),
            ("frames", one(self.frames.map(u64::from)), limits::FRAMES),
            ("seeds", one(self.seeds.map(u64::from)), limits::SEEDS),
            ("threads", one(self.threads.map(|count| count as u64)), limits::THREADS),
        ] {
            let [min, max] = range.map(u64::from);
            if let Some(value) = values.into_iter().find(|value| !(min..=max).contains(value)) {
                return Err(ConfigError::OutOfRange { option, value, min, max });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> StudyConfig {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn default_configuration_is_the_published_study() {
        let config = StudyConfig::default();
        let published = rays::plan::RaysPlan::published();
        assert_eq!(config.rays_plan().unwrap().parameters(), published.parameters());
        assert_eq!(config.broad2d_plan().unwrap().budget, broad2d::plan::published());
        assert_eq!(config.broad3d_plan().unwrap().budget, broad3d::plan::published());
        assert_eq!(config.command("rays"), ["embate", "study", "rays"]);
    }

    #[test]
    fn configuration_is_formatted_as_a_command_line() {
        let config = read(
            r#"{"quick":true,"seed":7,"experiment":2,"objects":[10,100],"technique":["tree","study-grid"],"threads":2,"seeds":1}"#,
        );
        assert_eq!(
            config.command("broad2d").join(" "),
            "embate study broad2d --quick --experiment 2 --objects 10,100 --seed 7 --seeds 1 \
             --technique tree,study-grid --threads 2"
        );
        let names: Vec<&str> =
            config.broad2d_plan().unwrap().budget.techniques.iter().map(|t| t.name()).collect();
        assert_eq!(names, ["study-grid", "tree"], "in the order of the report");
    }

    #[test]
    fn invalid_values_are_rejected_with_their_flag() {
        for (json, flag) in [
            (r#"{"repeats":0}"#, "--repeats"),
            (r#"{"rays":0}"#, "--rays"),
            (r#"{"sizes":[100,0]}"#, "--sizes"),
            (r#"{"depth":0}"#, "--depth"),
            (r#"{"depth":13}"#, "--depth"),
            (r#"{"depth":7,"technique":["study-octree-literal"]}"#, "--depth"),
            (r#"{"technique":["treee"]}"#, "--technique"),
            (r#"{"threads":0}"#, "--threads"),
            (r#"{"objects":[10]}"#, "--objects"),
        ] {
            let line = read(json).rays_plan().unwrap_err().to_string();
            assert!(line.starts_with(flag), "{line}");
        }
        for (json, flag) in [
            (r#"{"experiment":3}"#, "--experiment"),
            (r#"{"frames":0}"#, "--frames"),
            (r#"{"seeds":0}"#, "--seeds"),
            (r#"{"objects":[0]}"#, "--objects"),
            (r#"{"experiment":"capacity","objects":[9]}"#, "--objects"),
            (r#"{"experiment":"coherence","speed":"5..50"}"#, "--speed"),
            (r#"{"experiment":"coherence","bounds":"aabb"}"#, "--bounds"),
        ] {
            let line = read(json).broad2d_plan().unwrap_err().to_string();
            assert!(line.starts_with(flag), "{line}");
        }
        assert!(read(r#"{"experiment":1}"#).broad3d_plan().is_err());
        assert!(read(r#"{"technique":["bvh"]}"#).simulator_plan().is_err());
        assert!(read(r#"{"technique":["bvh"]}"#).triangle_tests_plan().is_err());
        assert!(read(r#"{"sizes":[100]}"#).triangle_tests_plan().is_err());
        assert!(serde_json::from_str::<StudyConfig>(r#"{"seeed":1}"#).is_err());
    }

    /// The literal octree would allocate eight times as many nodes with every level.
    #[test]
    fn deep_octrees_are_measured_without_the_literal_one() {
        let names = |json: &str| {
            let needed = read(json).rays_plan().unwrap().techniques_needed();
            needed.into_iter().map(RayStructure::name).collect::<Vec<_>>()
        };
        assert!(names(r#"{"depth":6}"#).contains(&"study-octree-literal"));
        let deep = names(r#"{"depth":12}"#);
        assert!(!deep.contains(&"study-octree-literal") && deep.contains(&"study-octree"));
    }

    #[test]
    fn texts_of_worlds_spans_and_cells_survive_the_command_line() {
        let config = read(
            r#"{"world":"640x480.5","size":"5..50","speed":"7..7","bounds":"circle","cell-size":[0.1,25]}"#,
        );
        assert_eq!(
            config.command("broad2d").join(" "),
            "embate study broad2d --bounds circle --cell-size 0.1,25.0 --size 5..50 --speed 7..7 \
             --world 640x480.5"
        );
        assert!(serde_json::from_str::<StudyConfig>(r#"{"size":"5-50"}"#).is_err());
    }

    #[test]
    fn options_of_other_studies_are_rejected() {
        let with = |json: &str, study| read(json).check_belongs_to(study);
        assert!(
            with(r#"{"cell-size":[5]}"#, StudyKind::Broad3d)
                .unwrap_err()
                .to_string()
                .contains("study broad2d;")
        );
        assert!(
            with(r#"{"frames":5}"#, StudyKind::Rays)
                .unwrap_err()
                .to_string()
                .contains("study broad2d or broad3d;")
        );
        assert_eq!(read(r#"{"quick":true,"seed":4}"#).check_belongs_to_all(), Ok(()));
        assert!(read(r#"{"technique":["bvh"]}"#).check_belongs_to_all().is_err());
        assert!(read(r#"{"frames":5}"#).check_belongs_to_all().is_err());
    }
}
