//! Little-endian reader and writer of the snapshot format.

use embate_geom::{Pose, Rotation, Vec3};

use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};

/// Appends values to a byte buffer.
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub(crate) fn f64(&mut self, value: f64) {
        self.raw(&value.to_le_bytes());
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }

    /// Packs up to eight flags into a byte, the first into bit 0.
    pub(crate) fn flags(&mut self, flags: &[bool]) {
        self.u8(flags.iter().rev().fold(0, |byte, &flag| byte << 1 | u8::from(flag)));
    }

    pub(crate) fn vec3(&mut self, vector: Vec3) {
        for value in vector.to_array() {
            self.f32(value);
        }
    }

    pub(crate) fn rotation(&mut self, rotation: Rotation) {
        for value in rotation.to_array() {
            self.f32(value);
        }
    }

    pub(crate) fn pose(&mut self, pose: &Pose) {
        self.rotation(pose.rotation);
        self.vec3(pose.position);
    }
}

/// Cursor over the bytes of a snapshot. Every read is bounds-checked and validated.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(crate) fn error<T>(&self, defect: SnapshotDefect) -> Result<T, SnapshotError> {
        Err(SnapshotError::InvalidValue { offset: self.offset, defect })
    }

    /// Fails with `defect` unless `condition` holds.
    pub(crate) fn ensure(
        &self,
        condition: bool,
        defect: SnapshotDefect,
    ) -> Result<(), SnapshotError> {
        if condition { Ok(()) } else { self.error(defect) }
    }

    pub(crate) fn skip(&mut self, count: usize) -> Result<(), SnapshotError> {
        self.ensure(count <= self.bytes.len() - self.offset, SnapshotDefect::UnexpectedEnd)?;
        self.offset += count;
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let Some(chunk) = self.bytes[self.offset..].first_chunk::<N>() else {
            return self.error(SnapshotDefect::UnexpectedEnd);
        };
        self.offset += N;
        Ok(*chunk)
    }

    pub(crate) fn expect_end(&self) -> Result<(), SnapshotError> {
        self.ensure(self.offset == self.bytes.len(), SnapshotDefect::TrailingBytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, SnapshotError> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, SnapshotError> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn u128(&mut self) -> Result<u128, SnapshotError> {
        self.take().map(u128::from_le_bytes)
    }

    /// Reads the number of elements of a list, each of which takes at least `min_bytes`.
    pub(crate) fn count(&mut self, min_bytes: usize) -> Result<usize, SnapshotError> {
        let count = self.u32()? as usize;
        let max_count = (self.bytes.len() - self.offset) / min_bytes.max(1);
        self.ensure(count <= max_count, SnapshotDefect::CountTooLarge)?;
        Ok(count)
    }

    pub(crate) fn finite_f32(&mut self) -> Result<f32, SnapshotError> {
        let value = f32::from_bits(self.u32()?);
        self.ensure(value.is_finite(), SnapshotDefect::NotFinite)?;
        Ok(value)
    }

    /// Accepts ±∞, for limits that do not limit.
    pub(crate) fn non_nan_f32(&mut self) -> Result<f32, SnapshotError> {
        let value = f32::from_bits(self.u32()?);
        self.ensure(!value.is_nan(), SnapshotDefect::NotANumber)?;
        Ok(value)
    }

    pub(crate) fn finite_f64(&mut self) -> Result<f64, SnapshotError> {
        let value = f64::from_le_bytes(self.take()?);
        self.ensure(value.is_finite(), SnapshotDefect::NotFinite)?;
        Ok(value)
    }

    pub(crate) fn flags<const N: usize>(&mut self) -> Result<[bool; N], SnapshotError> {
        let byte = self.u8()?;
        self.ensure(u32::from(byte) >> N == 0, SnapshotDefect::UndefinedFlag)?;
        Ok(core::array::from_fn(|bit| byte >> bit & 1 == 1))
    }

    pub(crate) fn vec3(&mut self) -> Result<Vec3, SnapshotError> {
        Ok(Vec3::new(self.finite_f32()?, self.finite_f32()?, self.finite_f32()?))
    }

    pub(crate) fn rotation(&mut self) -> Result<Rotation, SnapshotError> {
        let quaternion =
            [self.finite_f32()?, self.finite_f32()?, self.finite_f32()?, self.finite_f32()?];
        match Rotation::from_unit_quaternion(quaternion) {
            Some(rotation) => Ok(rotation),
            None => self.error(SnapshotDefect::RotationNotUnit),
        }
    }

    pub(crate) fn pose(&mut self) -> Result<Pose, SnapshotError> {
        Ok(Pose { rotation: self.rotation()?, position: self.vec3()? })
    }
}
