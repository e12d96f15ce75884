//! Why there is no screen.

/// Why a screen cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScreenError {
    #[error(
        "there is no terminal to draw on; `bardo golem status {golem}` tells the same in words, `bardo golem events {golem} --follow` goes on"
    )]
    NoTerminal { golem: String },
}
