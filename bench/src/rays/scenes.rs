//! Which meshes, and which rays? The four that everybody measures, where there is a folder with them; what can
//! be generated, everywhere.

use std::path::{Path, PathBuf};

use embate::{Aabb, Ray, TriangleMesh};
use embate_lab::random::Random;
use embate_lab::scenes::{Family, city, house, random_triangles};
use embate_mesh::{Limits, load};

/// A mesh by name.
pub struct Scene {
    pub name: &'static str,
    pub make: Box<dyn Fn() -> TriangleMesh>,
}

const FILES: [&str; 4] = ["bunny", "small_city", "sponza_crytek", "dragon"];
/// As study A's largest scenes.
const SOUP: u32 = 10_000;

/// Those of the known meshes that are not in the folder.
pub fn missing(folder: &Path) -> impl Iterator<Item = &'static str> {
    FILES.into_iter().filter(|name| !file(folder, name).exists())
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.ply.gz"))
}

pub fn all(folder: &Path) -> impl Iterator<Item = Scene> {
    let files = FILES.into_iter().filter_map(|name| {
        let path = file(folder, name);
        path.exists().then(|| Scene {
            name,
            make: Box::new(move || {
                load(&path, &Limits::default()).expect("a mesh that others read too").mesh
            }),
        })
    });
    let soups =
        [("soup-low", Family::Low), ("soup-medium", Family::Medium), ("soup-high", Family::High)];
    let soups = soups.into_iter().map(|(name, family)| Scene {
        name,
        make: Box::new(move || random_triangles(family, SOUP, &mut Random::new(1))),
    });
    let built = [
        Scene { name: "house", make: Box::new(house) },
        Scene { name: "city", make: Box::new(city) },
    ];
    files.chain(built).chain(soups)
}

/// Rays that have nothing to do with each other: from anywhere in the mesh's box and a little around it, to
/// anywhere.
pub fn rays(mesh: &TriangleMesh, count: u32) -> Vec<Ray<3>> {
    let Aabb { min, max } = mesh.bounds().expect("a mesh with triangles");
    let mut random = Random::new(7);
    (0..count)
        .map(|_| {
            let origin = core::array::from_fn(|axis| {
                let tenth = 0.1 * (max[axis] - min[axis]);
                random.between(min[axis] - tenth, max[axis] + tenth)
            });
            Ray::new(origin, random.direction::<3>())
        })
        .collect()
}
