package preempt

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tarry/baselines/dally"
	"tarry/catalogue/policies"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan/victim"
)

// exported writes a vector as a file.
func exported(t *testing.T, e *Env, params []float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w.txt")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Export(f, params), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// A vector, asked at every instant and shown every job, is the policy of its text, record for
// record, and reads back as it was.
func TestVectorIsThePolicyOfItsText(t *testing.T) {
	c := configV2(t, sought+",workload=recur,margin=1")
	c.Every = 1
	e, seen := searched(t, c), map[string]bool{}
	wild := e.start()
	for i := range wild {
		wild[i] += math.Sin(float64(3*i + 1))
	}
	for name, x := range map[string]float64{"margin": 0.25, "wait": -0.5, "wait_unsaved": 2} {
		wild[slices.Index(victim.WeightNames(), name)] = x
	}
	for k, params := range [][]float64{e.start(),
		e.changed(map[string]float64{"wait": 0.45, "wait_until": -1, "margin": 0}),
		e.changed(map[string]float64{"gate_demand": 0.1, "score_machine": -3, "score_later": -3}), wild} {
		path := exported(t, e, params)
		_, fresh, err := policies.All().Parse("dally:preempt=false,order=gittins,evict=later,weights="+path,
			cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		waits := 0
		for window := range 3 {
			p, err := fresh()
			if err != nil {
				t.Fatal(err)
			}
			want := schedtest.Records(t, &c.Config, window, p)
			got, _ := schedtest.Play(t, e.Env, fmt.Sprint("window=", window), e.actor(t, params, &waits))
			if kills := killed(got); !slices.Equal(got, want) || kills < 5 {
				t.Errorf("vector %d, window %d: %d evictions, %d waits, records equal: %v", k, window, kills, waits,
					slices.Equal(got, want))
			}
			if window == 0 {
				seen[fmt.Sprint(got)] = true
			}
		}
		if k%2 == 1 && waits == 0 {
			t.Errorf("vector %d never waits", k)
		}
		if again, err := victim.LoadWeights(path); err != nil || !slices.Equal(again, params) {
			t.Errorf("vector %d is read as %v, %v", k, again, err)
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d different plays of four vectors", len(seen))
	}
}

// A rule that waits for checkpoints is the same as a demonstration, as a policy, and as the vector
// that a search starts with.
func TestWaitsAreTheSameEverywhere(t *testing.T) {
	for _, wait := range []float64{0.5, 1} {
		c := configV2(t, fmt.Sprintf("%s,workload=recur,margin=0.5,wait_checkpoint=%v", sought, wait))
		c.Every = 1
		rule := c.Dally
		rule.Evict, rule.MinRun, rule.Victims = true, float64(c.MinRun)/float64(c.Lease()), victim.LeastLostPerGPU
		rule.Margin, rule.WaitCheckpoint = 0.5, wait
		e, waits := searched(t, c), 0
		want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(rule, nil))
		got, evictions := follow(t, c, "least-lost-per-gpu")
		if !slices.Equal(got, want) || evictions < 5 {
			t.Errorf("wait %v: %d evictions, the demonstration is not the rule", wait, evictions)
		}
		vector, _ := schedtest.Play(t, e.Env, "window=1", e.actor(t, e.start(), &waits))
		if !slices.Equal(vector, want) || waits < 5 {
			t.Errorf("wait %v: %d waits, the vector is not the rule", wait, waits)
		}
		rule.WaitCheckpoint = 0
		at, without := lost(want), lost(schedtest.Records(t, &c.Config, 1, dally.NewPolicy(rule, nil)))
		if at >= without {
			t.Errorf("wait %v: %v are lost, %v without, expected less", wait, at, without)
		}
	}
}

// lost is the running time that kills undid.
func lost(of []sim.Record) (d sim.Time) {
	for i := range of {
		d += of[i].KilledRun
	}
	return d
}
