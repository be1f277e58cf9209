package sia

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/goodput"
)

// lab is a speed model in which every job is as Pollux' model states, with other parameters for
// each type; after each tenth of its work the noise is twice that before.
type lab struct {
	top   *cluster.Topology
	types map[string]goodput.Params
	lim   goodput.Limits
}

func newLab(top *cluster.Topology) *lab {
	return &lab{top: top, lim: goodput.Limits{Initial: 128, Max: 4096, MinLocal: 32, MaxLocal: 1024, Accumulate: true},
		types: map[string]goodput.Params{
			"aws": {AlphaC: .02, BetaC: .0008, AlphaN: .08, BetaN: .002, AlphaR: .03, BetaR: .001, Gamma: 1.5},
			"dgx": {AlphaC: .01, BetaC: .0002, AlphaN: .03, BetaN: .0005, AlphaR: .005, BetaR: .0002, Gamma: 2},
			"rtx": {AlphaC: .015, BetaC: .0005, AlphaN: .09, BetaN: .002, AlphaR: .02, BetaR: .001, Gamma: 1.2}}}
}

func (l *lab) tenth(q *sim.Query) int { return int(10 * q.Done / float64(q.Job.Work)) }

func (l *lab) noise(q *sim.Query) goodput.Noise {
	return goodput.Noise{Sqr: 1, Var: math.Ldexp(2, l.tenth(q))}
}

// steps are the samples of a GPU and further steps of an update.
func (l *lab) steps(q *sim.Query) (local, accum int) {
	target := int(math.Round(float64(l.lim.Initial) * q.Batch))
	if q.AccumSteps == 0 {
		return l.lim.Split(target, len(q.GPUs))
	}
	accum = int(q.AccumSteps) - 1
	return (target + len(q.GPUs)*(accum+1) - 1) / (len(q.GPUs) * (accum + 1)), accum
}

func (l *lab) of(q *sim.Query) goodput.Function {
	return goodput.Function{Params: l.types[l.top.Type(l.top.Machine(q.GPUs[0]))], Noise: l.noise(q), Limits: l.lim}
}

func (l *lab) Speed(q *sim.Query) (sim.Speed, error) {
	f := l.of(q)
	local, accum := l.steps(q)
	return sim.Speed{Rate: f.Goodput(nodes(l.top, q.GPUs), len(q.GPUs), local, accum) / 1000, ComputeFrac: 1}, nil
}

func (l *lab) Mark(q *sim.Query) float64 {
	return float64(l.tenth(q)+1) / 10 * float64(q.Job.Work)
}

func (l *lab) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	f := l.of(q)
	local, accum := l.steps(q)
	grad, _, optim := f.StepTimes(nodes(l.top, q.GPUs), len(q.GPUs), local)
	*t = sim.Telemetry{StepS: optim, SyncS: max(0, optim-grad), LocalBatch: int32(local), AccumSteps: int32(accum + 1),
		Batch:   int32(len(q.GPUs) * local * (accum + 1)),
		GradSqr: f.Sqr, GradVar: f.Var, ItersLeft: math.NaN(), Loss: math.NaN()}
	return true
}

func (l *lab) Batches(*sim.Job) sim.BatchLimits {
	return sim.BatchLimits{Initial: int32(l.lim.Initial), Max: int32(l.lim.Max), MinLocal: int32(l.lim.MinLocal),
		MaxLocal: int32(l.lim.MaxLocal)}
}

// spy looks at a policy after each decision.
type spy struct {
	*Policy
	look func(v *sim.View, p *Policy, out []sim.Decision)
}

func (s *spy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.Policy.Decide(v, out)
	s.look(v, s.Policy, out)
	return out
}

// run runs jobs in the lab and looks.
func run(t *testing.T, params string, costs sim.Costs, jobs []sim.Job,
	look func(v *sim.View, p *Policy, out []sim.Decision)) *lab {
	t.Helper()
	top := mixedCluster(t)
	w, err := sim.NewWorkload("lab", jobs)
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(top)
	p := policy(t, params)().(*Policy)
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: l, Costs: costs,
		Check: true}, &spy{p, look}); err != nil {
		t.Fatal(err)
	}
	return l
}

func elastic(n int, work sim.Time) []sim.Job {
	var jobs []sim.Job
	for i := range n {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Model: "cifar10", GPUs: 4, MinGPUs: 1, MaxGPUs: 64, Work: work,
			Submit: sim.Time(i) * 90 * sim.Second})
	}
	return jobs
}

// TestGrowth: a job begins on one GPU of the fastest type and has at most twice as many each round,
// until its goodput falls or nothing is left; each time its batch is the best one for where it is,
// by the true parameters, and the modelled goodputs are the true ones, to two percent.
func TestGrowth(t *testing.T) {
	var counts, best []int
	run(t, "restart_s=0,retune=rounds", sim.Costs{}, elastic(1, 40000*sim.Second),
		func(v *sim.View, p *Policy, out []sim.Decision) {
			for _, d := range out {
				switch d.Kind {
				case sim.Start, sim.Resize, sim.Migrate:
					if counts = append(counts, len(d.GPUs)); v.Topology().Type(
						v.Topology().Machine(d.GPUs[0])) != "dgx" &&
						len(d.GPUs) < 16 {
						t.Errorf("%v starts on %v", v.Now(), d.GPUs)
					}
				}
			}
			if v.Now() != 600*sim.Second {
				return
			}
			m := p.members[0]
			truth := newLab(v.Topology())
			for c, f := range p.configs {
				x := goodput.Function{Params: truth.types[p.types[f.Type].name], Noise: m.noise, Limits: truth.lim}
				want, _, _ := x.Best(f.Nodes, f.GPUs)
				if p.types[f.Type].name == "dgx" && math.Abs(m.rates[c]/want-1) > 0.02 {
					t.Errorf("%d GPUs of dgx: goodput %v, expected %v", f.GPUs, m.rates[c], want)
				}
			}
			x := goodput.Function{Params: truth.types["dgx"], Noise: m.noise, Limits: truth.lim}
			held := v.Run(0).Held()
			if _, local, accum := x.Best(nodes(v.Topology(), held), len(held)); p.held(v.Topology(), held) == p.find(1,
				len(held)) {
				if k := v.Run(0).Knobs(); math.Abs(k.Batch*128/float64(len(held)*local*(accum+1))-1) > 0.1 {
					t.Errorf("batch %v, best is %d x %d x %d", k.Batch*128, len(held), local, accum+1)
				}
				best = append(best, len(held))
			}
		})
	if len(counts) < 5 || fmt.Sprint(counts[:5]) != "[1 2 4 8 16]" || len(best) == 0 {
		t.Errorf("numbers %v, looked at %v", counts, best)
	}
}

// TestProject: after several GPUs of one type, another type is believed to have its rate times the
// ratio on one GPU; without project, to lose nothing.
func TestProject(t *testing.T) {
	for _, project := range []bool{true, false} {
		looked := false
		run(t, fmt.Sprintf("restart_s=0,project=%v", project), sim.Costs{}, elastic(1, 8000*sim.Second),
			func(v *sim.View, p *Policy, _ []sim.Decision) {
				if v.Now() != 240*sim.Second {
					return
				}
				looked = true
				m := p.members[0]
				dgx, aws := &m.of[1], &m.of[0]
				one, four := m.rates[p.find(0, 1)], m.rates[p.find(0, 4)]
				want := m.rates[p.find(1, 4)] * aws.one / dgx.one
				alone, _, _ := m.goodput(aws, 1, 4)
				if !project {
					want = alone
				}
				if dgx.widest < 4 || aws.widest != 0 || math.Abs(four/want-1) > 1e-12 ||
					math.Abs(one/aws.one-1) > 1e-12 ||
					alone <= want && project {
					t.Errorf(
						"project %v: 4 GPUs of aws %v, expected %v (alone %v); 1 GPU %v and %v; measured on %d and %d",
						project, four, want, alone, one, aws.one, dgx.widest, aws.widest)
				}
			})
		if !looked {
			t.Error("the job ended too soon")
		}
	}
}

// TestPinned: a job whose restart takes longer than a round stays where it is until it runs.
func TestPinned(t *testing.T) {
	last, moves := map[sim.JobID]sim.Time{}, 0
	run(t, "", sim.Costs{Start: sim.Cost{FixedS: 100}, Migrate: sim.Cost{FixedS: 100}, Rescale: sim.Cost{FixedS: 100},
		Restore: sim.Cost{FixedS: 100}}, elastic(12, 20000*sim.Second),
		func(v *sim.View, _ *Policy, out []sim.Decision) {
			for _, d := range out {
				switch d.Kind {
				case sim.Start, sim.Resize, sim.Migrate, sim.Preempt:
					if at, ok := last[d.Job]; ok && v.Now() <= at+100*sim.Second {
						t.Errorf("%v: %v of job %d, which is restarting since %v", v.Now(), d.Kind, d.Job, at)
					}
					last[d.Job] = v.Now()
					moves++
				}
			}
		})
	if moves < 30 {
		t.Errorf("%d changes", moves)
	}
}

// TestKinds: scale-only jobs keep their batch, rigid ones their number; nothing is known before the
// start without bootstrap.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		params       string
		sizes, tuned bool
	}{{"", true, true}, {"kind=scale", true, false}, {"kind=rigid", false, false}, {"bootstrap=false", true, true},
		{"bootstrap=false,project=false,share_max=false", true, true}} {
		sizes, tuned, types := map[int]bool{}, false, map[string]bool{}
		run(t, c.params, sim.Costs{}, elastic(20, 4000*sim.Second), func(v *sim.View, _ *Policy, out []sim.Decision) {
			for _, d := range out {
				tuned = tuned || d.Batch != 0 && d.Batch != 1
				if len(d.GPUs) > 0 {
					sizes[len(d.GPUs)], types[v.Topology().Type(v.Topology().Machine(d.GPUs[0]))] = true, true
				}
			}
		})
		if (len(sizes) > 1) != c.sizes || tuned != c.tuned || !c.sizes && !sizes[4] || len(types) == 0 {
			t.Errorf("%s: numbers %v, batches changed %v, types %v", c.params, sizes, tuned, types)
		}
	}
}

// TestPenalty has the authors' list.
func TestPenalty(t *testing.T) {
	p := policy(t, "")().(*Policy)
	q := policy(t, "restart_s=7")().(*Policy)
	for model, want := range map[string]float64{"cifar10": 30, "deepspeech2": 25, "yolov3": 45, "bert": 120,
		"imagenet": 250, "resnet50": 30} {
		if got := p.cfg.penalty(model); got != want || q.cfg.penalty(model) != 7 {
			t.Errorf("%s: %v and %v", model, got, q.cfg.penalty(model))
		}
	}
}

// TestBetween: sizes at equal ratios, whole numbers, both ends among them.
func TestBetween(t *testing.T) {
	got := ""
	for i := range sizes {
		got += fmt.Sprint(" ", between(32, 1024, i))
	}
	if got != " 32 64 128 256 512 1024" || between(5, 5, 3) != 5 {
		t.Error(got)
	}
}
