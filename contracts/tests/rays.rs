//! Hard rays, at a tenth of the soak's size.

use embate_contracts::aimed_rays::{Outcome, aimed_rays, integer_wall};

#[test]
fn no_aimed_ray_leaks_and_every_structure_equals_brute_force() {
    let outcome = aimed_rays(1_000_000, &|_| ());
    assert_eq!(outcome, Outcome { rays: 1_000_000, leaks: 0, differences: 0 });
}

#[test]
fn axis_parallel_rays_through_an_integer_wall_all_hit_it() {
    let (rays, misses) = integer_wall(16);
    assert_eq!(misses, 0, "of {rays}");
}
