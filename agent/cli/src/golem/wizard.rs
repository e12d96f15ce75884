//! What a birth needs, asked one by one of a person at a terminal.

use std::fmt::Display;
use std::io::{BufRead, Write};
use std::str::FromStr;

use eyre::{Result, ensure};
use golem_primitives::{Address, Ppm, Usdc};

use super::book::BookChoice;
use super::home::is_name;
use super::rules::{Nobody, parse_nobody};

const BOOK: &str = "The book it acts by: mean-reversion, momentum, range-liquidity, or a file";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) name: String,
    pub(crate) playbook: BookChoice,
    pub(crate) credits: Usdc,
    pub(crate) capital: Usdc,
    pub(crate) guardian: Option<Address>,
}

/// Asks; an empty answer takes what stands in brackets, a wrong one is asked again.
pub(crate) fn ask(input: &mut impl BufRead, out: &mut impl Write, recommended: Usdc) -> Result<Answers> {
    let mut person = Person { input, out };
    Ok(Answers {
        name: person.choose("Its name", None::<String>, |text| {
            is_name(text).then(|| text.to_owned()).ok_or("up to 32 lowercase letters, digits and hyphens".to_owned())
        })?,
        playbook: person.choose(BOOK, Some(BookChoice::Shipped("mean-reversion")), read)?,
        credits: person.choose("USDC to live on", Some(recommended), amount)?,
        capital: person.choose("USDC to trade with", Some(Usdc::ZERO), amount)?,
        guardian: person.choose("Who may trip its kill switch: an address, or none", Some(Nobody(None)), somebody)?.0,
    })
}

/// I-268. What may change from a predecessor to its successor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heir {
    /// The book it is founded on, which the gate of birth compares.
    pub(crate) playbook: BookChoice,
    /// The share of capital its book may use.
    pub(crate) stake: Ppm,
    pub(crate) credits: Usdc,
    pub(crate) capital: Usdc,
}

/// I-268. Asks for it, filled in with what the predecessor had.
pub(crate) fn ask_heir(input: &mut impl BufRead, out: &mut impl Write, usual: Heir) -> Result<Heir> {
    let mut person = Person { input, out };
    Ok(Heir {
        playbook: person.choose(BOOK, Some(usual.playbook), read)?,
        stake: person.choose("The share of capital its book may use, 0.001 to 0.10", Some(usual.stake), share)?,
        credits: person.choose("USDC to live on", Some(usual.credits), amount)?,
        capital: person.choose("USDC to trade with", Some(usual.capital), amount)?,
    })
}

fn share(text: &str) -> Result<Ppm, String> {
    let share: Ppm = read(text)?;
    let is_possible = (1_000..=100_000).contains(&share.get());
    is_possible.then_some(share).ok_or_else(|| "0.001 to 0.10; the vault bounds it again".to_owned())
}

struct Person<'a, I, O> {
    input: &'a mut I,
    out: &'a mut O,
}

impl<I: BufRead, O: Write> Person<'_, I, O> {
    fn choose<T: Display>(
        &mut self,
        question: &str,
        usual: Option<T>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T> {
        loop {
            match &usual {
                Some(usual) => write!(self.out, "{question} [{usual}]: ")?,
                None => write!(self.out, "{question}: ")?,
            }
            self.out.flush()?;
            let mut line = String::new();
            ensure!(self.input.read_line(&mut line)? > 0, "nothing was answered, and nothing was done");
            match (line.trim(), &usual) {
                ("", Some(_)) => return Ok(usual.expect("just seen")),
                (text, _) => match read(text) {
                    Ok(value) => return Ok(value),
                    Err(why) => writeln!(self.out, "  {why}")?,
                },
            }
        }
    }
}

fn read<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn amount(text: &str) -> Result<Usdc, String> {
    read(text.trim_end_matches("USDC").trim_end())
}

fn somebody(text: &str) -> Result<Nobody, String> {
    parse_nobody(text).map_err(|_| "an address such as 0x71C7656EC7ab88b098defB751B7401B5f6d8976F, or none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-002: empty answers take the recommendation, wrong ones are asked again, and an end is an end.
    #[test]
    fn o_002_the_wizard_asks_until_it_can_use_the_answer() {
        let mut said = Vec::new();
        let answers =
            ask(&mut "Ada!\nada\n\n\nten\n10\nnone\n".as_bytes(), &mut said, Usdc::whole(40)).expect("answered");
        let said = String::from_utf8(said).expect("text");
        assert_eq!(
            (answers.name.as_str(), answers.credits, answers.capital),
            ("ada", Usdc::whole(40), Usdc::whole(10))
        );
        assert_eq!((answers.playbook, answers.guardian), (BookChoice::Shipped("mean-reversion"), None));
        assert!(said.contains("lowercase") && said.contains("[40.00 USDC]"), "{said}");
        assert!(ask(&mut "ada\n".as_bytes(), &mut Vec::new(), Usdc::whole(40)).is_err());
    }

    /// I-266, I-268: everything is filled in from the predecessor, its capital and its stake too, and may be changed.
    #[test]
    fn i_268_the_wizard_of_a_successor_is_filled_in_and_asks_for_the_stake() {
        let usual = Heir {
            playbook: BookChoice::Shipped("momentum"),
            stake: Ppm::of(50_000),
            credits: Usdc::whole(50),
            capital: Usdc::whole(1_000),
        };
        let mut said = Vec::new();
        let kept = ask_heir(&mut "\n\n\n\n".as_bytes(), &mut said, usual.clone()).expect("answered");
        assert_eq!(kept, usual);
        let said = String::from_utf8(said).expect("text");
        assert!(said.contains("[momentum]") && said.contains("[1000.00 USDC]"), "{said}");
        let changed =
            ask_heir(&mut "\n0.5\n0.03\n\n20\n".as_bytes(), &mut Vec::new(), usual.clone()).expect("answered");
        assert_eq!(changed, Heir { stake: Ppm::of(30_000), capital: Usdc::whole(20), ..usual });
    }
}
