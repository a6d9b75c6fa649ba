//! Scenes: settings, bodies, joints and forces, read and validated.

use std::collections::BTreeMap;
use std::path::Path;

use embate::broad_phase::{AabbSlice, DynamicBvh};
use embate::dynamics::{BodyError, BodyId, BodyType, JointDef, Quantity, Settings};
use embate::shapes::Shape;
use embate::{Aabb, Vec3};
use embate_replica::lasch::{AppliedForce, AppliedForces};

use super::body::read_body;
use super::error::ScenePart;
use super::force::read_force;
use super::joint::read_joint;
use super::keys;
use super::located_json::{Document, Node, Object};
use super::mesh::Meshes;
use super::settings::Head;
use super::source::{MeshFiles, trimmed, whole_text};
use super::{Body, SceneError, SceneErrorKind, SceneLimits, SceneSource};
use crate::scene_world::{Method, SceneWorld};

/// Maximum number of bodies, and of joints; a longer list is rejected at 16 bytes per item.
const MAX_ITEMS: usize = 1 << 20;

/// A validated scene, from which a world can be created.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the scene.
    pub name: Option<String>,
    /// Description of the scene.
    pub description: Option<String>,
    /// Dimension: 3, or 2 if all bodies stay in the xy plane.
    pub dimension: u8,
    /// Number of steps to simulate.
    pub steps: u32,
    /// Settings of the world; the solver is that of the method.
    pub settings: Settings,
    /// Solver of the scene.
    pub method: Method,
    /// Bodies, in the order of the file.
    pub bodies: Vec<Body>,
    /// Meshes of the bodies, by file name.
    pub meshes: BTreeMap<String, Shape>,
    /// Joints.
    pub joints: Vec<JointDef>,
    /// Applied forces, in the order of the file.
    pub forces: Vec<AppliedForce>,
    /// Source text of the scene.
    pub text: String,
    ids: Vec<BodyId>,
    world: SceneWorld,
}

impl Scene {
    /// World in the initial state of the scene.
    #[must_use]
    pub fn world(&self) -> SceneWorld {
        self.world.clone()
    }

    /// World with the same bodies and joints, but other settings and another solver. The ids of the
    /// bodies are the same.
    ///
    /// # Errors
    /// [`SceneErrorKind`] if the settings or the solver do not allow the bodies or joints.
    pub fn world_with(
        &self,
        settings: Settings,
        method: Method,
    ) -> Result<SceneWorld, SceneErrorKind> {
        let mut world = SceneWorld::new(settings, method)?;
        for body in &self.bodies {
            world.insert_body(body.def()?)?;
        }
        for joint in &self.joints {
            world.insert_joint(*joint)?;
        }
        world.set_forces(AppliedForces::new(self.forces.clone()));
        Ok(world)
    }

    /// Ids of the bodies in the world, in the order of the file.
    #[must_use]
    pub fn ids(&self) -> &[BodyId] {
        &self.ids
    }

    /// Name of a body, or its index as `#index`.
    #[must_use]
    pub fn body_name(&self, body: usize) -> String {
        let named = self.bodies.get(body).and_then(|body| body.name.clone());
        named.unwrap_or_else(|| format!("#{body}"))
    }
}

/// Reads a scene.
///
/// # Errors
/// [`SceneError`] with location, reason and advice.
pub fn read_scene(text: &str, source: &SceneSource<'_>) -> Result<Scene, SceneError> {
    read_scene_with(text, source, BTreeMap::new())
}

/// Reads a scene of which some meshes are known already: their files are not looked for.
///
/// # Errors
/// [`SceneError`] with location, reason and advice.
pub fn read_scene_with(
    text: &str,
    source: &SceneSource<'_>,
    meshes: BTreeMap<String, Shape>,
) -> Result<Scene, SceneError> {
    let text = trimmed(text, source)?;
    let scene = Document { source, text }.root("scene")?.object(keys::SCENE)?;
    let Head { name, description, dimension, steps, settings, method } = Head::read(&scene)?;
    let mut world = SceneWorld::new(settings, method).map_err(|error| scene.error(error))?;
    let mut reader = Reader {
        meshes: Meshes::knowing(source, meshes),
        names: BTreeMap::new(),
        bodies: Vec::new(),
        ids: Vec::new(),
        joints: Vec::new(),
        forces: Vec::new(),
    };
    let bodies = scene.require("bodies")?.list(MAX_ITEMS)?;
    for body in &bodies {
        reader.add_body(body, dimension, &mut world)?;
    }
    check_pair_count(&world).map_err(|(index, kind)| {
        let part = Some(ScenePart { list: "body", index, name: None });
        SceneError { part, ..bodies[index].error(kind) }
    })?;
    for joint in scene.read_or("joints", Vec::new(), |joints| joints.list(MAX_ITEMS))? {
        reader.add_joint(&joint, &mut world)?;
    }
    for force in scene.read_or("forces", Vec::new(), |forces| forces.list(MAX_ITEMS))? {
        reader.add_force(&force)?;
    }
    world.set_forces(AppliedForces::new(reader.forces.clone()));
    let Reader { bodies, ids, joints, forces, meshes: Meshes { known: meshes, .. }, .. } = reader;
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
        forces,
        text: text.to_owned(),
        ids,
        world,
    })
}

/// Reads the scene in the file at `path`. Meshes lie in the file's folder.
///
/// # Errors
/// [`SceneError`] with location, reason and advice.
pub fn load_scene(path: &Path, limits: &SceneLimits) -> Result<Scene, SceneError> {
    let name = path.display().to_string();
    let source = SceneSource { name: &name, mesh_files: MeshFiles::beside(path), limits: *limits };
    read_scene(&whole_text(path, &source)?, &source)
}

/// Maximum number of overlapping pairs of fat AABBs in the initial state, besides those per body: a
/// world stores about half a kilobyte per pair, and a step of 100,000 takes 0.1 s. A pile has 7 per
/// body.
const MAX_PAIRS: usize = 100_000;
const MAX_PAIRS_PER_BODY: usize = 64;

/// Rejects scenes whose pairs would exhaust the memory: bodies all at the origin, or with huge
/// margins. The error has the index of the body at which the limit is exceeded.
fn check_pair_count(world: &SceneWorld) -> Result<(), (usize, SceneErrorKind)> {
    let aabbs: Vec<Aabb<3>> = world.candidate_aabbs().collect();
    // Each was validated when its body was inserted.
    let Ok(valid) = AabbSlice::new(&aabbs) else { return Ok(()) };
    let tree = DynamicBvh::build(valid);
    let max = MAX_PAIRS + MAX_PAIRS_PER_BODY * aabbs.len();
    let (mut found, mut overlaps) = (Vec::new(), 0);
    for (body, aabb) in aabbs.iter().enumerate() {
        found.clear();
        tree.query_aabb(aabb, &mut found);
        // Each pair is found from both sides, and each body finds itself.
        overlaps += found.len() - 1;
        if overlaps > 2 * max {
            return Err((body, SceneErrorKind::TooManyPairs { max }));
        }
    }
    Ok(())
}

/// Rejects a fixed body with a mass or a velocity, which would be without effect: at the key.
fn check_fixed(body: &Body, object: &Object<'_>) -> Result<(), SceneError> {
    let given = [
        ("mass", body.mass.is_some()),
        ("velocity", body.velocity != Vec3::ZERO),
        ("angular_velocity", body.angular_velocity != Vec3::ZERO),
    ];
    let conflict = given.into_iter().find(|(_, is_given)| *is_given);
    match conflict.and_then(|(key, _)| Some((key, object.get(key)?))) {
        Some((key, node)) if body.body_type == BodyType::Fixed => {
            Err(node.error(SceneErrorKind::FixedBody { key }))
        }
        _ => Ok(()),
    }
}

/// Bodies, joints and forces read so far.
struct Reader<'a> {
    meshes: Meshes<'a>,
    names: BTreeMap<String, usize>,
    bodies: Vec<Body>,
    ids: Vec<BodyId>,
    joints: Vec<JointDef>,
    forces: Vec<AppliedForce>,
}

impl Reader<'_> {
    fn add_body(
        &mut self,
        node: &Node<'_>,
        dimension: u8,
        world: &mut SceneWorld,
    ) -> Result<(), SceneError> {
        let index = self.bodies.len();
        let mut part = ScenePart { list: "body", index, name: None };
        let mut add = || {
            let object = node.object(keys::BODY)?;
            part.name = name_of(&object)?;
            let mut body = read_body(&object, &mut self.meshes)?;
            check_fixed(&body, &object)?;
            if dimension == 2 {
                body.stay_in_plane().map_err(|kind| node.error(kind))?;
            }
            if let Some(name) = &body.name
                && let Some(first) = self.names.insert(name.clone(), index)
            {
                return Err(node.error(SceneErrorKind::NameTaken { first }));
            }
            let def = body.def().map_err(|kind| node.error(kind))?;
            let inserted = world.insert_body(def).map_err(|error| match error {
                // The engine's limits of a vector and of a speed, as one limit, at the velocity.
                BodyError::TooFast { value, .. }
                | BodyError::VectorOutOfRange {
                    quantity: Quantity::LinearVelocity, value, ..
                } => {
                    let max = world.settings().max_linear_speed;
                    let at = object.get("velocity").unwrap_or(*node);
                    at.error(SceneErrorKind::TooFast { value, max })
                }
                error => node.error(error),
            });
            self.ids.push(inserted?);
            self.bodies.push(body);
            Ok(())
        };
        let added = add();
        added.map_err(|error| {
            part.name = part.name.take().or_else(|| node.name_hint());
            SceneError { part: Some(part), ..error }
        })
    }

    fn add_joint(&mut self, node: &Node<'_>, world: &mut SceneWorld) -> Result<(), SceneError> {
        let mut part = ScenePart { list: "joint", index: self.joints.len(), name: None };
        let mut add = || {
            let object = node.object(keys::JOINT)?;
            part.name = name_of(&object)?;
            let def = read_joint(&object, &self.names, &self.ids)?;
            world.insert_joint(def).map_err(|error| node.error(error))?;
            self.joints.push(def);
            Ok(())
        };
        let added = add();
        added.map_err(|error| {
            part.name = part.name.take().or_else(|| node.name_hint());
            SceneError { part: Some(part), ..error }
        })
    }
}

impl Reader<'_> {
    fn add_force(&mut self, node: &Node<'_>) -> Result<(), SceneError> {
        let part = ScenePart { list: "force", index: self.forces.len(), name: None };
        let read = node
            .object(keys::FORCE)
            .and_then(|object| read_force(&object, &self.names, &self.ids, &self.bodies));
        self.forces.push(read.map_err(|error| SceneError { part: Some(part), ..error })?);
        Ok(())
    }
}

fn name_of(part: &Object<'_>) -> Result<Option<String>, SceneError> {
    part.optional("name", Node::string)
}

#[cfg(test)]
mod tests;
