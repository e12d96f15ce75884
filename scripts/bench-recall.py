"""Asks the peers of `scripts/bench recall` the questions our store was asked, on the same vectors, and prints the table.

Usage: bench-recall.py FOLDER, with our lines of numbers on standard input. Every answer is exact, so all must agree.
Times are of the processor, so that whoever else is on the machine does not count.
"""

import os
import shutil
import sqlite3
import sys
import time
import uuid

os.environ.setdefault("LANCE_CPU_THREADS", "1")
os.environ.setdefault("LANCE_IO_THREADS", "1")

import apsw
import lancedb
import numpy
import pyarrow
import sqlite_vec

DIMENSIONS = 384
NEAREST = 10


def timed(questions, ask):
    ask(questions[0])
    start = time.process_time()
    found = [ask(question) for question in questions]
    return (time.process_time() - start) * 1e3 / len(questions), found


def connect(path, immutable):
    # Python's own module is often built without extensions.
    access = apsw.SQLITE_OPEN_READONLY if immutable else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    name = f"file:{path}?immutable=1" if immutable else path
    connection = apsw.Connection(name, flags=access | apsw.SQLITE_OPEN_URI)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    return connection


def scan_same_file(path, questions):
    """sqlite-vec's distance over the very rows our store keeps."""
    connection = connect(path, immutable=True)
    sql = "SELECT entry FROM vectors ORDER BY vec_distance_cosine(vector, ?) LIMIT ?"
    return timed(questions, lambda q: [row[0] for row in connection.execute(sql, (q.tobytes(), NEAREST))])


def vec0(path, folder, questions, ids, vectors):
    """sqlite-vec's own table of the same vectors."""
    name = os.path.join(folder, "vec0.sqlite")
    if os.path.exists(name):
        os.remove(name)
    connection = connect(name, immutable=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"CREATE VIRTUAL TABLE v USING vec0(embedding float[{DIMENSIONS}] distance_metric=cosine)")
    start = time.process_time()
    with connection:
        rows = ((place, vector.tobytes()) for place, vector in enumerate(vectors))
        connection.executemany("INSERT INTO v(rowid, embedding) VALUES (?, ?)", rows)
    rate = len(ids) / (time.process_time() - start)
    sql = "SELECT rowid FROM v WHERE embedding MATCH ? AND k = ? ORDER BY distance"
    mean, found = timed(questions, lambda q: [ids[row[0]] for row in connection.execute(sql, (q.tobytes(), NEAREST))])
    connection.close()
    os.remove(name)
    return mean, found, rate


def lance(folder, questions, ids, vectors):
    """LanceDB without an index: a flat, exact scan."""
    name = os.path.join(folder, "lance")
    shutil.rmtree(name, ignore_errors=True)
    flat = pyarrow.array(numpy.asarray(vectors).reshape(-1), type=pyarrow.float32())
    column = pyarrow.FixedSizeListArray.from_arrays(flat, DIMENSIONS)
    data = pyarrow.table({"place": pyarrow.array(range(len(ids)), type=pyarrow.int64()), "vector": column})
    start = time.process_time()
    table = lancedb.connect(name).create_table("v", data)
    rate = len(ids) / (time.process_time() - start)

    def ask(question):
        answer = table.search(question).metric("cosine").limit(NEAREST).select(["place", "_distance"]).to_arrow()
        return [ids[place] for place in answer["place"].to_pylist()]

    mean, found = timed(questions, ask)
    shutil.rmtree(name, ignore_errors=True)
    return mean, found, rate


def agreement(ours, theirs):
    """Share of answers that name the same entries; an equal distance may stand in either order."""
    same = sum(set(a) == set(b) for a, b in zip(ours, theirs))
    return f"{same}/{len(theirs)}"


def load(path):
    connection = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    rows = connection.execute("SELECT entry, vector FROM vectors ORDER BY place").fetchall()
    return [row[0] for row in rows], [numpy.frombuffer(row[1], dtype="<f4") for row in rows]


def main():
    folder = sys.argv[1]
    print("| entries | golem-store | sqlite-vec vec0 | sqlite-vec, same file | LanceDB flat | ahead of vec0, LanceDB | same answers |")
    print("|---:|---:|---:|---:|---:|---:|---|")
    rates = []
    for line in sys.stdin:
        rows, mean, recall, first, stocked, kept = line.split()
        path = os.path.join(folder, f"{rows}.sqlite")
        with open(os.path.join(folder, f"{rows}.questions"), "rb") as file:
            questions = list(numpy.frombuffer(file.read(), dtype="<f4").reshape(-1, DIMENSIONS))
        with open(os.path.join(folder, f"{rows}.found")) as file:
            ours = [[uuid.UUID(name).bytes for name in answer.split()] for answer in file]
        ids, vectors = load(path)
        few = questions if int(rows) <= 100_000 else questions[:15]
        own, own_found, own_rate = vec0(path, folder, few, ids, vectors)
        same, same_found = scan_same_file(path, few[:15])
        flat, flat_found, flat_rate = lance(folder, few, ids, vectors)
        agreed = ", ".join(agreement(ours, found) for found in (own_found, same_found, flat_found))
        mean = float(mean)
        print(
            f"| {int(rows):,} | {mean:.2f} ms | {own:.2f} ms | {same:.2f} ms | {flat:.2f} ms "
            f"| {own / mean:.1f}x, {flat / mean:.1f}x | {agreed} |",
            flush=True,
        )
        rates.append((rows, recall, first, stocked, kept, own_rate, flat_rate))
    print()
    print("| entries | whole recall, with words and reasons | first question, loading | entries/s | vectors/s | vec0 vectors/s | LanceDB vectors/s |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for rows, recall, first, stocked, kept, own_rate, flat_rate in rates:
        print(
            f"| {int(rows):,} | {float(recall):.2f} ms | {float(first):.0f} ms | {int(stocked):,} | {int(kept):,} "
            f"| {own_rate:,.0f} | {flat_rate:,.0f} |"
        )
    print(f"\nsqlite-vec {sqlite_vec.__version__}, LanceDB {lancedb.__version__}, SQLite {apsw.sqlite_lib_version()} in Python")


main()
