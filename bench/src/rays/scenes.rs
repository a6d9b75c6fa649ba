//! Meshes and rays: four common meshes, if their files are available, and generated ones.

use std::path::{Path, PathBuf};

use embate::{Aabb, Ray, TriangleMesh};
use embate_mesh::{Limits, load};
use embate_scene::generators::{Family, city, house, random_triangles};
use embate_scene::random::Random;

/// A named mesh.
pub struct Scene {
    pub name: &'static str,
    pub make: Box<dyn Fn() -> TriangleMesh>,
}

const FILES: [&str; 4] = ["bunny", "small_city", "sponza_crytek", "dragon"];
/// Number of triangles of the random cases, as in the largest ones of Lorenzi 2014.
const SOUP_TRIANGLES: u32 = 10_000;

/// Common meshes that are not in the folder.
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
                load(&path, &Limits::default()).expect("a valid mesh file").mesh
            }),
        })
    });
    let soups =
        [("soup-low", Family::Low), ("soup-medium", Family::Medium), ("soup-high", Family::High)];
    let soups = soups.into_iter().map(|(name, family)| Scene {
        name,
        make: Box::new(move || random_triangles(family, SOUP_TRIANGLES, &mut Random::new(1))),
    });
    let built = [
        Scene { name: "house", make: Box::new(house) },
        Scene { name: "city", make: Box::new(city) },
    ];
    files.chain(built).chain(soups)
}

/// Incoherent rays: uniform origins in the mesh's bounds, enlarged by 10 % on each side, and
/// uniform directions.
pub fn rays(mesh: &TriangleMesh, count: u32) -> Vec<Ray<3>> {
    let Aabb { min, max } = mesh.bounds().expect("a mesh with triangles");
    let mut random = Random::new(7);
    (0..count)
        .map(|_| {
            let origin = core::array::from_fn(|axis| {
                let margin = 0.1 * (max[axis] - min[axis]);
                random.between(min[axis] - margin, max[axis] + margin)
            });
            Ray::new(origin, random.direction::<3>())
        })
        .collect()
}
