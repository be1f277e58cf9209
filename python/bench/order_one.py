"""Put the weights of examples/weights/order.txt together (docs/order-one.md).

    python python/bench/order_one.py > examples/weights/order.txt

The score is the specialist's of recur-1.1; where no more jobs come it becomes the batch list's, and
where predictions are uncertain the Gittins order, untuned. lull_NAME and doubt_NAME have the
differences, since they are the lull and the doubt times NAME. Scores are scaled so that all share one
margin.
"""

import csv

GLOBALS = ("margin", "min_run", "t_rack", "t_net")
SPECIALISTS = "experiments/order/data/weights.csv"
RULE = {"margin": 0.5, "rank": 1.0}
MIN_RUN = 0.2


def specialist(setting, seed):
    with open(SPECIALISTS) as f:
        return {n: float(v) for s, k, n, v in csv.reader(f) if (s, k) == (setting, seed)}


def main():
    busy, batch = specialist("recur-1.1", "7"), specialist("batch", "1")
    terms = [name for name in busy if name not in GLOBALS]
    out = {name: busy[name] for name in terms}
    for gate, other in ("lull_", batch), ("doubt_", RULE):
        scale = busy["margin"] / other["margin"]
        out |= {gate + name: scale * other.get(name, 0.0) - busy[name] for name in terms}
    print("tarry-score 1\npredictor ridge\nfeatures", *out)
    print(f"hidden 0\n\nmargin = {busy['margin']!r}\nmin_run = {MIN_RUN}\nt_rack = auto\nt_net = auto")
    print("law_median_s = 3600\nlaw_spread = 2\n")
    for name, value in out.items():
        print(f"{name} = {value!r}")


if __name__ == "__main__":
    main()
