package pollux

import (
	"context"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/goodput"
)

// lab is a speed model in which every job has one goodput function, and noise that doubles with
// each epoch of 600 s of work.
type lab struct {
	top *cluster.Topology
	f   goodput.Function
}

const epoch = 600e6

func newLab(top *cluster.Topology) *lab {
	return &lab{top, goodput.Function{Params: goodput.Params{AlphaC: 0.05, BetaC: 0.004, AlphaN: 0.06, BetaN: 0.003,
		AlphaR: 0.02, BetaR: 0.001, Gamma: 2},
		Noise: goodput.Noise{Sqr: 1, Var: 4}, Limits: goodput.Limits{Initial: 32, Max: 1 << 15, MinLocal: 8,
			MaxLocal: 64, Accumulate: true}}}
}

func (l *lab) machines(gpus []cluster.GPU) int {
	n := 0
	for i, g := range gpus {
		if i == 0 || l.top.Machine(g) != l.top.Machine(gpus[i-1]) {
			n++
		}
	}
	return n
}

// split gives the samples per GPU and step of a query, and the steps beyond the first.
func (l *lab) split(q *sim.Query) (local, accum int) {
	steps := max(1, int(q.AccumSteps))
	return int(math.Ceil(math.Round(float64(q.Job.BatchSize)*q.Batch)/float64(len(q.GPUs)*steps) - 1e-9)), steps - 1
}

func (l *lab) at(q *sim.Query) *goodput.Function {
	f := l.f
	f.Var *= math.Exp2(math.Floor(q.Done / epoch))
	return &f
}

func (l *lab) Speed(q *sim.Query) (sim.Speed, error) {
	m, s := l.split(q)
	first := l.f.Goodput(1, 1, l.f.Initial, 0)
	return sim.Speed{Rate: l.at(q).Goodput(l.machines(q.GPUs), len(q.GPUs), m, s) / first, ComputeFrac: 0.5}, nil
}

func (l *lab) Mark(q *sim.Query) float64 { return (math.Floor(q.Done/epoch) + 1) * epoch }

func (l *lab) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	m, s := l.split(q)
	grad, _, optim := l.f.StepTimes(l.machines(q.GPUs), len(q.GPUs), m)
	f := l.at(q)
	*t = sim.Telemetry{StepS: optim, SyncS: optim - grad, LocalBatch: int32(m), AccumSteps: int32(s + 1),
		Batch: int32(m * len(q.GPUs) * (s + 1)), GradSqr: f.Sqr, GradVar: f.Var,
		Epoch: int32(q.Done / epoch), ItersLeft: math.NaN(), Loss: math.NaN()}
	return true
}

func (l *lab) Batches(*sim.Job) sim.BatchLimits {
	return sim.BatchLimits{Initial: int32(l.f.Initial), Max: int32(l.f.Max), MinLocal: int32(l.f.MinLocal),
		MaxLocal: int32(l.f.MaxLocal)}
}

// spy sees what a policy decides.
type spy struct {
	sim.Policy
	see func(v *sim.View, out []sim.Decision)
}

func (s *spy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.Policy.Decide(v, out)
	s.see(v, out)
	return out
}

// TestAgent: a job alone begins with a GPU and its initial batch, is never given more than twice
// the GPUs that it was seen with, gets to all of the cluster, has its batch tuned as the noise
// grows, and ends with the batch that is best by its true function.
func TestAgent(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 4, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("one", []sim.Job{{ID: "a", GPUs: 4, MinGPUs: 1, MaxGPUs: 16, BatchSize: 64, Work: 4 *
		3600 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	m, p := newLab(top), policy(t, "population=40,generations=30,interval=60")().(*Policy)
	var counts []int
	var last sim.Knobs
	tunes := 0
	see := func(v *sim.View, out []sim.Decision) {
		for _, d := range out {
			switch d.Kind {
			case sim.Start, sim.Resize, sim.Migrate:
				counts = append(counts, len(d.GPUs))
				last = d.Knobs
			case sim.Tune:
				last = d.Knobs
				tunes++
			}
			if d.Kind == sim.Start && (d.Batch != 0.5 || d.AccumSteps != 1) {
				t.Errorf("it starts with batch %v of its own in %d steps, expected the initial one, half of it",
					d.Batch, d.AccumSteps)
			}
		}
	}
	costs := sim.Costs{Start: sim.Cost{FixedS: 30}, Rescale: sim.Cost{FixedS: 30}, Migrate: sim.Cost{FixedS: 30}}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Costs: costs,
		Check: true}, &spy{p, see})
	if err != nil {
		t.Fatal(err)
	}
	if e.Record(0).State != sim.Done || len(counts) < 4 || counts[0] != 1 || counts[len(counts)-1] != 16 {
		t.Fatalf("job %v with %v GPUs, expected it to end with 16 after 1", e.Record(0).State, counts)
	}
	seen := 0
	for _, n := range counts {
		if n > max(1, 2*seen) {
			t.Errorf("%v GPUs, the job was seen with %d", counts, seen)
		}
		seen = max(seen, n)
	}
	if tunes < 12 {
		t.Errorf("%d tunes, expected one in most of 24 epochs", tunes)
	}
	f := m.f
	f.Var *= math.Exp2(22) // the noise of the epoch before the last, after which it was tuned
	_, local, accum := f.Best(4, 16)
	if want := float64(16*local*(accum+1)) / 64; last.Batch != want || int(last.AccumSteps) != accum+1 {
		t.Errorf("its last batch is %v of its own in %d steps, expected %v in %d", last.Batch, last.AccumSteps, want,
			accum+1)
	}
}

// TestShares: two like jobs get the same number of GPUs each, on machines of their own.
func TestShares(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	job := sim.Job{ID: "a", GPUs: 4, MinGPUs: 1, MaxGPUs: 8, BatchSize: 32, Work: 3 * 3600 * sim.Second}
	other := job
	other.ID = "b"
	w, err := sim.NewWorkload("two", []sim.Job{job, other})
	if err != nil {
		t.Fatal(err)
	}
	see := func(v *sim.View, _ []sim.Decision) {
		if v.Now() < 1800*sim.Second || v.Run(0).State() != sim.Running || v.Run(1).State() != sim.Running {
			return
		}
		a, b := v.Run(0).Held(), v.Run(1).Held()
		if len(a) != 4 || len(b) != 4 || top.LevelOf(a) > cluster.LevelMachine ||
			top.LevelOf(b) > cluster.LevelMachine {
			t.Fatalf("at %v the jobs have %v and %v, expected a machine each", v.Now(), a, b)
		}
	}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: newLab(top), Check: true},
		&spy{policy(t, "population=40,generations=40")(), see}); err != nil {
		t.Fatal(err)
	}
}

// TestSettings: what settings forbid does not happen.
func TestSettings(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("one", []sim.Job{{ID: "a", GPUs: 4, MinGPUs: 1, MaxGPUs: 8, BatchSize: 64, Work: 3600 *
		sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	for text, check := range map[string]func(d *sim.Decision) bool{
		"batch=own": func(d *sim.Decision) bool { return d.Kind != sim.Tune && d.Batch == 0 && d.Kind != sim.Watch },
		"max=3":     func(d *sim.Decision) bool { return len(d.GPUs) <= 3 },
		"machines=1": func(d *sim.Decision) bool {
			return len(d.GPUs) <= 4 && (len(d.GPUs) == 0 || top.LevelOf(d.GPUs) <= cluster.LevelMachine)
		},
	} {
		see := func(v *sim.View, out []sim.Decision) {
			for i := range out {
				if !check(&out[i]) {
					t.Fatalf("%s: at %v: %+v", text, v.Now(), out[i])
				}
			}
		}
		p := policy(t, text+",population=20,generations=20")()
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: newLab(top),
			Check: true}, &spy{p, see}); err != nil {
			t.Fatal(err)
		}
	}
}
