//! What every vector goes through, whoever made it.

use golem_ports::EmbedderError;
use golem_primitives::{B256, keccak256};

/// Refuses what is not one usable vector for each text, and brings the rest to length one.
pub(super) fn checked(
    mut vectors: Vec<Vec<f32>>,
    asked: usize,
    dimensions: u16,
) -> Result<Vec<Vec<f32>>, EmbedderError> {
    if vectors.len() != asked {
        return Err(EmbedderError::Count { asked, got: vectors.len() });
    }
    for (index, vector) in vectors.iter_mut().enumerate() {
        if vector.len() != usize::from(dimensions) {
            return Err(EmbedderError::Dimensions { index, expected: dimensions, got: vector.len() });
        }
        bring_to_length_one(vector).map_err(|why| EmbedderError::NoDirection { index, why })?;
    }
    Ok(vectors)
}

fn bring_to_length_one(vector: &mut [f32]) -> Result<(), &'static str> {
    if vector.iter().any(|x| !x.is_finite()) {
        return Err("a number in it is not finite");
    }
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    if length < f64::from(f32::MIN_POSITIVE) {
        return Err("all numbers in it are zero");
    }
    vector.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
    Ok(())
}

/// As much of a text as fits into so many bytes, whole characters only.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// G-006. The hash of a written description of what is done to a text. Whoever changes what is done changes the words,
/// and with them the hash.
pub(super) fn preprocessing(description: &str) -> B256 {
    keccak256(description.as_bytes())
}

#[cfg(test)]
mod tests {
    use golem_ports::drift::distance;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_vector_without_a_direction_is_refused() {
        for broken in [vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![1.0, f32::INFINITY], vec![-0.0, 1e-42]] {
            let refused = checked(vec![vec![1.0, 0.0], broken.clone()], 2, 2);
            assert!(matches!(refused, Err(EmbedderError::NoDirection { index: 1, .. })), "{broken:?}: {refused:?}");
        }
    }

    #[test]
    fn count_and_dimensions_must_fit() {
        let count = checked(vec![vec![1.0]], 2, 1);
        assert_eq!(count, Err(EmbedderError::Count { asked: 2, got: 1 }));
        let dimensions = checked(vec![vec![1.0, 1.0]], 1, 3);
        assert_eq!(dimensions, Err(EmbedderError::Dimensions { index: 0, expected: 3, got: 2 }));
        assert_eq!(checked(Vec::new(), 0, 3), Ok(Vec::new()));
    }

    #[test]
    fn distance_is_zero_for_the_same_direction_and_none_for_nothing_comparable() {
        // (a, b, distance)
        for (a, b, expected) in [
            (vec![1.0, 0.0], vec![3.0, 0.0], Some(0.0)),
            (vec![1.0, 0.0], vec![0.0, 1.0], Some(1.0)),
            (vec![1.0, 0.0], vec![-2.0, 0.0], Some(2.0)),
            (vec![1.0, 0.0], vec![1.0], None),
            (vec![0.0, 0.0], vec![1.0, 0.0], None),
            (vec![f32::NAN, 0.0], vec![1.0, 0.0], None),
        ] {
            assert_eq!(distance(&a, &b), expected, "{a:?} and {b:?}");
        }
    }

    proptest! {
        #[test]
        fn a_checked_vector_has_length_one_and_keeps_its_direction(vector in prop::collection::vec(-1e30_f32..1e30, 1..50)) {
            prop_assume!(vector.iter().any(|x| x.abs() > 1e-30));
            let count = vector.len() as u16;
            let checked = checked(vec![vector.clone()], 1, count).unwrap();
            let length = checked[0].iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>();
            prop_assert!((length - 1.0).abs() < 1e-5, "{length}");
            prop_assert!(distance(&vector, &checked[0]).unwrap() < 1e-6);
        }

        #[test]
        fn a_cut_text_fits_and_is_a_beginning(text in ".{0,40}", bytes in 0_usize..60) {
            let short = cut(&text, bytes);
            prop_assert!(short.len() <= bytes && text.starts_with(short) && (short.len() + 4 > bytes || short == text));
        }
    }
}
