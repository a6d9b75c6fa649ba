//! Tunneling and energy of a gas: a part of `cargo xtask soak motion`.

use embate::dynamics::SolverKind;
use embate_contracts::tunneling::{Target, count_tunneled, gas_energy_drift};

#[test]
fn bodies_at_300_m_per_s_do_not_tunnel_through_a_wall_of_2_cm() {
    for target in Target::ALL {
        assert_eq!(count_tunneled(target, 200, 1), 0, "{target:?}");
    }
}

#[test]
fn gas_energy_drifts_at_most_1e_3_event_driven_and_13_percent_soft_step() {
    let event_driven = gas_energy_drift(SolverKind::EventDriven, 6, 500);
    assert!(event_driven.abs() <= 1e-3, "{event_driven}");
    let soft_step = gas_energy_drift(SolverKind::SoftStep, 6, 500);
    assert!(soft_step.abs() <= 0.13, "{soft_step}");
}
