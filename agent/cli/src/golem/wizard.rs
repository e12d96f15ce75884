//! What a birth needs, asked one by one of a person at a terminal.

use std::fmt::Display;
use std::io::{BufRead, Write};
use std::str::FromStr;

use eyre::{Result, ensure};
use golem_core::strategy::StrategyName;
use golem_primitives::{Address, Usdc};

use super::home::is_name;

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) name: String,
    pub(crate) strategy: StrategyName,
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
        strategy: person.choose(
            "How it trades: mean-reversion, momentum or range-liquidity",
            Some(StrategyName::MeanReversion),
            read,
        )?,
        credits: person.choose("USDC to live on", Some(recommended), amount)?,
        capital: person.choose("USDC to trade with", Some(Usdc::ZERO), amount)?,
        guardian: person.choose("Who may trip its kill switch: an address, or none", Some(Nobody(None)), read)?.0,
    })
}

/// I-268. Asks what may change from a predecessor to its successor: strategy, credits, capital.
pub(crate) fn ask_heir(
    input: &mut impl BufRead,
    out: &mut impl Write,
    strategy: StrategyName,
    budget: Usdc,
    capital: Usdc,
) -> Result<(StrategyName, Usdc, Usdc)> {
    let mut person = Person { input, out };
    Ok((
        person.choose("How it trades: mean-reversion, momentum or range-liquidity", Some(strategy), read)?,
        person.choose("USDC to live on", Some(budget), amount)?,
        person.choose("USDC to trade with", Some(capital), amount)?,
    ))
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

/// An address, or nobody.
struct Nobody(Option<Address>);

impl Display for Nobody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(address) => address.fmt(f),
            None => f.write_str("none"),
        }
    }
}

impl FromStr for Nobody {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text == "none" {
            return Ok(Self(None));
        }
        text.parse()
            .map(|address| Self(Some(address)))
            .map_err(|_| "an address such as 0x71C7656EC7ab88b098defB751B7401B5f6d8976F, or none")
    }
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
        assert_eq!((answers.strategy, answers.guardian), (StrategyName::MeanReversion, None));
        assert!(said.contains("lowercase") && said.contains("[40.00 USDC]"), "{said}");
        assert!(ask(&mut "ada\n".as_bytes(), &mut Vec::new(), Usdc::whole(40)).is_err());
    }
}
