//! Direct solver for trees of joints, in linear time (Baraff 1996).
//!
//! With sequential impulses, a chain of twenty light links does not transmit the weight at its end
//! within a sub-step: each joint passes its load to its neighbors alone. Here the joints of a tree
//! are solved together, by elimination from the leaves to the root and back substitution
//! (Baraff, "Linear-Time Dynamics using Lagrange Multipliers", SIGGRAPH 1996):
//!
//! ```text
//! fixed ── joint ── link ── joint ── link ── joint ── weight    M·Δv = Jᵀ·λ       for every body
//!          root      │                       leaf     ◄ first   J·Δv + C·λ = −r   for every joint
//!                  joint ── link
//! ```
//!
//! Elimination gives each body its articulated inertia S = M + Σ Jᵀ·Q⁻¹·J, summed over the joints
//! to its children, and each joint the matrix Q = C + J·S⁻¹·Jᵀ, with S of its child. Bodies that
//! are not dynamic belong to no tree; thus a bridge with two fixed ends is a tree, too. A joint
//! that closes a loop of dynamic bodies is solved on its own, alternating with the trees.

use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::cholesky6::{Cholesky6, Mat6, Vec6, add_scaled, dot};
use crate::dynamics::joint::equality_block::{BodyMass6, EqualityBlock, apply_velocity_change};

/// Compliance of a loop closure, as a share of its inverse effective mass: it is solved
/// iteratively.
const LOOP_COMPLIANCE: f64 = 0.05;

/// Index of a body of the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TreeBodyIndex(usize);

/// Index of an equality block: the rows of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BlockIndex(usize);

/// A dynamic body with joints.
#[derive(Clone, Debug)]
struct TreeBody {
    /// Factor of its own mass matrix.
    mass_factor: Cholesky6,
    /// Articulated inertia: with all its descendants.
    articulated_mass: Mat6,
    articulated_factor: Cholesky6,
    /// While solving: the generalized impulse of its children, then its velocity change.
    velocity_change: Vec6,
}

/// A joint of a tree. Parent and child are `None` for a body that is not dynamic.
#[derive(Clone, Copy, Debug)]
struct TreeEdge {
    block: BlockIndex,
    parent: Option<TreeBodyIndex>,
    child: Option<TreeBodyIndex>,
}

/// A joint that closes a loop.
#[derive(Clone, Copy, Debug)]
struct LoopClosure {
    block: BlockIndex,
    /// Factor of its own matrix Q.
    factor: Cholesky6,
}

/// All equality blocks of a sub-step, as a forest of trees and loop closures.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstraintTrees {
    pub(super) blocks: Vec<EqualityBlock>,
    /// Body index of each tree body, sorted.
    body_indices: Vec<BodyIndex>,
    bodies: Vec<TreeBody>,
    /// Roots of trees that no joint connects to a body that is not dynamic.
    free_roots: Vec<TreeBodyIndex>,
    /// Every edge after its parent's.
    edges: Vec<TreeEdge>,
    /// Factor of Q of each edge.
    edge_factors: Vec<Cholesky6>,
    /// Right-hand side of each edge while solving.
    right_sides: Vec<Vec6>,
    loop_closures: Vec<LoopClosure>,
    /// Compliance of the edges, as a share of their inverse effective mass.
    compliance: f64,
    /// Body indices and bodies of each block for which the topology was built. It is reused while
    /// these do not change.
    topology_bodies: Vec<BodyIndex>,
    topology_blocks: Vec<[BodyIndex; 2]>,
    /// Kept for its allocation.
    masses: Vec<BodyMass6>,
}

impl ConstraintTrees {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
    }

    pub(super) fn has_loops(&self) -> bool {
        !self.loop_closures.is_empty()
    }

    /// Factorizes the system of all blocks. `compliance` is a share of the inverse effective mass
    /// of each block, `h` the length of a sub-step.
    pub(super) fn factorize(&mut self, bodies: &BodySet, compliance: f64, h: f32) {
        self.compliance = compliance;
        self.compute_masses(bodies, h);
        if !self.is_topology_current() {
            self.build_topology();
        }
        self.factorize_loop_closures();
        self.eliminate_leaves_to_root();
    }

    /// Index of the tree body of a body; `None` if it is not dynamic.
    fn tree_body(&self, body: BodyIndex) -> Option<TreeBodyIndex> {
        self.body_indices.binary_search(&body).ok().map(TreeBodyIndex)
    }

    fn compute_masses(&mut self, bodies: &BodySet, h: f32) {
        self.body_indices.clear();
        let indices = self.blocks.iter().flat_map(|block| block.bodies);
        self.body_indices
            .extend(indices.filter(|&body| bodies.data(body).body_type == BodyType::Dynamic));
        self.body_indices.sort_unstable();
        self.body_indices.dedup();
        self.bodies.clear();
        let mut masses = core::mem::take(&mut self.masses);
        masses.clear();
        for &body in &self.body_indices {
            let mass = BodyMass6::new(bodies, body);
            let mass_factor = Cholesky6::new(&mass.mass, 6);
            self.bodies.push(TreeBody {
                mass_factor,
                articulated_mass: mass.mass,
                articulated_factor: mass_factor,
                velocity_change: [0.0; 6],
            });
            masses.push(mass);
        }
        let (body_indices, tree_bodies) = (&self.body_indices, &self.bodies);
        for block in &mut self.blocks {
            let sides = block.bodies.map(|body| {
                let tree_body = body_indices.binary_search(&body).ok()?;
                Some((&masses[tree_body], &tree_bodies[tree_body].mass_factor))
            });
            block.compute_masses(sides);
            block.add_geometric_damping(sides.map(|side| side.map(|(_, factor)| factor)), h);
        }
        self.masses = masses;
    }

    fn is_topology_current(&self) -> bool {
        self.topology_bodies == self.body_indices
            && self.blocks.iter().map(|block| &block.bodies).eq(&self.topology_blocks)
    }

    /// Orders the joints from the roots to the leaves, breadth first. Trees start at joints to
    /// bodies that are not dynamic, where there are any.
    fn build_topology(&mut self) {
        self.topology_bodies.clone_from(&self.body_indices);
        self.topology_blocks.clear();
        self.topology_blocks.extend(self.blocks.iter().map(|block| block.bodies));
        self.edges.clear();
        self.free_roots.clear();
        self.loop_closures.clear();
        // (tree body, block), and (is free, block).
        let mut blocks_of_bodies: Vec<(TreeBodyIndex, BlockIndex)> =
            Vec::with_capacity(2 * self.blocks.len());
        let mut roots: Vec<(bool, BlockIndex)> = Vec::with_capacity(self.blocks.len());
        for (index, block) in self.blocks.iter().enumerate() {
            let index = BlockIndex(index);
            let tree_bodies = block.bodies.map(|body| self.tree_body(body));
            blocks_of_bodies.extend(tree_bodies.iter().flatten().map(|&body| (body, index)));
            roots.push((tree_bodies.iter().all(Option::is_some), index));
        }
        blocks_of_bodies.sort_unstable();
        roots.sort_unstable();
        let mut block_visited = vec![false; self.blocks.len()];
        let mut body_visited = vec![false; self.bodies.len()];
        for (is_free, root_block) in roots {
            let [a, b] = self.blocks[root_block.0].bodies.map(|body| self.tree_body(body));
            let Some(root) = a.or(b) else { continue };
            if block_visited[root_block.0] || body_visited[root.0] {
                continue;
            }
            body_visited[root.0] = true;
            let mut queue = vec![root];
            if is_free {
                self.free_roots.push(root);
            } else {
                block_visited[root_block.0] = true;
                self.edges.push(TreeEdge { block: root_block, parent: None, child: Some(root) });
            }
            let mut head = 0;
            while let Some(&parent) = queue.get(head) {
                head += 1;
                let from = blocks_of_bodies.partition_point(|&(body, _)| body < parent);
                for &(_, index) in blocks_of_bodies[from..].iter().take_while(|of| of.0 == parent) {
                    if block_visited[index.0] {
                        continue;
                    }
                    block_visited[index.0] = true;
                    let ends = self.blocks[index.0].bodies.map(|body| self.tree_body(body));
                    let child = ends.into_iter().flatten().find(|&body| body != parent);
                    if child.is_some_and(|child| body_visited[child.0]) {
                        let factor = Cholesky6::EMPTY;
                        self.loop_closures.push(LoopClosure { block: index, factor });
                        continue;
                    }
                    self.edges.push(TreeEdge { block: index, parent: Some(parent), child });
                    if let Some(child) = child {
                        body_visited[child.0] = true;
                        queue.push(child);
                    }
                }
            }
        }
    }

    fn factorize_loop_closures(&mut self) {
        for LoopClosure { block, factor } in &mut self.loop_closures {
            let block = &mut self.blocks[block.0];
            block.drop_damping_rows();
            let mut matrix = block.compliance(LOOP_COMPLIANCE);
            for (row, inverse_mass) in matrix.iter_mut().zip(&block.inverse_mass) {
                add_scaled(row, 1.0, inverse_mass);
            }
            *factor = Cholesky6::new(&matrix, block.count);
        }
    }

    /// Computes the articulated inertias S and the matrices Q.
    fn eliminate_leaves_to_root(&mut self) {
        self.edge_factors.clear();
        self.edge_factors.resize(self.edges.len(), Cholesky6::EMPTY);
        for (edge, &TreeEdge { block, parent, child }) in self.edges.iter().enumerate().rev() {
            let block = &self.blocks[block.0];
            let mut matrix = block.compliance(self.compliance);
            if let Some(child) = child {
                let body = &mut self.bodies[child.0];
                body.articulated_factor = Cholesky6::new(&body.articulated_mass, 6);
                let jacobian = &block.jacobian[self.side(block, child)];
                let mut halves = [[0.0; 6]; 6];
                for (half, row) in halves.iter_mut().zip(&jacobian[..block.count]) {
                    *half = self.bodies[child.0].articulated_factor.forward(row);
                }
                for row in 0..block.count {
                    for column in 0..block.count {
                        matrix[row][column] += dot(&halves[row], &halves[column]);
                    }
                }
            }
            let factor = Cholesky6::new(&matrix, block.count);
            self.edge_factors[edge] = factor;
            if let Some(parent) = parent {
                let jacobian = &block.jacobian[self.side(block, parent)];
                let mut halves = [[0.0; 6]; 6];
                for (axis, half) in halves.iter_mut().enumerate() {
                    let mut column = [0.0; 6];
                    for row in 0..block.count {
                        column[row] = jacobian[row][axis];
                    }
                    *half = factor.forward(&column);
                }
                let articulated_mass = &mut self.bodies[parent.0].articulated_mass;
                for row in 0..6 {
                    for column in 0..6 {
                        articulated_mass[row][column] += dot(&halves[row], &halves[column]);
                    }
                }
            }
        }
        for &root in &self.free_roots {
            let body = &mut self.bodies[root.0];
            body.articulated_factor = Cholesky6::new(&body.articulated_mass, 6);
        }
    }

    /// 0 if the tree body is A of the block, 1 if it is B.
    fn side(&self, block: &EqualityBlock, tree_body: TreeBodyIndex) -> usize {
        usize::from(block.bodies[0] != self.body_indices[tree_body.0])
    }

    /// Applies the accumulated impulses of the last sub-step.
    pub(super) fn warm_start(&self, bodies: &mut BodySet) {
        for block in &self.blocks {
            self.apply_impulse(bodies, block, &block.impulse);
        }
    }

    fn apply_impulse(&self, bodies: &mut BodySet, block: &EqualityBlock, impulse: &Vec6) {
        for (side, &body) in block.bodies.iter().enumerate() {
            if let Some(tree_body) = self.tree_body(body) {
                let impulse = block.generalized_impulse(side, impulse);
                let change = self.bodies[tree_body.0].mass_factor.solve(&impulse);
                apply_velocity_change(bodies, body, &change);
            }
        }
    }

    /// Solves all trees exactly: changes velocities and impulses so that the velocity of every
    /// equality constraint is 0, or with `use_bias`, its bias velocity.
    pub(super) fn solve(&mut self, bodies: &mut BodySet, use_bias: bool) {
        let bias_compliance = use_bias.then_some(self.compliance);
        for body in &mut self.bodies {
            body.velocity_change = [0.0; 6];
        }
        self.right_sides.clear();
        self.right_sides.resize(self.edges.len(), [0.0; 6]);
        for (edge, &TreeEdge { block, parent, child }) in self.edges.iter().enumerate().rev() {
            let block = &self.blocks[block.0];
            let mut right_side = block.residual(bodies, bias_compliance).map(|residual| -residual);
            if let Some(child) = child {
                let body = &self.bodies[child.0];
                let change = body.articulated_factor.solve(&body.velocity_change);
                let jacobian = &block.jacobian[self.side(block, child)];
                for (value, row) in right_side[..block.count].iter_mut().zip(jacobian) {
                    *value -= dot(row, &change);
                }
            }
            self.right_sides[edge] = right_side;
            if let Some(parent) = parent {
                let impulse = self.edge_factors[edge].solve(&right_side);
                let impulse = block.generalized_impulse(self.side(block, parent), &impulse);
                add_scaled(&mut self.bodies[parent.0].velocity_change, 1.0, &impulse);
            }
        }
        for &root in &self.free_roots {
            let body = &mut self.bodies[root.0];
            body.velocity_change = body.articulated_factor.solve(&body.velocity_change);
        }
        for (edge, &TreeEdge { block: index, parent, child }) in self.edges.iter().enumerate() {
            let block = &self.blocks[index.0];
            let mut right_side = self.right_sides[edge];
            if let Some(parent) = parent {
                let jacobian = &block.jacobian[self.side(block, parent)];
                for (value, row) in right_side[..block.count].iter_mut().zip(jacobian) {
                    *value -= dot(row, &self.bodies[parent.0].velocity_change);
                }
            }
            let impulse = self.edge_factors[edge].solve(&right_side);
            if let Some(child) = child {
                let generalized = block.generalized_impulse(self.side(block, child), &impulse);
                let body = &mut self.bodies[child.0];
                add_scaled(&mut body.velocity_change, 1.0, &generalized);
                body.velocity_change = body.articulated_factor.solve(&body.velocity_change);
            }
            add_scaled(&mut self.blocks[index.0].impulse, 1.0, &impulse);
        }
        for (&body, tree_body) in self.body_indices.iter().zip(&self.bodies) {
            apply_velocity_change(bodies, body, &tree_body.velocity_change);
        }
    }

    /// One block Gauss–Seidel iteration over the loop closures.
    pub(super) fn solve_loop_closures(&mut self, bodies: &mut BodySet, use_bias: bool) {
        let bias_compliance = use_bias.then_some(LOOP_COMPLIANCE);
        for closure in 0..self.loop_closures.len() {
            let LoopClosure { block, factor } = self.loop_closures[closure];
            let residual = self.blocks[block.0].residual(bodies, bias_compliance);
            let impulse = factor.solve(&residual.map(|residual| -residual));
            add_scaled(&mut self.blocks[block.0].impulse, 1.0, &impulse);
            self.apply_impulse(bodies, &self.blocks[block.0], &impulse);
        }
    }
}
