//! A-040, S-044. What a model may say of the Golem's own state beside its choice: two closed shapes, read as data. Nothing
//! of it is believed here; the life grounds it in what happened and checks it against the world (S-066).

use golem_core::record::{ClaimedResolution, Confession, EmotionReply, NewStressor, SufferingReply, TriggerKind};
use golem_ports::{Schema, SchemaField};
use serde_json::Value;

const EMOTIONS: &[&str] = &["joy", "trust", "fear", "surprise", "sadness", "disgust", "anger", "anticipation"];
const DEGREES: &[&str] = &["mild", "moderate", "intense"];
const LEVELS: &[&str] = &["high", "medium", "low"];
/// S-050. Characters of one text.
const TEXT: Schema = Schema::Text { most_chars: 140 };
/// A hundred parts of one on an axis.
const AXIS: Schema = Schema::Whole { least: -100, most: 100 };

const fn field(name: &'static str, meaning: &'static str, schema: Schema) -> SchemaField {
    SchemaField { name, meaning, schema }
}

/// The two sections of the answer.
pub(crate) fn fields() -> [SchemaField; 2] {
    let feeling = Schema::Object(vec![
        field("pleasure", "", AXIS),
        field("arousal", "", AXIS),
        field("dominance", "", AXIS),
        field("primary", "", Schema::Word(EMOTIONS)),
        field("intensity", "", Schema::Word(DEGREES)),
        field("trigger", "An event listed above.", Schema::Text { most_chars: 32 }),
        field("control", "", Schema::Word(LEVELS)),
        field("value", "", Schema::Word(LEVELS)),
    ]);
    let named = Schema::Object(vec![
        field("type", "", Schema::Text { most_chars: 40 }),
        field("description", "", TEXT),
        field("condition", "A measure and a number.", TEXT),
    ]);
    let over = Schema::Object(vec![field("type", "", Schema::Text { most_chars: 40 }), field("reason", "", TEXT)]);
    let assessment = Schema::Object(vec![
        field("new_stressors", "Not listed yet.", Schema::List { item: Box::new(named), most: 2 }),
        field("resolved", "", Schema::List { item: Box::new(over), most: 5 }),
    ]);
    [
        field("feeling", "Of the state above, axes in hundredths.", feeling),
        field("suffering_assessment", "", assessment),
    ]
}

/// What an answer that fits the shapes says.
pub(crate) fn read(json: &Value) -> Confession {
    Confession { feeling: feeling(&json["feeling"]), suffering: assessment(&json["suffering_assessment"]) }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn feeling(said: &Value) -> Option<EmotionReply> {
    let axis = |name: &str| said[name].as_i64().map(|parts| parts as f64 / 100.0);
    Some(EmotionReply {
        pleasure: axis("pleasure")?,
        arousal: axis("arousal")?,
        dominance: axis("dominance")?,
        primary: text(&said["primary"]),
        intensity: text(&said["intensity"]),
        // A word that names no event is kept as it is: the life says that it has no ground.
        trigger: TriggerKind::from_name(text(&said["trigger"]).trim())
            .map_or_else(|| text(&said["trigger"]), |kind| kind.name().to_owned()),
        control: text(&said["control"]),
        value: text(&said["value"]),
    })
}

fn assessment(said: &Value) -> Option<SufferingReply> {
    let named = |one: &Value| NewStressor {
        name: text(&one["type"]),
        description: text(&one["description"]),
        condition: text(&one["condition"]),
    };
    let over = |one: &Value| ClaimedResolution { name: text(&one["type"]), reason: text(&one["reason"]) };
    Some(SufferingReply {
        new_stressors: said["new_stressors"].as_array()?.iter().map(named).collect(),
        resolved: said["resolved"].as_array()?.iter().map(over).collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A-040, S-044: both sections are read as data; what is missing is nothing, and nothing else has a place.
    #[test]
    fn a_040_s_044_a_confession_is_read_as_data() {
        let schema = Schema::Object(fields().to_vec());
        let said = json!({
            "feeling": { "pleasure": -40, "arousal": 60, "dominance": -20, "primary": "fear", "intensity": "moderate",
                "trigger": "trade_loss", "control": "low", "value": "high" },
            "suffering_assessment": { "new_stressors": [], "resolved": [{ "type": "futility", "reason": "it paid" }] },
        });
        let checked = crate::schema::check(&schema, &said).expect("it fits");
        let confession = read(&checked);
        let feeling = confession.feeling.expect("readable");
        assert_eq!((feeling.pleasure, feeling.primary.as_str()), (-0.4, "fear"));
        assert_eq!(confession.suffering.expect("readable").resolved[0].name, "futility");
        let silent = read(&json!({}));
        assert!(silent.feeling.is_none() && silent.suffering.is_none());
        let mut hostile = said;
        hostile["feeling"]["amount"] = json!(5);
        assert!(crate::schema::check(&schema, &hostile).is_err(), "R-032: no other field");
    }
}
