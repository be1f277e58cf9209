package polluxsim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// drawn is a progressive speed model: by model of a job, step times on each number of GPUs and
// updates left in each of its epochs of 100 s of work.
type drawn struct {
	step map[string][]float64
	left map[string][]float64
}

const epoch = 100e6

func (m *drawn) epoch(q *sim.Query) int { return min(int(q.Done/epoch), len(m.left[q.Job.Model])-1) }
func (m *drawn) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: m.step[q.Job.Model][1] / m.step[q.Job.Model][len(q.GPUs)], ComputeFrac: 1}, nil
}
func (m *drawn) Mark(q *sim.Query) float64 {
	if e := m.epoch(q); e < len(m.left[q.Job.Model])-1 {
		return float64(e+1) * epoch
	}
	return math.Inf(1)
}

// Telemetry has twice the step time where a GPU alone accumulates.
func (m *drawn) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	t.StepS, t.AccumSteps = m.step[q.Job.Model][len(q.GPUs)], max(1, q.AccumSteps)
	t.ItersLeft = m.left[q.Job.Model][m.epoch(q)]
	return true
}
func (m *drawn) Batches(j *sim.Job) sim.BatchLimits {
	return sim.BatchLimits{Initial: 16, Max: 256, MinLocal: 8, MaxLocal: 64}
}

// twin checks each step of the policy against the page of its reference, written down plainly.
type twin struct {
	sim.Policy
	t     *testing.T
	book  []sim.JobID // jobs in the system, in the order in which they came
	m     *drawn
	batch map[string]int
	steps int
}

func (w *twin) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			w.book = append(w.book, ev.Job)
		case sim.Finish:
			w.book = slices.DeleteFunc(w.book, func(j sim.JobID) bool { return j == ev.Job })
		}
	}
	out = w.Policy.Decide(v, out)
	if v.Now() == 0 || v.Now()%(60*sim.Second) != 0 {
		return out
	}
	w.steps++
	counts := w.counts(v)
	nodes := w.nodes(v, counts)
	for i, j := range w.book {
		gpus := given(v, j, out)
		if len(gpus) != counts[i] {
			w.t.Fatalf("at %v job %d is to have %d GPUs, expected %d", v.Now(), j, len(gpus), counts[i])
		}
		var got []int
		for _, g := range gpus {
			if got == nil {
				got = make([]int, v.Topology().Machines())
			}
			got[v.Topology().Machine(g)]++
		}
		if !slices.Equal(got, nodes[i]) {
			w.t.Fatalf("at %v job %d has %v GPUs of each machine, expected %v", v.Now(), j, got, nodes[i])
		}
	}
	return out
}

// given is the GPUs of a job after the decisions.
func given(v *sim.View, j sim.JobID, out []sim.Decision) []cluster.GPU {
	var gpus []cluster.GPU
	if v.Run(j).State() == sim.Running {
		gpus = v.Run(j).Held()
	}
	for i := range out {
		if out[i].Kind != sim.WakeAt && out[i].Job == j {
			gpus = out[i].GPUs
		}
	}
	return gpus
}

// counts hands out GPUs as the page states.
func (w *twin) counts(v *sim.View) []int {
	step := func(i, k int) float64 {
		s := w.m.step[v.Job(w.book[i]).Model()][k]
		if k == 1 {
			s += s
		}
		return s
	}
	free, counts, gains := v.Topology().GPUs(), make([]int, len(w.book)), make([]float64, len(w.book))
	gain := func(i int) float64 {
		model := v.Job(w.book[i]).Model()
		if free == 0 || counts[i] == w.batch[model]/8 {
			return 0
		}
		left := w.m.left[model]
		e := min(int(v.Run(w.book[i]).Done()/epoch), len(left)-1)
		return (step(i, counts[i]) - step(i, counts[i]+1)) * left[e]
	}
	for i := range counts {
		if free > 0 {
			counts[i]++
			free--
			gains[i] = gain(i)
		}
	}
	for free > 0 && len(gains) > 0 {
		best := slices.Index(gains, slices.Max(gains))
		if gains[best] <= 0 {
			break
		}
		counts[best]++
		gains[best] = gain(best)
		free--
	}
	return counts
}

// nodes places jobs as the page states: GPUs of each machine, nil for none.
func (w *twin) nodes(v *sim.View, counts []int) [][]int {
	t := v.Topology()
	free, at := make([]int, t.Machines()), make([][]int, len(counts))
	for m := range free {
		lo, hi := t.MachineGPUs(m)
		free[m] = int(hi - lo)
	}
	var order []int
	for i, n := range counts {
		held := v.Run(w.book[i]).Held()
		if v.Run(w.book[i]).State() != sim.Running {
			held = nil
		}
		if n > 0 && len(held) == n {
			at[i] = make([]int, len(free))
			for _, g := range held {
				at[i][t.Machine(g)]++
				free[t.Machine(g)]--
			}
		} else if n > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[a] - counts[b] })
	for _, i := range order {
		at[i] = make([]int, len(free))
		for need := counts[i]; need > 0; {
			m := slices.Index(free, slices.Max(free))
			k := min(need, free[m])
			at[i][m] += k
			free[m] -= k
			need -= k
		}
	}
	return at
}

func TestSimulatorTwin(t *testing.T) {
	for seed := range uint64(40) {
		r := rng.Source{Seed: seed}.Stream("optimus twin")
		top, err := cluster.New(cluster.Uniform(1, 2+r.IntN(3), 4, 1))
		if err != nil {
			t.Fatal(err)
		}
		m, batch := &drawn{map[string][]float64{}, map[string][]float64{}}, map[string]int{}
		for a := range 4 {
			name := fmt.Sprint("m", a)
			steps := []float64{0, 1 + r.Float64()}
			for len(steps) <= top.GPUs()+1 {
				steps = append(steps, steps[len(steps)-1]*(0.55+0.5*r.Float64()))
			}
			left := make([]float64, 1+r.IntN(6))
			for e := range left {
				left[e] = float64(1 + 100*(len(left)-1-e))
			}
			m.step[name], m.left[name], batch[name] = steps, left, 8*(1+r.IntN(16))
		}
		var jobs []sim.Job
		at := sim.Time(0)
		for i := range 30 {
			name := fmt.Sprint("m", r.IntN(4))
			at += sim.Time(r.IntN(300)) * sim.Second
			jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%02d", i), Model: name, GPUs: 1, MinGPUs: 1,
				MaxGPUs: int32(top.GPUs()), Submit: at, BatchSize: int32(batch[name]),
				Work: sim.Time(len(m.left[name]))*100*sim.Second - sim.Time(r.IntN(90))*sim.Second})
		}
		w, err := sim.NewWorkload("twin", jobs)
		if err != nil {
			t.Fatal(err)
		}
		check := &twin{Policy: policy(t, "")(), t: t, m: m, batch: batch}
		cost := sim.Costs{Restore: sim.Cost{FixedS: 30}, Rescale: sim.Cost{FixedS: 30}}
		sum, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Costs: cost,
			MarkEvery: sim.Second, Check: true}, check)
		if err != nil || check.steps < 20 {
			t.Fatalf("seed %d: %v, %d steps, %+v", seed, err, check.steps, sum)
		}
	}
}

// The jobs of a trace without batches, under a speed model without telemetry, divide by speeds and
// the work that is left.
func TestWithoutTelemetry(t *testing.T) {
	if got := policy(t, "every=5")().Knows(); got != know.Work|know.Speed|know.Progress {
		t.Errorf("knows %v", got)
	}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{{Work: 300 * sim.Second, GPUs: 1, MinGPUs: 1, MaxGPUs: 4},
		{Work: 20 * sim.Second, GPUs: 1, MinGPUs: 1, MaxGPUs: 4}}}.Expect(t, policy(t, "every=5")(),
		"1 on [0] 5s-25s finish", "0 on [1 2 3] 5s-25s resize", "0 on [0 1 2 3] 25s-85s finish")
}

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "pollux-optimus", NewOptimus, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "pollux-optimus", NewOptimus, o.Settings("", "every=7"))
}

// TestElasticLaws: with all times three times as long, so are the answers.
func TestElasticLaws(t *testing.T) {
	scaled := policy(t, "every=18")
	o := simtest.ElasticLaws{IDs: true, Times: true, Scaled: func(int64) sim.Policy { return scaled() }}
	if simtest.CheckElastic(t, policy(t, "every=6"), o) == 0 {
		t.Error("it never resized a job")
	}
}
