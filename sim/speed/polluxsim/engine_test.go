package polluxsim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// minutes starts jobs at full minutes on the GPUs stated for them, and never anything else.
type minutes struct {
	on    [][]cluster.GPU
	tries bool // moves, preempts and tunes at random
	r     *rand.Rand
}

func (m *minutes) Knows() know.Set { return know.Nothing }

func (m *minutes) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	const minute = 60 * sim.Second
	if v.Now()%minute == 0 {
		for j := range sim.JobID(v.NumJobs()) {
			switch v.Run(j).State() {
			case sim.Waiting:
				out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: m.on[j]})
			case sim.Running:
				out = m.change(v, j, out)
			}
		}
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: (v.Now()/minute + 1) * minute})
}

func (m *minutes) change(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if !m.tries {
		return out
	}
	switch d := (sim.Decision{Job: j}); m.r.IntN(6) {
	case 0:
		d.Kind = sim.Preempt
		return append(out, d)
	case 1:
		d.Kind, d.AccumSteps = sim.Tune, 1+m.r.Int32N(3)
		return append(out, d)
	case 2:
		d.Kind, d.Batch = sim.Tune, 0.5+3*m.r.Float64()
		return append(out, d)
	case 3:
		if n := len(m.on[j]); n > 1 {
			if d.Kind = sim.Resize; len(v.Run(j).Held()) == n {
				d.GPUs = m.on[j][:n-1]
			} else {
				d.GPUs = m.on[j]
			}
			return append(out, d)
		}
	}
	return out
}

// jobsOf draws up to 8 jobs that lie on GPUs of their own, and a cluster for them.
func jobsOf(t *testing.T, seed uint64) (*sim.Workload, *cluster.Topology, *minutes) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 16, GPUs: 4}}}})
	if err != nil {
		t.Fatal(err)
	}
	p := &minutes{r: r}
	var jobs []sim.Job
	for i := range 1 + r.IntN(8) {
		gpus := [][]int{{0}, {0, 1}, {0, 4}, {0, 1, 2}, {0, 4, 5}, {0, 1, 2, 4, 5}}[r.IntN(6)]
		var on []cluster.GPU
		for _, g := range gpus {
			on = append(on, cluster.GPU(8*i+g))
		}
		p.on = append(p.on, on)
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(i)*sim.Second +
			sim.Time(r.IntN(200))*sim.Second*sim.Time(i), Model: "net", GPUs: int32(len(on)), MinGPUs: 1,
			BatchSize: 10 << r.Int32N(4), IterS: 0.5 + r.Float64(), Work: 1})
		jobs[i].Work = sim.Seconds(199 * jobs[i].IterS)
	}
	for i := 1; i < len(jobs); i++ {
		jobs[i].Submit += jobs[i-1].Submit
	}
	w, err := sim.NewWorkload("pollux", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w, top, p
}

// A job's minutes written down as that simulator has them: a minute at a time, epochs that end at
// full seconds.
func endOf(t *testing.T, m *Model, table *Table, j *sim.Job, on []cluster.GPU) (end sim.Time, ok bool) {
	t.Helper()
	const minute = 60.0
	a := table.app(j.Model)
	at := math.Max(minute, math.Ceil(j.Submit.Seconds()/minute)*minute)
	if j.Submit == 0 {
		at = 0
	}
	p, _ := m.place(on)
	c, err := table.curve(a, &p)
	if err != nil {
		t.Fatal(err)
	}
	progress, epoch, delay := 0.0, 0, 30.0
	for {
		left := minute - delay
		now := at + delay
		delay = 0
		for left > 0 {
			s := a.split(float64(j.BatchSize), len(on), 0)
			step, sync := c.at(float64(s.local))
			sqr, variance := a.noise(float64(s.batch), epoch)
			goodput := (variance + sqr) / (variance*float64(a.initial)/float64(s.batch) + sqr) /
				(step + float64(s.accum)*(step-sync))
			if progress+goodput*left < a.ends[epoch] {
				progress += goodput * left
				break
			}
			exact := (a.ends[epoch] - progress) / goodput
			d := math.RoundToEven(exact)
			if math.Abs(math.Abs(exact-d)-0.5) < 1e-6 { // decided by the last bit
				return 0, false
			}
			progress, now, left = a.ends[epoch], now+d, left-d
			if epoch++; epoch == a.epochs {
				return sim.Seconds(now), true
			}
		}
		at += minute
	}
}

// The kernel with a grid of one second is that loop.
func TestMinutes(t *testing.T) {
	table, err := Open(folder(t))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		w, top, p := jobsOf(t, seed)
		m, err := New(table, top, Options{})
		if err != nil {
			t.Fatal(err)
		}
		pause := sim.Cost{FixedS: 30}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, MarkEvery: sim.Second,
			Costs: sim.Costs{Start: pause}, Check: true}, p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range w.Jobs {
			want, ok := endOf(t, m, table, &w.Jobs[i], p.on[i])
			got := e.Record(sim.JobID(i)).End
			// one that was rounded down onto a minute ends after its decisions
			if d := got - want; ok && (d < 0 || d > 1) {
				t.Fatalf("seed %d: job %d ends at %v, expected %v", seed, i, got, want)
			}
		}
	}
}

// Whatever a policy changes, every invariant holds, and a run can be repeated.
func TestChanges(t *testing.T) {
	table, err := Open(folder(t))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(100) {
		for _, grid := range []sim.Time{0, sim.Second} {
			var ends [2][]sim.Time
			for k := range ends {
				w, top, p := jobsOf(t, seed)
				m, err := New(table, top, Options{})
				if err != nil {
					t.Fatal(err)
				}
				p.tries = true
				audit, pause := simtest.NewAudit(w, top), sim.Cost{FixedS: 5}
				e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m,
					MarkEvery: grid, Check: true,
					Costs: sim.Costs{Start: pause, Restore: pause, Rescale: pause, Checkpoint: pause}}, p, audit)
				if err != nil {
					t.Fatal(err)
				}
				if err := audit.Close(e); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for i := range w.Jobs {
					ends[k] = append(ends[k], e.Record(sim.JobID(i)).End)
				}
			}
			if fmt.Sprint(ends[0]) != fmt.Sprint(ends[1]) {
				t.Fatalf("seed %d: %v and %v", seed, ends[0], ends[1])
			}
		}
	}
}
