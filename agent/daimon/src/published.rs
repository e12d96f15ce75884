//! A mood others read while it changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::pad::Pad;

/// The one hand that writes it.
#[derive(Debug)]
pub struct MoodWriter(Arc<AtomicU64>);

/// One of many eyes that read it.
#[derive(Debug, Clone)]
pub struct MoodReader(Arc<AtomicU64>);

/// A cell for a mood: whole vectors go in and come out, without a lock.
#[must_use]
pub fn mood_cell(first: Pad) -> (MoodWriter, MoodReader) {
    let cell = Arc::new(AtomicU64::new(first.pack()));
    (MoodWriter(Arc::clone(&cell)), MoodReader(cell))
}

impl MoodWriter {
    /// Replaces the whole vector. Writing needs the hand itself, so that there is one writer.
    pub fn publish(&mut self, mood: Pad) {
        self.0.store(mood.pack(), Ordering::Release);
    }
}

impl MoodReader {
    /// The newest whole vector.
    #[must_use]
    pub fn read(&self) -> Pad {
        Pad::unpack(self.0.load(Ordering::Acquire)).unwrap_or(Pad::NEUTRAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// readers on other threads see one of the two vectors, never a mixture.
    #[test]
    fn a_016_no_reader_sees_half_a_mood() {
        let moods = [Pad::thousandths(1_000, -1_000, 1_000), Pad::thousandths(-1_000, 1_000, -1_000)];
        let (mut writer, reader) = mood_cell(moods[0]);
        let eyes: Vec<_> = (0..2)
            .map(|_| {
                let reader = reader.clone();
                std::thread::spawn(move || (0..20_000).all(|_| moods.contains(&reader.read())))
            })
            .collect();
        for turn in 0..20_000 {
            writer.publish(moods[turn % 2]);
        }
        assert!(eyes.into_iter().all(|eye| eye.join().expect("a reader does not fail")));
        assert_eq!(reader.read(), moods[1]);
    }
}
