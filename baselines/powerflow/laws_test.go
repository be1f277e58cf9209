package powerflow

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
)

// ring is a speed by number of GPUs and clock alone: an iteration computes 1/(n f) s and transfers
// 2 b (n-1)/n s, b by the model's name.
type ring struct{}

func iteration(model string, n int, clock float64) (seconds, computes float64) {
	b := map[string]float64{"heavy": 0.2, "fair": 0.05, "light": 0.01}[model]
	computes = 1 / (float64(n) * clock)
	return computes + 2*b*float64(n-1)/float64(n), computes
}

func (ring) Speed(q *sim.Query) (sim.Speed, error) {
	s, c := iteration(q.Job.Model, len(q.GPUs), q.FreqFrac)
	return sim.Speed{Rate: 1 / s, ComputeFrac: c / s}, nil
}

var spec = power.Spec{Name: "a", IdleW: 100, GPUIdleW: 40, LinearW: 60, CubicW: 200}

// joules is what the use of GPUs by a job adds for each second of its work.
func joules(model string, n int, clock float64) float64 {
	_, computes := iteration(model, n, clock)
	return float64(n) * computes * spec.BusyW(clock)
}

// watched receives the clocks at which jobs ran.
type watched struct {
	lowest, highest float64
	sizes           map[int]bool
}

func (w *watched) Interval(i *sim.Interval) {
	if i.Run > 0 {
		w.lowest, w.highest = min(w.lowest, i.FreqFrac), max(w.highest, i.FreqFrac)
		w.sizes[len(i.GPUs)] = true
	}
}
func (w *watched) Job(*sim.Record)    {}
func (w *watched) Instant(*sim.Gauge) {}

// drawn is jobs that come one after the other, elastic ones or not.
func drawn(r *rand.Rand, elastic bool) (jobs []sim.Job) {
	at := sim.Time(0)
	for i := range 1 + r.IntN(30) {
		at += sim.Time(r.IntN(60)) * sim.Second
		j := sim.Job{ID: fmt.Sprint(i), Model: []string{"heavy", "fair", "light"}[r.IntN(3)], GPUs: 1 << r.IntN(3),
			Submit: at, Work: sim.Time(1+r.IntN(400)) * sim.Second}
		if elastic {
			j.MinGPUs, j.MaxGPUs = 1, 16
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// ran plays jobs on two machines of 8 GPUs and gives the energy of the use of GPUs, the sum of
// completion times in seconds and the clocks.
func ran(t *testing.T, jobs []sim.Job, params string, m *power.Model) (used, times float64, w *watched) {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, 2, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	load, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	w = &watched{lowest: math.Inf(1), sizes: map[int]bool{}}
	watch := []sim.Observer{w}
	if m != nil {
		b, err := books.New(m, top, func(r *sim.Record, busy books.Energy) { used += busy.J() })
		if err != nil {
			t.Fatal(err)
		}
		watch = append(watch, b)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: load, Topology: top, Speed: ring{}, Power: m,
		Check: true}, policy(t, params)(), watch...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range load.Jobs {
		r := e.Record(sim.JobID(i))
		if r.State != sim.Done {
			t.Fatalf("%s: job %d is %v, expected its end", params, i, r.State)
		}
		times += (r.End - load.Jobs[i].Submit).Seconds()
	}
	return used, times, w
}

// The energy that the books have is within the budget, of the GPUs asked for at the highest clock or in
// kWh, as long as the least of all is; below that it is the least, and all jobs end all the same.
func TestEnergyIsWithinTheBudget(t *testing.T) {
	model := &power.Model{Specs: []power.Spec{spec}, Of: []int32{0, 0}}
	bound := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		jobs := drawn(r, seed%3 > 0)
		asked, least := 0.0, 0.0
		for _, j := range jobs {
			n := int(max(1, j.MinGPUs))
			if j.MaxGPUs == 0 {
				n = int(j.GPUs)
			}
			asked += j.Work.Seconds() * joules(j.Model, int(j.GPUs), 1)
			least += j.Work.Seconds() * joules(j.Model, n, 0.5)
		}
		last, atOnce := math.Inf(1), slices.Clone(jobs) // kWh are for jobs that are there
		for i := range atOnce {
			atOnce[i].Submit = 0
		}
		for _, part := range []float64{0, 0.5, 0.7, 0.9, 1, math.Inf(1)} {
			got, times, w := ran(t, jobs, fmt.Sprintf("idle=0,slot_s=0,budget=%v", part), model)
			if limit := max(least, part*asked); got > limit*(1+1e-6) {
				t.Errorf("seed %d: %v J with budget %v, expected at most %v", seed, got, part, limit)
			} else if got > 0.98*limit {
				bound++
			}
			if part*asked < least && math.Abs(got-least) > 1e-6*least {
				t.Errorf("seed %d: %v J with budget %v, expected the least, %v", seed, got, part, least)
			}
			if math.IsInf(part, 1) && (w.lowest != 1 || w.highest != 1) {
				t.Errorf("seed %d: clocks %v to %v without a budget, expected 1", seed, w.lowest, w.highest)
			}
			if part == 0 || math.IsInf(part, 1) {
				if times > last*1.2 {
					t.Errorf("seed %d: %v s without a budget, %v s with the least energy", seed, times, last)
				}
				last = times
			}
			kwh, _, _ := ran(t, atOnce, fmt.Sprintf("idle=0,slot_s=0,budget=inf,budget_kwh=%v", part*asked/3.6e6), model)
			if limit := max(least, part*asked); kwh > limit*(1+1e-6) {
				t.Errorf("seed %d: %v J with %v kWh, expected at most %v J", seed, kwh, part*asked/3.6e6, limit)
			}
		}
	}
	if bound < 100 {
		t.Errorf("%d runs use 98 %% of their budget, expected more", bound)
	}
}

// Without watts all moves are free: jobs run at the highest clock, on powers of two.
func TestWithoutPower(t *testing.T) {
	jobs := drawn(rand.New(rand.NewPCG(9, 2)), true)
	_, _, w := ran(t, jobs, "budget=0", nil)
	if w.lowest != 1 || w.highest != 1 {
		t.Errorf("clocks %v to %v, expected 1", w.lowest, w.highest)
	}
	for n := range w.sizes {
		if n&(n-1) != 0 {
			t.Errorf("%d GPUs, expected a power of two", n)
		}
	}
	if len(w.sizes) < 3 {
		t.Errorf("%v GPUs, expected more numbers", w.sizes)
	}
}

// One job by hand: a unit of work takes 60 + 200 c^2 J at the clock c, of 260 at 1: 213 at 7/8, 173 at 3/4.
// The idle draw of its GPU and its part of the machine are 52.5/c J more: 1/2 then takes the least.
func TestClockByHand(t *testing.T) {
	model := &power.Model{Specs: []power.Spec{spec}, Of: []int32{0, 0}}
	jobs := []sim.Job{{ID: "a", GPUs: 1, Model: "light", Work: 100 * sim.Second}}
	for params, want := range map[string]float64{"budget=0,idle=0": 0.5, "budget=0,clock_min=0.25": 0.25,
		"budget=0,idle=1,clocks=4,clock_min=0.25": 0.5, "budget=1": 1,
		"budget=0.8,idle=0":  0.75,
		"budget=0.82,idle=0": 0.875, "budget=inf": 1, "budget=0,clocks=2,clock_min=0.7": 0.7, "clocks=1,clock_min=0.6": 0.6} {
		if _, _, w := ran(t, jobs, params, model); w.lowest != want || w.highest != want {
			t.Errorf("%s: clocks %v to %v, expected %v", params, w.lowest, w.highest, want)
		}
	}
}

// Of two jobs and one GPU the shorter runs first, or the first to come.
func TestTooFewGPUs(t *testing.T) {
	jobs := []sim.Job{}
	for i, s := range []sim.Time{400, 50} {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 16, Model: "light", Work: 16 * s * sim.Second})
	}
	_, short, _ := ran(t, jobs, "", nil)
	_, arrival, _ := ran(t, jobs, "first=arrival", nil)
	if slow := arrival / short; slow < 1.6 || slow > 1.8 {
		t.Errorf("%v s, and %v s in order of arrival, expected 1.7 times as much", short, arrival)
	}
}
