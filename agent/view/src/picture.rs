//! A picture: values under names that a person reads and a program finds.

use serde_json::Value;

use crate::Table;

/// One value of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureField {
    /// Its name for a program; the unit of its number is its end.
    pub key: String,
    /// Its name for a person; `None` where only programs are told.
    pub label: Option<&'static str>,
    pub words: String,
    pub json: Value,
}

/// Something a person looks at. Made with [`picture!`](crate::picture!), which takes the units from the types.
pub trait Picture {
    /// The columns that a list of these has.
    const COLUMNS: &'static [&'static str];

    /// The names a program finds everything by, in order.
    fn keys() -> Vec<String>;

    /// Everything in it, in order.
    fn fields(&self) -> Vec<PictureField>;

    /// The whole, for a program.
    fn object(&self) -> Value {
        self.fields().into_iter().map(|field| (field.key, field.json)).collect()
    }

    /// What a person is told of it: a row for each value.
    fn rows(&self) -> Vec<Vec<String>> {
        let told = |field: PictureField| Some(vec![field.label?.to_owned(), field.words]);
        self.fields().into_iter().filter_map(told).collect()
    }

    /// The same under a heading.
    fn table(&self, heading: &str) -> Table {
        Table { heading: heading.to_owned(), rows: self.rows() }
    }

    /// The same without what there is nothing to tell of.
    fn known(&self, heading: &str) -> Table {
        let told =
            |field: PictureField| Some(vec![field.label.filter(|_| !is_nothing(&field.json))?.to_owned(), field.words]);
        Table { heading: heading.to_owned(), rows: self.fields().into_iter().filter_map(told).collect() }
    }

    /// This and another as one object, for a program.
    fn with(&self, more: &impl Picture) -> Value {
        let fields = self.fields().into_iter().chain(more.fields());
        fields.map(|field| (field.key, field.json)).collect()
    }
}

/// Nothing to tell.
impl Picture for () {
    const COLUMNS: &'static [&'static str] = &[];

    fn keys() -> Vec<String> {
        Vec::new()
    }

    fn fields(&self) -> Vec<PictureField> {
        Vec::new()
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Some columns of many of a kind, by their names for a person, in that order.
pub fn columns_of<P: Picture>(heading: &str, pictures: &[P], columns: &[&'static str]) -> Table {
    let cells = |picture: &P| {
        let fields = picture.fields();
        let cell =
            |column: &&str| fields.iter().find(|field| field.label == Some(*column)).map(|field| field.words.clone());
        columns.iter().filter_map(cell).collect()
    };
    let names = columns.iter().map(|name| (*name).to_owned()).collect();
    Table { heading: heading.to_owned(), rows: std::iter::once(names).chain(pictures.iter().map(cells)).collect() }
}

/// Many of a kind as one table, a row for each under the names of the columns.
pub fn table_of<P: Picture>(heading: &str, pictures: &[P]) -> Table {
    columns_of(heading, pictures, P::COLUMNS)
}

/// Many of a kind as comma-separated values. Spreadsheets and tax advisers reckon in whole USDC, so amounts are told so here.
pub fn csv_of<P: Picture>(pictures: &[P]) -> String {
    let names: Vec<String> = P::keys().iter().map(|key| key.replace("_usdc_micros", "_usdc")).collect();
    let row = |picture: &P| picture.fields().iter().map(cell).collect::<Vec<_>>();
    let lines = std::iter::once(names).chain(pictures.iter().map(row));
    lines.map(|cells| cells.join(",") + "\n").collect()
}

fn cell(field: &PictureField) -> String {
    match &field.json {
        Value::Null => String::new(),
        Value::Number(micros) if field.key.ends_with("_usdc_micros") => decimal(micros.as_i64().unwrap_or(i64::MAX)),
        Value::String(text) if text.bytes().all(is_plain) => text.clone(),
        // Words may hold what a spreadsheet would take for a cell, a quote or a formula.
        Value::String(text) => format!("\"{}\"", text.replace('"', "'").replace(['\n', '\r'], " ")),
        other => other.to_string(),
    }
}

const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b':' | b'-' | b'_')
}

/// Micro-USDC as a number that spreadsheets read.
fn decimal(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    format!("{sign}{}.{:06}", micros.unsigned_abs() / 1_000_000, micros.unsigned_abs() % 1_000_000)
}

/// Defines pictures: `name: Type = "label"` is told to both, `name: Type` to programs alone. The key ends in the unit of the
/// type. A picture of one unit says it once, `struct Credits in "usdc_micros"`: then it stands at the end of the name of the
/// whole, and its parts have bare names.
#[macro_export]
macro_rules! picture {
    ($(
        $(#[$about:meta])*
        $visible:vis struct $name:ident $(in $unit:literal)? {
            $( $(#[$of:meta])* $field:ident : $type:ty $(= $label:literal)? ),* $(,)?
        }
    )*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq)]
        $visible struct $name {
            $( $(#[$of])* pub $field: $type, )*
        }

        impl $crate::Picture for $name {
            const COLUMNS: &'static [&'static str] = &[$( $($label,)? )*];

            fn keys() -> Vec<String> {
                let is_of_one_unit = !<Self as $crate::Shown>::UNIT.is_empty();
                vec![$( $crate::key_of::<$type>(stringify!($field), is_of_one_unit), )*]
            }

            fn fields(&self) -> Vec<$crate::PictureField> {
                let mut keys = <Self as $crate::Picture>::keys().into_iter();
                vec![$( $crate::PictureField {
                    key: keys.next().unwrap_or_default(),
                    label: [$( $label, )? ""].into_iter().find(|label| !label.is_empty()),
                    words: $crate::Shown::words(&self.$field),
                    json: $crate::Shown::json(&self.$field),
                }, )*]
            }
        }

        impl $crate::Shown for $name {
            $( const UNIT: &'static str = $unit; )?

            fn words(&self) -> String {
                let told = |row: Vec<String>| row.join(" ");
                $crate::Picture::rows(self).into_iter().map(told).collect::<Vec<_>>().join(", ")
            }

            fn json(&self) -> $crate::Value {
                $crate::Picture::object(self)
            }
        }
    )*};
}

/// The name of a field for a program.
#[doc(hidden)]
#[must_use]
pub fn key_of<T: crate::Shown>(name: &str, is_of_one_unit: bool) -> String {
    // A key that is a word of Rust's, such as `do`.
    let name = name.strip_prefix("r#").unwrap_or(name);
    if T::UNIT.is_empty() || is_of_one_unit { name.to_owned() } else { format!("{name}_{}", T::UNIT) }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Usdc;
    use serde_json::json;

    use super::*;
    use crate::{Gain, Seconds, Wei};

    picture! {
        /// Parts of one unit.
        struct Parts in "usdc_micros" { gas: Usdc = "gas", data: Usdc = "data" }

        /// One of each.
        struct Sample {
            name: &'static str = "called",
            parts: Parts,
            made: Option<Gain> = "made",
            key: Wei = "key",
            silent: Seconds = "silent for",
            noted: Option<Usdc>,
            r#do: bool,
        }
    }

    fn sample() -> Sample {
        let parts = Parts { gas: Usdc::whole(1), data: Usdc::from_micros(5) };
        let key = Wei(10_u128.pow(18) * 20);
        Sample { name: "ada", parts, made: Some(Gain(-250_000)), key, silent: Seconds(7_200), noted: None, r#do: true }
    }

    /// O-002: every number's key says its unit, once; what outgrows JSON's numbers is text.
    #[test]
    fn o_002_a_number_says_its_unit_in_its_key() {
        let expected = json!({
            "name": "ada", "parts_usdc_micros": { "gas": 1_000_000, "data": 5 }, "made_usdc_micros": -250_000,
            "key_wei": "20000000000000000000", "silent_seconds": 7_200, "noted_usdc_micros": null, "do": true,
        });
        assert_eq!(sample().object(), expected);
    }

    /// O-002: a spreadsheet reads USDC as decimals, and what could be taken for a formula or a cell is quoted.
    #[test]
    fn o_002_a_spreadsheet_reads_decimals_and_quoted_words() {
        picture! {
            /// One row.
            struct Row { said: String, made: Gain, cost: Option<Usdc> }
        }
        let row = Row { said: "=cmd(\"x\"),\n1".to_owned(), made: Gain(-1), cost: None };
        assert_eq!(csv_of::<Row>(&[]), "said,made_usdc,cost_usdc\n");
        assert_eq!(csv_of(&[row]), "said,made_usdc,cost_usdc\n\"=cmd('x'), 1\",-0.000001,\n");
        assert_eq!([decimal(1_500_000), decimal(0)], ["1.500000", "0.000000"]);
    }

    /// O-004: a person reads the same values in words, and what has no label is for programs.
    #[test]
    fn o_004_a_person_reads_the_same_values_in_words() {
        let rows = sample().rows();
        let told: Vec<_> = rows.iter().map(|row| row.join(": ")).collect();
        assert_eq!(told, ["called: ada", "made: -0.25 USDC", "key: 20.000000 ether", "silent for: 2 hours"]);
        let list = table_of("Some", &[sample()]);
        assert_eq!(list.rows[0], ["called", "made", "key", "silent for"]);
        assert_eq!(list.rows[1].len(), 4);
    }
}
