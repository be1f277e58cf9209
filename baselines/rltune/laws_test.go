package rltune

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// built makes the policy from settings.
func built(t *testing.T, text string) *Policy {
	t.Helper()
	return simtest.Build(t, "rltune-like", New, text)().(*Policy)
}

// rack is one rack with machines, by GPUs and type.
func rack(t *testing.T, machines ...cluster.Machines) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{machines},
		Speeds: map[string]float64{"new": 2, "old": 1}})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// jobs are random, of up to so many GPUs, more than a machine or two can run at once.
func jobs(t *testing.T, seed uint64, gpus int) *sim.Workload {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	var all []sim.Job
	at := 0.0
	for i := range 60 {
		at += 8 * r.ExpFloat64()
		n := int32(1 + r.IntN(gpus))
		all = append(all, sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(at), GPUs: n,
			Work: sim.Time(n) * sim.Seconds(5+100*r.Float64())})
	}
	w, err := sim.NewWorkload("laws", all)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// transcript is what a policy does with jobs.
func transcript(t *testing.T, top *cluster.Topology, w *sim.Workload, p sim.Policy) string {
	t.Helper()
	text, err := simtest.Transcript(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}, p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestOrderItself: on one machine of one type, with jobs of one GPU, the program starts the jobs in
// order, as first fit does; and in the order sjf as the queue sjf does.
func TestOrderItself(t *testing.T) {
	top := rack(t, cluster.Machines{Count: 1, GPUs: 4, Slots: 1, Type: "new"})
	for seed := range uint64(5) {
		w := jobs(t, seed, 1)
		for _, rule := range Rules() {
			for _, more := range []string{"", ",weigh=rank", ",size=1,front=5", ",prefer=0.8"} {
				a := transcript(t, top, w, built(t, "rule="+rule+more))
				if b := transcript(t, top, w, built(t, "front=0,rule="+rule)); a != b {
					t.Errorf("seed %d, %s%s: with the program\n%s\nin order\n%s", seed, rule, more, a, b)
				}
			}
		}
		sjf := simtest.Build(t, "sjf", queueing.NewSJF, "by=estimate")()
		if a, b := transcript(t, top, w, built(t, "")), transcript(t, top, w, sjf); a != b {
			t.Errorf("seed %d: rltune-like\n%s\nsjf\n%s", seed, a, b)
		}
	}
}

// shifted adds a number to all scores of the policy.
type shifted struct {
	*Policy
	by float64
}

func (p shifted) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.Begin(v); !p.May(v) {
		return out
	}
	list := p.Rank(v, nil)
	for i := range list {
		list[i].Score += p.by
	}
	return p.Map(v, list, out)
}

// TestConstant: a number added to all scores, which multiplies all values, changes nothing. 1024 is
// so large that scores lose some of their last digits, but not their order.
func TestConstant(t *testing.T) {
	top := rack(t, cluster.Machines{Count: 3, GPUs: 4, Slots: 1, Type: "old"},
		cluster.Machines{Count: 2, GPUs: 4, Slots: 1, Type: "new"})
	changed := false
	for seed := range uint64(5) {
		w := jobs(t, seed, 9)
		a := transcript(t, top, w, built(t, ""))
		for _, by := range []float64{0.5, -3, 1024} {
			if b := transcript(t, top, w, shifted{built(t, ""), by}); a != b {
				t.Errorf("seed %d: scores + %v change\n%s\nto\n%s", seed, by, a, b)
			}
		}
		changed = changed || a != transcript(t, top, w, built(t, "front=0"))
	}
	if !changed {
		t.Error("the program starts what first fit starts, expected a difference somewhere")
	}
}

// TestByHand: with size=0 the program leaves the machine of four to two jobs that count more together;
// with the default, 1, it does not. It takes the fastest type first, keeps a gang on one machine, and
// honours types.
func TestByHand(t *testing.T) {
	top := rack(t, cluster.Machines{Count: 2, GPUs: 4, Slots: 1, Type: "old"},
		cluster.Machines{Count: 1, GPUs: 4, Slots: 1, Type: "new"})
	job := func(gpus int32, runS float64, typ string) sim.Job {
		return sim.Job{GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(runS), GPUType: typ}
	}
	for _, c := range []struct {
		text string
		jobs []sim.Job
		want []string
	}{
		{"", []sim.Job{job(4, 10, "new"), job(2, 11, "new"), job(2, 12, "new")},
			[]string{"0 on [8 9 10 11] 0s-10s finish", "1 on [8 9] 10s-21s finish", "2 on [10 11] 10s-22s finish"}},
		{"size=0", []sim.Job{job(4, 10, "new"), job(2, 11, "new"), job(2, 12, "new")},
			[]string{"1 on [8 9] 0s-11s finish", "2 on [10 11] 0s-12s finish", "0 on [8 9 10 11] 12s-22s finish"}},
		{"front=0", []sim.Job{job(4, 10, "new"), job(2, 11, "new"), job(2, 12, "new")},
			[]string{"0 on [8 9 10 11] 0s-10s finish", "1 on [8 9] 10s-21s finish", "2 on [10 11] 10s-22s finish"}},
		{"", []sim.Job{job(3, 10, ""), job(3, 20, ""), job(8, 30, "")},
			[]string{"0 on [8 9 10] 0s-10s finish", "2 on [0 1 2 3 4 5 6 7] 0s-30s finish", "1 on [8 9 10] 10s-30s finish"}},
		{"size=0", []sim.Job{job(3, 10, ""), job(3, 20, ""), job(8, 30, "")},
			[]string{"0 on [8 9 10] 0s-10s finish", "1 on [0 1 2] 0s-20s finish", "2 on [0 1 2 3 4 5 6 7] 20s-50s finish"}},
		{"", []sim.Job{job(12, 10, "")}, []string{"0 on [0 1 2 3 4 5 6 7 8 9 10 11] 0s-10s finish"}},
	} {
		for i := range c.jobs {
			c.jobs[i].ID = fmt.Sprint(i)
		}
		w, err := sim.NewWorkload("by hand", c.jobs)
		if err != nil {
			t.Fatal(err)
		}
		var tape simtest.Tape
		cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
		if _, err := sim.Run(t.Context(), cfg, built(t, c.text), &tape); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(tape.Lines) != fmt.Sprint(c.want) {
			t.Errorf("%q: %q, expected %q", c.text, tape.Lines, c.want)
		}
	}
}
