//! Options of a study: declared once, for the command line, the page and the equivalent command.

use core::fmt;
use core::str::FromStr;

use embate_replica::lorenzi2014::MAX_LEVELS;
use embate_replica::structure::PairStructure;
use embate_replica::structure::RayStructure;
use embate_report::language::Language;
use embate_scene::generators::{Bounds, Family, Span};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::studies::broad_phase;
use crate::studies::{broad2d, broad3d, rays, simulator};

/// Invalid option of a study: one line with the flag to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidConfig(pub String);

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
    /// Rays per row of the results [default: 10000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = RAYS))]
    pub rays: Option<u32>,
    /// Levels of the Lorenzi 2014 octree, 1 to 6 [default: 6]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = RAYS))]
    pub depth: Option<u8>,
    /// In 2D, run only experiment 1 (cell sizes) or 2 (object counts); with other parameters
    /// changed, the case is called `custom`
    #[cfg_attr(feature = "clap", arg(long, value_name = "1|2", help_heading = BROAD))]
    pub experiment: Option<u8>,
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
const OPTIONS_OF: [(&str, &[&str]); 4] = [
    ("rays", &["sizes", "families", "rays", "depth"]),
    (
        "broad2d",
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
    ("broad3d", &["world", "objects", "size", "speed", "frames", "seeds"]),
    ("simulator", &[]),
];

/// Sides of a world, as text `WxH` or `WxHxD`. A newtype, since clap would read a plain `Vec` as a
/// repeated argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct WorldSize(pub Vec<f32>);

impl fmt::Display for WorldSize {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(&self.0.iter().map(f32::to_string).collect::<Vec<_>>().join("x"))
    }
}

impl From<WorldSize> for String {
    fn from(size: WorldSize) -> Self {
        size.to_string()
    }
}

impl FromStr for WorldSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides: Result<Vec<f32>, _> = text.split('x').map(str::parse).collect();
        sides.map(Self).map_err(|_| "give WxH, for instance 2000x1000".to_owned())
    }
}

impl TryFrom<String> for WorldSize {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

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
    /// [`InvalidConfig`] with the flag to change.
    pub fn rays_plan(&self) -> Result<rays::plan::Plan, InvalidConfig> {
        self.check("rays")?;
        let base =
            if self.quick { rays::plan::Plan::quick() } else { rays::plan::Plan::published() };
        let known = || {
            let names = RayStructure::ALL.map(RayStructure::name);
            format!("auto, {}", names.join(", "))
        };
        let mut plan = rays::plan::Plan {
            sizes: self.sizes.clone().unwrap_or(base.sizes),
            families: self.families.clone().unwrap_or(base.families),
            rays: self.rays.unwrap_or(base.rays),
            depth: self.depth.map_or(base.depth, usize::from),
            seed: self.seed.unwrap_or(base.seed),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: self.named(base.techniques, RayStructure::from_name, known)?,
            threads: self.threads.unwrap_or(base.threads),
            meshes: base.meshes,
        };
        plan.drop_repetitions();
        Ok(plan)
    }

    /// Gonçales et al. 2016.
    ///
    /// # Errors
    /// [`InvalidConfig`] with the flag to change.
    pub fn broad2d_plan(&self) -> Result<broad_phase::Plan<2>, InvalidConfig> {
        self.check("broad2d")?;
        let changes = broad2d::plan::Request {
            experiment: self.experiment,
            world: self.sides("broad2d has two sides; give WxH")?,
            objects: self.objects.clone(),
            bounds: self.bounds,
            size: self.size,
            speed: self.speed,
            cell_sizes: self.cell_size.clone(),
        };
        let base = if self.quick { broad2d::plan::quick() } else { broad2d::plan::published() };
        broad2d::plan::plan(&changes, self.budget(base)?)
    }

    /// Broad phases of Lasch.
    ///
    /// # Errors
    /// [`InvalidConfig`] with the flag to change.
    pub fn broad3d_plan(&self) -> Result<broad_phase::Plan<3>, InvalidConfig> {
        self.check("broad3d")?;
        let changes = broad3d::plan::Request {
            world: self.sides("broad3d has three sides; give WxHxD")?,
            objects: self.objects.clone(),
            size: self.size,
            speed: self.speed,
        };
        let base = if self.quick { broad3d::plan::quick() } else { broad3d::plan::published() };
        broad3d::plan::plan(&changes, self.budget(base)?, self.quick)
    }

    /// Simulator of Lasch.
    ///
    /// # Errors
    /// [`InvalidConfig`] with the flag to change.
    pub fn simulator_plan(&self) -> Result<simulator::Plan, InvalidConfig> {
        self.check("simulator")?;
        let base = simulator::Budget::new(self.quick);
        let all = simulator::TECHNIQUES;
        let find = |name: &str| all.into_iter().find(|known| *known == name);
        let asked = self.named(all.to_vec(), find, || all.join(", "))?;
        let in_order = all.into_iter().filter(|name| asked.contains(name));
        Ok(simulator::Plan::new(simulator::Budget {
            seed: self.seed.unwrap_or(base.seed),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: in_order.map(str::to_owned).collect(),
            threads: self.threads.unwrap_or(base.threads),
            ..base
        }))
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

    /// Rejects options that a study does not have. `all` has those that every study has.
    ///
    /// # Errors
    /// [`InvalidConfig`] with the flag to remove.
    pub fn check_belongs_to(&self, study: &str) -> Result<(), InvalidConfig> {
        let reject = |name: &str, owners: &[&str]| {
            Err(InvalidConfig(format!(
                "--{name} belongs to study {}; name that study, or leave the flag out",
                owners.join(" or ")
            )))
        };
        for name in self.given().keys() {
            let has = |options: &[&str]| options.contains(&name.as_str());
            let owners: Vec<&str> = OPTIONS_OF
                .iter()
                .filter(|(_, options)| has(options))
                .map(|(study, _)| *study)
                .collect();
            if !owners.is_empty() && !owners.contains(&study) {
                return reject(name, &owners);
            }
        }
        if study == "all" && self.technique.is_some() {
            return reject("technique", &OPTIONS_OF.map(|(study, _)| study));
        }
        Ok(())
    }

    fn budget(&self, base: broad_phase::Budget) -> Result<broad_phase::Budget, InvalidConfig> {
        let all = base.techniques;
        let known = || {
            let names: Vec<&str> = all.iter().map(|technique| technique.name()).collect();
            format!("auto, {}", names.join(", "))
        };
        let find = |name: &str| PairStructure::from_name(name, &all);
        let asked = self.named(all.clone(), find, known)?;
        Ok(broad_phase::Budget {
            frames: self.frames.or(base.frames),
            seed: self.seed.unwrap_or(base.seed),
            seeds: self.seeds.unwrap_or(base.seeds),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: PairStructure::in_order(&all, &asked),
            threads: self.threads.unwrap_or(base.threads),
        })
    }

    /// The techniques of the names that were given, or all.
    fn named<T>(
        &self,
        all: Vec<T>,
        find: impl Fn(&str) -> Option<T>,
        known: impl Fn() -> String,
    ) -> Result<Vec<T>, InvalidConfig> {
        let Some(names) = &self.technique else { return Ok(all) };
        let found = names.iter().map(|name| {
            find(name).ok_or_else(|| {
                let known = known();
                InvalidConfig(format!(
                    "--technique {name}: this study has none such; there are: {known}"
                ))
            })
        });
        found.collect()
    }

    /// As many sides as the study's worlds have.
    fn sides<const D: usize>(&self, advice: &str) -> Result<Option<[f32; D]>, InvalidConfig> {
        let Some(WorldSize(sides)) = &self.world else { return Ok(None) };
        let sides = <[f32; D]>::try_from(sides.as_slice());
        sides.map(Some).map_err(|_| InvalidConfig(format!("--world: {advice}")))
    }

    /// Checks names and ranges of the options.
    fn check(&self, study: &str) -> Result<(), InvalidConfig> {
        self.check_belongs_to(study)?;
        let one = |value: Option<u32>| value.into_iter().collect::<Vec<_>>();
        let depth = [1, MAX_LEVELS as u32];
        for (flag, values, [least, most]) in [
            ("--repeats", one(self.repeats), limits::REPEATS),
            ("--sizes", self.sizes.clone().unwrap_or_default(), limits::SIZES),
            ("--rays", one(self.rays), limits::RAYS),
            ("--depth", one(self.depth.map(u32::from)), depth),
            ("--experiment", one(self.experiment.map(u32::from)), [1, 2]),
            ("--frames", one(self.frames), limits::FRAMES),
            ("--seeds", one(self.seeds), limits::SEEDS),
            ("--threads", one(self.threads.map(|count| count as u32)), limits::THREADS),
        ] {
            if let Some(value) = values.into_iter().find(|value| !(least..=most).contains(value)) {
                let most = Language::English.integer(most.into());
                return Err(InvalidConfig(format!("{flag} {value}: give {least} to {most}")));
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
        let asked = StudyConfig::default();
        let published = rays::plan::Plan::published();
        assert_eq!(asked.rays_plan().unwrap().parameters(), published.parameters());
        assert_eq!(asked.broad2d_plan().unwrap().budget, broad2d::plan::published());
        assert_eq!(asked.broad3d_plan().unwrap().budget, broad3d::plan::published());
        assert_eq!(asked.command("rays"), ["embate", "study", "rays"]);
    }

    #[test]
    fn configuration_is_formatted_as_a_command_line() {
        let asked = read(
            r#"{"quick":true,"seed":7,"experiment":2,"objects":[10,100],"technique":["tree","study-grid"],"threads":2,"seeds":1}"#,
        );
        assert_eq!(
            asked.command("broad2d").join(" "),
            "embate study broad2d --quick --experiment 2 --objects 10,100 --seed 7 --seeds 1 \
             --technique tree,study-grid --threads 2"
        );
        let names: Vec<&str> =
            asked.broad2d_plan().unwrap().budget.techniques.iter().map(|t| t.name()).collect();
        assert_eq!(names, ["study-grid", "tree"], "in the order of the report");
    }

    #[test]
    fn invalid_values_are_rejected_with_their_flag() {
        for (json, flag) in [
            (r#"{"repeats":0}"#, "--repeats"),
            (r#"{"rays":0}"#, "--rays"),
            (r#"{"sizes":[100,0]}"#, "--sizes"),
            (r#"{"depth":7}"#, "--depth"),
            (r#"{"technique":["treee"]}"#, "--technique"),
            (r#"{"threads":0}"#, "--threads"),
            (r#"{"objects":[10]}"#, "--objects"),
        ] {
            let InvalidConfig(line) = read(json).rays_plan().unwrap_err();
            assert!(line.starts_with(flag), "{line}");
        }
        for (json, flag) in [
            (r#"{"experiment":3}"#, "--experiment"),
            (r#"{"frames":0}"#, "--frames"),
            (r#"{"seeds":0}"#, "--seeds"),
            (r#"{"objects":[0]}"#, "--objects"),
        ] {
            let InvalidConfig(line) = read(json).broad2d_plan().unwrap_err();
            assert!(line.starts_with(flag), "{line}");
        }
        assert!(read(r#"{"experiment":1}"#).broad3d_plan().is_err());
        assert!(read(r#"{"technique":["bvh"]}"#).simulator_plan().is_err());
        assert!(serde_json::from_str::<StudyConfig>(r#"{"seeed":1}"#).is_err());
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
        let with = |json: &str, study: &str| read(json).check_belongs_to(study);
        assert!(with(r#"{"cell-size":[5]}"#, "broad3d").unwrap_err().0.contains("study broad2d;"));
        assert!(
            with(r#"{"frames":5}"#, "rays").unwrap_err().0.contains("study broad2d or broad3d;")
        );
        assert_eq!(with(r#"{"quick":true,"seed":4}"#, "all"), Ok(()));
        assert!(with(r#"{"technique":["bvh"]}"#, "all").is_err());
    }
}
