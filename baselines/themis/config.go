package themis

import (
	"math"

	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = partOfPaper + OtherParams

const partOfPaper = `f          of the apps that want GPUs, the part 1 - f with the largest rho bids; 1 = the worst-off alone, 0 = all
`

// OtherParams describes the settings that Themis has by any Bids.
const OtherParams = `lease      how long GPUs are granted, s; 0 = for good
align      leases end at whole multiples of lease, so that most GPUs are on offer together
ideal      T_id: scaled: alone on the cluster, times the contention | share: alone on one part of the cluster of as many as the contention |
           alone: alone on the cluster
contention the number of apps: mean: over the app's life | now
idle       rho without GPUs: wait: as if it waited as long again as it has, and a lease | ratio: its last rho x (minutes waited + 1)
payments   hidden payments: a winner keeps the part c of its GPUs
round      c x GPUs to a count that the app can use: nearest | down | draw: at random, right on average
left       who gets what is left: random: apps outside the auction, one unit at a time | rho: apps with the largest rho |
           auction: the others bid, until nothing is left; at last the winners, by rho
grow       apps bid for more GPUs while they hold a lease
place      packed: whose leases have ended are packed anew together with starting jobs, such that most GPUs stay | near: who wins again
           stays where it is
app        job | user | group: whose jobs bid together
work       known: the work that is left | estimate
admit      an app that arrives stays outside while the largest rho is above this; inf = none does
seed       of the draws`

// How T_id, the contention, rho without GPUs and left-overs are found.
type config struct {
	lease                        sim.Time
	part, admit                  float64
	align, payments, grow, known bool
	packed                       bool
	speedup, now, ratio          bool
	ideal, round, left, app      string
	seed                         uint64
}

// Bids states how apps bid; the zero value is the paper's way.
type Bids struct {
	// Part reads the part of the apps that bids, 0 to 1; nil = 1 - f.
	Part func(*param.Set) float64
	// Speedup states that a bid's value is the speed that the GPUs give, not 1/rho.
	Speedup bool
}

func newConfig(s *param.Set, bids Bids) config {
	c := config{lease: sim.Seconds(s.Float("lease", 1200, 0, 1e12)), align: s.Bool("align", true)}
	if bids.Part != nil {
		c.part = bids.Part(s)
	} else {
		c.part = 1 - s.Float("f", 0.8, 0, 1)
	}
	c.speedup = bids.Speedup
	c.ideal, c.now = s.Enum("ideal", "scaled", "share", "alone"), s.Enum("contention", "mean", "now") == "now"
	c.ratio = s.Enum("idle", "wait", "ratio") == "ratio"
	c.payments, c.round = s.Bool("payments", true), s.Enum("round", "nearest", "down", "draw")
	c.packed = s.Enum("place", "packed", "near") == "packed"
	c.left, c.grow = s.Enum("left", "random", "rho", "auction"), s.Bool("grow", true)
	c.app, c.known = s.Enum("app", "job", "user", "group"), s.Enum("work", "known", "estimate") == "known"
	c.admit = s.Float("admit", math.Inf(1), 0, math.Inf(1))
	c.seed = uint64(s.Int64("seed", 1, 0, math.MaxInt64))
	return c
}

// bidders is how many of n apps bid.
func (c *config) bidders(n int) int {
	return min(n, max(1, int(float64(c.part*float64(n))+1e-9)))
}

// until is the lease of GPUs that are granted now: a whole lease, or to the multiple of it
// that is nearest to its end.
func (c *config) until(now sim.Time) sim.Time {
	if c.lease == 0 || !c.align {
		return c.lease
	}
	return (now+c.lease+c.lease/2)/c.lease*c.lease - now
}
