//! `bardo owner seal-key`: a provider's key into the Golem's folder, sealed.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure, eyre};
use golem_inference::{ProviderKey, sealed};
use golem_view::FileWritten;
use zeroize::Zeroizing;

use super::grimoire::Whose;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct SealArguments {
    #[command(flatten)]
    whose: Whose,
    /// The file in the Golem's folder that shall hold it.
    #[arg(long, default_value = "model-key.json", value_name = "NAME")]
    file: PathBuf,
    /// The environment variable that holds the key now; asked for when left out.
    #[arg(long, value_name = "VARIABLE")]
    key_env: Option<String>,
    /// A file whose first line is the password it is sealed with; asked for when left out.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl SealArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let folder = self.whose.born()?;
        let is_plain = self.file.file_name().is_some_and(|name| Path::new(name) == self.file);
        ensure!(is_plain, "{} is no plain file name; it lies in the Golem's folder", self.file.display());
        let (key, origin) = match &self.key_env {
            Some(name) => (std::env::var(name).map_err(|_| eyre!("{name} is not set; export it"))?, name.as_str()),
            None => (typed("The provider's key: ", "--key-env")?, "what was typed"),
        };
        let key = ProviderKey::new(key, origin)?;
        let password = Zeroizing::new(match &self.password_file {
            Some(path) => {
                let text = std::fs::read_to_string(path).map(Zeroizing::new);
                let text = text.wrap_err_with(|| format!("cannot read the password file {}", path.display()))?;
                text.lines().next().unwrap_or_default().to_owned()
            }
            None => typed("A password to seal it with: ", "--password-file")?,
        });
        let path = folder.path().join(&self.file);
        sealed::seal(&path, &key, &password)?;
        let words = format!(
            "Sealed in {}. Write key_file = {:?} into [inference.t1], .t2 or .t3 of {}, and have its password in BARDO_INFERENCE_PASSWORD when it lives.",
            path.display(),
            self.file.display().to_string(),
            folder.config().display()
        );
        let golem = folder.name().to_owned();
        let written = FileWritten { golem, file: path, entries: None, tick: None, certificate: None };
        Ok(screen::done(self.json, &written, &words))
    }
}

/// A line of the person at the terminal, never echoed and never an argument.
fn typed(prompt: &str, instead: &str) -> Result<String> {
    ensure!(std::io::stdin().is_terminal(), "nobody is at the terminal: use {instead}");
    eprint!("{prompt}");
    std::io::stderr().flush()?;
    rpassword::read_password().wrap_err("it could not be read")
}
