//! The only room that speaks to models.
