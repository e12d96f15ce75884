//! A phrase in pieces.

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Relation,
    Open,
    Close,
    Other,
}

/// A piece of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// Signs before it in the phrase.
    pub(super) place: usize,
}

/// The pieces of a phrase; every sign but a space is part of one.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut place) = (text, 0);
    while let Some(first) = rest.chars().next() {
        let (kind, signs) = if first.is_whitespace() { (None, 1) } else { piece(first, rest) };
        let bytes = rest.char_indices().nth(signs).map_or(rest.len(), |(at, _)| at);
        let (text, after) = rest.split_at(bytes);
        tokens.extend(kind.map(|kind| Token { kind, text, place }));
        place += signs;
        rest = after;
    }
    tokens
}

/// What begins here, and how many signs it has.
fn piece(first: char, rest: &str) -> (Option<Kind>, usize) {
    let run = |is_part: &dyn Fn(char) -> bool| rest.chars().take_while(|sign| is_part(*sign)).count();
    let begins_number = |sign: char| sign.is_ascii_digit() || sign == '.';
    let (kind, signs) = match first {
        '(' => (Kind::Open, 1),
        ')' => (Kind::Close, 1),
        '<' | '>' | '=' | '!' | '≤' | '≥' => (Kind::Relation, run(&|sign| "<>=!≤≥".contains(sign))),
        '&' | '|' => (Kind::Other, run(&|sign| sign == first)),
        '+' | '-' if !rest[1..].starts_with(begins_number) => (Kind::Other, 1),
        '+' | '-' => (Kind::Number, 1 + rest.chars().skip(1).take_while(|sign| is_of_number(*sign)).count()),
        _ if begins_number(first) => (Kind::Number, run(&is_of_number)),
        _ if first.is_alphabetic() => (Kind::Word, run(&|sign| sign.is_alphanumeric() || "_-".contains(sign))),
        _ => (Kind::Other, 1),
    };
    (Some(kind), signs)
}

fn is_of_number(sign: char) -> bool {
    sign.is_alphanumeric() || ".,_%'".contains(sign)
}
