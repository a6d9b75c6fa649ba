//! Serialization of the world settings.

use crate::dynamics::settings::{BoundaryMode, Settings, WorldBounds};
use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};
use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};
use crate::dynamics::solver_kind::SolverKind;

pub(crate) fn write(out: &mut Writer, settings: &Settings) {
    let Settings {
        gravity,
        time_step,
        substeps,
        linear_slop,
        restitution_threshold,
        hit_event_threshold,
        max_linear_speed,
        enable_sleep,
        bounds,
        solver,
        worker_count,
    } = *settings;
    out.vec3(gravity);
    out.f32(time_step);
    out.u32(substeps);
    out.u32(worker_count);
    out.f32(linear_slop);
    out.f32(hit_event_threshold);
    out.f32(max_linear_speed);
    out.flags(&[enable_sleep, restitution_threshold.is_some(), bounds.is_some()]);
    if let Some(speed) = restitution_threshold {
        out.f32(speed);
    }
    if let Some(WorldBounds { min, max, mode }) = bounds {
        out.vec3(min);
        out.vec3(max);
        out.u8(u8::from(mode == BoundaryMode::Open));
    }
    match solver {
        SolverKind::SoftStep => out.u8(0),
        SolverKind::EventDriven => out.u8(1),
    }
}

pub(crate) fn read(input: &mut Reader<'_>) -> Result<Settings, SnapshotError> {
    let gravity = input.vec3()?;
    let time_step = input.finite_f32()?;
    let (substeps, worker_count) = (input.u32()?, input.u32()?);
    let (linear_slop, hit_event_threshold, max_linear_speed) =
        (input.finite_f32()?, input.finite_f32()?, input.finite_f32()?);
    let [enable_sleep, has_restitution_threshold, has_bounds] = input.flags()?;
    let restitution_threshold =
        if has_restitution_threshold { Some(input.finite_f32()?) } else { None };
    let bounds = if has_bounds {
        let (min, max) = (input.vec3()?, input.vec3()?);
        let [open] = input.flags()?;
        Some(WorldBounds {
            min,
            max,
            mode: if open { BoundaryMode::Open } else { BoundaryMode::Solid },
        })
    } else {
        None
    };
    let solver = match input.u8()? {
        0 => SolverKind::SoftStep,
        1 => SolverKind::EventDriven,
        // 2 was the replica of Lasch's simulator, which moved to `embate-studies`; it stays
        // reserved.
        2 => {
            return input.error(SnapshotDefect::StudyReplica);
        }
        _ => return input.error(SnapshotDefect::UnknownSolver),
    };
    let settings = Settings {
        gravity,
        time_step,
        substeps,
        linear_slop,
        restitution_threshold,
        hit_event_threshold,
        max_linear_speed,
        enable_sleep,
        worker_count,
        bounds,
        solver,
    };
    input.ensure(settings.validate().is_ok(), SnapshotDefect::SettingOutOfRange)?;
    Ok(settings)
}
