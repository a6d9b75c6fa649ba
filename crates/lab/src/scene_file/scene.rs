//! A whole scene: what holds for all, and every body and joint.

use std::collections::BTreeMap;
use std::path::Path;

use embate::Aabb;
use embate::broad_phase::{AabbSlice, DynamicBvh};
use embate::dynamics::{BodyId, JointDef, Settings};
use embate::shapes::Shape;

use super::body::BodyText;
use super::joint::JointText;
use super::mesh::Meshes;
use super::place::{Part, Places};
use super::rules::SceneText;
use super::source::{folder_of, trimmed, whole_text};
use super::{Body, SceneError, SceneLimits, SceneSource};
use crate::scene_world::{Method, SceneWorld};

/// A scene that a world can be made of: every number is in its range, every name is there once.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it is called.
    pub name: Option<String>,
    /// What there is to see.
    pub description: Option<String>,
    /// 3, or 2 if all bodies stay in the plane of x and y.
    pub dimension: u8,
    /// How many steps show what there is to see.
    pub steps: u32,
    /// What holds for all bodies; the solver is that of the method.
    pub settings: Settings,
    /// How it is simulated.
    pub method: Method,
    /// Every body, in the order of the file.
    pub bodies: Vec<Body>,
    /// The meshes that bodies are made of, by the names of their files.
    pub meshes: BTreeMap<String, Shape>,
    /// What holds them together.
    pub joints: Vec<JointDef>,
    /// The words it was read from.
    pub text: String,
    ids: Vec<BodyId>,
    world: SceneWorld,
}

impl Scene {
    /// A world at the scene's beginning.
    #[must_use]
    pub fn world(&self) -> SceneWorld {
        self.world.clone()
    }

    /// A world of the same bodies and joints under other settings, by another method; its bodies have the same ids.
    ///
    /// # Errors
    /// What these settings do not allow.
    pub fn world_with(&self, settings: Settings, method: Method) -> Result<SceneWorld, String> {
        let mut world = SceneWorld::new(settings, method).map_err(|error| error.to_string())?;
        for body in &self.bodies {
            world.insert_body(body.plan()?).map_err(|error| error.to_string())?;
        }
        for joint in &self.joints {
            world.insert_joint(*joint).map_err(|error| error.to_string())?;
        }
        Ok(world)
    }

    /// What the world calls each of the bodies.
    #[must_use]
    pub fn ids(&self) -> &[BodyId] {
        &self.ids
    }

    /// What people call a body: its name, or its number.
    #[must_use]
    pub fn body_name(&self, body: usize) -> String {
        let named = self.bodies.get(body).and_then(|body| body.name.clone());
        named.unwrap_or_else(|| format!("#{body}"))
    }
}

/// Reads a scene.
///
/// # Errors
/// [`SceneError`] says what is wrong, where, and what to do.
pub fn read_scene(text: &str, source: &SceneSource<'_>) -> Result<Scene, SceneError> {
    read_scene_with(text, source, BTreeMap::new())
}

/// Reads a scene of which some meshes are known already: their files are not looked for.
///
/// # Errors
/// [`SceneError`] says what is wrong, where, and what to do.
pub fn read_scene_with(
    text: &str,
    source: &SceneSource<'_>,
    meshes: BTreeMap<String, Shape>,
) -> Result<Scene, SceneError> {
    let text = trimmed(text, source)?;
    if !text.trim_start().starts_with('{') && !text.trim().is_empty() {
        let what = "a scene is an object, {\"bodies\": [...]}; this begins otherwise";
        return Err(SceneError { place: Some((1, 1)), ..SceneError::whole(source.name, what) });
    }
    let words: SceneText<'_> =
        serde_json::from_str(text).map_err(|error| SceneError::json(source.name, &error))?;
    let whole = |what: String| SceneError::whole(source.name, what);
    let method = words.method().map_err(|(key, what)| match key.words(text) {
        Some(words) => Places::new(text).part(words).wrong(source, what),
        None => whole(what),
    })?;
    let mut world =
        SceneWorld::new(words.settings(), method).map_err(|error| whole(error.to_string()))?;
    let mut scene = Reading {
        source,
        meshes: Meshes::knowing(source, meshes),
        names: BTreeMap::new(),
        bodies: Vec::new(),
        ids: Vec::new(),
        joints: Vec::new(),
    };
    let mut places = Places::new(text);
    for body in &words.bodies.0 {
        scene.add_body(&places.part(body), words.dimension, &mut world)?;
    }
    few_enough_pairs(&world).map_err(|(body, what)| {
        Places::new(text).part(words.bodies.0[body]).wrong(source, format!("body {body}: {what}"))
    })?;
    let mut places = Places::new(text);
    for joint in &words.joints.0 {
        scene.add_joint(&places.part(joint), &mut world)?;
    }
    let Reading { bodies, ids, joints, meshes: Meshes { known: meshes, .. }, .. } = scene;
    let SceneText { name, description, dimension, steps, .. } = words;
    Ok(Scene {
        name,
        description,
        dimension,
        steps,
        settings: *world.settings(),
        method,
        bodies,
        meshes,
        joints,
        text: text.to_owned(),
        ids,
        world,
    })
}

/// Reads the scene in the file at `path`. Meshes lie in the file's folder.
///
/// # Errors
/// [`SceneError`] says what is wrong, where, and what to do.
pub fn load_scene(path: &Path, limits: &SceneLimits) -> Result<Scene, SceneError> {
    let name = path.display().to_string();
    let source = SceneSource { name: &name, folder: folder_of(path), limits: *limits };
    read_scene(&whole_text(path, &source)?, &source)
}

/// Pairs of bodies near each other at first, at most, and more for each body: a world keeps about half a kilobyte of each
/// pair, and a step of a hundred thousand takes a tenth of a second. A pile has seven a body.
const MOST_PAIRS: usize = 100_000;
const MORE_A_BODY: usize = 64;

/// Bodies that were all left at the origin, or that look for each other from far away, would ask for more memory than
/// there is. Tells the body with which there are too many.
fn few_enough_pairs(world: &SceneWorld) -> Result<(), (usize, String)> {
    let rooms: Vec<Aabb<3>> = world.candidate_aabbs().collect();
    // Each was checked when its body was added.
    let Ok(valid) = AabbSlice::new(&rooms) else { return Ok(()) };
    let tree = DynamicBvh::build(valid);
    let most = MOST_PAIRS + MORE_A_BODY * rooms.len();
    let (mut found, mut near) = (Vec::new(), 0);
    for (body, room) in rooms.iter().enumerate() {
        found.clear();
        tree.query_aabb(room, &mut found);
        // Each pair is found from both sides, and each body finds itself.
        near += found.len() - 1;
        if near > 2 * most {
            let what = format!(
                "more than {most} pairs of bodies are near each other at the start; give them places of their own, or \
                 the scene a smaller slop, tolerance or time step"
            );
            return Err((body, what));
        }
    }
    Ok(())
}

/// What was read so far.
struct Reading<'a> {
    source: &'a SceneSource<'a>,
    meshes: Meshes<'a>,
    names: BTreeMap<String, usize>,
    bodies: Vec<Body>,
    ids: Vec<BodyId>,
    joints: Vec<JointDef>,
}

impl Reading<'_> {
    fn add_body(
        &mut self,
        part: &Part<'_>,
        dimension: u8,
        world: &mut SceneWorld,
    ) -> Result<(), SceneError> {
        let text: BodyText = part.read(self.source)?;
        let resolved = text.resolved(&mut self.meshes);
        let mut body = resolved.map_err(|error| part.wrong(self.source, error.what))?;
        let number = self.bodies.len();
        let name = body.name.as_ref().map(|name| format!(" {name:?}")).unwrap_or_default();
        let wrong = |what: String| part.wrong(self.source, format!("body {number}{name}: {what}"));
        if dimension == 2 {
            body.stay_in_plane().map_err(wrong)?;
        }
        if let Some(name) = &body.name
            && let Some(first) = self.names.insert(name.clone(), number)
        {
            let what = format!("body {first} has this name already; give each its own");
            return Err(wrong(what));
        }
        let plan = body.plan().map_err(wrong)?;
        self.ids.push(world.insert_body(plan).map_err(|error| wrong(error.to_string()))?);
        self.bodies.push(body);
        Ok(())
    }

    fn add_joint(&mut self, part: &Part<'_>, world: &mut SceneWorld) -> Result<(), SceneError> {
        let joint: JointText = part.read(self.source)?;
        let number = self.joints.len();
        let wrong = |what: String| {
            let name = joint.name.as_ref().map(|name| format!(" {name:?}")).unwrap_or_default();
            part.wrong(self.source, format!("joint {number}{name}: {what}"))
        };
        let plan = joint.plan(&self.names, &self.ids).map_err(wrong)?;
        world.insert_joint(plan).map_err(|error| wrong(error.to_string()))?;
        self.joints.push(plan);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
