//! The Daimon as its neighbours meet it: whole lives, not single functions.

mod disabled;
mod life;
mod model;
mod records;
