package queueing_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// pickedTwin is the published protocol the plain way: one event after another, and every list
// sorted anew.
type pickedTwin struct {
	score         func(j *pickedJob, now int64) float64
	fill          bool
	free          int64
	now           int64
	next          int
	jobs          []*pickedJob // in order of submit
	queue, active []*pickedJob
}

type pickedJob struct{ submit, run, asked, n, start int64 }

func (w *pickedTwin) begin(j *pickedJob) {
	j.start = w.now
	w.free -= j.n
	w.active = append(w.active, j)
	w.queue = slices.DeleteFunc(w.queue, func(k *pickedJob) bool { return k == j })
}

// advance takes in the next event: an arrival, or the first end where that is earlier.
func (w *pickedTwin) advance() {
	slices.SortStableFunc(w.active, func(a, b *pickedJob) int { return int(a.start + a.run - b.start - b.run) })
	if w.next < len(w.jobs) && (len(w.active) == 0 || w.jobs[w.next].submit <= w.active[0].start+w.active[0].run) {
		w.now = max(w.now, w.jobs[w.next].submit)
		w.queue = append(w.queue, w.jobs[w.next])
		w.next++
		return
	}
	j := w.active[0]
	w.now, w.free, w.active = max(w.now, j.start+j.run), w.free+j.n, w.active[1:]
}

// earliest is when a job can start by the times that were asked for.
func (w *pickedTwin) earliest(j *pickedJob) int64 {
	by := slices.Clone(w.active)
	slices.SortStableFunc(by, func(a, b *pickedJob) int { return int(a.start + a.asked - b.start - b.asked) })
	at, free := w.now, w.free
	for _, k := range by {
		if free += k.n; true {
			at = k.start + k.asked
		}
		if free >= j.n {
			break
		}
	}
	return at
}

func (w *pickedTwin) run() {
	for {
		for len(w.queue) == 0 {
			if w.next == len(w.jobs) {
				return
			}
			w.advance()
		}
		best := slices.MinFunc(w.queue, func(a, b *pickedJob) int {
			switch x, y := w.score(a, w.now), w.score(b, w.now); {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return slices.Index(w.jobs, a) - slices.Index(w.jobs, b)
		})
		limit := int64(0)
		if best.n > w.free {
			limit = w.earliest(best)
		}
		for best.n > w.free {
			for _, j := range slices.Clone(w.queue) {
				if w.fill && j != best && j.n <= w.free && w.now+j.asked < limit {
					w.begin(j)
				}
			}
			w.advance()
		}
		w.begin(best)
	}
}

// scores are from RLScheduler's tables, in seconds.
var scores = map[string]func(j *pickedJob, wait float64) float64{
	"fcfs": func(j *pickedJob, _ float64) float64 { return float64(j.submit) },
	"sjf":  func(j *pickedJob, _ float64) float64 { return float64(j.asked) },
	"wfp3": func(j *pickedJob, w float64) float64 { return -math.Pow(w/float64(j.asked), 3) * float64(j.n) },
	"f1": func(j *pickedJob, _ float64) float64 {
		return math.Log10(float64(j.asked))*float64(j.n) + 870*math.Log10(math.Max(0.1, float64(j.submit)))
	},
	"f2": func(j *pickedJob, _ float64) float64 {
		return math.Sqrt(float64(j.asked))*float64(j.n) + 25600*math.Log10(math.Max(0.1, float64(j.submit)))
	},
	"f3": func(j *pickedJob, _ float64) float64 {
		return float64(j.asked*j.n) + 6860000*math.Log10(math.Max(0.1, float64(j.submit)))
	},
	"f4": func(j *pickedJob, _ float64) float64 {
		return float64(j.asked)*math.Sqrt(float64(j.n)) + 530000*math.Log10(math.Max(0.1, float64(j.submit)))
	},
	"unicep": func(j *pickedJob, w float64) float64 {
		return -(w + 1e-15) / (math.Log(float64(j.n)+1e-15) / math.Ln2 * float64(j.asked))
	},
}

// Every start equals the published program's on lists with many events at one instant, with exact
// requests and too long ones.
func TestPickedIsThePublishedProtocol(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		var plain []*pickedJob
		at := int64(r.IntN(50))
		for range 60 {
			j := &pickedJob{submit: at, run: 1 + int64(r.IntN(9)*r.IntN(9)), n: 1 + int64(r.IntN(8)), start: -1}
			if j.asked = j.run; seed%2 == 1 {
				j.asked += int64(r.IntN(20))
			}
			plain, at = append(plain, j), at+int64(r.IntN(6)*r.IntN(4))
		}
		for order, score := range scores {
			for _, slip := range []bool{false, true} {
				for _, fill := range []bool{false, true} {
					comparePicked(t, fmt.Sprintf("seed %d, %s, slip %v, backfill %v", seed, order, slip, fill), order,
						score, slip, fill, plain)
				}
			}
		}
	}
}

func comparePicked(t *testing.T, what, order string, score func(*pickedJob, float64) float64, slip, fill bool,
	plain []*pickedJob) {
	t.Helper()
	w := pickedTwin{fill: fill, free: 8, score: func(j *pickedJob, now int64) float64 {
		if slip {
			return score(j, float64(-1-j.submit))
		}
		return score(j, float64(now-j.submit))
	}}
	var js []sim.Job
	for i, j := range plain {
		c := *j
		w.jobs = append(w.jobs, &c)
		js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: int32(j.n), Submit: sim.Time(j.submit) * sim.Second,
			Work: sim.Time(j.run*j.n) * sim.Second})
	}
	w.run()
	load, err := sim.NewWorkload("twin", js)
	if err != nil {
		t.Fatal(err)
	}
	params := "order=" + order
	if fill {
		params += ",backfill=fcfs"
	}
	p := policy(t, "picked", params)
	if slip {
		fixed := func(v *sim.View, j sim.JobID) float64 { return -1 - v.Job(j).Submit().Seconds() }
		p = simtest.Build(t, "picked", queueing.PickedBy(fixed), params)()
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: load, Topology: topology(t, 1, 8, 1),
		Speed: simtest.Counting{}, Check: true,
		Estimate: func(id sim.JobID) sim.Time { return sim.Time(plain[id].asked*plain[id].n) * sim.Second }},
		p)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range w.jobs {
		if got := e.Record(sim.JobID(i)).Start; got != sim.Time(j.start)*sim.Second {
			t.Fatalf("%s: job %d starts at %v, expected %d s", what, i, got, j.start)
		}
	}
}

// By hand, on 4 GPUs. Job 0 runs to 4 s and stated 10 s; job 1 is picked at 1 s and can start at 10
// s by what job 0 stated. Job 2 (8 s) ends at 10 s, which is not before it, so it waits; job 3 (2
// s) starts at once. Job 1 starts when job 0 really ends, job 2 after it.
func TestPickedHoldsToEstimates(t *testing.T) {
	said := []int64{10, 1, 8, 2}
	var js []sim.Job
	for i, x := range [][3]int64{{0, 3, 4}, {1, 4, 1}, {2, 1, 8}, {2, 1, 2}} {
		js = append(js, sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(x[0]) * sim.Second, GPUs: int32(x[1]),
			Work: sim.Time(x[1]*x[2]) * sim.Second})
	}
	w, err := sim.NewWorkload("hand", js)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: topology(t, 1, 4, 1),
		Speed: simtest.Counting{}, Check: true,
		Estimate: func(id sim.JobID) sim.Time { return sim.Time(said[id]) * sim.Time(js[id].GPUs) * sim.Second }},
		policy(t, "picked", "backfill=fcfs"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []sim.Time{0, 4, 5, 2} {
		if got := e.Record(sim.JobID(i)).Start; got != want*sim.Second {
			t.Errorf("job %d starts at %v, expected %d s", i, got, want)
		}
	}
}

// Without a score that reads run times and without backfilling nothing of the future is read.
func TestPickedKnows(t *testing.T) {
	for params, want := range map[string]know.Set{"": know.Nothing, "backfill=fcfs": know.Estimate,
		"order=f1": know.Estimate} {
		if got := policy(t, "picked", params).Knows(); got != want {
			t.Errorf("picked:%s knows %v, expected %v", params, got, want)
		}
	}
}
