//! The edge of sleep: the world is shut out step by step, and thoughts are let loose by a bounded amount.

pub mod dali;
pub mod depth;
pub mod fragment;
pub mod observer;
