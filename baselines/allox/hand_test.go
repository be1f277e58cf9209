package allox

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// typed gives each job its own speed per GPU on each type: its model is the number of its row.
type typed struct {
	top   *cluster.Topology
	names []string
	rate  map[string][]float64
}

func (s *typed) Speed(q *sim.Query) (sim.Speed, error) {
	slow := math.Inf(1)
	for _, g := range q.GPUs {
		slow = min(slow, s.rate[q.Job.Model][slices.Index(s.names, s.top.Type(s.top.Machine(g)))])
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * slow, ComputeFrac: 1}, nil
}

// hand is a cluster with some GPUs of each type a, b, ... and its jobs: each runs times[t] seconds
// on a GPU of type t.
type hand struct {
	gpus []int
	jobs []handJob
}

type handJob struct {
	user   string
	submit float64
	gpus   int32
	times  []float64
}

// run gives the end of each job in seconds, and the type that it ran on.
func (h *hand) run(t *testing.T, settings string) (ends []float64, on string) {
	t.Helper()
	var spec cluster.Spec
	s := &typed{rate: map[string][]float64{}}
	for i, n := range h.gpus {
		s.names = append(s.names, string(rune('a'+i)))
		spec.Racks = append(spec.Racks, []cluster.Machines{{Count: n, GPUs: 1, Slots: 1, Type: s.names[i]}})
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	s.top = top
	var jobs []sim.Job
	for i, j := range h.jobs {
		model := fmt.Sprint(i)
		for _, x := range j.times {
			s.rate[model] = append(s.rate[model], j.times[0]/x)
		}
		g := max(j.gpus, 1)
		work := sim.Time(g) * sim.Seconds(j.times[0])
		jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%03d", i), User: j.user, Model: model, GPUs: g,
			Submit: sim.Seconds(j.submit), Work: work})
	}
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	place := map[sim.JobID]string{}
	p := policy(t, settings)()
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: s, Check: true},
		watch{p, func(d sim.Decision) {
			place[d.Job] = top.Type(top.Machine(d.GPUs[0]))
		}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		r := e.Record(sim.JobID(slices.IndexFunc(w.Jobs, func(j sim.Job) bool { return j.ID == jobs[i].ID })))
		if r.State != sim.Done || r.Preemptions > 0 {
			t.Fatalf("job %d: %v, %d preemptions", i, r.State, r.Preemptions)
		}
		ends = append(ends, r.End.Seconds())
		on += place[r.Job]
	}
	return ends, on
}

// watch reports the starts of a policy.
type watch struct {
	sim.Policy
	started func(d sim.Decision)
}

func (w watch) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	out = w.Policy.Decide(v, out)
	for _, d := range out[n:] {
		w.started(d)
	}
	return out
}

func equal(t *testing.T, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-3 {
			t.Fatalf("ends %v, expected %v", got, want)
		}
	}
}

// A GPU stays idle when its jobs are better off behind the jobs of a faster type: 10 s on a, 100 s
// on b; second in line on a is 20 s.
func TestWaitsForTheFasterType(t *testing.T) {
	h := hand{gpus: []int{1, 1}, jobs: []handJob{{times: []float64{10, 100}}, {times: []float64{11, 100}}}}
	ends, on := h.run(t, "")
	if equal(t, ends, []float64{10, 21}); on != "aa" {
		t.Errorf("on %s", on)
	}
}

// Both jobs are faster on a, and the job that loses less by it runs on b: 5 + 3 s, where both on a
// would have 3 + 7 s.
func TestComparativeAdvantage(t *testing.T) {
	h := hand{gpus: []int{1, 1}, jobs: []handJob{{times: []float64{4, 5}}, {times: []float64{3, 9}}}}
	ends, on := h.run(t, "")
	if equal(t, ends, []float64{5, 3}); on != "ba" {
		t.Errorf("on %s", on)
	}
}

// Short jobs first, no job is preempted, and what is not started is forgotten: the job of 5 s that
// comes at 1 s waits for the end of the first, and then goes before the job of 8 s that waits
// longer.
func TestForgetsTheRest(t *testing.T) {
	h := hand{gpus: []int{1}, jobs: []handJob{{times: []float64{6}}, {times: []float64{8}},
		{submit: 1, times: []float64{5}}}}
	ends, _ := h.run(t, "")
	equal(t, ends, []float64{6, 19, 11})
}

// Users: one sends four short jobs, another one long job. With alpha = 1 the long job is last; with
// a small alpha its user, who has received nothing when the first short job ends, is next.
func TestUsers(t *testing.T) {
	h := hand{gpus: []int{1}}
	for range 4 {
		h.jobs = append(h.jobs, handJob{user: "many", times: []float64{10}})
	}
	h.jobs = append(h.jobs, handJob{user: "one", submit: 1, times: []float64{100}})
	ends, _ := h.run(t, "alpha=1")
	equal(t, ends, []float64{10, 20, 30, 40, 140})
	ends, _ = h.run(t, "alpha=0.05")
	equal(t, ends, []float64{10, 120, 130, 140, 110})
}

// Alpha is doubled where GPUs stay idle: the user who received less has no use for b, which the
// other's job then gets at once.
func TestAlphaIsDoubled(t *testing.T) {
	h := hand{gpus: []int{1, 1}}
	h.jobs = []handJob{{user: "x", times: []float64{10, 1e6}}, {user: "y", submit: 1, times: []float64{10, 1e6}},
		{user: "x", submit: 1, times: []float64{10, 12}}}
	ends, on := h.run(t, "")
	if equal(t, ends, []float64{10, 20, 13}); on != "aab" {
		t.Errorf("on %s", on)
	}
}

// A gang of 3 GPUs comes first on one of two idle GPUs. With gangs=hold they are held for it until
// the third comes free; by default the job that comes first on the other starts and the gang waits
// for its end. It counts with its GPU-time, 30 s: the job of 15 s goes before it.
func TestGangs(t *testing.T) {
	h := hand{gpus: []int{3}, jobs: []handJob{{times: []float64{15}}, {gpus: 3, times: []float64{10}},
		{submit: 1, times: []float64{40}}}}
	ends, _ := h.run(t, "gangs=hold")
	equal(t, ends, []float64{15, 25, 65})
	ends, _ = h.run(t, "")
	equal(t, ends, []float64{15, 51, 41})
}

// The cap takes the shortest on each type in turn: with 2 of 3 jobs, the shortest on a and the
// shortest on b.
func TestCap(t *testing.T) {
	h := hand{gpus: []int{1, 1}, jobs: []handJob{{times: []float64{5, 50}}, {times: []float64{6, 40}},
		{times: []float64{30, 7}}}}
	ends, on := h.run(t, "cap=2")
	if equal(t, ends, []float64{5, 11, 7}); on != "aab" {
		t.Errorf("on %s", on)
	}
}

// A batch of jobs of one GPU on GPUs of different types has the least sum of completion times of
// all schedules.
func TestBatchIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 60 {
		h := hand{}
		for range 1 + r.IntN(3) {
			h.gpus = append(h.gpus, 1+r.IntN(2))
		}
		for range 1 + r.IntN(5) {
			j := handJob{}
			for range h.gpus {
				j.times = append(j.times, float64(1+r.IntN(20)))
			}
			h.jobs = append(h.jobs, j)
		}
		ends, _ := h.run(t, "alpha=1,cap=0")
		sum := 0.0
		for _, e := range ends {
			sum += e
		}
		if want := h.best(); math.Abs(sum-want) > 1e-3 {
			t.Fatalf("sum %v, the best schedule has %v: %+v", sum, want, h)
		}
	}
}

// best is the least sum of completion times of all schedules of a batch.
func (h *hand) best() float64 {
	var queues [][]float64
	var class []int
	for c, n := range h.gpus {
		for range n {
			queues, class = append(queues, nil), append(class, c)
		}
	}
	best := math.Inf(1)
	var from func(j int)
	from = func(j int) {
		if j == len(h.jobs) {
			sum := 0.0
			for _, q := range queues {
				at := 0.0
				for _, x := range slices.Sorted(slices.Values(q)) {
					at += x
					sum += at
				}
			}
			best = min(best, sum)
			return
		}
		for g := range queues {
			queues[g] = append(queues[g], h.jobs[j].times[class[g]])
			from(j + 1)
			queues[g] = queues[g][:len(queues[g])-1]
		}
	}
	from(0)
	return best
}
