package schedenv

import (
	"math"
	"slices"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// door asks at each arrival whether the first waiting job is turned away, and starts who fits in
// order of arrival. The base rule turns the first of seven away. Elastic jobs are then resized to
// the free GPUs there are.
type door struct {
	resizes   bool
	asked     bool
	came      int
	waits     []sim.JobID
	decisions []sim.Decision
}

func (d *door) Knows() know.Set { return know.Nothing }

func (d *door) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	d.asked, d.decisions = true, d.decisions[:0]
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			d.came++
			d.asked, d.waits = false, append(d.waits, ev.Job)
		}
	}
	return out
}

func (d *door) Ask(*sim.View) bool { return !d.asked && len(d.waits) > 0 }

func (d *door) Observe(v *sim.View, obs []float64, _ []bool) {
	obs[0], obs[1] = Squash(float64(len(d.waits))), Squash(float64(v.Waiting()))
}

func (d *door) Answer(_ *sim.View, a []float64) {
	d.asked = true
	if a != nil && a[0] == 1 || a == nil && d.came%7 == 0 {
		d.decisions = append(d.decisions, sim.Decision{Kind: sim.Reject, Job: d.waits[0]})
		d.waits = slices.Delete(d.waits, 0, 1)
	}
}

func (d *door) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	out = append(out, d.decisions...)
	var free []cluster.GPU
	for g := range cluster.GPU(v.Topology().GPUs()) {
		if v.Free().Has(g) {
			free = append(free, g)
		}
	}
	for len(d.waits) > 0 && v.Job(d.waits[0]).GPUs() <= len(free) {
		j := d.waits[0]
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: free[:v.Job(j).GPUs()]})
		free, d.waits = free[v.Job(j).GPUs():], slices.Delete(d.waits, 0, 1)
	}
	for _, j := range v.Running() {
		held := v.Run(j).Held()
		if _, hi := v.Job(j).Range(); d.resizes && len(free) > 0 && len(held) < hi {
			to := slices.Sorted(slices.Values(append(slices.Clone(held), free[0])))
			return append(out, sim.Decision{Kind: sim.Resize, Job: j, GPUs: to})
		}
	}
	return out
}

func (d *door) Clone() Scheduler { c := &door{}; c.CopyFrom(d); return c }
func (d *door) CopyFrom(o Scheduler) {
	from, waits := o.(*door), append(d.waits[:0], o.(*door).waits...)
	*d = door{resizes: from.resizes, asked: from.asked, came: from.came, waits: waits}
}

func doorEnv(t *testing.T, options string, resizes bool) *Env {
	t.Helper()
	s := param.Parse("test", options)
	c := Read(s, simulation.All())
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	e, err := New(c, env.Spec{ID: "test/Door-v0", Options: options, Action: env.Discrete{N: 2},
		Observation: env.NewBox(0, 1, 2)}, func() Scheduler { return &door{resizes: resizes} })
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A rejected job costs what accrued until its rejection, by every kind of reward: the rewards sum
// to the values of the records of the run, with jobs that an agent rejects, that the base policy of
// reward relative rejects, and that change their sizes.
func TestRewardsOfRejectedJobs(t *testing.T) {
	for _, kind := range kinds() {
		if kind == "energy" { // jct and watts, of which a job that is rejected has none
			continue
		}
		for _, elastic := range []string{"", `,elastic="min=1,max=2x"`} {
			e := doorEnv(t, brief+"warm=0,horizon=30,reward="+kind+elastic, elastic != "")
			e.cfg.Horizon = 0
			sum, err := Play(e, 1, "window=2", everyThird())
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Identity(sum.Return); err != nil {
				t.Error(err)
			}
			scale := 3600 * float64(e.cfg.Topology.GPUs())
			want, rejected, waited := 0.0, 0, sim.Time(0)
			switch kind {
			case "comm":
				want = -lost(t, e, elastic != "") / scale
			case "makespan":
				want = -covered(e).Seconds() / 3600
			}
			for j := range e.Workload() {
				job, rec := &e.Workload()[j], e.Engine().Record(sim.JobID(j))
				in, alone := (rec.End - job.Submit).Seconds(), max(10, job.Work.Seconds()/float64(job.GPUs))
				if rec.State == sim.Rejected {
					rejected++
					waited += rec.End - job.Submit
				}
				switch kind {
				case "jct", "relative":
					want -= in / scale
				case "slowdown":
					want -= in / alone / (scale / 3600)
				case "weighted":
					want -= float64(in*float64(job.GPUs)) / scale
				case "bsld", "gain":
					least := 1.0
					if rec.State == sim.Rejected {
						least = 0
					}
					want -= max(least, in/alone) / float64(len(e.Workload()))
				}
			}
			base, theirs := alone(t, e, elastic != "")
			switch kind {
			case "relative":
				want += float64(base) / 1e6 / scale
			case "gain":
				want = gained(theirs, -want)
			}
			if rejected < 5 || waited == 0 || math.Abs(sum.Return-want) > 1e-9*math.Abs(want) || want == 0 {
				t.Errorf("%s%s: rewards sum to %v, the records say %v; %d jobs rejected after %v", kind, elastic,
					sum.Return, want, rejected, waited)
			}
		}
	}
}

// alone is the jobs' time in the system under the base policy, up to the end of the episode.
func alone(t *testing.T, e *Env, resizes bool) (total sim.Time, slowdown float64) {
	t.Helper()
	engine, jobs, err := e.cfg.Run(t.Context(), 2, Alone{Scheduler: &door{resizes: resizes}})
	if err != nil {
		t.Fatal(err)
	}
	rejected := 0
	for j := range jobs.Jobs {
		r := engine.Record(sim.JobID(j))
		job, least := &jobs.Jobs[j], 1.0
		if total += min(r.End, e.Engine().Now()) - job.Submit; r.State == sim.Rejected {
			rejected++
			least = 0
		}
		ideal := max(10, job.Work.Seconds()/float64(job.GPUs))
		slowdown += max(least, (r.End-job.Submit).Seconds()/ideal) / float64(len(jobs.Jobs))
	}
	if rejected == 0 {
		t.Error("the base policy rejects nobody")
	}
	return total, slowdown
}

// covered is the time with a job in the system.
func covered(e *Env) (total sim.Time) {
	end := sim.Time(0)
	for j, job := range e.Workload() {
		r := e.Engine().Record(sim.JobID(j))
		total += max(0, r.End-max(end, job.Submit))
		end = max(end, r.End)
	}
	return total
}

// losses adds up the GPU-seconds that allocations lose to communication.
type losses struct{ gpuS float64 }

func (l *losses) Interval(i *sim.Interval) {
	l.gpuS += float64(i.CommFrac*i.Run.Seconds()) * float64(len(i.GPUs))
}
func (*losses) Job(*sim.Record)    {}
func (*losses) Instant(*sim.Gauge) {}

// lost is what the jobs of the episode lost to communication, by the GPUs that they held.
func lost(t *testing.T, e *Env, resizes bool) float64 {
	t.Helper()
	sum := &losses{}
	p := acting(&door{resizes: resizes}, everyThird(), 0, sizes{Obs: 2, Action: 1})
	if _, _, err := e.cfg.Run(t.Context(), 2, p, sum); err != nil {
		t.Fatal(err)
	}
	return sum.gpuS
}

// everyThird rejects at one question in three.
func everyThird() Actor {
	n := 0
	return func(_ []float64, _ []bool, a []float64) {
		n++
		a[0] = float64(n % 3 / 2)
	}
}
