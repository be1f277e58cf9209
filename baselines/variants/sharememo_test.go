package variants

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/baselines/variants/sharing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest/hand"
)

// asksAnew works all losses out at every instant.
type asksAnew struct{ *sharing.Sharing }

func (a asksAnew) Share(p *contest.Policy, v *sim.View, out []sim.Decision) []sim.Decision {
	return sharing.New(a.Rules).Share(p, v, out)
}

// Losses that are remembered equal the model's: the same decisions with and without, in lists in
// which jobs join, are stopped and start again elsewhere.
func TestRememberedLossesHold(t *testing.T) {
	keep := map[string]float64{"light": 0.95, "middle": 0.85, "heavy": 0.5}
	tuned := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 7))
		var jobs []sim.Job
		for i := range 150 {
			n := 1 << r.IntN(3)
			jobs = append(jobs, sim.Job{Submit: sim.Seconds(float64(i) * 200 * r.Float64()), GPUs: int32(n),
				Model: []string{"light", "middle", "heavy"}[r.IntN(3)], Work: sim.Seconds(float64(n) * 3600 * r.ExpFloat64())})
		}
		slices.SortFunc(jobs, func(a, b sim.Job) int { return int((a.Submit - b.Submit) / sim.Second) })
		top, err := cluster.New(cluster.Uniform(1, 3, 4, 1))
		if err != nil {
			t.Fatal(err)
		}
		var lines [2][]string
		for i := range lines {
			set := param.Parse("policy dally", "lease=600")
			c := rules{Config: dally.Auto.Config(set)}
			c.Config.Read(set)
			if set.Err() != nil {
				t.Fatal(set.Err())
			}
			c.Reads |= know.Speed | know.Profile
			if c.Sharing = sharing.New(sharing.Rules{Loss: 0.2}); i == 1 {
				c.Sharing = asksAnew{sharing.New(sharing.Rules{Loss: 0.2})}
			}
			s := &sharedLines{Policy: dally.NewPolicy(c.Config, nil)}
			if _, err := sim.Run(context.Background(), sim.Config{Workload: hand.Numbered(t, jobs...), Topology: top,
				Speed: crowd{top, keep}}, s); err != nil {
				t.Fatal(err)
			}
			lines[i] = s.lines
		}
		if !slices.Equal(lines[0], lines[1]) {
			t.Fatalf("seed %d: decisions differ: %d and %d", seed, len(lines[0]), len(lines[1]))
		}
		for _, l := range lines[0] {
			var at, what string
			if _, err := fmt.Sscan(l, &at, &what); err == nil && what == "tune" {
				tuned++
			}
		}
	}
	if tuned < 200 {
		t.Errorf("only %d tunes: the lists hardly share", tuned)
	}
}
