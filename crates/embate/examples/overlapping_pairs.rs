//! Which of these boxes overlap? The technique chosen for you, or by you; and what it did.

use embate::Aabb;
use embate::advise::advise_pairs;
use embate::pairs::{Boxes, InvalidBox, PairCounts, PairFinder, PairTechnique, overlapping_pairs};

fn main() -> Result<(), InvalidBox> {
    // A wall of bricks, each a little too wide.
    let brick = |number: u16| {
        let min = [f32::from(number % 40), f32::from(number / 40), 0.0];
        Aabb { min, max: [min[0] + 1.1, min[1] + 0.9, 1.0] }
    };
    let bricks: Vec<Aabb<3>> = (0..1_000).map(brick).collect();
    let pairs = overlapping_pairs(&bricks)?;
    println!("{} pairs, the first {:?}", pairs.len(), pairs.first());

    let boxes = Boxes::new(&bricks)?;
    println!("advice: {}", advise_pairs(boxes, 1.0));
    for technique in PairTechnique::ALL {
        let (mut pairs, mut counts) = (Vec::new(), PairCounts::default());
        technique.finder(boxes.len()).find_observed(boxes, &mut pairs, &mut counts);
        println!("{}: {} pairs by {} tests", technique.name(), pairs.len(), counts.tests);
    }
    Ok(())
}
