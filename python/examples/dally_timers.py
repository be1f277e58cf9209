"""What the examples that choose Dally's delay timers share: the jobs, the policy with given timers, and the measurement in pairs."""

from __future__ import annotations

import tarry

LEASE = "dally:lease=300"
# Seeds of jobs: the seeds of trials begin at 1, the seeds kept for the end at 1001.
VALIDATION, TEST = {"seed": 1, "replicates": 4}, {"seed": 1001, "replicates": 12}


def compare(policies: list[str], jobs: dict[str, int], workers: int = 1) -> list[dict[str, float]]:
    """A row for each policy, on the same jobs: means, and the difference from the first."""
    run = tarry.compare(trace="synth:demo", cluster="4x4x8", speed="tiers", policies=policies, tables=["trials"], workers=workers, **jobs)
    return run.rows


def timers(rack: float, net: float) -> str:
    """The policy with these timers, in leases."""
    return f"{LEASE},t_rack={rack},t_net={net}"


def cost(rack: float, more: float) -> float:
    """Mean completion time in s of the jobs of validation, where jobs wait rack leases for a rack and more leases longer for any place."""
    return compare([timers(rack, rack + more)], VALIDATION)[0]["jct_mean_s"]


def report(trials: int, rack: float, more: float, best: float) -> None:
    """Prints the choice, and measures it on test jobs in pairs with Dally's own tuner."""
    print(f"{trials} trials; best on validation: t_rack {rack:g}, t_net {rack + more:g} leases, {best:.0f} s")
    own, tuned, none = compare([LEASE, timers(rack, rack + more), "dally-nowait:lease=300"], TEST)
    print(f"on test jobs: Dally's own tuner {own['jct_mean_s']:.0f} s")
    for name, row in (("tuned", tuned), ("no timers", none)):
        print(f"  {name} {row['jct_mean_diff_s']:+.0f} s [{row['jct_mean_diff_lo_s']:+.0f}, {row['jct_mean_diff_hi_s']:+.0f}]")
