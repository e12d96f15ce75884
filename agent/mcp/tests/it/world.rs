//! A source that says what it was asked.

use std::sync::{Arc, Mutex};

use golem_mcp::Tools;
use golem_view::picture;
use golem_web::{Answering, Bookmark, GolemSource, Hearing, News, Question, Refused, Told};

picture! {
    /// What the made-up source says.
    pub(crate) struct Word { name: String, life: String, testament: String }
}

/// Remembers what it was asked.
#[derive(Default)]
pub(crate) struct Parrot {
    pub(crate) asked: Mutex<Vec<Question>>,
}

impl GolemSource for Parrot {
    fn answer(&self, question: Question) -> Answering {
        let word = |testament: &str| Word {
            name: "ada".to_owned(),
            life: "dead".to_owned(),
            testament: format!("{testament} {question:?}"),
        };
        let answer = match &question {
            Question::Golems => Ok(Told::of(&vec![word("one of")])),
            Question::Status(golem) if golem == "nobody" => Err(Refused::Missing("there is nobody".to_owned())),
            _ => Ok(Told::of(&word("# told"))),
        };
        self.asked.lock().expect("whole").push(question);
        Box::pin(async { answer })
    }

    fn news(&self, _: Option<String>, _: Option<Bookmark>) -> Hearing {
        Box::pin(async { Ok(News::Nothing) })
    }
}

pub(crate) fn tools() -> (Arc<Parrot>, Tools) {
    let parrot = Arc::new(Parrot::default());
    (parrot.clone(), Tools::new(parrot))
}
