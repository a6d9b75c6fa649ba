//! Parts of the user's own: broad phase, integrator and contact response of a simulator.

use std::fmt::Debug;
use std::sync::Arc;

use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseStats, OverlapPair};

use super::contact_response::ContactResponse;
use super::integrator::Integrator;

/// Parts that replace those of a [`Config`](super::Config), for
/// [`Simulator::with_parts`](super::Simulator::with_parts).
///
/// ```
/// use embate::broad_phase::BruteForceBroadPhase;
/// use embate::dynamics::Settings;
/// use embate_replica::lasch::{Config, ExplicitEuler, ImpulseResponse, Parts, Simulator};
///
/// let parts = Parts::new()
///     .broad_phase(BruteForceBroadPhase::default())
///     .integrator(ExplicitEuler)
///     .response(ImpulseResponse);
/// let mut simulator = Simulator::with_parts(Settings::default(), Config::PUBLISHED, parts)?;
/// simulator.step();
/// # Ok::<(), embate_replica::lasch::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub(super) broad_phase: Option<Box<dyn UserBroadPhase>>,
    pub(super) integrator: Option<Arc<dyn Integrator>>,
    pub(super) response: Option<Arc<dyn ContactResponse>>,
}

impl Parts {
    /// No parts: all are those of the configuration.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A broad phase for the moving bodies; the static ones stay in an octree beside it.
    ///
    /// It gets the AABBs of all movers in each step. A pair that it misses is not tested for
    /// contact. A pair with an index out of range, of a box with itself or found twice is ignored.
    /// It is cloned when the number of movers changes and when a snapshot is restored, so its
    /// memory must not affect the pairs it finds.
    #[must_use]
    pub fn broad_phase<B>(self, broad_phase: B) -> Self
    where
        B: BroadPhase<3> + Clone + Debug + Send + Sync + 'static,
    {
        Self { broad_phase: Some(Box::new(broad_phase)), ..self }
    }

    /// An integrator for the dynamic bodies.
    #[must_use]
    pub fn integrator(self, integrator: impl Integrator + 'static) -> Self {
        Self { integrator: Some(Arc::new(integrator)), ..self }
    }

    /// A contact response.
    #[must_use]
    pub fn response(self, response: impl ContactResponse + 'static) -> Self {
        Self { response: Some(Arc::new(response)), ..self }
    }

    /// Which parts there are, as a bit each; for snapshots.
    pub(super) fn bits(&self) -> u8 {
        u8::from(self.broad_phase.is_some())
            | u8::from(self.integrator.is_some()) << 1
            | u8::from(self.response.is_some()) << 2
    }

    /// The parts of these bits; the name of the first that is missing otherwise.
    pub(super) fn of_bits(&self, bits: u8) -> Result<Self, &'static str> {
        let names = ["broad phase", "integrator", "contact response"];
        let missing = (0..names.len()).find(|part| (bits & !self.bits()) >> part & 1 == 1);
        if let Some(part) = missing {
            return Err(names[part]);
        }
        let mut parts = self.clone();
        parts.broad_phase = parts.broad_phase.filter(|_| bits & 1 != 0);
        parts.integrator = parts.integrator.filter(|_| bits & 2 != 0);
        parts.response = parts.response.filter(|_| bits & 4 != 0);
        Ok(parts)
    }
}

/// [`BroadPhase`] without its generic observer, so that any of them can be stored.
pub(super) trait UserBroadPhase: Debug + Send + Sync {
    fn find(&mut self, boxes: AabbSlice<'_, 3>, pairs: &mut Vec<OverlapPair>);

    fn find_counted(
        &mut self,
        boxes: AabbSlice<'_, 3>,
        pairs: &mut Vec<OverlapPair>,
        stats: &mut BroadPhaseStats,
    );

    fn boxed_clone(&self) -> Box<dyn UserBroadPhase>;
}

impl<B: BroadPhase<3> + Clone + Debug + Send + Sync + 'static> UserBroadPhase for B {
    fn find(&mut self, boxes: AabbSlice<'_, 3>, pairs: &mut Vec<OverlapPair>) {
        BroadPhase::find_pairs(self, boxes, pairs);
    }

    fn find_counted(
        &mut self,
        boxes: AabbSlice<'_, 3>,
        pairs: &mut Vec<OverlapPair>,
        stats: &mut BroadPhaseStats,
    ) {
        self.find_pairs_observed(boxes, pairs, stats);
    }

    fn boxed_clone(&self) -> Box<dyn UserBroadPhase> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn UserBroadPhase> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}
