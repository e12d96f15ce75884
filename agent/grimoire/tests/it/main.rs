//! The law of the Grimoire against its vectors and laws.

#[path = "../../../../test/shared/admitted.rs"]
mod admitted;
mod archive;
mod curator;
mod cycle;
#[path = "../../../../test/shared/drafts.rs"]
mod drafts;
mod episode;
mod gate;
mod kept;
mod links;
mod make;
mod outside;
mod playbook;
mod recall;
mod retention;
mod scope;
mod status;
mod told;
mod warning;
