//! Little-endian numbers as bytes, checked when read.

use embate_geom::Vec3;

use super::snapshot::SnapshotError;

/// Bytes under construction.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.raw(&value.to_le_bytes());
    }

    pub(super) fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub(super) fn vec3(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|value| self.f32(value));
    }

    pub(super) fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }
}

/// Bytes being read.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    pub(super) fn error<T>(&self, reason: &'static str) -> Result<T, SnapshotError> {
        Err(SnapshotError::Invalid { at: self.position, reason })
    }

    /// Rejects the bytes unless `condition` holds.
    pub(super) fn require(
        &self,
        condition: bool,
        reason: &'static str,
    ) -> Result<(), SnapshotError> {
        if condition { Ok(()) } else { self.error(reason) }
    }

    pub(super) fn raw(&mut self, count: usize) -> Result<&'a [u8], SnapshotError> {
        let rest = &self.bytes[self.position..];
        let Some(taken) = rest.get(..count) else { return self.error("unexpected end") };
        self.position += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let mut array = [0; N];
        array.copy_from_slice(self.raw(N)?);
        Ok(array)
    }

    pub(super) fn end(&self) -> Result<(), SnapshotError> {
        self.require(self.position == self.bytes.len(), "trailing bytes")
    }

    pub(super) fn u8(&mut self) -> Result<u8, SnapshotError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, SnapshotError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, SnapshotError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(super) fn bool(&mut self) -> Result<bool, SnapshotError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => self.error("a flag is neither 0 nor 1"),
        }
    }

    pub(super) fn f32(&mut self) -> Result<f32, SnapshotError> {
        let value = f32::from_bits(self.u32()?);
        self.require(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    pub(super) fn f64(&mut self) -> Result<f64, SnapshotError> {
        let value = f64::from_bits(self.u64()?);
        self.require(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    pub(super) fn vec3(&mut self) -> Result<Vec3, SnapshotError> {
        Ok(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    /// A count of items of at least `min_bytes` each, so that memory stays proportional to the
    /// input.
    pub(super) fn count(&mut self, min_bytes: usize) -> Result<usize, SnapshotError> {
        let count = self.u32()? as usize;
        let possible = (self.bytes.len() - self.position) / min_bytes;
        self.require(count <= possible, "a count exceeds the remaining bytes")?;
        Ok(count)
    }
}
