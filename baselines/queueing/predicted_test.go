package queueing_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/law"
	"tarry/sim/simtest"
)

// foretold predicts by a function of the job's number.
type foretold func(sim.JobID) law.Law

func (f foretold) Predict(id sim.JobID, _ *sim.Job) law.Law { return f(id) }
func (foretold) Ended(sim.JobID, *sim.Job, sim.Time)        {}
func (f foretold) Clone() sim.Predictor                     { return f }

// busy is a workload that keeps 16 GPUs busy.
func busy(t *testing.T, seed uint64) sim.Config {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	var jobs []sim.Job
	at := 0.0
	for i := range 250 {
		at += r.ExpFloat64() * 400
		gpus := 1 << r.IntN(4)
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(at), GPUs: int32(gpus),
			Work: sim.Seconds(float64(gpus) * 600 * math.Exp(1.3*r.NormFloat64()))})
	}
	w, err := sim.NewWorkload("busy", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: seed == 0}
}

func recordsOf(t *testing.T, cfg sim.Config, p sim.Policy) []sim.Record {
	t.Helper()
	e, err := sim.Run(context.Background(), cfg, p)
	if err != nil {
		t.Fatal(err)
	}
	var out []sim.Record
	for j := range cfg.Workload.Jobs {
		out = append(out, e.Record(sim.JobID(j)))
	}
	return out
}

// With a predictor that is right, what reads predictions decides as what knows the work, record for
// record; without one, too.
func TestExactPredictionsAreTheWork(t *testing.T) {
	for _, c := range []struct{ guess, gp, know, kp string }{
		{"sjf", "by=estimate", "sjf", ""}, {"srtf", "by=left", "srtf", ""}, {"srtf", "by=gittins", "srtf", ""},
		{"srsf", "by=left", "srsf", ""},
		// not conservative: reservations one after the other turn on the microsecond that exp(log
		// x) may be off
		{"gittins", "", "srtf", ""}, {"gittins", "per=gpu-time", "srsf", ""}, {"easy", "", "easy", ""},
	} {
		differs := false
		for seed := range uint64(5) {
			cfg := busy(t, seed)
			want := recordsOf(t, cfg, policy(t, c.know, c.kp))
			if got := recordsOf(t, cfg, policy(t, c.guess, c.gp)); !slices.Equal(got, want) {
				t.Errorf("%s:%s without a predictor is not %s, seed %d", c.guess, c.gp, c.know, seed)
			}
			jobs := cfg.Workload.Jobs
			cfg.Predictor = foretold(func(id sim.JobID) law.Law {
				return law.Law{LogMedian: math.Log(
					jobs[id].RunTime().Seconds())}
			})
			if got := recordsOf(t, cfg, policy(t, c.guess, c.gp)); !slices.Equal(got, want) {
				t.Errorf("%s:%s with an exact predictor is not %s, seed %d", c.guess, c.gp, c.know, seed)
			}
			cfg.Predictor = foretold(func(id sim.JobID) law.Law {
				return law.Law{LogMedian: float64(id * 37 % 11),
					Shape: law.LogNormal(1)}
			})
			differs = differs || !slices.Equal(recordsOf(t, cfg, policy(t, c.guess, c.gp)), want)
		}
		if !differs {
			t.Errorf("%s:%s decides the same whatever is predicted", c.guess, c.gp)
		}
	}
}

// Jobs run 10 s or 10 000 s. One that is past the short ones gives way to a new one, unless the
// margin keeps it.
func TestGittinsByHand(t *testing.T) {
	residuals := make([]float64, 200)
	for i := range residuals {
		residuals[i] = math.Log(10) + 0.002*float64(i)
		if i%3 == 0 {
			residuals[i] = math.Log(10_000) + 0.002*float64(i)
		}
	}
	shape, centre := law.Empirical(residuals)
	w, err := sim.NewWorkload("two", []sim.Job{{ID: "long", GPUs: 1, Work: 9000 * sim.Second},
		{ID: "short", Submit: 100 * sim.Second, GPUs: 1, Work: 11 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true,
		Predictor: foretold(func(sim.JobID) law.Law { return law.Law{LogMedian: centre, Shape: shape} })}
	for params, want := range map[string]sim.Time{"": 111, "margin=1": 111, "margin=30": 9011} {
		if got := recordsOf(t, cfg, policy(t, "gittins", params))[1].End; got != want*sim.Second {
			t.Errorf("gittins:%s: the short job ends at %v, expected %d s", params, got, want)
		}
	}
}

// QSSF takes the least predicted service, whatever the run time, and stops at the first that does
// not fit.
func TestQSSFByHand(t *testing.T) {
	s := sim.Second
	w, err := sim.NewWorkload("three", []sim.Job{{ID: "a", GPUs: 2, Work: 20 * s},
		{ID: "b", Submit: s, GPUs: 2, Work: 30 * s}, {ID: "c", Submit: s, GPUs: 1, Work: 20 * s},
		{ID: "d", Submit: 2 * s, GPUs: 1, Work: s}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 3, 1))
	if err != nil {
		t.Fatal(err)
	}
	guess := []float64{10, 5, 12, 99} // x GPUs: 20, 10, 12, 99
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true,
		Predictor: foretold(func(id sim.JobID) law.Law { return law.Law{LogMedian: math.Log(guess[id])} })}
	for params, want := range map[string]string{"": "[0s 10s 10s 25s]", "block=false": "[0s 10s 1s 21s]"} {
		var starts []sim.Time
		for _, r := range recordsOf(t, cfg, policy(t, "qssf", params)) {
			starts = append(starts, r.Start)
		}
		if fmt.Sprint(starts) != want {
			t.Errorf("qssf:%s starts at %v, expected %s", params, starts, want)
		}
	}
}
