//! Law that no life reaches.
//!
//! A graph of names over the sources of `agent/`, without tests and without the simulator, begun at the command line: an
//! item is reached when a reached item says its name. A method also needs its type said; what implements a foreign trait is
//! reached with its type; what implements one of ours, when the trait is said too. A name that stands for
//! several things counts for all of them, so what is called unreached surely is, and more may be.
//!
//! What waits for a part of a life that is still to be built stands in `scripts/xtask/unreached.txt`, under that part. The
//! list may only shrink: an unreached item that is not on it is a complaint, and so is one on it that is reached or gone.

use std::collections::{BTreeMap, BTreeSet};

use eyre::{Result, WrapErr, eyre};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::repo;

const LIST: &str = "scripts/xtask/unreached.txt";
/// Where a life begins: every command a person can type.
const ROOT: &str = "agent/cli/src/main.rs";
/// Rooms that no life is lived in.
const OUTSIDE: [&str; 1] = ["agent/sim/"];

pub(crate) fn problems() -> Result<Vec<String>> {
    let mut sources = BTreeMap::new();
    for path in repo::files()?.into_iter().filter(|path| is_source(path)) {
        if let Some(text) = repo::text(&path) {
            sources.insert(path, text);
        }
    }
    let listed = repo::text(LIST).unwrap_or_default();
    let lines = listed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(compare(&unreached(&sources, ROOT)?, &lines.collect()))
}

fn is_source(path: &str) -> bool {
    let is_rust = path.starts_with("agent/") && path.contains("/src/") && path.ends_with(".rs");
    let is_test = path.contains("/tests/") || path.ends_with("/tests.rs");
    is_rust && !is_test && !OUTSIDE.iter().any(|room| path.starts_with(room))
}

fn compare(found: &BTreeSet<String>, listed: &BTreeSet<&str>) -> Vec<String> {
    let fresh = found.iter().filter(|item| !listed.contains(item.as_str()));
    let fresh = fresh.map(|item| format!("no life reaches `{item}`: wire it or take it out"));
    let gone = listed.iter().filter(|item| !found.contains(**item));
    fresh.chain(gone.map(|item| format!("`{item}` is reached or gone: take it off {LIST}"))).collect()
}

/// Every item of these files, by path, that is not reached from the items of `root`, as the list writes it.
fn unreached(sources: &BTreeMap<String, String>, root: &str) -> Result<BTreeSet<String>> {
    let mut graph = Graph::default();
    for (path, text) in sources {
        let tokens: TokenStream = text.parse().map_err(|error| eyre!("{path} is no Rust: {error}")).wrap_err("tidy")?;
        graph.path.clone_from(path);
        graph.read(tokens, None);
    }
    let test_only = std::mem::take(&mut graph.test_only);
    graph.items.retain(|item| !test_only.contains(&item.path));
    let missed = graph.missed(root);
    Ok(missed.into_iter().map(Item::line).collect())
}

/// What an item belongs to.
#[derive(Clone)]
struct Owner {
    /// The type that is implemented.
    of: String,
    /// The trait it is implemented for it, if any.
    by: Option<String>,
    /// Every name in the head of the `impl`.
    says: BTreeSet<String>,
}

struct Item {
    path: String,
    kind: &'static str,
    name: String,
    owner: Option<Owner>,
    says: BTreeSet<String>,
}

impl Item {
    fn line(&self) -> String {
        let owner = self.owner.as_ref().map(|owner| format!("{}::", owner.of)).unwrap_or_default();
        format!("{} {} {owner}{}", self.path, self.kind, self.name)
    }

    const fn is_type(&self) -> bool {
        matches!(self.kind.as_bytes(), b"struct" | b"enum" | b"union" | b"trait" | b"type" | b"words")
    }
}

#[derive(Default)]
struct Graph {
    /// The file that is read.
    path: String,
    items: Vec<Item>,
    /// What a `use` calls by another name: the other name to its own.
    aliases: BTreeMap<String, BTreeSet<String>>,
    /// Names that are said where no item is.
    said: BTreeSet<String>,
    /// Files of modules that only tests have.
    test_only: BTreeSet<String>,
}

impl Graph {
    /// What no chain of names leads to.
    fn missed(&self, root: &str) -> Vec<&Item> {
        let types: BTreeSet<&str> =
            self.items.iter().filter(|item| item.is_type()).map(|item| item.name.as_str()).collect();
        let mut said = BTreeSet::new();
        let mut waiting: Vec<&Item> = self.items.iter().collect();
        self.say(&self.said, &mut said);
        loop {
            let (reached, rest): (Vec<&Item>, Vec<&Item>) =
                waiting.iter().partition(|item| item.path == root || is_reached(item, &types, &said));
            if reached.is_empty() {
                return rest;
            }
            for item in reached {
                self.say(&item.says, &mut said);
                if let Some(owner) = &item.owner {
                    self.say(&owner.says, &mut said);
                }
            }
            waiting = rest;
        }
    }

    /// Says names, and what they are other names of.
    fn say<'a>(&'a self, names: &'a BTreeSet<String>, said: &mut BTreeSet<&'a str>) {
        for name in names {
            if said.insert(name)
                && let Some(own) = self.aliases.get(name)
            {
                self.say(own, said);
            }
        }
    }

    /// Reads the items of a file, a module or an `impl`.
    fn read(&mut self, tokens: TokenStream, owner: Option<&Owner>) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = trees.as_slice();
        while !rest.is_empty() {
            rest = self.read_one(rest, owner);
        }
    }

    /// Reads one item and answers what follows it.
    fn read_one<'a>(&mut self, mut rest: &'a [TokenTree], owner: Option<&Owner>) -> &'a [TokenTree] {
        let mut attributes = BTreeSet::new();
        let mut is_test = false;
        while let [TokenTree::Punct(sign), after @ ..] = rest
            && sign.as_char() == '#'
        {
            let after = if after.first().is_some_and(|tree| is_sign(tree, '!')) { &after[1..] } else { after };
            let [TokenTree::Group(group), after @ ..] = after else { return after };
            is_test |= is_for_tests(group);
            if !is_comment(group) {
                names(group.stream(), true, &mut attributes);
            }
            rest = after;
        }
        if word(rest.first()).as_deref() == Some("pub") {
            rest = &rest[1..];
            if let Some(TokenTree::Group(group)) = rest.first()
                && group.delimiter() == Delimiter::Parenthesis
            {
                rest = &rest[1..];
            }
        }
        let Some((kind, at)) = kind(rest) else { return rest.get(1..).unwrap_or_default() };
        let end = end(kind, rest);
        let (whole, after) = rest.split_at(end);
        if is_test {
            if let ("mod", Some(name)) = (kind, word(whole.get(at + 1)))
                && whole.last().is_some_and(|tree| is_sign(tree, ';'))
            {
                self.test_only.extend(files_of(&self.path, &name));
            }
            return after;
        }
        let body = || whole.iter().rev().find_map(braced);
        match kind {
            "use" => self.read_use(whole),
            "mod" => body().into_iter().for_each(|group| self.read(group.stream(), owner)),
            "impl" => {
                let head = &whole[at + 1..whole.len().saturating_sub(1)];
                let owner = implemented(head);
                body().into_iter().for_each(|group| self.read(group.stream(), Some(&owner)));
            }
            "macro" => {
                // A macro's own items are not seen; what it is given counts as said.
                names(whole.iter().cloned().collect(), false, &mut self.said);
            }
            _ => {
                let place = if kind == "macro_rules" { at + 2 } else { at + 1 };
                let name = if kind == "words" { worded(whole) } else { named(&whole[place.min(whole.len())..]) };
                let Some(name) = name else { return after };
                let mut says = attributes;
                // What `words!` holds are the names it makes, which is no use of them.
                let spoken = if kind == "words" { &whole[..=at] } else { whole };
                names(spoken.iter().cloned().collect(), false, &mut says);
                says.remove(&name);
                self.items.push(Item { path: self.path.clone(), kind, name, owner: owner.cloned(), says });
            }
        }
        after
    }

    /// Other names: `use a::Own as Other`.
    fn read_use(&mut self, whole: &[TokenTree]) {
        let words: Vec<String> = flat(whole);
        for at in 1..words.len().saturating_sub(1) {
            if words[at] == "as" && words[at + 1] != "_" {
                self.aliases.entry(words[at + 1].clone()).or_default().insert(words[at - 1].clone());
            }
        }
    }
}

fn is_reached(item: &Item, types: &BTreeSet<&str>, said: &BTreeSet<&str>) -> bool {
    let is_said = said.contains(item.name.as_str()) || item.name == "_";
    let Some(owner) = &item.owner else { return is_said };
    if types.contains(owner.of.as_str()) && !said.contains(owner.of.as_str()) {
        return false;
    }
    match &owner.by {
        None => is_said,
        Some(by) if !types.contains(by.as_str()) => true,
        Some(by) => said.contains(by.as_str()) && (item.kind != "fn" || is_said),
    }
}

/// What kind of item begins here, and how far in its word stands.
fn kind(rest: &[TokenTree]) -> Option<(&'static str, usize)> {
    const KINDS: [&str; 11] =
        ["fn", "struct", "enum", "union", "trait", "type", "static", "mod", "impl", "use", "macro_rules"];
    for (at, tree) in rest.iter().enumerate().take(6) {
        let Some(word) = word(Some(tree)) else {
            // `extern "C" fn`.
            if matches!(tree, TokenTree::Literal(_)) {
                continue;
            }
            return None;
        };
        if word == "const" {
            let next = word_at(rest, at + 1);
            if next.as_deref().is_some_and(|next| ["fn", "unsafe", "async", "extern"].contains(&next)) {
                continue;
            }
            return Some(("const", at));
        }
        // A macro that is called where an item may stand, by its name or by a path.
        if word != "macro_rules" && rest.get(at + 1).is_some_and(|tree| is_sign(tree, '!')) {
            return Some((if word == "words" { "words" } else { "macro" }, at));
        }
        if let Some(kind) = KINDS.iter().find(|kind| **kind == word) {
            return Some((kind, at));
        }
        if !["async", "unsafe", "extern", "default", "auto"].contains(&word.as_str()) {
            let is_path = rest.get(at + 1).is_some_and(|tree| is_sign(tree, ':'));
            return is_path.then_some(("macro", at));
        }
    }
    None
}

/// Where an item ends: behind its body, or behind its `;`.
fn end(kind: &str, rest: &[TokenTree]) -> usize {
    let is_flat = matches!(kind, "const" | "static" | "type" | "use");
    let is_end = |tree: &TokenTree| is_sign(tree, ';') || (!is_flat && braced(tree).is_some());
    rest.iter().position(is_end).map_or(rest.len(), |at| at + 1)
}

/// The head of an `impl`, behind the word: generics, a trait for a type or a type alone.
fn implemented(head: &[TokenTree]) -> Owner {
    let mut says = BTreeSet::new();
    names(head.iter().cloned().collect(), false, &mut says);
    let head = if head.first().is_some_and(|tree| is_sign(tree, '<')) { &head[angled(head)..] } else { head };
    let until = position(head, "where").unwrap_or(head.len());
    let head = &head[..until];
    match position(head, "for") {
        Some(at) => Owner { of: last_of_path(&head[at + 1..]), by: Some(last_of_path(&head[..at])), says },
        None => Owner { of: last_of_path(head), by: None, says },
    }
}

/// Where a word stands outside of angles; not the `for` of `for<'a>`.
fn position(trees: &[TokenTree], wanted: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, tree) in trees.iter().enumerate() {
        depth += turn(trees, at);
        let is_bound = trees.get(at + 1).is_some_and(|next| is_sign(next, '<'));
        if depth == 0 && word(Some(tree)).as_deref() == Some(wanted) && !(wanted == "for" && is_bound) {
            return Some(at);
        }
    }
    None
}

/// How many trees the angles take that these begin with.
fn angled(trees: &[TokenTree]) -> usize {
    let mut depth = 0;
    for at in 0..trees.len() {
        depth += turn(trees, at);
        if depth == 0 {
            return at + 1;
        }
    }
    trees.len()
}

/// One up for `<`, one down for `>`; an arrow is neither.
fn turn(trees: &[TokenTree], at: usize) -> i32 {
    let is_arrow = at > 0 && is_sign(&trees[at - 1], '-');
    i32::from(is_sign(&trees[at], '<')) - i32::from(is_sign(&trees[at], '>') && !is_arrow)
}

/// The last name of the path that these begin with.
fn last_of_path(trees: &[TokenTree]) -> String {
    let mut last = String::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(_) => {
                // A lifetime is a sign and a word.
                let is_lifetime = at > 0 && is_sign(&trees[at - 1], '\'');
                let name = word(Some(tree)).unwrap_or_default();
                if !is_lifetime && !["mut", "dyn", "const"].contains(&name.as_str()) {
                    last = name;
                }
            }
            TokenTree::Punct(sign) if ['&', '\'', ':', '*', '!'].contains(&sign.as_char()) => {}
            _ => break,
        }
    }
    last
}

fn named(trees: &[TokenTree]) -> Option<String> {
    trees.iter().find_map(|tree| word(Some(tree)).filter(|word| word != "mut"))
}

/// The type that `words! { /// Doc. Name { ... } }` makes.
fn worded(whole: &[TokenTree]) -> Option<String> {
    let inside: Vec<TokenTree> = whole.iter().find_map(braced)?.stream().into_iter().collect();
    let at = inside.windows(2).position(|pair| word(pair.first()).is_some() && braced(&pair[1]).is_some())?;
    word(inside.get(at))
}

/// `#[doc = "..."]`, as the compiler reads a comment.
fn is_comment(attribute: &Group) -> bool {
    let trees: Vec<TokenTree> = attribute.stream().into_iter().collect();
    matches!(trees.as_slice(), [TokenTree::Ident(word), _, TokenTree::Literal(_)] if word == "doc")
}

/// Every name in tokens: words, what a text names in braces, and in an attribute what its texts say.
fn names(tokens: TokenStream, is_attribute: bool, into: &mut BTreeSet<String>) {
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(_) => into.extend(word(Some(&tree))),
            // What a comment says is no use of it.
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                if let Some(TokenTree::Group(group)) = trees.peek()
                    && group.delimiter() == Delimiter::Bracket
                {
                    if !is_comment(group) {
                        names(group.stream(), true, into);
                    }
                    trees.next();
                }
            }
            TokenTree::Group(group) => names(group.stream(), is_attribute, into),
            TokenTree::Literal(text) => into.extend(names_in(&text.to_string(), is_attribute)),
            TokenTree::Punct(_) => {}
        }
    }
}

/// The names a text says: `{name}` for a printed one, all of them in an attribute (`with = "module"`).
fn names_in(text: &str, is_attribute: bool) -> Vec<String> {
    if !text.ends_with(['"', '#']) {
        return Vec::new();
    }
    let begins = |at: usize| is_attribute || text[..at].ends_with('{');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find(|sign: char| sign.is_alphabetic() || sign == '_').map(|from| from + at) {
        let rest = &text[begin..];
        let length = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
        if begins(begin) {
            found.push(rest[..length].to_owned());
        }
        at = begin + length;
    }
    found
}

/// All words of trees and of their groups, in order.
fn flat(trees: &[TokenTree]) -> Vec<String> {
    let mut words = Vec::new();
    for tree in trees {
        match tree {
            TokenTree::Group(group) => words.extend(flat(&group.stream().into_iter().collect::<Vec<_>>())),
            _ => words.extend(word(Some(tree))),
        }
    }
    words
}

/// Whether an attribute leaves its item to tests alone: `cfg(test)`, `cfg(all(test, ...))`, `test`.
fn is_for_tests(attribute: &Group) -> bool {
    let words = flat(&attribute.stream().into_iter().collect::<Vec<_>>());
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["cfg", "test", ..] => true,
        ["cfg", "all", rest @ ..] => rest.contains(&"test"),
        _ => false,
    }
}

/// Where the file of a module may lie that `path` declares.
fn files_of(path: &str, name: &str) -> [String; 2] {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let folder = if ["lib", "main", "mod"].contains(&stem) { folder.to_owned() } else { format!("{folder}/{stem}") };
    [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")]
}

fn word(tree: Option<&TokenTree>) -> Option<String> {
    match tree {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string().trim_start_matches("r#").to_owned()),
        _ => None,
    }
}

fn word_at(trees: &[TokenTree], at: usize) -> Option<String> {
    word(trees.get(at))
}

fn is_sign(tree: &TokenTree, wanted: char) -> bool {
    matches!(tree, TokenTree::Punct(sign) if sign.as_char() == wanted)
}

fn braced(tree: &TokenTree) -> Option<&Group> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What of these texts nothing reaches from `agent/cli/src/main.rs`, without the path.
    fn missed(main: &str, law: &str) -> Vec<String> {
        let sources = [(ROOT, main), ("agent/law/src/lib.rs", law)];
        let sources = sources.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let found = unreached(&BTreeMap::from(sources), ROOT).expect("Rust");
        found.iter().map(|line| line.trim_start_matches("agent/law/src/lib.rs ").to_owned()).collect()
    }

    #[test]
    fn what_only_a_test_calls_is_unreached() {
        let law = "
            pub fn lived() { helper() }
            fn helper() {}
            pub fn tested() { used_by_it() }
            fn used_by_it() {}
            pub const SAID: u8 = 1;
            #[cfg(test)]
            mod tests { fn t() { super::tested(); } }
            #[cfg(all(test, feature = \"serde\"))]
            fn other() { super::tested(); }
        ";
        assert_eq!(missed("fn main() { lived() }", law), ["const SAID", "fn tested", "fn used_by_it"]);
        assert_eq!(missed("fn main() { lived(); println!(\"{SAID}\") }", law), ["fn tested", "fn used_by_it"]);
    }

    #[test]
    fn a_comment_and_a_text_say_nothing() {
        let law = "/// As [`told`].\npub fn lived() { let _ = \"told\"; /* told() */ } pub fn told() {}";
        assert_eq!(missed("fn main() { lived() }", law), ["fn told"]);
    }

    #[test]
    fn a_method_needs_its_type() {
        let law = "
            pub struct Lived; impl Lived { pub fn age(&self) {} pub fn end(&self) {} }
            pub struct Idle<T>(T); impl<T: Into<u8>> Idle<T> { pub fn age(&self) {} }
            words! { /// A word.
                Band { Idle = \"idle\" } }
            pub fn said() -> Band { Band::Idle }
            impl Band { fn age(self) {} }
        ";
        assert_eq!(
            missed("fn main() { Lived.age() }", law),
            ["fn Band::age", "fn Idle::age", "fn Lived::end", "fn said", "struct Idle", "words Band"]
        );
        let banded = missed("fn main() { Lived.age(); let _: Band; }", law);
        assert_eq!(banded, ["fn Idle::age", "fn Lived::end", "fn said", "struct Idle"], "a word is no use of its name");
    }

    #[test]
    fn a_foreign_trait_comes_with_its_type_and_ours_when_it_is_said() {
        let law = "
            pub trait Ages { fn grow(&self); fn rest(&self); }
            pub struct Lived;
            impl Drop for Lived { fn drop(&mut self) { shut() } }
            impl<'a> Ages for &'a Lived { fn grow(&self) {} fn rest(&self) {} }
            pub struct Idle;
            impl std::fmt::Display for Idle { fn fmt(&self) {} }
            fn shut() {}
        ";
        assert_eq!(
            missed("fn main() { let _ = Lived; }", law),
            ["fn Idle::fmt", "fn Lived::grow", "fn Lived::rest", "struct Idle", "trait Ages"]
        );
        let ours = "fn main() { fn of(x: impl Ages) {} of(&Lived) }";
        assert_eq!(missed(ours, law), ["fn Idle::fmt", "struct Idle"]);
    }

    #[test]
    fn other_names_attributes_and_macros_reach_what_they_mean() {
        let law = "
            pub fn own() {} pub mod hex { pub fn write() {} }
            pub struct Kept { #[serde(serialize_with = \"hex::write\")] pub at: u8 }
            call! { given() } fn given() {}
        ";
        assert!(missed("use law::{own as other}; fn main() { other(); let _: Kept; }", law).is_empty());
    }

    #[test]
    fn a_module_of_tests_in_a_file_of_its_own_is_left_out() {
        let sources = [
            (ROOT, "fn main() {}"),
            ("agent/law/src/clock.rs", "#[cfg(test)] mod make;"),
            ("agent/law/src/clock/make.rs", "pub fn clock() {}"),
        ];
        let sources = sources.map(|(path, text)| (path.to_owned(), text.to_owned()));
        assert!(unreached(&BTreeMap::from(sources), ROOT).expect("Rust").is_empty());
        assert!(!is_source("agent/sim/src/lib.rs") && !is_source("agent/law/src/clock/tests/mod.rs"));
        assert!(is_source("agent/law/src/clock.rs"));
    }

    #[test]
    fn the_list_can_only_shrink() {
        let found = BTreeSet::from(["a.rs fn old".to_owned(), "a.rs fn new".to_owned()]);
        let complaints = compare(&found, &BTreeSet::from(["a.rs fn old", "a.rs fn gone"]));
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(complaints[0].contains("fn new") && complaints[0].contains("wire it or take it out"));
        assert!(complaints[1].contains("fn gone") && complaints[1].contains("take it off"));
    }
}
