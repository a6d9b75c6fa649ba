//! Parameters of a viewer run: world and technique, validated.

use embate_replica::structure::PairStructure;
use embate_scene::generators::{Bounds, Distribution, MovingWorldDef, Span};
use embate_studies::moving_worlds::limits::{MAX_PAIRS, expected_pairs};
use embate_studies::moving_worlds::{Measurement, Scene};
use serde::{Serialize, Serializer};

use super::form_input::{FormInput, InputValue};
use super::limits::{
    CELL, Field, FieldError, FieldErrors, FormError, MAX_CELLS, OBJECTS, SEED, SIDE, SIZE, SPEED,
};
use super::techniques;

/// Valid parameters of a world and a technique.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameters {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) objects: u32,
    #[serde(serialize_with = "bounds_by_name")]
    pub(super) bounds: Bounds,
    pub(super) min_size: f32,
    pub(super) max_size: f32,
    pub(super) min_speed: f32,
    pub(super) max_speed: f32,
    #[serde(serialize_with = "technique_by_name")]
    pub(super) technique: PairStructure,
    /// 0 where the technique chooses itself, or has no cells.
    pub(super) cell_size: f32,
    pub(super) seed: u32,
}

/// Errors of these parameters, given as JSON; none if they are valid.
#[must_use]
pub fn check(json: &str) -> FieldErrors {
    Parameters::read(json).err().unwrap_or_default()
}

impl Parameters {
    /// Reads `{"width":960,"height":540,"objects":600,"bounds":"aabb","minSize":6,"maxSize":16,
    /// "minSpeed":20,"maxSpeed":80,"technique":"auto","cellSize":24,"seed":1}`.
    ///
    /// # Errors
    /// Every field that makes no sense or is beyond a limit, with the limit.
    pub fn read(json: &str) -> Result<Self, FieldErrors> {
        let Some(input) = FormInput::read(json) else {
            let (field, problem) = (Field::Parameters, FormError::Unknown);
            return Err(FieldErrors { problems: vec![FieldError { field, problem, limit: None }] });
        };
        Validator::new(&input)
    }

    /// Parameters with another technique. A size of 0 lets the technique choose its cells.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn with_technique(self, technique: &str, cell_size: f64) -> Result<Self, FieldErrors> {
        let mut checked = Validator::default();
        let sides = [self.width.into(), self.height.into()];
        let technique = checked.technique(&InputValue::Word(technique.to_owned()));
        let cell_size = technique.and_then(|technique| {
            checked.cell_size(&InputValue::Number(cell_size), technique, Some(sides))
        });
        match (technique, cell_size) {
            (Some(technique), Some(cell_size)) => Ok(Self { technique, cell_size, ..self }),
            _ => Err(checked.problems),
        }
    }

    /// The cells chosen for the technique, if any were.
    pub(super) fn fixed_cell_size(&self) -> Option<f32> {
        (self.technique.has_cell_size() && self.cell_size > 0.0).then_some(self.cell_size)
    }

    /// The same world as a study sees it.
    pub(super) fn scene(&self) -> Scene<2> {
        Scene {
            case: "custom",
            world: MovingWorldDef {
                sides: [self.width, self.height],
                objects: self.objects,
                movers: self.objects,
                bounds: self.bounds,
                size: Span { min: self.min_size, max: self.max_size },
                speed: Span { min: self.min_speed, max: self.max_speed },
                distribution: Distribution::Even,
            },
            frames: 0,
            cell_sizes: self.fixed_cell_size().into_iter().collect(),
            own_cells: true,
            measurement: Measurement::Frames,
        }
    }
}

/// Validator: a valid value is `Some`, an invalid one is `None` and has an error.
#[derive(Debug, Default)]
struct Validator {
    problems: FieldErrors,
}

impl Validator {
    #[expect(clippy::new_ret_no_self, reason = "what is checked becomes parameters")]
    fn new(input: &FormInput) -> Result<Parameters, FieldErrors> {
        let mut this = Self::default();
        let width = this.number(Field::Width, &input.width, SIDE);
        let height = this.number(Field::Height, &input.height, SIDE);
        let sides = width.zip(height).map(|(width, height)| [width, height]);
        let objects = this.whole(Field::Objects, &input.objects, OBJECTS);
        let bounds = this.bounds(&input.bounds);
        let (size, speed) =
            ([&input.min_size, &input.max_size], [&input.min_speed, &input.max_speed]);
        let size = this.span([Field::MinSize, Field::MaxSize], size, SIZE);
        let size = size.filter(|size| this.fits(size[1], sides));
        let speed = this.span([Field::MinSpeed, Field::MaxSpeed], speed, SPEED);
        let technique = this.technique(&input.technique);
        let cell_size =
            technique.and_then(|technique| this.cell_size(&input.cell_size, technique, sides));
        let seed = this.whole(Field::Seed, &input.seed, SEED);
        let whole = || {
            let parameters = Parameters {
                width: width? as f32,
                height: height? as f32,
                objects: objects?,
                bounds: bounds?,
                min_size: size?[0] as f32,
                max_size: size?[1] as f32,
                min_speed: speed?[0] as f32,
                max_speed: speed?[1] as f32,
                technique: technique?,
                cell_size: cell_size?,
                seed: seed?,
            };
            Some(parameters)
        };
        match whole() {
            Some(parameters) if this.has_room(&parameters) => Ok(parameters),
            _ => Err(this.problems),
        }
    }

    /// Notes a problem: `None` for the value.
    fn reject<T>(&mut self, field: Field, problem: FormError, limit: Option<f64>) -> Option<T> {
        self.problems.problems.push(FieldError { field, problem, limit });
        None
    }

    fn number(&mut self, field: Field, value: &InputValue, [min, max]: [f64; 2]) -> Option<f64> {
        match *value {
            InputValue::Number(value) if value < min => {
                self.reject(field, FormError::TooSmall, Some(min))
            }
            InputValue::Number(value) if value > max => {
                self.reject(field, FormError::TooLarge, Some(max))
            }
            InputValue::Number(value) if !value.is_nan() => Some(value),
            _ => self.reject(field, FormError::NotANumber, None),
        }
    }

    fn whole(&mut self, field: Field, value: &InputValue, range: [f64; 2]) -> Option<u32> {
        let value = self.number(field, value, range)?;
        if value.fract() != 0.0 {
            return self.reject(field, FormError::NotWhole, None);
        }
        Some(value as u32)
    }

    fn span(
        &mut self,
        fields: [Field; 2],
        value: [&InputValue; 2],
        range: [f64; 2],
    ) -> Option<[f64; 2]> {
        let min = self.number(fields[0], value[0], range);
        let max = self.number(fields[1], value[1], range);
        let (min, max) = min.zip(max)?;
        if max < min {
            return self.reject(fields[1], FormError::BelowMinimum, Some(min));
        }
        Some([min, max])
    }

    fn fits(&mut self, largest: f64, sides: Option<[f64; 2]>) -> bool {
        let Some([width, height]) = sides else { return true };
        let shorter = if width < height { width } else { height };
        if largest > shorter {
            self.reject::<()>(Field::MaxSize, FormError::LargerThanWorld, Some(shorter));
        }
        largest <= shorter
    }

    fn bounds(&mut self, value: &InputValue) -> Option<Bounds> {
        let named = |bounds: &Bounds| *value == InputValue::Word(bounds.name().to_owned());
        match Bounds::ALL.into_iter().find(named) {
            None => self.reject(Field::Bounds, FormError::Unknown, None),
            bounds => bounds,
        }
    }

    fn technique(&mut self, value: &InputValue) -> Option<PairStructure> {
        let named =
            |technique: &PairStructure| *value == InputValue::Word(technique.name().to_owned());
        match techniques::all().into_iter().find(named) {
            None => self.reject(Field::Technique, FormError::Unknown, None),
            technique => technique,
        }
    }

    /// Looked at only where the technique takes it: what a form hides must not be refused.
    fn cell_size(
        &mut self,
        value: &InputValue,
        technique: PairStructure,
        sides: Option<[f64; 2]>,
    ) -> Option<f32> {
        let is_study_grid = technique == PairStructure::GoncalesGrid;
        if !technique.has_cell_size() || (*value == InputValue::Number(0.0) && !is_study_grid) {
            return Some(0.0);
        }
        let cell_size = self.number(Field::CellSize, value, CELL)?;
        let Some([width, height]) = sides else { return Some(cell_size as f32) };
        let longer = if width > height { width } else { height };
        if cell_size > longer {
            return self.reject(Field::CellSize, FormError::LargerThanWorld, Some(longer));
        }
        if is_study_grid && has_too_many_cells([width, height], cell_size) {
            let min = min_cell_size([width, height]);
            return self.reject(Field::CellSize, FormError::TooManyCells, Some(min));
        }
        Some(cell_size as f32)
    }

    /// Can the pairs of a frame be held?
    fn has_room(&mut self, parameters: &Parameters) -> bool {
        let MovingWorldDef { sides, objects, size, .. } = parameters.scene().world;
        let pairs = expected_pairs(sides, objects, size);
        if pairs > MAX_PAIRS {
            // Pairs grow with the square of the objects.
            let max = (f64::from(objects) * (MAX_PAIRS / pairs).sqrt()).floor();
            self.reject::<()>(Field::Objects, FormError::TooCrowded, Some(max));
        }
        pairs <= MAX_PAIRS
    }
}

/// Counted as the study's grid itself divides.
fn has_too_many_cells(sides: [f64; 2], cell_size: f64) -> bool {
    let [across, down] = sides.map(|side| f64::from((side as f32 / cell_size as f32).ceil()));
    across * down > f64::from(MAX_CELLS)
}

/// The smallest size of cells that the study's grid takes in such a world, in whole thousandths: as
/// exactly as the page writes a number, so that who types what it says is not refused again.
fn min_cell_size(sides: [f64; 2]) -> f64 {
    let size = |thousandths: u32| f64::from(thousandths) / 1000.0;
    // Larger cells are never more, and cells of the largest size are one.
    let (mut too_small, mut enough) = (0, (1000.0 * CELL[1]) as u32);
    while enough - too_small > 1 {
        let middle = too_small.midpoint(enough);
        let half =
            if has_too_many_cells(sides, size(middle)) { &mut too_small } else { &mut enough };
        *half = middle;
    }
    size(enough)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
fn bounds_by_name<S: Serializer>(bounds: &Bounds, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(bounds.name())
}

fn technique_by_name<S: Serializer>(
    technique: &PairStructure,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(technique.name())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::broad_phase_viewer::catalog::FIRST_SCENE;

    fn with(changes: &Value) -> String {
        let mut scene = serde_json::to_value(FIRST_SCENE).unwrap();
        for (field, value) in changes.as_object().unwrap() {
            scene[field] = value.clone();
        }
        scene.to_string()
    }

    fn assert_rejected(changes: &Value, field: Field, problem: FormError, limit: Option<f64>) {
        assert_eq!(
            check(&with(changes)).problems,
            [FieldError { field, problem, limit }],
            "{changes}"
        );
    }

    #[test]
    fn invalid_world_parameters_are_rejected_with_their_field() {
        use Field::{Bounds, Height, Objects, Seed, Width};
        use FormError::{NotANumber, NotWhole, TooCrowded, TooLarge, TooSmall, Unknown};
        for (changes, field, trouble, limit) in [
            (json!({"width": null}), Width, NotANumber, None),
            (json!({"width": "wide"}), Width, NotANumber, None),
            (json!({"width": 9.99}), Width, TooSmall, Some(10.0)),
            (json!({"height": -540}), Height, TooSmall, Some(10.0)),
            (json!({"height": 100_001}), Height, TooLarge, Some(100_000.0)),
            (json!({"objects": 0}), Objects, TooSmall, Some(1.0)),
            (json!({"objects": 10_000_000}), Objects, TooLarge, Some(200_000.0)),
            (json!({"objects": 10.5}), Objects, NotWhole, None),
            (json!({"objects": 200_000}), Objects, TooCrowded, Some(45_546.0)),
            (json!({"bounds": "sphere"}), Bounds, Unknown, None),
            (json!({"bounds": 3}), Bounds, Unknown, None),
            (json!({"seed": -1}), Seed, TooSmall, Some(0.0)),
            (json!({"seed": 4_294_967_296_u64}), Seed, TooLarge, Some(4_294_967_295.0)),
            (json!({"seed": 0.5}), Seed, NotWhole, None),
        ] {
            assert_rejected(&changes, field, trouble, limit);
        }
    }

    #[test]
    fn invalid_sizes_and_speeds_are_rejected_with_their_field() {
        use Field::{MaxSize, MaxSpeed, MinSize, MinSpeed};
        use FormError::{BelowMinimum, LargerThanWorld, TooLarge, TooSmall};
        for (changes, field, trouble, limit) in [
            (json!({"minSize": 0}), MinSize, TooSmall, Some(0.1)),
            (json!({"minSize": 20}), MaxSize, BelowMinimum, Some(20.0)),
            (json!({"maxSize": 541}), MaxSize, LargerThanWorld, Some(540.0)),
            (json!({"maxSize": 1e9}), MaxSize, TooLarge, Some(100_000.0)),
            (json!({"minSpeed": -1}), MinSpeed, TooSmall, Some(0.0)),
            (json!({"minSpeed": 80.5}), MaxSpeed, BelowMinimum, Some(80.5)),
            (json!({"maxSpeed": 1e39}), MaxSpeed, TooLarge, Some(100_000.0)),
        ] {
            assert_rejected(&changes, field, trouble, limit);
        }
    }

    #[test]
    fn invalid_techniques_and_cell_sizes_are_rejected_with_their_field() {
        use Field::{CellSize, Technique};
        use FormError::{LargerThanWorld, NotANumber, TooManyCells, TooSmall, Unknown};
        let cell = |technique: &str, size: Value| json!({"technique": technique, "cellSize": size});
        for (changes, field, trouble, limit) in [
            (json!({"technique": "magic"}), Technique, Unknown, None),
            (json!({"technique": "sweep-z"}), Technique, Unknown, None),
            (json!({"technique": null}), Technique, Unknown, None),
            (cell("grid", 961.into()), CellSize, LargerThanWorld, Some(960.0)),
            (cell("grid", Value::Null), CellSize, NotANumber, None),
            (cell("grid", 0.01.into()), CellSize, TooSmall, Some(0.1)),
            (cell("study-grid", 0.into()), CellSize, TooSmall, Some(0.1)),
            (cell("study-grid", 0.5.into()), CellSize, TooManyCells, Some(0.721)),
        ] {
            assert_rejected(&changes, field, trouble, limit);
        }
    }

    #[test]
    fn each_invalid_field_is_listed_once() {
        assert_eq!(check("{}").problems.len(), 10, "without a technique, cells are not required");
        for text in ["", "7", "[]", r#"{"colour":"red"}"#] {
            let (field, problem) = (Field::Parameters, FormError::Unknown);
            assert_eq!(check(text).problems, [FieldError { field, problem, limit: None }]);
        }
    }

    #[test]
    fn problems_are_written_as_json() {
        assert_eq!(
            check(&with(&json!({"minSize": 20, "seed": 0.5}))).to_json(),
            r#"{"problems":[{"field":"maxSize","problem":"below-minimum","limit":20},{"field":"seed","problem":"not-whole"}]}"#
        );
        assert_eq!(check(&with(&json!({}))).to_json(), r#"{"problems":[]}"#);
    }

    /// The limit of a crowded world is the largest accepted number of objects.
    #[test]
    fn object_limit_is_the_largest_accepted_count() {
        let crowded = |objects: u32| check(&with(&json!({"objects": objects}))).problems.len();
        assert_eq!((crowded(45_546), crowded(45_547)), (0, 1));
    }

    /// Regression: the limit was a number of cells, but the form shows a size.
    #[test]
    fn cell_size_limit_is_the_smallest_accepted_size() {
        for [width, height] in [[960, 540], [100_000, 100_000], [100_000, 10], [333, 7777]] {
            let problems = |cell_size: f64| {
                let world = json!({"width": width, "height": height, "minSize": 1, "maxSize": 1,
                    "technique": "study-grid", "cellSize": cell_size});
                check(&with(&world)).problems
            };
            let limit = problems(0.1)[0].limit.unwrap();
            assert_eq!(problems(limit), [], "{width} × {height}: {limit} is taken");
            assert_eq!(problems(limit - 0.001).len(), 1, "{width} × {height}: {limit}");
        }
    }

    #[test]
    fn unused_cell_size_is_ignored() {
        for technique in techniques::all() {
            let accepted = |cell_size: f64| {
                let changes = json!({"technique": technique.name(), "cellSize": cell_size});
                check(&with(&changes)).problems.is_empty()
            };
            assert!(accepted(24.0));
            assert_eq!(accepted(1e6), !technique.has_cell_size(), "{}", technique.name());
            assert_eq!(accepted(0.0), technique != PairStructure::GoncalesGrid);
        }
    }

    /// A study can repeat every world that the page accepts.
    #[test]
    fn worlds_at_the_limits_are_valid_for_a_study() {
        for (side, objects) in [(SIDE[0], OBJECTS[0]), (SIDE[1], OBJECTS[1])] {
            let (size, [min_speed, max_speed]) = (SIZE[0] as f32, SPEED.map(|speed| speed as f32));
            let world = Parameters {
                width: side as f32,
                height: side as f32,
                objects: objects as u32,
                min_size: size,
                max_size: size,
                min_speed,
                max_speed,
                ..FIRST_SCENE
            };
            assert_eq!(world.scene().check_world(), Ok(()));
        }
    }
}
