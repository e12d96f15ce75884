//! The shape of an answer: told to the provider as JSON Schema, and checked here whatever the provider promised.
//!
//! Checked by hand: the port's schema has six closed shapes, and a library for all of JSON Schema would bring remote
//! references and regular expressions to a place that reads hostile text.

use golem_ports::{Schema, SchemaField};
use serde_json::{Map, Value, json};

use crate::text;

/// As JSON Schema, in the subset every provider takes.
pub(crate) fn to_json(schema: &Schema) -> Value {
    match schema {
        Schema::Object(fields) => {
            let properties: Map<_, _> = fields.iter().map(|field| (field.name.to_owned(), property(field))).collect();
            let required: Vec<_> = fields.iter().map(|field| field.name).collect();
            json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
        }
        Schema::List { item, most } => json!({
            "type": "array", "items": to_json(item), "description": format!("At most {most}."),
        }),
        Schema::Text { most_chars } => json!({
            "type": "string", "description": format!("At most {most_chars} characters."),
        }),
        Schema::Whole { least, most } => json!({
            "type": "integer", "description": format!("From {least} to {most}."),
        }),
        Schema::Index { count } => json!({ "type": "integer", "enum": (0..*count).collect::<Vec<_>>() }),
        Schema::Word(words) => json!({ "type": "string", "enum": words }),
    }
}

fn property(field: &SchemaField) -> Value {
    let mut property = to_json(&field.schema);
    let bound = property.get("description").and_then(Value::as_str).map(|bound| format!(" {bound}"));
    property["description"] = format!("{}{}", field.meaning, bound.unwrap_or_default()).into();
    property
}

/// What was said, in exactly the schema's shape, stripped and bounded; or a complaint in our words, none of the model's.
pub(crate) fn check(schema: &Schema, said: &Value) -> Result<Value, String> {
    fit(schema, said, "the answer")
}

fn fit(schema: &Schema, said: &Value, place: &str) -> Result<Value, String> {
    match (schema, said) {
        (Schema::Object(fields), Value::Object(map)) => object(fields, map, place),
        (Schema::List { item, most }, Value::Array(items)) if items.len() <= *most => {
            items.iter().map(|said| fit(item, said, &format!("an item of {place}"))).collect()
        }
        (Schema::List { most, .. }, _) => Err(format!("{place} must be a list of at most {most}")),
        (Schema::Text { most_chars }, Value::String(words)) => Ok(text::line(words, *most_chars).into()),
        (Schema::Text { .. }, _) => Err(format!("{place} must be text")),
        (Schema::Whole { least, most }, said) => match said.as_i64() {
            Some(number) if (*least..=*most).contains(&number) => Ok(number.into()),
            _ => Err(format!("{place} must be a whole number from {least} to {most}")),
        },
        (Schema::Index { count }, said) => match said.as_u64() {
            Some(index) if index < u64::from(*count) => Ok(index.into()),
            _ => Err(format!("{place} must be one of the numbers 0 to {}", count.saturating_sub(1))),
        },
        (Schema::Word(words), said) => match said.as_str() {
            Some(word) if words.contains(&word) => Ok(word.into()),
            _ => Err(format!("{place} must be one of: {}", words.join(", "))),
        },
        (Schema::Object(_), _) => Err(format!("{place} must be an object")),
    }
}

fn object(fields: &[SchemaField], map: &Map<String, Value>, place: &str) -> Result<Value, String> {
    if map.keys().any(|key| !fields.iter().any(|field| field.name == key)) {
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        return Err(format!("{place} has a field nobody asked for; only these are known: {}", names.join(", ")));
    }
    let mut fitted = Map::new();
    for field in fields {
        let said = map.get(field.name).ok_or_else(|| format!("{place} lacks {:?}", field.name))?;
        fitted.insert(field.name.to_owned(), fit(&field.schema, said, &format!("{:?}", field.name))?);
    }
    Ok(fitted.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Schema {
        let field = |name, schema| SchemaField { name, meaning: "Meant.", schema };
        Schema::Object(vec![
            field("choice", Schema::Index { count: 3 }),
            field("why", Schema::Text { most_chars: 5 }),
            field("mood", Schema::Word(&["calm", "wary"])),
            field("sure", Schema::Whole { least: 0, most: 100 }),
            field("list", Schema::List { item: Box::new(Schema::Index { count: 2 }), most: 2 }),
        ])
    }

    fn with(field: &str, value: Value) -> Value {
        let mut said = json!({ "choice": 2, "why": "ab\u{7}cdefg", "mood": "wary", "sure": 100, "list": [1, 0] });
        said[field] = value;
        said
    }

    /// what fits is taken over stripped and cut; each thing that does not fit is named by its place.
    #[test]
    fn r_032_answers_fit_or_are_refused_by_place() {
        let fitted = check(&schema(), &with("choice", json!(0))).expect("it fits");
        assert_eq!(fitted, json!({ "choice": 0, "why": "abcde", "mood": "wary", "sure": 100, "list": [1, 0] }));
        for (field, value, says) in [
            ("choice", json!(3), "\"choice\" must be one of the numbers 0 to 2"),
            ("choice", json!(-1), "\"choice\""),
            ("choice", json!(1.0), "\"choice\""),
            ("choice", json!("1"), "\"choice\""),
            ("choice", json!(18_446_744_073_709_551_615_u64), "\"choice\""),
            ("choice", Value::Null, "\"choice\""),
            ("why", json!(["x"]), "\"why\" must be text"),
            ("mood", json!("angry"), "must be one of: calm, wary"),
            ("sure", json!(101), "from 0 to 100"),
            ("sure", json!(0.5), "from 0 to 100"),
            ("list", json!([0, 1, 0]), "a list of at most 2"),
            ("list", json!([2]), "an item of \"list\""),
            ("to_address", json!("0xdead"), "a field nobody asked for"),
        ] {
            let complaint = check(&schema(), &with(field, value.clone())).expect_err(field);
            assert!(complaint.contains(says), "{field} {value}: {complaint}");
            assert!(!complaint.contains("0xdead") && !complaint.contains("to_address"), "{complaint}");
        }
        assert!(check(&schema(), &json!({ "choice": 0 })).expect_err("short").contains("lacks \"why\""));
        assert!(check(&schema(), &json!([])).expect_err("a list").contains("must be an object"));
    }

    /// the schema a provider gets is closed, every field required, an index an enumeration.
    #[test]
    fn r_032_the_schema_told_is_closed() {
        insta::assert_json_snapshot!(to_json(&schema()));
    }
}
