//! The law of the Grimoire against its vectors and laws.

mod archive;
mod curator;
mod cycle;
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
