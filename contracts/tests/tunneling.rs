//! Nothing flies through a wall, and a gas keeps its energy: a part of what `cargo xtask soak motion` asks.

use embate::motion::Method;
use embate_contracts::fast_bodies::{Target, gas_drift, shots_through};

#[test]
fn of_balls_and_boxes_at_300_metres_a_second_none_goes_through_a_wall_of_2_centimetres() {
    for target in Target::ALL {
        assert_eq!(shots_through(target, 200, 1), 0, "{target:?}");
    }
}

#[test]
fn a_gas_keeps_its_energy_to_a_thousandth_by_the_elastic_method_and_most_of_it_by_ours() {
    let elastic = gas_drift(Method::Elastic, 6, 500);
    assert!(elastic.abs() <= 1e-3, "{elastic}");
    let soft = gas_drift(Method::Soft, 6, 500);
    assert!(soft.abs() <= 0.13, "{soft}");
}
