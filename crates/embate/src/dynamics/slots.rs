//! Generational slots: indices are reused, pairs of index and generation never.

/// Allocator of the slots of bodies or joints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// By slot: generation of its occupant, or of the last one plus 1.
    generations: Vec<u32>,
    /// By slot: one more than the latest generation that was ever allocated. It survives a restore,
    /// so that no id is allocated twice.
    next_generation: Vec<u32>,
    /// Free slots; the last one is reused first.
    free: Vec<u32>,
}

impl Slots {
    /// Slots of a snapshot. `free` are the empty slots, in any order.
    pub(crate) fn new(generations: Vec<u32>, free: Vec<u32>) -> Self {
        Self { generations, next_generation: Vec::new(), free }
    }

    /// Number of slots, occupied or free.
    pub(crate) fn len(&self) -> usize {
        self.generations.len()
    }

    /// Number of occupied slots.
    pub(crate) fn occupied_count(&self) -> usize {
        self.generations.len() - self.free.len()
    }

    pub(crate) fn generation(&self, slot: u32) -> u32 {
        self.generations[slot as usize]
    }

    /// Whether the slot exists and has this generation. It can be free: its generation is then that
    /// of no id.
    pub(crate) fn has_generation(&self, slot: u32, generation: u32) -> bool {
        self.generations.get(slot as usize) == Some(&generation)
    }

    /// Free slots, in the order of their release.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// Allocates a free slot, or appends one, with a generation that it never had.
    pub(crate) fn allocate(&mut self) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.generations.len() as u32 - 1
        });
        let index = slot as usize;
        if self.next_generation.len() <= index {
            self.next_generation.resize(index + 1, 0);
        }
        let generation = self.generations[index].max(self.next_generation[index]);
        self.generations[index] = generation;
        self.next_generation[index] = generation.wrapping_add(1);
        slot
    }

    /// Appends a slot that is neither occupied nor free: an empty slot of a snapshot that is being
    /// read.
    pub(crate) fn append_unused(&mut self) {
        self.generations.push(0);
    }

    /// Frees a slot and invalidates its ids.
    pub(crate) fn release(&mut self, slot: u32) {
        let generation = &mut self.generations[slot as usize];
        *generation = generation.wrapping_add(1);
        self.free.push(slot);
    }

    /// Replaces the slots by those of a snapshot. No id of either is allocated again.
    pub(crate) fn restore(&mut self, snapshot: &Self) {
        let used = core::mem::take(&mut self.next_generation);
        self.clone_from(snapshot);
        if self.next_generation.len() < used.len() {
            self.next_generation.resize(used.len(), 0);
        }
        for (next, used) in self.next_generation.iter_mut().zip(used) {
            *next = used.max(*next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_reused_with_new_generations_even_after_a_restore() {
        let mut slots = Slots::default();
        assert_eq!([slots.allocate(), slots.allocate()], [0, 1]);
        let before = slots.clone();
        slots.release(1);
        assert_eq!((slots.len(), slots.occupied_count(), slots.free()), (2, 1, &[1][..]));
        assert_eq!(slots.allocate(), 1);
        assert_eq!(slots.generation(1), 1);
        assert!(slots.has_generation(1, 1) && !slots.has_generation(1, 0));
        slots.restore(&before);
        assert_eq!(slots.generation(1), 0, "the body of the snapshot exists again");
        slots.release(1);
        slots.allocate();
        assert_eq!(slots.generation(1), 2, "generation 1 was used before the restore");
    }
}
