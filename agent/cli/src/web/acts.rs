//! O-011. What an owner does from the page: prepared here as the commands prepare it, signed in his own wallet.

use golem_chain::{DeskError, OwnerAct, Signer};
use golem_view::ActPicture;
use golem_web::{ActWanted, Refused, Told, WantedKind};

use super::explorer::{place, unsigned};
use super::house::failed;
use crate::golem::ending;
use crate::golem::subject::Subject;

pub(super) async fn prepare(subject: &Subject, wanted: ActWanted) -> Result<Told, Refused> {
    let name = &subject.name;
    let (act, says) = match wanted.kind {
        WantedKind::Kill { reason, revoke } => {
            ending::check_reason(&reason).map_err(|error| Refused::Wrong(format!("{error:#}")))?;
            let says = format!("{name} will die; nobody can undo it");
            if revoke {
                (OwnerAct::KillAndRevoke { reason }, format!("{says}. Its key is powerless from the same block on"))
            } else {
                (OwnerAct::Kill { reason }, says)
            }
        }
        WantedKind::Fund { amount, into_capital: true } => {
            (OwnerAct::FundCapital { amount }, format!("{name} is given {amount} to trade with"))
        }
        WantedKind::Fund { amount, into_capital: false } => {
            (OwnerAct::TopUp { amount }, format!("{name} is given {amount} to live on"))
        }
        WantedKind::Withdraw { amount } => {
            (OwnerAct::WithdrawCapital { amount }, format!("{amount} of the capital of {name} is its owner's again"))
        }
    };
    // The desk's wallet is the one in the browser: everything is tried as it, and nothing can be signed here.
    let desk = subject.chain.desk(Signer::Elsewhere(wanted.from)).map_err(failed)?;
    let transactions = desk.unsigned(subject.vault, &act).await.map_err(refused)?;
    Ok(Told::of(&ActPicture {
        golem: name.clone(),
        chain_id: subject.chain.deployment.chain_id,
        chain: place(&subject.chain).0,
        from: wanted.from,
        says,
        transactions: transactions.into_iter().map(unsigned).collect(),
    }))
}

fn refused(error: DeskError) -> Refused {
    let is_away = matches!(error, DeskError::Endpoint(_));
    let words = format!("{:#}", eyre::Report::new(error));
    if is_away { Refused::Away(words) } else { Refused::Wrong(words) }
}
