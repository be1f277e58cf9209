package reinforce

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/agents/agenttest"
)

// fakeTrack is a rollout of random times, some of them equal, and rewards.
func fakeTrack(r *rand.Rand, gamma float64) *track {
	k := &track{}
	for range 1 + r.IntN(12) {
		k.at = append(k.at, k.end)
		k.reward = append(k.reward, r.NormFloat64())
		if r.IntN(3) > 0 {
			k.end += float64(r.IntN(8)) / 4 // on a grid: times of several rollouts coincide
		}
	}
	k.finish(gamma)
	return k
}

// plainTogo is the return-to-go at a time by the words of its definition: through the points of all
// decisions, of several at one time the first, and the point of the end, go straight lines.
func plainTogo(k *track, t float64) float64 {
	type point struct{ t, g float64 }
	var line []point
	for i, at := range k.at {
		line = append(line, point{at, k.togo[i]})
	}
	line = append(line, point{k.end, 0})
	for _, p := range line {
		if p.t == t {
			return p.g
		}
	}
	for i := 1; i < len(line); i++ {
		if a, b := line[i-1], line[i]; a.t < t && t < b.t {
			return (a.g*(b.t-t) + b.g*(t-a.t)) / (b.t - a.t)
		}
	}
	return 0
}

// The baselines are as their definitions, computed without any of the shared code.
func TestBaselineByDefinition(t *testing.T) {
	r := agenttest.Draws("baseline")
	for try := range 300 {
		cfg := Default()
		cfg.Sequences, cfg.Rollouts = 1+r.IntN(3), 2+r.IntN(3)
		cfg.Gamma = []float64{1, 0.9}[try%2]
		cfg.Baseline = []string{Input, Time, Constant}[r.IntN(3)]
		cfg.LeaveOneOut = cfg.Baseline != Constant && r.IntN(2) == 0
		if err := cfg.Validate(); err != nil {
			t.Fatal(err)
		}
		var tracks []*track
		all, count := 0.0, 0.0
		for range cfg.Sequences * cfg.Rollouts {
			k := fakeTrack(r, cfg.Gamma)
			tracks = append(tracks, k)
			for _, g := range k.togo {
				all, count = all+g, count+1
			}
		}
		baseline(&cfg, tracks)
		for j, k := range tracks {
			for i, at := range k.at {
				want, n := 0.0, 0.0
				for m, peer := range tracks {
					if cfg.Baseline == Input && m/cfg.Rollouts != j/cfg.Rollouts || cfg.LeaveOneOut && m == j {
						continue
					}
					want, n = want+plainTogo(peer, at), n+1
				}
				want /= n
				if cfg.Baseline == Constant {
					want = all / count
				}
				if !(math.Abs(k.base[i]-want) <= 1e-12*max(1, math.Abs(want))) {
					t.Fatalf("%+v: rollout %d at time %g has baseline %.15g, by definition %.15g", cfg, j, at,
						k.base[i], want)
				}
			}
		}
	}
}

// At the start all rollouts of a sequence are compared at the same time: what they are better or
// worse than their mean sums to 0.
func TestAdvantagesBalance(t *testing.T) {
	r, cfg := agenttest.Draws("balance"), Default()
	for range 50 {
		var tracks []*track
		for range cfg.Sequences * cfg.Rollouts {
			tracks = append(tracks, fakeTrack(r, 1))
		}
		baseline(&cfg, tracks)
		for s := range cfg.Sequences {
			sum := 0.0
			for _, k := range tracks[s*cfg.Rollouts : (s+1)*cfg.Rollouts] {
				sum += k.togo[0] - k.base[0]
			}
			if math.Abs(sum) > 1e-12 {
				t.Fatalf("sequence %d: advantages at the start sum to %g", s, sum)
			}
		}
	}
}

// Returns are sums of rewards: all of them from the first decision, and each discounted by its
// time.
func TestReturnsByDefinition(t *testing.T) {
	r := agenttest.Draws("returns")
	for _, gamma := range []float64{1, 0.7} {
		for range 100 {
			k := fakeTrack(r, gamma)
			for i := range k.reward {
				want := 0.0
				for j := i; j < len(k.reward); j++ {
					want += k.reward[j] * math.Pow(gamma, k.at[j]-k.at[i])
				}
				if math.Abs(k.togo[i]-want) > 1e-12 {
					t.Fatalf("gamma %g: return from decision %d is %.15g, by definition %.15g", gamma, i, k.togo[i],
						want)
				}
			}
			if gamma == 1 && math.Abs(k.togo[0]-k.sum()) > 1e-12 {
				t.Fatalf("the return from the start is %g, the rewards sum to %g", k.togo[0], k.sum())
			}
		}
	}
}

func TestEntropySchedule(t *testing.T) {
	c := Default()
	c.EntropyCoef, c.EntropyFinal, c.EntropyShare = 1, 0.2, 0.5
	for done, want := range map[float64]float64{0: 1, 0.25: 0.6, 0.5: 0.2, 0.9: 0.2, 1: 0.2} {
		if got := c.entropy(done); math.Abs(got-want) > 1e-15 {
			t.Errorf("after %g of the budget the entropy weighs %g, want %g", done, got, want)
		}
	}
}
