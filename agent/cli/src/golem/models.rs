//! Which models an owner chose, `[inference.t1]` to `[inference.t3]` of golem.toml, and asking them beside a life.

use std::path::Path;
use std::sync::{Arc, Weak};

use golem_core::record::Tier;
use golem_inference::{Deliberator, Duties, InferenceSettings, Models, TierError};
use golem_runtime::Adviser;
use golem_settings::KeyChange;
use tokio::sync::Mutex;
use tokio::task::JoinError;

fn chosen(settings: &InferenceSettings) -> impl Iterator<Item = (&'static str, &golem_inference::TierSettings)> {
    let all = [("t1", Tier::T1), ("t2", Tier::T2), ("t3", Tier::T3)];
    all.into_iter().filter_map(|(name, tier)| Some((name, settings.of(tier)?)))
}

/// What differs from rules alone.
pub(crate) fn changes(settings: &InferenceSettings) -> Vec<KeyChange> {
    let change = |(name, tier): (&str, &golem_inference::TierSettings)| KeyChange {
        key: format!("inference.{name}"),
        usual: "rules".to_owned(),
        value: tier.model.clone(),
    };
    chosen(settings).map(change).collect()
}

/// Sealed keys lie in the Golem's folder unless the owner says otherwise.
pub(crate) fn place(settings: &mut InferenceSettings, folder: &Path) {
    let tiers = [&mut settings.t1, &mut settings.t2, &mut settings.t3];
    for file in tiers.into_iter().flatten().filter_map(|tier| tier.key_file.as_mut()) {
        *file = folder.join(&*file);
    }
}

/// Models that were opened in this process, and by which settings. A provider's limit is one limit, however many Golems
/// of a fleet ask it: who chose the same asks through the same.
static OPENED: Mutex<Vec<(InferenceSettings, Weak<Models>)>> = Mutex::const_new(Vec::new());

/// The models of these settings, opened once.
async fn open(settings: &InferenceSettings) -> Result<Result<Arc<Models>, TierError>, JoinError> {
    let mut opened = OPENED.lock().await;
    opened.retain(|(_, models)| models.strong_count() > 0);
    if let Some(models) = opened.iter().find(|(by, _)| by == settings).and_then(|(_, models)| models.upgrade()) {
        return Ok(Ok(models));
    }
    let by = settings.clone();
    // A sealed key takes a second to open.
    let models = tokio::task::spawn_blocking(move || Models::new(&by, |name| std::env::var(name).ok())).await?;
    Ok(models.map(|models| {
        let models = Arc::new(models);
        opened.push((settings.clone(), Arc::downgrade(&models)));
        models
    }))
}

/// Who asks models for a life; `None` when none was chosen. A model that cannot be asked is told, and rules decide.
pub(crate) async fn adviser(settings: &InferenceSettings, confides: bool) -> Option<Adviser> {
    chosen(settings).next()?;
    match open(settings).await {
        Ok(Ok(models)) => {
            Some(Adviser::hire(Deliberator::new(models).with_duties(Duties::of(settings)).confiding(confides)))
        }
        Ok(Err(error)) => {
            tracing::warn!("{error}; rules decide (`bardo doctor`)");
            eprintln!("no model is asked: {error}; rules decide");
            None
        }
        Err(error) => {
            tracing::error!(%error, "the models were not opened; rules decide");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> InferenceSettings {
        super::super::settings::Settings::read(text).expect("valid").inference
    }

    /// R-030, O-003: three tables, none of them needed; mistakes are told without what was written.
    #[test]
    fn r_030_models_are_chosen_by_table() {
        assert_eq!(read("[golem]\nstake = 0.05\n"), InferenceSettings::default());
        let text = "[inference.t1]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"small\"\nkey_file = \"k.json\"\n";
        let mut settings = read(text);
        place(&mut settings, Path::new("/golems/ada"));
        assert_eq!(
            settings.t1.as_ref().and_then(|tier| tier.key_file.as_deref()),
            Some(Path::new("/golems/ada/k.json"))
        );
        let change = KeyChange { key: "inference.t1".to_owned(), usual: "rules".to_owned(), value: "small".to_owned() };
        assert_eq!(changes(&settings), [change]);
        for (text, told) in [
            (
                "[inference.t1]\nprovider = \"openai\"\nmodel = \"m\"\nkey = \"sk-canary\"\n",
                "no key `inference.t1.key`",
            ),
            ("[inference.t9]\nmodel = \"sk-canary\"\n", "inference.t9 is no tier"),
            ("[inference.t2]\nprovider = \"openai\"\nmodel = \"nobody-lists-this\"\n", "inference.t2"),
        ] {
            let said = super::super::settings::Settings::read(text).expect_err("a mistake").to_string();
            assert!(said.contains(told) && !said.contains("canary"), "{text}: {said}");
        }
        let chosen = read("[inference]\ndistil = true\nreflect = false\n");
        assert_eq!((chosen.distil, chosen.reflect, chosen.last_words), (true, false, true));
    }

    /// Golems that chose the same ask through the same, so that a provider's limit is one limit.
    #[tokio::test]
    async fn r_030_a_fleet_shares_its_models() {
        let text = |model: &str| {
            format!(
                "[inference.t1]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"{model}\"\n"
            )
        };
        let settings = |model: &str| read(&text(model));
        let (ada, bob, eve) = (settings("shared"), settings("shared"), settings("another"));
        let first = open(&ada).await.expect("it runs").expect("fine settings");
        let second = open(&bob).await.expect("it runs").expect("fine settings");
        let third = open(&eve).await.expect("it runs").expect("fine settings");
        assert!(Arc::ptr_eq(&first, &second) && !Arc::ptr_eq(&first, &third));
    }
}
