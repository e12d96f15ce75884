//! A devnet with an owner's desk on it, and blocks whenever somebody waits for them.

use std::time::Duration;

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::sol_types::SolCall;
use golem_chain::{
    BirthPlan, Born, Deployment, DeskError, DeskPatience, DeskProgress, Endpoints, Listing, LocalKey, OwnerDesk,
    Signer, Uses,
};
use golem_devnet::{Devnet, FundedAccount};
use golem_primitives::Usdc;
use serde_json::json;
use tokio::sync::mpsc;

use crate::support::{Net, deployment, endpoints, send, still};

/// Who is told how far an act has come.
pub(crate) type Tell = Box<dyn FnMut(DeskProgress) + Send>;

/// A devnet and what is needed to act on it.
pub(crate) struct Town {
    pub(crate) net: Net,
    pub(crate) here: Deployment,
    pub(crate) endpoints: Endpoints,
}

/// Does something at a desk while the chain goes on: `perform!(town, desk, |desk, report| desk.wake(vault, report))`.
macro_rules! perform {
    ($town:expr, $desk:expr, |$name:ident, $report:ident| $act:expr) => {{
        let $name = $desk.clone();
        $town
            .perform(move |mut tell| async move {
                let $report: golem_chain::DeskListener<'_> = &mut *tell;
                $act.await
            })
            .await
    }};
}
pub(crate) use perform;

impl Town {
    pub(crate) async fn up() -> Self {
        Self::around(still().await).await
    }

    /// A town where somebody already lives.
    pub(crate) async fn around(net: Net) -> Self {
        let here = deployment(&net.devnet);
        let endpoints = endpoints(&net.devnet).await;
        Self { net, here, endpoints }
    }

    pub(crate) fn devnet(&mut self) -> &mut Devnet {
        &mut self.net.devnet
    }

    pub(crate) fn owner(&self) -> FundedAccount {
        self.net.devnet.accounts().owner.clone()
    }

    pub(crate) fn guardian(&self) -> FundedAccount {
        self.net.devnet.accounts().guardian.clone()
    }

    pub(crate) fn stranger(&self, index: usize) -> FundedAccount {
        self.net.devnet.accounts().strangers[index].clone()
    }

    pub(crate) fn desk(&self, account: &FundedAccount) -> OwnerDesk {
        self.desk_of(LocalKey::from_bytes(&account.key.0).expect("a key"))
    }

    pub(crate) fn desk_of(&self, key: LocalKey) -> OwnerDesk {
        let patience = DeskPatience {
            poll: Duration::from_millis(3),
            replace_after: Duration::from_secs(600),
            give_up_after: Duration::from_secs(60),
        };
        let desk = OwnerDesk::new(self.endpoints.clone(), Signer::Local(key), self.here.clone());
        desk.expect("one chain").with_patience(patience)
    }

    /// Runs an act of a desk; each transaction is mined and buried when it is sent.
    pub(crate) async fn perform<T, F>(&mut self, act: impl FnOnce(Tell) -> F) -> T
    where
        F: Future<Output = T> + Send + 'static,
        T: Send + 'static,
    {
        let (tell, mut told) = mpsc::unbounded_channel();
        let act = tokio::spawn(act(Box::new(move |progress| {
            let _ = tell.send(progress);
        })));
        while let Some(progress) = told.recv().await {
            if matches!(progress, DeskProgress::Sent { .. } | DeskProgress::Replaced { .. }) {
                self.bury().await;
            }
        }
        act.await.expect("no panic")
    }

    /// A block for what is waiting, and as many as it needs to be believed.
    pub(crate) async fn bury(&mut self) {
        for _ in 0..=self.here.confirmations {
            self.pass(2).await;
        }
    }

    /// Lets time pass, in one block.
    pub(crate) async fn pass(&mut self, seconds: u64) {
        self.devnet().mine_still(seconds).await.expect("mined");
    }

    /// The plan of a Golem with a pool, a token and a host on its list.
    pub(crate) fn plan(&self) -> BirthPlan {
        let pool = self.here.pool.expect("a devnet has one");
        let owner = self.owner().address;
        BirthPlan {
            guardian: Some(self.guardian().address),
            listings: vec![
                Listing::pool(pool),
                Listing::token(self.here.weth, pool),
                Listing::payee(self.stranger(4).address, Uses::PAYEE_LLM.and(Uses::PAYEE_DATA)),
            ],
            capital: Usdc::whole(50),
            ..BirthPlan::new(owner, self.stranger(0).address, "Ada", Usdc::whole(100))
        }
    }

    pub(crate) async fn birth(&mut self, plan: BirthPlan) -> Result<Born, DeskError> {
        let desk = self.desk(&self.owner());
        perform!(self, desk, |desk, report| desk.birth(&plan, report))
    }

    pub(crate) async fn born(&mut self) -> Born {
        let plan = self.plan();
        self.birth(plan).await.expect("born")
    }

    /// A plain transaction by anybody.
    pub(crate) async fn send<C: SolCall>(&mut self, from: &FundedAccount, to: Address, call: &C) {
        send(self.devnet(), from, to, call).await;
    }

    pub(crate) async fn read<C: SolCall>(&self, to: Address, call: C) -> C::Return {
        let asked = json!([{ "to": to, "input": Bytes::from(call.abi_encode()) }, "latest"]);
        let answer: Bytes = self.endpoints.request("eth_call", asked).await.expect(C::SIGNATURE);
        C::abi_decode_returns(&answer).expect(C::SIGNATURE)
    }

    pub(crate) async fn block_hash(&self, number: u64) -> B256 {
        let asked = json!([format!("{number:#x}"), false]);
        let block: serde_json::Value = self.endpoints.request("eth_getBlockByNumber", asked).await.expect("a block");
        block["hash"].as_str().expect("a hash").parse().expect("a hash")
    }

    pub(crate) async fn head(&self) -> u64 {
        self.endpoints.head().await.expect("seen").number
    }

    pub(crate) fn now(&self) -> u64 {
        self.net.devnet.now().seconds()
    }
}

pub(crate) fn micros(amount: Usdc) -> U256 {
    U256::from(amount.micros())
}
