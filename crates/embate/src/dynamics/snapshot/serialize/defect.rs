//! Defects of snapshot values: which rule a value under a valid checksum violates.

use thiserror::Error;

/// Rule that a value of a snapshot violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnapshotDefect {
    /// Unexpected end of data.
    #[error("unexpected end of data")]
    UnexpectedEnd,
    /// Trailing bytes after the last event.
    #[error("trailing bytes after the last event")]
    TrailingBytes,
    /// Count exceeds the remaining bytes.
    #[error("count exceeds the remaining bytes")]
    CountTooLarge,
    /// Number is NaN or infinite.
    #[error("number is NaN or infinite")]
    NotFinite,
    /// Number is NaN.
    #[error("number is NaN")]
    NotANumber,
    /// Undefined flag bit is set.
    #[error("undefined flag bit is set")]
    UndefinedFlag,
    /// Quaternion is not of unit length.
    #[error("quaternion is not of unit length")]
    RotationNotUnit,
    /// The world ran the replica of a study, which a world no longer supports.
    #[error(
        "the world ran the replica of a study, which a world no longer supports; \
         run its scene again from the start"
    )]
    StudyReplica,
    /// Unknown solver.
    #[error("unknown solver")]
    UnknownSolver,
    /// Setting out of range.
    #[error("setting out of range")]
    SettingOutOfRange,
    /// Unknown shape type.
    #[error("unknown shape type")]
    UnknownShapeType,
    /// Compound nested in a compound.
    #[error("compound nested in a compound")]
    NestedCompound,
    /// Triangle mesh is invalid.
    #[error("triangle mesh is invalid")]
    InvalidTriMesh,
    /// Shape is invalid.
    #[error("shape is invalid")]
    InvalidShape,
    /// Shape index out of range.
    #[error("shape index out of range")]
    ShapeIndexOutOfRange,
    /// Free list does not match the empty body slots.
    #[error("free list does not match the empty body slots")]
    BodyFreeListMismatch,
    /// Unknown body type.
    #[error("unknown body type")]
    UnknownBodyType,
    /// Body property out of range.
    #[error("body property out of range")]
    BodyPropertyOutOfRange,
    /// Body AABB out of range.
    #[error("body AABB out of range")]
    BodyAabbOutOfRange,
    /// Center of mass does not match the body position.
    #[error("center of mass does not match the body position")]
    CenterOfMassMismatch,
    /// No body extensions in a version that has them.
    #[error("no body extensions in a version that has them")]
    NoExtensions,
    /// Extensions not sorted.
    #[error("extensions not sorted")]
    UnsortedExtensions,
    /// Body extension without a value.
    #[error("body extension without a value")]
    EmptyExtension,
    /// Extension of a nonexistent body.
    #[error("extension of a nonexistent body")]
    ExtensionWithoutBody,
    /// Unknown combine rule.
    #[error("unknown combine rule")]
    UnknownCombineRule,
    /// Fat AABB is invalid.
    #[error("fat AABB is invalid")]
    InvalidFatAabb,
    /// Fat AABB of a nonexistent body.
    #[error("fat AABB of a nonexistent body")]
    FatAabbWithoutBody,
    /// Fat AABB exceeds the reach of its body.
    #[error("fat AABB exceeds the reach of its body")]
    FatAabbTooLarge,
    /// Fat AABBs do not match the bodies.
    #[error("fat AABBs do not match the bodies")]
    FatAabbMismatch,
    /// Free list does not match the empty joint slots.
    #[error("free list does not match the empty joint slots")]
    JointFreeListMismatch,
    /// Joint does not connect two different existing bodies.
    #[error("joint does not connect two different existing bodies")]
    JointBodies,
    /// Joint without a dynamic body.
    #[error("joint without a dynamic body")]
    NoDynamicBody,
    /// Unknown joint type.
    #[error("unknown joint type")]
    UnknownJointType,
    /// Joint anchor too far from its body.
    #[error("joint anchor too far from its body")]
    AnchorTooFar,
    /// Joint property out of range.
    #[error("joint property out of range")]
    JointPropertyOutOfRange,
    /// Contact pairs are not sorted.
    #[error("contact pairs are not sorted")]
    UnsortedContactPairs,
    /// Contact pair of bodies that cannot collide.
    #[error("contact pair of bodies that cannot collide")]
    ImpossibleContactPair,
    /// Contact normal is not of unit length.
    #[error("contact normal is not of unit length")]
    ContactNormalNotUnit,
    /// Contact manifold with no points or too many.
    #[error("contact manifold with no points or too many")]
    ContactPointCount,
    /// Unknown event type.
    #[error("unknown event type")]
    UnknownEventType,
}
