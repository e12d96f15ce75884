"""A fleet of Golems in one process on the local L2: memory for each, ticks a second, and what a tick costs beside the
chain it waits for. Called by `scripts/bench fleet [golems] [ticks]`; needs the built `bardo` in the first argument.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

BARDO, GOLEMS, TICKS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        env = dict(os.environ, BARDO_HOME=f"{scratch}/home", BARDO_CHAIN_DIR=f"{scratch}/chain")
        password = f"{scratch}/password"
        with open(password, "w", encoding="ascii") as file:
            file.write("bench\n")

        def bardo(*arguments):
            return subprocess.run([BARDO, *arguments], env=env, check=True, capture_output=True, text=True).stdout

        bardo("chain", "up", "--detach", "--paced", "--block-seconds", "20", "--seed", "7")
        try:
            names = [f"g{number:03}" for number in range(GOLEMS)]
            for name in names:
                bardo("golem", "create", name, "--credits", "50", "--capital", "1000", "--key-password-file", password, "--json")
            rows = []
            for count in sorted({1, 10, 50, GOLEMS}):
                if count > GOLEMS:
                    continue
                rows.append(run(env, names[:count], password, TICKS))
            print("| Golems in one process | ticks each | ticks/s | resident MiB | KiB per further Golem | own time / chain time of a tick |")
            print("|---:|---:|---:|---:|---:|---:|")
            first = rows[0]
            for count, ticks, rate, memory, share in rows:
                each = "-" if count == first[0] else f"{(memory - first[3]) / (count - first[0]):.0f}"
                print(f"| {count} | {ticks} | {rate:.1f} | {memory / 1024:.1f} | {each} | {share:.1%} |")
        finally:
            bardo("chain", "down")


def lived(env, name):
    said = subprocess.run([BARDO, "golem", "status", name, "--json"], env=env, check=True, capture_output=True, text=True)
    return json.loads(said.stdout)


def run(env, names, password, ticks):
    """Each run goes on where the last one stopped, so the ticks to stop at are counted from there."""
    goal = run.done + ticks
    run.done = goal
    process = subprocess.Popen(
        [BARDO, "golem", "run", *names, "--speed", "100000", "--ticks", str(goal), "--key-password-file", password,
         "--metrics", "127.0.0.1:0"],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    address = None
    for line in process.stderr:
        found = re.search(r"metrics at (\S+)", line)
        if found:
            address = found.group(1)
            break
    begun, memory, page = None, 0, ""
    while process.poll() is None:
        try:
            memory = max(memory, resident(process.pid))
            page = urllib.request.urlopen(address, timeout=10).read().decode()
        except (OSError, AttributeError):
            pass
        if begun is None and re.search(r"golem_tick_own_seconds_count [1-9]", page):
            begun = time.monotonic()
        time.sleep(0.1)
    took = time.monotonic() - (begun or time.monotonic())
    if process.returncode != 0:
        raise SystemExit(f"the fleet of {len(names)} ended with {process.returncode}: {process.stderr.read()}")
    value = lambda name: float(re.search(rf"^{name} (\S+)", page, re.M).group(1))
    own, chain = value("golem_tick_own_seconds_sum"), value("golem_tick_chain_seconds_sum")
    count = value("golem_tick_own_seconds_count")
    return len(names), ticks, count / max(took, 0.001), memory, own / max(chain, 1e-9)


run.done = 0

if __name__ == "__main__":
    main()
