//! The model's numbers, laid out as the forward pass reads them.

use safetensors::{Dtype, SafeTensors};

use super::product::Packed;

/// The shape of all-MiniLM-L6-v2. The weights are pinned by their digest, so it is not a setting.
pub(super) const HIDDEN: usize = 384;
pub(super) const INNER: usize = 1_536;
pub(super) const HEADS: usize = 12;
pub(super) const HEAD: usize = HIDDEN / HEADS;
pub(super) const LAYERS: usize = 6;
/// The longest text the model was trained on, in tokens.
pub(super) const LONGEST: usize = 256;
const VOCABULARY: usize = 30_522;
const POSITIONS: usize = 512;

/// `y = x * weight + bias`.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) weight: Packed,
    pub(super) bias: Vec<f32>,
}

/// What [`super::pointwise::AddAndNorm`] scales and shifts by.
#[derive(Debug)]
pub(super) struct Norm {
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
}

/// One of the six layers.
#[derive(Debug)]
pub(super) struct Layer {
    /// Queries, keys and values side by side; queries already divided by the root of a head's size.
    pub(super) attention: Linear,
    pub(super) attended: Linear,
    pub(super) attended_norm: Norm,
    pub(super) inner: Linear,
    pub(super) outer: Linear,
    pub(super) outer_norm: Norm,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Weights {
    pub(super) words: Vec<f32>,
    /// Position and token type together: there is only one type here.
    pub(super) places: Vec<f32>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
}

impl Weights {
    /// Reads them from the bytes of `model.safetensors`; the words are why not.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let tensors = Tensors(SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?);
        let kinds = tensors.take("embeddings.token_type_embeddings.weight", &[2, HIDDEN])?;
        let mut places = tensors.take("embeddings.position_embeddings.weight", &[POSITIONS, HIDDEN])?;
        for row in places.chunks_exact_mut(HIDDEN) {
            row.iter_mut().zip(&kinds).for_each(|(place, kind)| *place += kind);
        }
        Ok(Self {
            words: tensors.take("embeddings.word_embeddings.weight", &[VOCABULARY, HIDDEN])?,
            places,
            norm: tensors.norm("embeddings.LayerNorm")?,
            layers: (0..LAYERS).map(|layer| tensors.layer(layer)).collect::<Result<_, _>>()?,
        })
    }
}

struct Tensors<'a>(SafeTensors<'a>);

impl Tensors<'_> {
    fn take(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let tensor = self.0.tensor(name).map_err(|_| format!("it has no tensor {name}"))?;
        if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
            return Err(format!("its tensor {name} is {:?} {:?}, not F32 {shape:?}", tensor.dtype(), tensor.shape()));
        }
        Ok(tensor.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    fn norm(&self, name: &str) -> Result<Norm, String> {
        Ok(Norm {
            scale: self.take(&format!("{name}.weight"), &[HIDDEN])?,
            shift: self.take(&format!("{name}.bias"), &[HIDDEN])?,
        })
    }

    fn linear(&self, name: &str, depth: usize, width: usize) -> Result<Linear, String> {
        let weight = self.take(&format!("{name}.weight"), &[width, depth])?;
        let bias = self.take(&format!("{name}.bias"), &[width])?;
        Ok(Linear { weight: Packed::new(depth, width, |k, n| weight[n * depth + k]), bias })
    }

    fn attention(&self, name: &str) -> Result<Linear, String> {
        let (mut weight, mut bias) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            let factor = if part == "query" { 1.0 / (HEAD as f32).sqrt() } else { 1.0 };
            let rows = self.take(&format!("{name}.{part}.weight"), &[HIDDEN, HIDDEN])?;
            weight.extend(rows.iter().map(|x| x * factor));
            bias.extend(self.take(&format!("{name}.{part}.bias"), &[HIDDEN])?.iter().map(|x| x * factor));
        }
        Ok(Linear { weight: Packed::new(HIDDEN, 3 * HIDDEN, |k, n| weight[n * HIDDEN + k]), bias })
    }

    fn layer(&self, layer: usize) -> Result<Layer, String> {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        Ok(Layer {
            attention: self.attention(&name("attention.self"))?,
            attended: self.linear(&name("attention.output.dense"), HIDDEN, HIDDEN)?,
            attended_norm: self.norm(&name("attention.output.LayerNorm"))?,
            inner: self.linear(&name("intermediate.dense"), HIDDEN, INNER)?,
            outer: self.linear(&name("output.dense"), INNER, HIDDEN)?,
            outer_norm: self.norm(&name("output.LayerNorm"))?,
        })
    }
}
