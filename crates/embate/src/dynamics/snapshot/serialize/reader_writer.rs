//! Numbers to bytes and back.

use embate_geom::{Pose, Rotation, Vec3};

use super::InvalidSnapshot;

/// Bytes being written.
pub(super) struct Out {
    bytes: Vec<u8>,
}

impl Out {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    pub(super) fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub(super) fn f64(&mut self, value: f64) {
        self.raw(&value.to_le_bytes());
    }

    pub(super) fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }

    /// Up to eight answers in a byte.
    pub(super) fn flags(&mut self, flags: &[bool]) {
        self.u8(flags.iter().rev().fold(0, |byte, &flag| byte << 1 | u8::from(flag)));
    }

    pub(super) fn vec3(&mut self, vector: Vec3) {
        for value in vector.to_array() {
            self.f32(value);
        }
    }

    pub(super) fn rotation(&mut self, rotation: Rotation) {
        for value in rotation.to_array() {
            self.f32(value);
        }
    }

    pub(super) fn pose(&mut self, pose: &Pose) {
        self.rotation(pose.rotation);
        self.vec3(pose.position);
    }
}

/// Bytes being read.
pub(super) struct In<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> In<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn wrong<T>(&self, what: &'static str) -> Result<T, InvalidSnapshot> {
        Err(InvalidSnapshot::Wrong { at: self.at, what })
    }

    /// Refuses what is not so.
    pub(super) fn need(&self, so: bool, what: &'static str) -> Result<(), InvalidSnapshot> {
        if so { Ok(()) } else { self.wrong(what) }
    }

    pub(super) fn skip(&mut self, count: usize) -> Result<(), InvalidSnapshot> {
        self.need(count <= self.bytes.len() - self.at, "it ends too early")?;
        self.at += count;
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], InvalidSnapshot> {
        let Some(chunk) = self.bytes[self.at..].first_chunk::<N>() else {
            return self.wrong("it ends too early");
        };
        self.at += N;
        Ok(*chunk)
    }

    pub(super) fn end(&self) -> Result<(), InvalidSnapshot> {
        self.need(self.at == self.bytes.len(), "it goes on after its end")
    }

    pub(super) fn u8(&mut self) -> Result<u8, InvalidSnapshot> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub(super) fn u32(&mut self) -> Result<u32, InvalidSnapshot> {
        self.take().map(u32::from_le_bytes)
    }

    /// Of things that take at least so many bytes each.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, InvalidSnapshot> {
        let count = self.u32()? as usize;
        let left = (self.bytes.len() - self.at) / least.max(1);
        self.need(count <= left, "it counts more than it has room for")?;
        Ok(count)
    }

    pub(super) fn f32(&mut self) -> Result<f32, InvalidSnapshot> {
        let value = f32::from_bits(self.u32()?);
        self.need(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    /// One that may be infinite.
    pub(super) fn any_f32(&mut self) -> Result<f32, InvalidSnapshot> {
        let value = f32::from_bits(self.u32()?);
        self.need(!value.is_nan(), "a number is no number")?;
        Ok(value)
    }

    pub(super) fn finite_f64(&mut self) -> Result<f64, InvalidSnapshot> {
        let value = f64::from_le_bytes(self.take()?);
        self.need(value.is_finite(), "a number is not finite")?;
        Ok(value)
    }

    pub(super) fn flags<const N: usize>(&mut self) -> Result<[bool; N], InvalidSnapshot> {
        let byte = self.u8()?;
        self.need(u32::from(byte) >> N == 0, "a flag is set that there is not")?;
        Ok(core::array::from_fn(|bit| byte >> bit & 1 == 1))
    }

    pub(super) fn vec3(&mut self) -> Result<Vec3, InvalidSnapshot> {
        Ok(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    pub(super) fn rotation(&mut self) -> Result<Rotation, InvalidSnapshot> {
        let quaternion = [self.f32()?, self.f32()?, self.f32()?, self.f32()?];
        match Rotation::as_written(quaternion) {
            Some(rotation) => Ok(rotation),
            None => self.wrong("a turn does not have length 1"),
        }
    }

    pub(super) fn pose(&mut self) -> Result<Pose, InvalidSnapshot> {
        Ok(Pose { rotation: self.rotation()?, position: self.vec3()? })
    }
}
