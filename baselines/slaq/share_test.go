package slaq

import (
	"context"
	"flag"
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/loss"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// TestGreedyIsBest: where each GPU more gains less, as when speed is proportional to the number,
// units one by one make the sum of normalised falls as large as any division of up to 8 GPUs among
// up to 4 jobs.
func TestGreedyIsBest(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("greedy")
	for n := range 500 {
		p := policy(t, []string{"", "norm=range"}[n%2])().(*Policy)
		gpus := 1 + r.IntN(8)
		p.left = []int{gpus}
		for i := range 1 + r.IntN(4) {
			l := life{job: sim.JobID(i), lo: 1, unit: 1, hi: 1 + r.IntN(gpus), iterS: 1, steepest: 0.01 + r.Float64(),
				fitted: true, done: 5000 * r.Float64(), had: -1}
			if l.fit = loss.Draw(r, 3000, 1); l.fit.Kind == loss.Sublinear {
				l.fit.A = 0 // else the loss may fall faster as it goes, at first
			}
			l.first = l.fit.At(0)
			for k := range l.hi + 1 {
				l.speed = append(l.speed, float64(k))
			}
			p.book = append(p.book, l)
			g, _ := p.gain(&p.book[i])
			p.heap = append(p.heap, bid{g, int32(i)})
		}
		best := p.exhaust(0, gpus)
		p.give(true)
		sum, used := 0.0, 0
		for i := range p.book {
			sum += p.fall(&p.book[i], p.book[i].has)
			used += p.book[i].has
		}
		if used > gpus || math.Abs(sum-best) > 1e-9*best {
			t.Fatalf("case %d: %d of %d GPUs gain %v, the best division %v", n, used, gpus, sum, best)
		}
	}
}

// exhaust is the largest sum of falls of the jobs from i on with up to so many GPUs.
func (p *Policy) exhaust(i, gpus int) float64 {
	if i == len(p.book) {
		return 0
	}
	best := 0.0
	for n := 0; n <= min(gpus, p.book[i].hi); n++ {
		best = max(best, p.fall(&p.book[i], n)+p.exhaust(i+1, gpus-n))
	}
	return best
}

// quality follows the normalised loss of each job over time.
type quality struct {
	curves []loss.Curve
	jobs   []sim.Job
	done   []float64  // work, s
	until  []sim.Time // what is booked
	area   []float64  // integral of the normalised loss, s
	reach  []float64  // when a tenth was left, s after the arrival; -1 = not yet
}

func newQuality(w *sim.Workload, seed uint64, half float64) *quality {
	q := &quality{jobs: w.Jobs, done: make([]float64, len(w.Jobs)), area: make([]float64, len(w.Jobs))}
	draws := Curves(seed)
	for i := range w.Jobs {
		q.curves = append(q.curves, loss.Draw(draws, half, 1))
		q.until, q.reach = append(q.until, w.Jobs[i].Submit), append(q.reach, -1)
	}
	return q
}

// Interval takes the work of an allocation as even over it.
func (q *quality) Interval(i *sim.Interval) {
	j, c := i.Job, q.curves[i.Job]
	q.area[j] += (i.Start - q.until[j]).Seconds() * c.Normal(q.done[j])
	const steps = 64
	for k := range steps {
		dt, w := (i.End-i.Start).Seconds()/steps, i.Work/1e6/steps
		q.area[j] += dt * c.Normal(q.done[j]+w/2)
		q.done[j] += w
		if q.reach[j] < 0 && c.Normal(q.done[j]) <= 0.1 {
			q.reach[j] = (i.Start - q.jobs[j].Submit).Seconds() + float64(k+1)*dt
		}
	}
	q.until[j] = i.End
}
func (q *quality) Job(*sim.Record)    {}
func (q *quality) Instant(*sim.Gauge) {}

// mean gives the mean normalised loss of a job in the system during the first hours, and the mean
// time to a tenth of it over the jobs that get there.
func (q *quality) mean() (left, delay float64) {
	time, n := 0.0, 0.0
	for j := range q.jobs {
		left += q.area[j]
		time += (q.until[j] - q.jobs[j].Submit).Seconds()
		if q.reach[j] >= 0 {
			delay += q.reach[j]
			n++
		}
	}
	return left / time, delay / n
}

// compared runs a crowd of elastic jobs, which arrive one after another, by quality or another
// rule.
func compared(t testing.TB, text string, seed uint64) (left, delay float64) {
	t.Helper()
	r := rng.Source{Seed: seed}.Stream("jobs")
	var jobs []sim.Job
	at := 0.0
	for i := range 160 {
		at += 15 * r.ExpFloat64()
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 32, MinGPUs: 1, Submit: sim.Seconds(at),
			Work: sim.Seconds(1000 + 3000*r.ExpFloat64()), Iterations: 1000})
	}
	w, err := sim.NewWorkload("crowd", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, 10, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	const half = 300
	q := newQuality(w, 1, half)
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}},
		policy(t, fmt.Sprintf("epoch=10,half=%d,%s", half, text))(), q); err != nil {
		t.Fatal(err)
	}
	return q.mean()
}

var seeds = flag.Int("seeds", 1, "workloads of TestQualityAgainstFairShares")

// TestQualityAgainstFairShares: the claim of the paper, on a crowd of ours: jobs have less of their
// loss left, and lose most of it sooner, than under fair shares.
func TestQualityAgainstFairShares(t *testing.T) {
	for _, text := range []string{"norm=change", "norm=range"} {
		better, sooner := 0.0, 0.0
		n := float64(*seeds)
		for seed := range uint64(*seeds) {
			l, d := compared(t, text, seed)
			fl, fd := compared(t, "by=fair", seed)
			t.Logf("%s seed %d: loss left %.4f, fair %.4f; to a tenth %.0f s, fair %.0f s", text, seed, l, fl, d, fd)
			better += (1 - l/fl) / n
			sooner += (1 - d/fd) / n
		}
		if better < 0 || sooner < 0 {
			t.Errorf("%s: the loss left is %.0f %% less and most is lost %.0f %% sooner than with fair shares", text,
				100*better, 100*sooner)
		}
	}
}

// losing is a speed model whose jobs measure a loss: on an exponential curve, the same for
// all.
type losing struct{ curve loss.Curve }

func (losing) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}
func (losing) Mark(*sim.Query) float64 { return math.Inf(1) }
func (m losing) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	t.Loss = m.curve.At(q.Done / 1e6)
	return true
}
func (losing) Batches(*sim.Job) sim.BatchLimits { return sim.BatchLimits{} }

// TestMeasuredLoss: a job that measures its loss reports that, and the fit finds its curve; with
// loss=drawn it reports what was drawn.
func TestMeasuredLoss(t *testing.T) {
	m := losing{loss.Curve{Kind: loss.Exponential, A: 3, B: 0.002, D: 1}}
	w, err := sim.NewWorkload("one", []sim.Job{{ID: "0", GPUs: 4, MinGPUs: 1, Work: 2000 * sim.Second,
		Iterations: 2000}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for text, measured := range map[string]bool{"epoch=20": true, "epoch=20,loss=drawn": false} {
		p := policy(t, text)().(*Policy)
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Until: 401 *
			sim.Second}, p); err != nil {
			t.Fatal(err)
		}
		l := &p.book[0]
		near := l.fitted && math.Abs(l.fit.At(2000)-m.curve.At(2000)) < 0.01
		if l.measured != measured || near != measured {
			t.Errorf("%s: measured %v, fit %+v of %+v", text, l.measured, l.fit, m.curve)
		}
	}
}
