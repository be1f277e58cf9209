package simtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
)

// ElasticLaws states which laws of elastic policies CheckElastic tries beside the laws that hold
// for all of them.
type ElasticLaws struct {
	// Seeds is the number of cases in the long form of tests, 15 at most in the normal one; 0 = 40.
	Seeds int
	// IDs: other names for the jobs change nothing, when no two arrive together.
	IDs bool
	// Times: times k times as long make every time of the outcome k times as long, but for
	// rounding. Scaled gives the policy with its own times k times as long; nil = it has none.
	Times  bool
	Scaled func(k int64) sim.Policy
}

// CheckElastic checks the laws of policies that change how many GPUs running jobs have, on drawn
// cases with free changes at linear speeds: the work that jobs have done is what they were given,
// and what their GPUs did in the time that they had them; at every instant the speeds add up to the
// GPUs in use; every count is within a job's range and made of workers (Audit); a job with one
// possible count is never resized, whether it notes it by a range or has none. Every job ends. It
// gives the number of resizes: 0 for a policy that is not elastic.
func CheckElastic(t *testing.T, make func() sim.Policy, o ElasticLaws) (resizes int) {
	t.Helper()
	if o.Seeds == 0 {
		o.Seeds = 40
	}
	o.Seeds = effort.Of(t, min(o.Seeds, 15), o.Seeds)
	for seed := range uint64(o.Seeds) {
		c := drawElastic(t, seed)
		want := c.watch(t, c.jobs, 1, make())
		resizes += want.resizes
		if o.IDs {
			got := c.watch(t, c.renamed(), 1, make())
			want.same(t, seed, "other names", got, 1)
		}
		if o.Times {
			const k = 3
			p := make()
			if o.Scaled != nil {
				p = o.Scaled(k)
			}
			want.same(t, seed, "longer times", c.watch(t, c.jobs, k, p), k)
		}
		c.rigid(t, make)
	}
	return resizes
}

// elasticCase is a case of CheckElastic. Arrivals and work have odd lengths, so that rounding
// hardly ever decides what comes first.
type elasticCase struct {
	seed uint64
	jobs []sim.Job
	top  *cluster.Topology
}

func drawElastic(t *testing.T, seed uint64) elasticCase {
	r := rand.New(rand.NewPCG(seed, 0xe1a5))
	top, err := cluster.New(drawCluster(r, false, false))
	if err != nil {
		t.Fatal(err)
	}
	c := elasticCase{seed: seed, top: top}
	at := sim.Time(0)
	for i := range 3 + r.IntN(18) {
		g := int32(1 + r.IntN(min(4, top.GPUs())))
		j := sim.Job{ID: fmt.Sprint(i), Model: []string{"a", "b"}[r.IntN(2)], User: []string{"u", "v"}[r.IntN(2)],
			VC: "x", GPUs: g, WorkerGPUs: 1}
		at += sim.Time(1 + r.IntN(4_000_000))
		j.Submit, j.Work = at, sim.Time(g)*sim.Time(1_000_000+r.IntN(19_000_000))
		if r.IntN(4) > 0 {
			j.MinGPUs, j.MaxGPUs = 1+r.Int32N(g), g+r.Int32N(5)
		}
		if g%2 == 0 && r.IntN(3) == 0 {
			j.WorkerGPUs, j.MinGPUs, j.MaxGPUs = 2, min(2, j.MinGPUs*2), j.MaxGPUs/2*2
		}
		c.jobs = append(c.jobs, j)
	}
	return c
}

// renamed gives the jobs other names.
func (c *elasticCase) renamed() []sim.Job {
	perm := rand.New(rand.NewPCG(c.seed, 3)).Perm(len(c.jobs))
	js := append([]sim.Job(nil), c.jobs...)
	for i := range js {
		js[i].ID = fmt.Sprint(perm[i])
	}
	return js
}

// rigid runs the jobs with one count each, stated in two ways.
func (c *elasticCase) rigid(t *testing.T, make func() sim.Policy) {
	t.Helper()
	plain, said := append([]sim.Job(nil), c.jobs...), append([]sim.Job(nil), c.jobs...)
	for i := range plain {
		plain[i].MinGPUs, plain[i].MaxGPUs = 0, 0
		said[i].MinGPUs, said[i].MaxGPUs = said[i].GPUs, said[i].GPUs
	}
	want, got := c.watch(t, plain, 1, make()), c.watch(t, said, 1, make())
	if want.resizes+got.resizes > 0 {
		t.Fatalf("seed %d: %d resizes of jobs without a range, %d of jobs with a range of one count", c.seed,
			want.resizes, got.resizes)
	}
	want.same(t, c.seed, "a range of one count", got, 1)
}

// watched is a run's outcome, with what CheckElastic looks at besides.
type watched struct {
	sim.Policy
	recs    []sim.Record
	service []float64 // GPUs x running time, by job
	resizes int
	errs    []error
}

// Decide implements sim.Policy: it compares speeds with GPUs.
func (w *watched) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	rate, gpus := 0.0, 0.0
	for _, j := range v.Running() {
		k := v.Run(j).Knobs()
		rate += v.Run(j).Speed().Rate
		gpus += float64(len(v.Run(j).Held())) * float64(k.ShareMilli) / 1000 * k.FreqFrac
	}
	if math.Abs(rate-gpus) > 1e-9 && len(w.errs) == 0 {
		w.errs = append(w.errs, fmt.Errorf("at %v the speeds add up to %v on %v GPUs", v.Now(), rate, gpus))
	}
	return w.Policy.Decide(v, out)
}

// Interval implements sim.Observer.
func (w *watched) Interval(i *sim.Interval) {
	w.service[i.Job] += float64(len(i.GPUs)) * float64(i.ShareMilli) / 1000 * i.FreqFrac * float64(i.Run)
	if i.Reason == end.Resize {
		w.resizes++
	}
}

// Job implements sim.Observer.
func (w *watched) Job(r *sim.Record) { w.recs[r.Job] = *r }

// Instant implements sim.Observer.
func (w *watched) Instant(*sim.Gauge) {}

// watch runs jobs with all times k times as long.
func (c *elasticCase) watch(t *testing.T, jobs []sim.Job, k sim.Time, p sim.Policy) *watched {
	t.Helper()
	js := append([]sim.Job(nil), jobs...)
	for i := range js {
		js[i].Submit *= k
		js[i].Work *= k
	}
	wl, err := sim.NewWorkload("elastic", js)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Policy: p, recs: make([]sim.Record, len(js)), service: make([]float64, len(js))}
	a := NewAudit(wl, c.top)
	e, err := runBounded(sim.Config{Workload: wl, Topology: c.top, Speed: Counting{}, Check: true}, w, w, a)
	if err == nil {
		err = errors.Join(append(w.errs, a.Close(e))...)
	}
	for id := range wl.Jobs {
		j, r := &wl.Jobs[id], &w.recs[id]
		switch lo, _ := j.Range(); {
		case err != nil:
		case r.State == sim.Refused && lo > int32(c.top.GPUs()) || r.State == sim.Rejected:
		case r.State != sim.Done:
			err = fmt.Errorf("job %q is %v in the end", j.ID, r.State)
		// a grant rounds by a microsecond
		case math.Abs(w.service[id]-float64(j.Work)) > 64*float64(r.Allocations)+1e-9*float64(j.Work):
			err = fmt.Errorf("job %q has work of %v and got %v", j.ID, j.Work, sim.Time(w.service[id]))
		}
	}
	if err != nil {
		t.Fatalf("seed %d, times %d-fold: %v\n%s", c.seed, k, err, describe(sim.Config{Workload: wl, Topology: c.top}))
	}
	return w
}

// same compares the lives of jobs: to the microsecond, but for times that are k times as long.
func (w *watched) same(t *testing.T, seed uint64, what string, o *watched, k sim.Time) {
	t.Helper()
	for id := range w.recs {
		a, b := &w.recs[id], &o.recs[id]
		slack := sim.Time(0)
		if k > 1 {
			slack = 2000
		}
		for _, x := range [][2]sim.Time{{a.Start, b.Start}, {a.End, b.End}, {a.Queue, b.Queue}, {a.Run, b.Run}} {
			if d := x[0]*k - x[1]; x[0] != sim.Never && (d > slack || -d > slack) {
				t.Fatalf("seed %d, %s: job %d: start %v, end %v, queue %v, run %v; before %v, %v, %v, %v", seed, what,
					id, b.Start, b.End, b.Queue, b.Run, a.Start, a.End, a.Queue, a.Run)
			}
		}
		if a.State != b.State {
			t.Fatalf("seed %d, %s: job %d is %v, before %v", seed, what, id, b.State, a.State)
		}
	}
}
