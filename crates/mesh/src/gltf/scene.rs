//! Depth-first traversal of the default scene: every mesh instance with its world transform.

use crate::error::{GltfError, ParseError};
use crate::gltf::document::{Document, SceneNode};
use crate::gltf::transform::NodeTransform;

/// Maximum node depth. Skeletons and assemblies reach about 100; at this depth the traversal stack
/// takes 106 kB.
const MAX_NODE_DEPTH: usize = 1024;

/// Stack entry of the traversal: a node on the path from a root, with its unvisited children.
struct PathEntry<'a> {
    children: &'a [u32],
    world: NodeTransform,
}

/// Calls `visit` with every mesh of the scene and its world transform, in the order of the nodes.
///
/// Nodes must form trees: a node that is reached twice, by two parents or a cycle, is an error. The
/// traversal therefore terminates, and no mesh is multiplied without being counted.
pub(crate) fn visit_meshes(
    document: &Document<'_>,
    mut visit: impl FnMut(u32, &NodeTransform) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    if document.nodes.is_empty() && document.scenes.is_empty() {
        // Meshes without a scene: each one untransformed.
        return (0..document.meshes.len())
            .try_for_each(|mesh| visit(mesh as u32, &NodeTransform::IDENTITY));
    }
    let roots = roots(document)?;
    let mut visited = vec![false; document.nodes.len()];
    let mut stack = vec![PathEntry { children: &roots, world: NodeTransform::IDENTITY }];
    while let Some(parent) = stack.last_mut() {
        let Some((&index, siblings)) = parent.children.split_first() else {
            stack.pop();
            continue;
        };
        parent.children = siblings;
        let part = || format!("nodes[{index}]");
        let Some(visited) = visited.get_mut(index as usize) else {
            let error = GltfError::NoSuchNode { nodes: document.nodes.len() };
            return Err(ParseError::part(part(), error));
        };
        if std::mem::replace(visited, true) {
            return Err(ParseError::part(part(), GltfError::NodeReachedTwice));
        }
        let Some(node) = node(document, index) else { continue };
        let world = match &node.local {
            Some(local) => parent.world.compose(local),
            None => parent.world,
        };
        if let Some(mesh) = node.mesh {
            if mesh as usize >= document.meshes.len() {
                let count = document.meshes.len();
                let error = GltfError::NoSuchObject { kind: "mesh", index: mesh, count };
                return Err(ParseError::part(part(), error));
            }
            visit(mesh, &world)?;
        }
        if stack.len() > MAX_NODE_DEPTH {
            return Err(ParseError::part(
                part(),
                GltfError::NestingTooDeep { max: MAX_NODE_DEPTH },
            ));
        }
        if !node.children.is_empty() {
            stack.push(PathEntry { children: &node.children, world });
        }
    }
    Ok(())
}

fn node<'a>(document: &'a Document<'_>, index: u32) -> Option<&'a SceneNode> {
    document.nodes[index as usize].as_deref()
}

/// Root nodes of the default scene; without any scene, all nodes without a parent.
fn roots<'a>(document: &'a Document<'_>) -> Result<std::borrow::Cow<'a, [u32]>, ParseError> {
    let scenes = &document.scenes;
    if !scenes.is_empty() {
        let scene = document.scene.unwrap_or(0);
        let Some(scene) = scenes.get(scene as usize) else {
            let count = scenes.len();
            let error = GltfError::NoSuchObject { kind: "scene", index: scene, count };
            return Err(ParseError::part("scene", error));
        };
        return Ok(scene.as_deref().map_or(&[][..], |scene| &scene.nodes).into());
    }
    let mut is_child = vec![false; document.nodes.len()];
    for &child in document.nodes.iter().flatten().flat_map(|node| &node.children) {
        if let Some(is_child) = is_child.get_mut(child as usize) {
            *is_child = true;
        }
    }
    let roots = is_child.iter().enumerate().filter(|(_, is_child)| !**is_child);
    Ok(roots.map(|(index, _)| index as u32).collect())
}
