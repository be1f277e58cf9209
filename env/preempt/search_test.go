package preempt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tarry/baselines/dally"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/plan/victim"
)

func searched(t testing.TB, c Config) *Env {
	t.Helper()
	if !c.searchable() {
		t.Fatal("cannot be searched")
	}
	e, err := newSearched(c, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := trait.CheckParameters(e.Parameters()); err != nil {
		t.Fatal(err)
	}
	return e
}

// actor answers by a vector.
func (e *Env) actor(t testing.TB, params []float64, waits *int) schedenv.Actor {
	return func(obs []float64, mask []bool, action []float64) {
		if err := e.Answer(action, obs, params); err != nil {
			t.Fatal(err)
		}
		if !mask[int(action[0])] {
			t.Fatalf("action %v is not legal", action[0])
		}
		if int(action[0]) > e.cfg.Candidates {
			*waits++
		}
	}
}

// changed is the start with some parameters set.
func (e *Env) changed(set map[string]float64) []float64 {
	out := e.start()
	for i, p := range e.Parameters() {
		if x, ok := set[p.Name]; ok {
			out[i] = x
		}
	}
	return out
}

// The places that a vector reads have the names that doc.go states.
func TestPlacesOfTerms(t *testing.T) {
	c := configV2(t, "cluster=2x2x4")
	s := c.segmentsSets()
	for _, x := range []struct {
		segment, at int
		name        string
	}{{0, atDemand, "demand"}, {1, atLacks, "lacks"}, {1, atRankOf, "rank"}, {2, atPreempted, "preempted"},
		{2, atPresent, "present"}, {2, atRatio, "ratio"}, {2, atMachine, "opens_machine"}, {2, atUnsaved, "unsaved"},
		{2, atRisk, "at_risk"}, {2, atUntil, "until"}, {2, atChosen, "chosen"}, {2, atLeft, "mean_left"},
		{2, atRank, "rank"}, {2, atSpread, "spread"}} {
		if got := s[x.segment].Features[x.at].Name; got != x.name {
			t.Errorf("segment %s, place %d: %s, expected %s", s[x.segment].Name, x.at, got, x.name)
		}
	}
}

const sought = "cluster=2x2x4,warm=0,horizon=60,load=1.1,candidates=16,victims=1000"

// The start of a search is the rule least-lost-per-gpu, record for record.
func TestStartIsTheRule(t *testing.T) {
	for _, margin := range []float64{0, 1} {
		c := configV2(t, fmt.Sprintf("%s,workload=recur,margin=%v", sought, margin))
		c.Every = 1
		rule := c.Dally
		rule.Evict, rule.MinRun, rule.Victims = true, float64(c.MinRun)/float64(c.Lease()), victim.LeastLostPerGPU
		rule.Margin = margin
		e, waits := searched(t, c), 0
		for window := range 4 {
			want := schedtest.Records(t, &c.Config, window, dally.NewPolicy(rule, nil))
			got, _ := schedtest.Play(t, e.Env, fmt.Sprint("window=", window), e.actor(t, e.start(), &waits))
			if kills := killed(got); !slices.Equal(got, want) || kills < 5 || waits > 0 {
				t.Errorf("margin %v, window %d: %d evictions, %d waits, records equal: %v", margin, window, kills, waits,
					slices.Equal(got, want))
			}
		}
	}
}

func killed(of []sim.Record) (n int) {
	for i := range of {
		n += int(of[i].Preemptions)
	}
	return n
}

// A vector that plays a window by itself and one that answers question by question are the same
// agent, from the end of the warm-up on; what is played does not depend on what was played before.
func TestVectors(t *testing.T) {
	for _, text := range []string{"", ",warmup=base,every=0.01"} {
		c := configV2(t, "cluster=2x2x4,warm=8,horizon=60,load=1.1,workload=recur"+text)
		c.WarmBase = true // episodes and plays begin after it
		e, waits := searched(t, c), 0
		costs := map[float64]bool{}
		for k, set := range []map[string]float64{nil, {"wait": 0.5}, {"margin": 0, "gate_at_risk": 4},
			{"score_lost": -1, "score_gpus": 3}, {"gate_demand": 16, "margin": 16}} {
			params := e.changed(set)
			got, _ := schedtest.Play(t, e.Env, "window=1", e.actor(t, params, &waits))
			o, err := e.Play(context.Background(), params, schedenv.Train, 1)
			if err != nil {
				t.Fatal(err)
			}
			jct := 0.0
			for j, r := range got {
				jct += (r.End - e.Workload()[j].Submit).Seconds() / float64(len(got))
			}
			if math.Abs(o.Metrics[0].Value/jct-1) > 1e-12 || k == 0 && o.Cost != 1 {
				t.Errorf("%s, vector %d: Play says %v, the records %v; cost %v", text, k, o.Metrics[0].Value, jct, o.Cost)
			}
			if again, err := e.Play(context.Background(), params, schedenv.Train, 1); err != nil || again.Cost != o.Cost {
				t.Errorf("%s, vector %d: cost %v, then %v, %v", text, k, o.Cost, again.Cost, err)
			}
			costs[o.Cost] = true
			if k == 4 && killed(got) > 0 {
				t.Errorf("%s: %d evictions above any margin", text, killed(got))
			}
		}
		if len(costs) < 4 || waits == 0 {
			t.Errorf("%s: costs %v, %d waits: expected vectors to differ", text, costs, waits)
		}
	}
}

// What a vector cannot read is not searched, and is made all the same; a window without a question is
// named as such.
func TestSearchable(t *testing.T) {
	two := filepath.Join(t.TempDir(), "two.yaml")
	text := "racks: [{machines: [{gpus: 4, type: a}, {gpus: 4, type: b}]}]\n"
	if err := os.WriteFile(two, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"": true, "cluster=" + two + ",speed=counting": false,
		"order=las": false, "hide=risk": false, "predict=none": false, `base="fifo"`: false} {
		e, err := MakeV2(simulation.All(), text)
		if err != nil {
			t.Fatal(text, err)
		}
		if _, got := env.Find[trait.Searchable](e); got != want {
			t.Errorf("%q: can be searched: %v, expected %v", text, got, want)
		}
	}
	c := configV2(t, "cluster=4x4x8,warm=0")
	c.Source = fixed{[]sim.Job{{ID: "a", GPUs: 1, Work: 1000 * sim.Second}}}
	e := searched(t, c)
	if _, err := e.Play(context.Background(), e.start(), schedenv.Train, 0); !errors.Is(err, trait.ErrNoQuestion) {
		t.Errorf("error %v, expected none of a question", err)
	}
	if _, err := e.Play(context.Background(), nil, schedenv.Train, 0); err == nil {
		t.Error("no parameters were played")
	}
}

// Three candidates hold 2, 1 and 4 GPUs, of 3 that are lacking; none is left out for a rank of 0.
func TestActByHand(t *testing.T) {
	c := configV2(t, "cluster=2x2x4,candidates=3,margin=1")
	e := searched(t, c)
	obs := make([]float64, e.Spec().Observation.Len())
	rows := obs[len(obs)-6*candidateSets:]
	blocked := obs[len(obs)-len(rows)-blockedSets:]
	blocked[atLacks] = 0.75 // of 4
	for i, x := range []struct{ gpus, lost, rank float64 }{{2, 1, 6}, {1, 0.25, 3}, {4, 2, 2}} {
		row := rows[i*candidateSets:]
		row[atPresent], row[atRatio], row[atRisk] = 1, schedenv.Squash(x.gpus/4), schedenv.Squash(x.lost/4)
		row[atRank], row[atUntil] = schedenv.Squash(x.rank), 0.5
	}
	do := func(what string, set map[string]float64, want int) {
		t.Helper()
		action := []float64{-1}
		if err := e.Answer(action, obs, e.changed(set)); err != nil || int(action[0]) != want {
			t.Errorf("%s: action %v, %v, expected %d", what, action, err, want)
		}
	}
	blocked[atRankOf] = schedenv.Squash(1)
	do("one may go, with too few GPUs", map[string]float64{"margin": 1.5}, 0)
	do("two may go, and have enough", nil, 2)
	do("without a margin the second loses least per GPU", map[string]float64{"margin": 0}, 2)
	do("the gate", map[string]float64{"margin": 0, "gate_until": 4}, 0)
	do("most GPUs first", map[string]float64{"margin": 0, "score_lost": 0, "score_gpus": -1}, 3)
	do("waits for the second", map[string]float64{"margin": 0, "wait_until": 3}, 5)
	blocked[atRankOf] = 0
	do("with a rank of 0 all may go", map[string]float64{"score_later": 0.5}, 2)
	rows[candidateSets+atChosen] = 1
	do("a set that is begun does not wait", map[string]float64{"wait": 1}, 1)
	rows[2*candidateSets+atPresent] = 0
	do("too few GPUs are left", nil, 0)
}
