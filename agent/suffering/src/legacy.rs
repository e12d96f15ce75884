//! What goes from one life to the next.

use crate::history::TRACES;
use crate::law::SCARRING;
use crate::stressor::Scar;
use crate::suffering::Suffering;

impl Suffering {
    /// S-085, S-124. The scars of this life: what it left with a peak above 0.5. Nothing active is inherited.
    #[must_use]
    pub fn bequeath(&self) -> Vec<Scar> {
        self.history.traces().filter(|trace| trace.peak > SCARRING && !trace.inherited).cloned().collect()
    }

    /// S-085. A life that begins with a predecessor's scars, as warnings and nothing else.
    #[must_use]
    pub fn born_with(scars: Vec<Scar>) -> Self {
        let mut suffering = Self::default();
        suffering.inherit(scars);
        suffering
    }

    /// S-085. Takes a predecessor's scars into a life that has none yet; what it suffered itself stays as it is.
    pub fn inherit(&mut self, scars: Vec<Scar>) {
        if self.history.traces().any(|trace| trace.inherited) {
            return;
        }
        let marked = scars.into_iter().filter(|trace| trace.peak > SCARRING).take(TRACES);
        marked.for_each(|trace| self.history.push(Scar { inherited: true, ..trace }));
    }
}
