//! Which meshes stand where in the default scene?

use super::document::{Document, Node};
use super::transform::Affine;
use crate::error::Fault;

/// Deepest chain of nodes. Skeletons and assemblies go to a hundred or so; the walk's stack at
/// this depth is 106 kB.
const MAX_DEPTH: usize = 1024;

/// A node on the way from a root to where the walk stands.
struct Step<'a> {
    children: &'a [u32],
    world: Affine,
}

/// Calls `each` with every mesh of the scene and where it stands, in the order of the nodes.
///
/// Nodes form trees: one that is reached twice, by two parents or a circle, is an error, so the
/// walk ends and no part is multiplied unseen.
pub(crate) fn walk(
    document: &Document<'_>,
    mut each: impl FnMut(u32, &Affine) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if document.nodes.is_empty() && document.scenes.is_empty() {
        // A library of parts without a scene: each part where it was made.
        return (0..document.meshes.len())
            .try_for_each(|mesh| each(mesh as u32, &Affine::IDENTITY));
    }
    let roots = roots(document)?;
    let mut seen = vec![false; document.nodes.len()];
    let mut path = vec![Step { children: &roots, world: Affine::IDENTITY }];
    while let Some(step) = path.last_mut() {
        let Some((&index, others)) = step.children.split_first() else {
            path.pop();
            continue;
        };
        step.children = others;
        let part = || format!("nodes[{index}]");
        let Some(seen) = seen.get_mut(index as usize) else {
            let problem = format!("does not exist: there are {} nodes", document.nodes.len());
            return Err(Fault::part(part(), problem));
        };
        if std::mem::replace(seen, true) {
            return Err(Fault::part(
                part(),
                "is reached twice; a node has one parent and no circle",
            ));
        }
        let Some(node) = node(document, index) else { continue };
        let world = match &node.local {
            Some(local) => step.world.after(local),
            None => step.world,
        };
        if let Some(mesh) = node.mesh {
            if mesh as usize >= document.meshes.len() {
                let problem = format!("names mesh {mesh}, but there are {}", document.meshes.len());
                return Err(Fault::part(part(), problem));
            }
            each(mesh, &world)?;
        }
        if path.len() > MAX_DEPTH {
            return Err(Fault::part(part(), format!("lies deeper than {MAX_DEPTH} nodes")));
        }
        if !node.children.is_empty() {
            path.push(Step { children: &node.children, world });
        }
    }
    Ok(())
}

fn node<'a>(document: &'a Document<'_>, index: u32) -> Option<&'a Node> {
    document.nodes[index as usize].as_deref()
}

/// The nodes of the default scene; without any scene, those that are nobody's child.
fn roots<'a>(document: &'a Document<'_>) -> Result<std::borrow::Cow<'a, [u32]>, Fault> {
    let scenes = &document.scenes;
    if !scenes.is_empty() {
        let scene = document.scene.unwrap_or(0);
        let Some(scene) = scenes.get(scene as usize) else {
            let problem = format!("names scene {scene}, but there are {}", scenes.len());
            return Err(Fault::part("scene", problem));
        };
        return Ok(scene.as_deref().map_or(&[][..], |scene| &scene.nodes).into());
    }
    let mut is_child = vec![false; document.nodes.len()];
    for &child in document.nodes.iter().flatten().flat_map(|node| &node.children) {
        if let Some(is_child) = is_child.get_mut(child as usize) {
            *is_child = true;
        }
    }
    let free = is_child.iter().enumerate().filter(|(_, is_child)| !**is_child);
    Ok(free.map(|(index, _)| index as u32).collect())
}
