"""Put the weights of baselines/score/order.txt together (docs/results/order.md).

    python python/bench/order_one.py > baselines/score/order.txt
    python python/bench/order_one.py week 7 > week.txt    # a specialist, by workload and seed

The score is the specialist's of recur-1.1; where no more jobs come it becomes the batch list's, and
where predictions are uncertain the Gittins order with two more terms. lull_NAME and doubt_NAME have
the differences, since they are the lull and the doubt times NAME; of min_run, of its logarithm. Scores
are scaled so that all share one margin.
"""

import csv
import math
import sys

GLOBALS = ("margin", "min_run", "t_rack", "t_net")
SPECIALISTS = "experiments/order/data/weights.csv"
DOUBTED = {"margin": 0.5, "min_run": 1.0, "rank": 1.0, "attained": 0.1, "preempted": -0.3}


def specialist(setting, seed):
    with open(SPECIALISTS) as f:
        return {n: float(v) for s, k, n, v in csv.reader(f) if (s, k) == (setting, seed)}


def show(weights, numbers):
    print("tarry-score 1\npredictor ridge\nfeatures", *weights)
    print("hidden 0\n")
    for name, value in numbers.items():
        print(f"{name} = {value if value == 'auto' else repr(value)}")
    print("law_median_s = 3600\nlaw_spread = 2\n")
    for name, value in weights.items():
        print(f"{name} = {value!r}")


def main():
    if len(sys.argv) == 3:
        found = specialist(*sys.argv[1:])
        show({n: v for n, v in found.items() if n not in GLOBALS}, {n: found[n] for n in GLOBALS})
        return
    busy, batch = specialist("recur-1.1", "7"), specialist("batch", "4")
    terms = [name for name in busy if name not in GLOBALS]
    out = {name: busy[name] for name in terms}
    numbers = {"margin": busy["margin"], "min_run": busy["min_run"]}
    for gate, other in ("lull_", batch), ("doubt_", DOUBTED):
        scale = busy["margin"] / other["margin"]
        out |= {gate + name: scale * other.get(name, 0.0) - busy[name] for name in terms}
        numbers[gate + "min_run"] = math.log(other["min_run"] / busy["min_run"])
    show(out, numbers | {"t_rack": "auto", "t_net": "auto"})


if __name__ == "__main__":
    main()
