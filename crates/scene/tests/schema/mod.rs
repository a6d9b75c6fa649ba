//! Validator for the part of JSON Schema draft 2020-12 that `docs/scene.schema.json` uses; an
//! unknown keyword is an error.

use serde_json::Value;

/// Violations of the schema by `document`.
pub(crate) fn faults(schema: &Value, document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, schema, document, "", &mut faults);
    faults
}

fn obeys(root: &Value, schema: &Value, document: &Value) -> bool {
    let mut faults = Vec::new();
    check(root, schema, document, "", &mut faults);
    faults.is_empty()
}

fn check(root: &Value, schema: &Value, document: &Value, at: &str, faults: &mut Vec<String>) {
    let words = match schema {
        Value::Bool(true) => return,
        Value::Object(words) => words,
        _ => return faults.push(format!("{at}: nothing is allowed here")),
    };
    for (word, rule) in words {
        let holds = match word.as_str() {
            "$schema" | "title" | "description" | "default" | "deprecated" | "$defs" => true,
            "$ref" => {
                let target = rule.as_str().unwrap().strip_prefix('#').unwrap();
                check(root, root.pointer(target).unwrap(), document, at, faults);
                true
            }
            "type" => match rule {
                Value::Array(names) => {
                    names.iter().any(|name| is_of_type(name.as_str().unwrap(), document))
                }
                name => is_of_type(name.as_str().unwrap(), document),
            },
            "enum" => rule.as_array().unwrap().contains(document),
            "const" => rule == document,
            "minimum" => number(document).is_none_or(|value| value >= rule.as_f64().unwrap()),
            "maximum" => number(document).is_none_or(|value| value <= rule.as_f64().unwrap()),
            "exclusiveMinimum" => {
                number(document).is_none_or(|value| value > rule.as_f64().unwrap())
            }
            "minLength" => {
                document.as_str().is_none_or(|text| text.len() as u64 >= rule.as_u64().unwrap())
            }
            "minItems" => {
                document.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap())
            }
            "maxItems" => {
                document.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap())
            }
            "items" => {
                for (number, item) in document.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{at}/{number}"), faults);
                }
                true
            }
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(value) = document.get(key) {
                        check(root, rule, value, &format!("{at}/{key}"), faults);
                    }
                }
                true
            }
            "required" => document.as_object().is_none_or(|object| {
                rule.as_array()
                    .unwrap()
                    .iter()
                    .all(|key| object.contains_key(key.as_str().unwrap()))
            }),
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false));
                let known = words["properties"].as_object().unwrap();
                document
                    .as_object()
                    .is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
            }
            "oneOf" => {
                let rules = rule.as_array().unwrap().iter();
                rules.filter(|rule| obeys(root, rule, document)).count() == 1
            }
            "allOf" => rule.as_array().unwrap().iter().all(|rule| obeys(root, rule, document)),
            "anyOf" => rule.as_array().unwrap().iter().any(|rule| obeys(root, rule, document)),
            "not" => !obeys(root, rule, document),
            other => panic!("the schema says {other}, which this test does not know"),
        };
        if !holds {
            faults.push(format!("{at}: against {word}"));
        }
    }
}

fn number(document: &Value) -> Option<f64> {
    document.as_f64()
}

fn is_of_type(name: &str, document: &Value) -> bool {
    match name {
        "object" => document.is_object(),
        "array" => document.is_array(),
        "string" => document.is_string(),
        "number" => document.is_number(),
        "integer" => document.as_f64().is_some_and(|value| value.fract() == 0.0),
        "boolean" => document.is_boolean(),
        other => panic!("the schema names the type {other}"),
    }
}
