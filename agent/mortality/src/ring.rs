//! A fixed ring of the newest values: a life of a million ticks takes no more room than one of a hundred.

/// The newest `N` values in the order they came.
#[derive(Clone)]
pub struct Ring<T, const N: usize> {
    items: [T; N],
    head: usize,
    len: usize,
}

impl<T: Copy + Default, const N: usize> Ring<T, N> {
    /// Values kept at most.
    pub const CAPACITY: usize = N;

    /// An empty ring.
    #[must_use]
    pub fn new() -> Self {
        Self { items: [T::default(); N], head: 0, len: 0 }
    }

    /// Values held.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is held.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the next push drops the oldest.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.len == N
    }

    /// Adds `value` as the newest and returns the oldest when it had to go.
    pub fn push(&mut self, value: T) -> Option<T> {
        let dropped = if self.is_full() { self.pop_oldest() } else { None };
        let at = self.slot(self.len);
        self.items[at] = value;
        self.len += 1;
        dropped
    }

    /// Takes the oldest out.
    pub fn pop_oldest(&mut self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        let value = std::mem::take(&mut self.items[self.head]);
        self.head = self.slot(1);
        self.len -= 1;
        Some(value)
    }

    /// The `index`-th value, the oldest being 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        (index < self.len).then(|| &self.items[self.slot(index)])
    }

    /// The oldest value.
    #[must_use]
    pub fn oldest(&self) -> Option<&T> {
        self.get(0)
    }

    /// The newest value.
    #[must_use]
    pub fn newest(&self) -> Option<&T> {
        self.len.checked_sub(1).and_then(|last| self.get(last))
    }

    /// The values, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        (0..self.len).map(|index| &self.items[self.slot(index)])
    }

    /// Where the `index`-th value lies. A comparison instead of a remainder: this runs several times a tick.
    const fn slot(&self, index: usize) -> usize {
        let at = self.head + index;
        if at >= N { at - N } else { at }
    }
}

/// Equal when they hold the same values in the same order, wherever in memory the oldest lies: a ring that was written
/// and read back is the same ring.
impl<T: Copy + Default + PartialEq, const N: usize> PartialEq for Ring<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Copy + Default, const N: usize> Default for Ring<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default + std::fmt::Debug, const N: usize> std::fmt::Debug for Ring<T, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Recorded as the sequence of its values, oldest first, so that two rings with the same values have the same bytes
/// wherever their heads lie.
impl<T: Copy + Default + serde::Serialize, const N: usize> serde::Serialize for Ring<T, N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + Default + serde::Deserialize<'de>, const N: usize> serde::Deserialize<'de> for Ring<T, N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values<T, const N: usize>(std::marker::PhantomData<T>);
        impl<'de, T: Copy + Default + serde::Deserialize<'de>, const N: usize> serde::de::Visitor<'de> for Values<T, N> {
            type Value = Ring<T, N>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "at most {N} values")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut values: A) -> Result<Self::Value, A::Error> {
                let mut ring = Ring::new();
                while let Some(value) = values.next_element()? {
                    if ring.push(value).is_some() {
                        return Err(serde::de::Error::custom(format!("a ring of {N} holds no more values")));
                    }
                }
                Ok(ring)
            }
        }
        deserializer.deserialize_seq(Values(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_behaves_as_a_bounded_queue(steps in prop::collection::vec(prop::option::weighted(0.7, any::<u16>()), 0..200)) {
            let mut ring = Ring::<u16, 7>::new();
            let mut queue = VecDeque::new();
            for step in steps {
                match step {
                    Some(value) => {
                        let dropped = if queue.len() == 7 { queue.pop_front() } else { None };
                        queue.push_back(value);
                        prop_assert_eq!(ring.push(value), dropped);
                    }
                    None => prop_assert_eq!(ring.pop_oldest(), queue.pop_front()),
                }
                prop_assert!(ring.iter().eq(queue.iter()));
                let mut again = Ring::<u16, 7>::new();
                for value in &queue {
                    again.push(*value);
                }
                prop_assert!(again == ring, "equal values make equal rings");
                prop_assert_eq!((ring.oldest(), ring.newest()), (queue.front(), queue.back()));
                prop_assert_eq!((ring.len(), ring.is_empty(), ring.is_full()), (queue.len(), queue.is_empty(), queue.len() == 7));
            }
        }
    }
}
