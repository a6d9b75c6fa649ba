//! What was asked of a study? One door and one set of defaults for whoever asks, the command line or a page.

use embate_studies::replica::lorenzi2014::MAX_LEVELS;
use embate_studies::structure::RayStructure;
use serde::Deserialize;

use super::broad::{self, Unfit, broad2d, broad3d};
use super::{rays, simulator};
use crate::language::Language;
use crate::scenes::{Bounds, Family, Span};
use embate_studies::structure::PairStructure;

/// By the names of the command line; `None` leaves the study's own.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Asked {
    /// A taste of it.
    pub quick: bool,
    /// Of every random number.
    pub seed: Option<u64>,
    /// How often each time is taken.
    pub repeats: Option<u32>,
    /// Techniques to report, by name.
    pub technique: Option<Vec<String>>,
    /// Cases at a time.
    pub threads: Option<usize>,
    /// Triangles of the random cases.
    pub sizes: Option<Vec<u32>>,
    /// Families of the random cases.
    pub families: Option<Vec<Family>>,
    /// Rays a row.
    pub rays: Option<u32>,
    /// Levels of study A's octree.
    pub depth: Option<u8>,
    /// Of study C, 1 or 2.
    pub experiment: Option<u8>,
    /// Objects, each number a world of its own.
    pub objects: Option<Vec<u32>>,
    /// Of each world.
    pub frames: Option<u32>,
    /// Worlds of each kind.
    pub seeds: Option<u32>,
    /// A world of one's own.
    #[serde(skip)]
    pub own: OwnWorld,
}

/// A world that is not the study's. No page offers one: its 2D view is made of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnWorld {
    /// As many as the world has.
    pub sides: Option<Vec<f32>>,
    /// In 2D, boxes or circles alone.
    pub bounds: Option<Bounds>,
    /// Of the objects.
    pub size: Option<Span>,
    /// Of the objects.
    pub speed: Option<Span>,
    /// In 2D, edges of the grids' cells.
    pub cell_sizes: Option<Vec<f32>>,
}

/// Least and most of what can be asked.
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

impl Asked {
    /// Study A, without meshes of the user's.
    ///
    /// # Errors
    /// [`Unfit`] with the flag to change.
    pub fn of_rays(&self) -> Result<rays::plan::Plan, Unfit> {
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

    /// Study C.
    ///
    /// # Errors
    /// [`Unfit`] with the flag to change.
    pub fn of_broad2d(&self) -> Result<broad::Plan<2>, Unfit> {
        self.check()?;
        let changes = broad2d::plan::Request {
            experiment: self.experiment,
            world: self.sides("broad2d has two sides; give WxH")?,
            objects: self.objects.clone(),
            bounds: self.own.bounds,
            size: self.own.size,
            speed: self.own.speed,
            cell_sizes: self.own.cell_sizes.clone(),
        };
        let base = if self.quick { broad2d::plan::quick() } else { broad2d::plan::published() };
        broad2d::plan::plan(&changes, self.effort(base)?)
    }

    /// The evaluation of study B's broad phases.
    ///
    /// # Errors
    /// [`Unfit`] with the flag to change.
    pub fn of_broad3d(&self) -> Result<broad::Plan<3>, Unfit> {
        self.check()?;
        let of_2d = [
            ("--experiment", self.experiment.is_some()),
            ("--cell-size", self.own.cell_sizes.is_some()),
            ("--bounds circle", self.own.bounds == Some(Bounds::Circle)),
        ];
        if let Some((flag, _)) = of_2d.iter().find(|(_, given)| *given) {
            return Err(Unfit(format!("{flag} belongs to study broad2d alone")));
        }
        let changes = broad3d::plan::Request {
            world: self.sides("broad3d has three sides; give WxHxD")?,
            objects: self.objects.clone(),
            size: self.own.size,
            speed: self.own.speed,
        };
        let base = if self.quick { broad3d::plan::quick() } else { broad3d::plan::published() };
        broad3d::plan::plan(&changes, self.effort(base)?, self.quick)
    }

    /// Study B whole.
    ///
    /// # Errors
    /// [`Unfit`] with the flag to change.
    pub fn of_simulator(&self) -> Result<simulator::Plan, Unfit> {
        self.check()?;
        let base = simulator::Effort::new(self.quick);
        let all = simulator::TECHNIQUES;
        let find = |name: &str| all.into_iter().find(|known| *known == name);
        let asked = self.named(all.to_vec(), find, || all.join(", "))?;
        let in_order = all.into_iter().filter(|name| asked.contains(name));
        Ok(simulator::Plan::new(simulator::Effort {
            seed: self.seed.unwrap_or(base.seed),
            repeats: self.repeats.unwrap_or(base.repeats),
            techniques: in_order.map(str::to_owned).collect(),
            threads: self.threads.unwrap_or(base.threads),
            ..base
        }))
    }

    /// The same by the command line.
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

    fn effort(&self, base: broad::Effort) -> Result<broad::Effort, Unfit> {
        let all = base.techniques;
        let known = || {
            let names: Vec<&str> = all.iter().map(|technique| technique.name()).collect();
            format!("auto, {}", names.join(", "))
        };
        let find = |name: &str| PairStructure::from_name(name, &all);
        let asked = self.named(all.clone(), find, known)?;
        Ok(broad::Effort {
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
    ) -> Result<Vec<T>, Unfit> {
        let Some(names) = &self.technique else { return Ok(all) };
        let found = names.iter().map(|name| {
            find(name).ok_or_else(|| {
                let known = known();
                Unfit(format!("--technique {name}: this study has none such; there are: {known}"))
            })
        });
        found.collect()
    }

    /// As many sides as the study's worlds have.
    fn sides<const D: usize>(&self, advice: &str) -> Result<Option<[f32; D]>, Unfit> {
        let Some(sides) = &self.own.sides else { return Ok(None) };
        let sides = <[f32; D]>::try_from(sides.as_slice());
        sides.map(Some).map_err(|_| Unfit(format!("--world: {advice}")))
    }

    /// What no study could be made of, whichever it is.
    fn check(&self) -> Result<(), Unfit> {
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
                return Err(Unfit(format!("{flag} {value}: give {least} to {most}")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Asked {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn nothing_asked_is_the_study_as_published() {
        let asked = Asked::default();
        let published = rays::plan::Plan::published();
        assert_eq!(asked.of_rays().unwrap().parameters(), published.parameters());
        assert_eq!(asked.of_broad2d().unwrap().effort, broad2d::plan::published());
        assert_eq!(asked.of_broad3d().unwrap().effort, broad3d::plan::published());
        assert_eq!(asked.command("rays"), ["embate", "study", "rays"]);
    }

    #[test]
    fn what_is_asked_is_told_as_one_would_type_it() {
        let asked = read(
            r#"{"quick":true,"seed":7,"experiment":2,"objects":[10,100],"technique":["tree","study-grid"],"threads":2,"seeds":1}"#,
        );
        assert_eq!(
            asked.command("broad2d").join(" "),
            "embate study broad2d --quick --experiment 2 --objects 10,100 --seeds 1 \
             --technique tree,study-grid --seed 7 --threads 2"
        );
        let names: Vec<&str> =
            asked.of_broad2d().unwrap().effort.techniques.iter().map(|t| t.name()).collect();
        assert_eq!(names, ["study-grid", "tree"], "in the order of the report");
    }

    #[test]
    fn what_makes_no_study_is_refused_by_its_flag() {
        for (json, flag) in [
            (r#"{"repeats":0}"#, "--repeats"),
            (r#"{"rays":0}"#, "--rays"),
            (r#"{"sizes":[100,0]}"#, "--sizes"),
            (r#"{"depth":7}"#, "--depth"),
            (r#"{"technique":["treee"]}"#, "--technique"),
        ] {
            let Unfit(line) = read(json).of_rays().unwrap_err();
            assert!(line.starts_with(flag), "{line}");
        }
        for (json, flag) in [
            (r#"{"experiment":3}"#, "--experiment"),
            (r#"{"frames":0}"#, "--frames"),
            (r#"{"seeds":0}"#, "--seeds"),
            (r#"{"objects":[0]}"#, "--objects"),
        ] {
            let Unfit(line) = read(json).of_broad2d().unwrap_err();
            assert!(line.starts_with(flag), "{line}");
        }
        assert!(read(r#"{"experiment":1}"#).of_broad3d().is_err());
        assert!(read(r#"{"technique":["bvh"]}"#).of_simulator().is_err());
        assert!(serde_json::from_str::<Asked>(r#"{"seeed":1}"#).is_err());
    }
}
