//! Configuration of a study: options and defaults, the same for command line and page.

use embate_replica::lorenzi2014::MAX_LEVELS;
use embate_replica::structure::PairStructure;
use embate_replica::structure::RayStructure;
use embate_report::language::Language;
use embate_scene::generators::{Bounds, Family, Span};
use serde::Deserialize;

use crate::studies::broad_phase::{self, InvalidConfig};
use crate::studies::{broad2d, broad3d, rays, simulator};

/// Options of a study, by the names of the command line; `None` selects the value of the study.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct StudyConfig {
    /// Whether to run the short version.
    pub quick: bool,
    /// Seed of all random numbers.
    pub seed: Option<u64>,
    /// Number of repetitions of each timing.
    pub repeats: Option<u32>,
    /// Names of the techniques to report.
    pub technique: Option<Vec<String>>,
    /// Number of cases to measure concurrently.
    pub threads: Option<usize>,
    /// Triangle counts of the random cases.
    pub sizes: Option<Vec<u32>>,
    /// Families of the random cases.
    pub families: Option<Vec<Family>>,
    /// Number of rays per row.
    pub rays: Option<u32>,
    /// Number of levels of Lorenzi's octree.
    pub depth: Option<u8>,
    /// Experiment of Gonçales et al. 2016, 1 or 2.
    pub experiment: Option<u8>,
    /// Object counts, with a world for each.
    pub objects: Option<Vec<u32>>,
    /// Number of frames of each world.
    pub frames: Option<u32>,
    /// Number of worlds of each kind.
    pub seeds: Option<u32>,
    /// Custom world.
    #[serde(skip)]
    pub custom: CustomWorld,
}

/// A world that is not the study's. No page offers one: its 2D view is made of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomWorld {
    /// Extents, one per dimension.
    pub sides: Option<Vec<f32>>,
    /// Shape of the objects, in 2D only.
    pub bounds: Option<Bounds>,
    /// Size of the objects.
    pub size: Option<Span>,
    /// Speed of the objects.
    pub speed: Option<Span>,
    /// Cell sizes of the grids, in 2D only.
    pub cell_sizes: Option<Vec<f32>>,
}

/// Minimum and maximum of the options.
pub mod limits {
    /// How often each time is taken.
    pub const REPEATS: [u32; 2] = [1, 1_000];
    /// Triangles of a random case.
    pub const SIZES: [u32; 2] = [1, 10_000_000];
    /// Rays a row.
    pub const RAYS: [u32; 2] = [1, 10_000_000];
    /// Frames of a world.
    pub const FRAMES: [u32; 2] = [1, 1_000_000];
    /// Worlds of each kind.
    pub const SEEDS: [u32; 2] = [1, 10_000];
}

impl StudyConfig {
    /// Lorenzi 2014, without meshes of the user.
    ///
    /// # Errors
    /// [`InvalidConfig`] with the flag to change.
    pub fn rays_plan(&self) -> Result<rays::plan::Plan, InvalidConfig> {
        self.check()?;
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
        self.check()?;
        let changes = broad2d::plan::Request {
            experiment: self.experiment,
            world: self.sides("broad2d has two sides; give WxH")?,
            objects: self.objects.clone(),
            bounds: self.custom.bounds,
            size: self.custom.size,
            speed: self.custom.speed,
            cell_sizes: self.custom.cell_sizes.clone(),
        };
        let base = if self.quick { broad2d::plan::quick() } else { broad2d::plan::published() };
        broad2d::plan::plan(&changes, self.budget(base)?)
    }

    /// Broad phases of Lasch.
    ///
    /// # Errors
    /// [`InvalidConfig`] with the flag to change.
    pub fn broad3d_plan(&self) -> Result<broad_phase::Plan<3>, InvalidConfig> {
        self.check()?;
        let of_2d = [
            ("--experiment", self.experiment.is_some()),
            ("--cell-size", self.custom.cell_sizes.is_some()),
            ("--bounds circle", self.custom.bounds == Some(Bounds::Circle)),
        ];
        if let Some((flag, _)) = of_2d.iter().find(|(_, given)| *given) {
            return Err(InvalidConfig(format!("{flag} belongs to study broad2d alone")));
        }
        let changes = broad3d::plan::Request {
            world: self.sides("broad3d has three sides; give WxHxD")?,
            objects: self.objects.clone(),
            size: self.custom.size,
            speed: self.custom.speed,
        };
        let base = if self.quick { broad3d::plan::quick() } else { broad3d::plan::published() };
        broad3d::plan::plan(&changes, self.budget(base)?, self.quick)
    }

    /// Simulator of Lasch.
    ///
    /// # Errors
    /// [`InvalidConfig`] with the flag to change.
    pub fn simulator_plan(&self) -> Result<simulator::Plan, InvalidConfig> {
        self.check()?;
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
        let numbers = |numbers: &Option<Vec<u32>>| {
            numbers.as_ref().map(|all| all.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
        };
        let families = self
            .families
            .as_ref()
            .map(|all| all.iter().map(|family| family.name()).collect::<Vec<_>>().join(","));
        let flags = [
            ("--experiment", self.experiment.map(|number| number.to_string())),
            ("--sizes", numbers(&self.sizes)),
            ("--families", families),
            ("--rays", self.rays.map(|count| count.to_string())),
            ("--depth", self.depth.map(|levels| levels.to_string())),
            ("--objects", numbers(&self.objects)),
            ("--frames", self.frames.map(|count| count.to_string())),
            ("--seeds", self.seeds.map(|count| count.to_string())),
            ("--technique", self.technique.as_ref().map(|names| names.join(","))),
            ("--repeats", self.repeats.map(|count| count.to_string())),
            ("--seed", self.seed.map(|seed| seed.to_string())),
            ("--threads", self.threads.filter(|count| *count > 1).map(|count| count.to_string())),
        ];
        let mut command = ["embate", "study", study].map(str::to_owned).to_vec();
        command.extend(self.quick.then(|| "--quick".to_owned()));
        for (flag, value) in flags {
            command.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
        }
        command
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
        let Some(sides) = &self.custom.sides else { return Ok(None) };
        let sides = <[f32; D]>::try_from(sides.as_slice());
        sides.map(Some).map_err(|_| InvalidConfig(format!("--world: {advice}")))
    }

    /// What no study could be made of, whichever it is.
    fn check(&self) -> Result<(), InvalidConfig> {
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
            "embate study broad2d --quick --experiment 2 --objects 10,100 --seeds 1 \
             --technique tree,study-grid --seed 7 --threads 2"
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
}
