//! The terminal screen of a Golem: O-010, I-260 to I-268.
//!
//! [`draw`] puts a [`Scene`] on a frame and [`Ui::press`] turns a key into where one looks next or into a [`ScreenRequest`].
//! Both are pure: whoever opens a terminal reads the pictures, shows them here and does what is asked for. The screen itself
//! can change nothing but what it shows.
//!
//! Begin with [`Scene`], then `overview.rs` (the page an owner leaves open) and `memorial.rs` (what is left of a life).

mod chart;
mod error;
mod frame;
mod ink;
mod life_log;
mod memorial;
mod mind;
mod overview;
mod rules;
mod scene;
mod trades;
mod ui;
mod wizard;

pub use error::ScreenError;
pub use frame::draw;
pub use ink::Ink;
pub use ratatui;
pub use scene::{Company, Foreseen, GraveScene, HeirDraft, MemorialScene, Portrait, Scene};
pub use ui::{ScreenRequest, Ui};
