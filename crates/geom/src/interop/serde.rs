//! `serde`: vectors as arrays, rotations as `[x, y, z, w]`, boxes as `{ min, max }`,
//! rays as `{ origin, direction, t_min, t_max, cull_mode }` with `t_max: null` for infinity and
//! `cull_mode` one of `"none"` and `"back_faces"`.
//!
//! Deserialization validates: a rotation must be a quaternion of nonzero finite length.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Aabb, BoundingSphere, CullMode, Mat3, Pose, Ray, Rotation, Vec3};

impl Serialize for Vec3 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_array().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Vec3 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[f32; 3]>::deserialize(deserializer).map(Self::from)
    }
}

impl Serialize for Rotation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_array().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let quaternion = <[f32; 4]>::deserialize(deserializer)?;
        Self::from_quaternion(quaternion).ok_or_else(|| Error::custom(crate::QuaternionError))
    }
}

impl Serialize for Mat3 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.columns.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Mat3 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[Vec3; 3]>::deserialize(deserializer).map(|columns| Self { columns })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Pose", deny_unknown_fields)]
struct PoseFields {
    position: Vec3,
    rotation: Rotation,
}

impl Serialize for Pose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PoseFields { position: self.position, rotation: self.rotation }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Pose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PoseFields { position, rotation } = PoseFields::deserialize(deserializer)?;
        Ok(Self { rotation, position })
    }
}

// serde implements its traits for arrays of fixed lengths only, not for `[f32; D]`.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Aabb", deny_unknown_fields)]
struct AabbFields {
    min: Vec<f32>,
    max: Vec<f32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "BoundingSphere", deny_unknown_fields)]
struct BoundingSphereFields {
    center: Vec<f32>,
    radius: f32,
}

fn coordinates<const D: usize, E: Error>(values: Vec<f32>) -> Result<[f32; D], E> {
    let found = values.len();
    values.try_into().map_err(|_| E::invalid_length(found, &format!("{D} coordinates").as_str()))
}

impl<const D: usize> Serialize for Aabb<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AabbFields { min: self.min.to_vec(), max: self.max.to_vec() }.serialize(serializer)
    }
}

impl<'de, const D: usize> Deserialize<'de> for Aabb<D> {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        let AabbFields { min, max } = AabbFields::deserialize(deserializer)?;
        Ok(Self { min: coordinates(min)?, max: coordinates(max)? })
    }
}

impl<const D: usize> Serialize for BoundingSphere<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = BoundingSphereFields { center: self.center.to_vec(), radius: self.radius };
        fields.serialize(serializer)
    }
}

impl<'de, const D: usize> Deserialize<'de> for BoundingSphere<D> {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        let BoundingSphereFields { center, radius } =
            BoundingSphereFields::deserialize(deserializer)?;
        Ok(Self { center: coordinates(center)?, radius })
    }
}

impl Serialize for CullMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::None => "none",
            Self::BackFaces => "back_faces",
        })
    }
}

impl<'de> Deserialize<'de> for CullMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match name.as_str() {
            "none" => Ok(Self::None),
            "back_faces" => Ok(Self::BackFaces),
            other => Err(Error::unknown_variant(other, &["none", "back_faces"])),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Ray", deny_unknown_fields)]
struct RayFields {
    origin: Vec<f32>,
    direction: Vec<f32>,
    #[serde(default)]
    t_min: f32,
    /// `None` for infinity, which JSON does not have.
    #[serde(default)]
    t_max: Option<f32>,
    #[serde(default)]
    cull_mode: CullMode,
}

impl<const D: usize> Serialize for Ray<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = RayFields {
            origin: self.origin.to_vec(),
            direction: self.direction.to_vec(),
            t_min: self.t_min,
            t_max: Some(self.t_max).filter(|&t_max| t_max != f32::INFINITY),
            cull_mode: self.cull_mode,
        };
        fields.serialize(serializer)
    }
}

impl<'de, const D: usize> Deserialize<'de> for Ray<D> {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        let fields = RayFields::deserialize(deserializer)?;
        let (origin, direction): ([f32; D], [f32; D]) =
            (coordinates(fields.origin)?, coordinates(fields.direction)?);
        let t_max = fields.t_max.unwrap_or(f32::INFINITY);
        let ray = Self::new(origin, direction).with_range(fields.t_min, t_max);
        Ok(Self { cull_mode: fields.cull_mode, ..ray })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T>(value: &T, json: &str)
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq + core::fmt::Debug,
    {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value);
    }

    #[test]
    fn values_round_trip() {
        let position = Vec3::new(1.0, -2.0, 3.5);
        round_trip(&position, "[1.0,-2.0,3.5]");
        round_trip(&Rotation::IDENTITY, "[0.0,0.0,0.0,1.0]");
        round_trip(
            &Pose::from_translation(position),
            r#"{"position":[1.0,-2.0,3.5],"rotation":[0.0,0.0,0.0,1.0]}"#,
        );
        round_trip(
            &Aabb { min: [0.0, 1.0], max: [2.0, 3.0] },
            r#"{"min":[0.0,1.0],"max":[2.0,3.0]}"#,
        );
        round_trip(
            &BoundingSphere { center: [0.0, 1.0], radius: 0.5 },
            r#"{"center":[0.0,1.0],"radius":0.5}"#,
        );
        round_trip(&Mat3::IDENTITY, "[[1.0,0.0,0.0],[0.0,1.0,0.0],[0.0,0.0,1.0]]");
    }

    #[test]
    fn rays_round_trip_and_have_the_defaults_of_new() {
        let ray = Ray::new([0.0, 1.0], [1.0, 0.0]);
        let json = r#"{"origin":[0.0,1.0],"direction":[1.0,0.0],"t_min":0.0,"t_max":null,"cull_mode":"none"}"#;
        round_trip(&ray, json);
        let short = r#"{"origin":[0,1],"direction":[1,0]}"#;
        assert_eq!(serde_json::from_str::<Ray<2>>(short).unwrap(), ray);
        let culled = ray.with_range(-1.0, 2.0).with_backface_culling();
        let json = r#"{"origin":[0.0,1.0],"direction":[1.0,0.0],"t_min":-1.0,"t_max":2.0,"cull_mode":"back_faces"}"#;
        round_trip(&culled, json);
    }

    #[test]
    fn invalid_values_are_rejected_with_the_reason() {
        let error = serde_json::from_str::<Rotation>("[0, 0, 0, 0]").unwrap_err();
        assert!(error.to_string().contains("quaternion"), "{error}");
        let error = serde_json::from_str::<Aabb<3>>(r#"{"min":[0,0],"max":[1,1]}"#).unwrap_err();
        assert!(error.to_string().contains("3 coordinates"), "{error}");
    }
}
