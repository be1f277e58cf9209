package plan_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// whoWaits is the twin of Waiters: it looks at all jobs, one demand after the other.
func whoWaits(v *sim.View, q *plan.Queue, kinds []plan.Demand) string {
	s := ""
	for _, d := range kinds {
		n, oldest := 0, sim.Never
		for j := range sim.JobID(v.NumJobs()) {
			if v.Run(j).State() == sim.Waiting && *q.Note(v, j) == d {
				n++
				oldest = min(oldest, v.Run(j).Since())
			}
		}
		s += fmt.Sprintf("%d GPUs: %d since %v, ", d.GPUs, n, oldest)
	}
	return s
}

// Waiters counts how many jobs of each demand wait and since when, whatever starts, is preempted
// with and without a checkpoint, or fails; a copy continues alike, whatever becomes of the
// original.
func TestWaitersAreCounted(t *testing.T) {
	starts, stops := 0, 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 51))
		cfg, _ := draw(t, r)
		p, q, w := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, plan.Waiters{}
		var kinds []plan.Demand
		know := map[plan.Demand]bool{}
		var behind []sim.JobID // preempted at once: they wait from this instant on
		enter := func(v *sim.View, j sim.JobID) {
			d := q.Note(v, j)
			if !know[*d] {
				know[*d] = true
				kinds = append(kinds, *d)
			}
			w.Enter(v, d, j)
		}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			for _, ev := range v.Events() {
				switch ev.Kind {
				case sim.Arrive, sim.Drained, sim.Fail:
					if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
						enter(v, ev.Job)
					}
				}
			}
			if r.IntN(6) == 0 {
				old := w
				w = w.Clone()
				for i := range kinds {
					old.Enter(v, &kinds[i], 0)
				}
			}
			got := ""
			for _, x := range w.Append(v, nil) {
				got += fmt.Sprintf("%d GPUs: %d since %v, ", x.GPUs, x.Waiting, x.Oldest)
				if l, ok := v.Topology().Finest(cluster.LevelMachine, x.GPUs, cluster.PerGPU{Type: x.Type}); ok &&
					l != x.Fits {
					t.Fatalf("seed %d: %d GPUs fit at %v, expected %v", seed, x.GPUs, x.Fits, l)
				}
			}
			if want := whoWaits(v, q, kinds); got != want {
				t.Fatalf("seed %d at %v: %s, expected %s", seed, v.Now(), got, want)
			}
			p.Begin(v)
			behind = behind[:0]
			for j := range sim.JobID(v.NumJobs()) {
				switch {
				case v.Run(j).State() == sim.Waiting && r.IntN(2) == 0:
					if gpus, ok := p.Place(v, q.Note(v, j)); ok {
						w.Leave(q.Note(v, j))
						out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
						starts++
					}
				case v.Run(j).State() == sim.Running && r.IntN(6) == 0:
					out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
					stops++
					if v.Run(j).CheckpointTime() == 0 {
						behind = append(behind, j)
					}
				}
			}
			for _, j := range behind {
				enter(v, j)
			}
			return append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
		})
		if _, err := sim.Run(t.Context(), cfg, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if starts < 1000 || stops < 300 {
		t.Errorf("%d starts and %d preemptions: the cases are too easy", starts, stops)
	}
}
