package variants

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/law"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// asking draws jobs with requests, some of them short of the run time and some missing.
func asking(t testing.TB, r *rand.Rand, n, maxGPUs int) *sim.Workload {
	t.Helper()
	w := drawn(t, r, n, maxGPUs)
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		if r.IntN(8) > 0 {
			jobs[i].Request = max(1, sim.Time(r.IntN(4))*jobs[i].RunTime()/2)
		}
	}
	out, err := sim.NewWorkload("asking", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// crystal predicts run times with an error that follows from the job's number.
type crystal struct{ run []sim.Time }

func (c crystal) Predict(j sim.JobID, _ *sim.Job) law.Law {
	factor := []float64{0.25, 1, 1, 3}[int(j)%4]
	return law.Law{LogMedian: math.Log(c.run[j].Seconds() * factor)}
}
func (crystal) Ended(sim.JobID, *sim.Job, sim.Time) {}
func (c crystal) Clone() sim.Predictor              { return c }

// In the order of arrival without leases and timers, the contest behind a reservation is EASY, to
// the last record.
func TestBackfillIsEASY(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		top := hand.Topology(t, 1+r.IntN(2), 1+r.IntN(3), 1+r.IntN(4), 1)
		w := asking(t, r, 40, top.GPUs())
		foresees := crystal{}
		for i := range w.Jobs {
			foresees.run = append(foresees.run, w.Jobs[i].RunTime())
		}
		for by, easy := range map[string]string{"request": "by=request", "predicted": ""} {
			cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}
			if by == "predicted" {
				cfg.Predictor = foresees
			}
			one, err := queueing.NewEASY(param.Parse("easy", easy), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			text := "order=fifo,ties=submit,preempt=false,delay=false,backfill=" + by
			got, want := hand.Records(t, cfg, build(t, makeAuto, text)()), hand.Records(t, cfg, one)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %s: the contest gives\n%v\nEASY\n%v", seed, text, got, want)
			}
		}
	}
}

// By hand, on four GPUs that nothing slows: job 2 asks for all of them and must wait for job 0,
// which has asked for 60 s.
func TestBackfillByHand(t *testing.T) {
	job := func(gpus int32, runS, submitS, requestS sim.Time) sim.Job {
		return sim.Job{GPUs: gpus, Work: sim.Time(gpus) * runS * s, Submit: submitS * s, Request: requestS * s}
	}
	head := []sim.Job{job(2, 50, 0, 60), job(3, 30, 1, 30)}
	for _, c := range []struct {
		name, text string
		more       []sim.Job
		want       string
	}{
		{"one that ends before goes first", "backfill=request", []sim.Job{job(2, 20, 2, 58)},
			"0s job 0 on [0 1]\n2s job 2 on [2 3]\n50s job 1 on [0 1 2]"},
		{"one that does not waits", "backfill=request", []sim.Job{job(2, 20, 2, 59)},
			"0s job 0 on [0 1]\n50s job 1 on [0 1 2]\n80s job 2 on [0 1]"},
		{"a long one takes what is left over", "backfill=request", []sim.Job{job(1, 90, 2, 900), job(1, 70, 3, 900)},
			"0s job 0 on [0 1]\n2s job 2 on [2]\n50s job 1 on [0 1 3]\n80s job 3 on [0]"},
		{"of one that asked for nothing nothing is known", "backfill=request", []sim.Job{job(2, 20, 2, 0)},
			"0s job 0 on [0 1]\n50s job 1 on [0 1 2]\n80s job 2 on [0 1]"},
		{"without a predictor requests stand for predictions", "backfill=predicted", []sim.Job{job(2, 20, 2, 58)},
			"0s job 0 on [0 1]\n2s job 2 on [2 3]\n50s job 1 on [0 1 2]"},
		{"without a reservation any that fits goes", "backfill=none", []sim.Job{job(2, 90, 2, 90)},
			"0s job 0 on [0 1]\n2s job 2 on [2 3]\n92s job 1 on [0 1 2]"},
	} {
		cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 4, 1), Speed: simtest.Counting{},
			Workload: hand.Numbered(t, append(slices.Clone(head), c.more...)...)}
		for _, how := range []string{"order=fifo,preempt=false,", "order=fifo,preempt=false,evict=none,"} {
			if got := play(t, cfg, makeAuto, how+c.text); got != c.want {
				t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
			}
		}
		if got := play(t, cfg, makeRanked,
			"features=rank:0,ties=submit,preempt=false,margin=inf,"+c.text); got != c.want {
			t.Errorf("%s, ranked: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Reservations keep the kernel's rules with leases, evictions, types and timers, too.
func TestBackfillConformance(t *testing.T) {
	for name, text := range map[string]string{
		"leases":    "lease=6,backfill=request",
		"evictions": "lease=6,backfill=request,order=gittins,evict=later,min_run=0,preempt=false",
		"waiting":   "lease=6,backfill=predicted,order=psrpt,t_rack=1.5,t_net=3",
		"return":    "lease=6,backfill=request,renew=return",
	} {
		t.Run(name, func(t *testing.T) {
			tryBackfill(t, makeAuto, text)
		})
	}
	t.Run("ranked", func(t *testing.T) { tryBackfill(t, makeRanked, "lease=6,backfill=request,"+all) })
}

// tryBackfill runs a variant with short leases where changes cost nothing, and with long ones.
func tryBackfill(t *testing.T, of maker, text string) {
	o := simtest.Options{Seeds: 16, Without: simtest.Costs}
	simtest.Policy(t, build(t, of, text), o)
	o.Without = 0
	simtest.Policy(t, build(t, of, strings.ReplaceAll(text, "lease=6,", "lease=60,")), o)
}

func TestWrongBackfill(t *testing.T) {
	for text, want := range map[string]string{
		"backfill=easy": `backfill is "easy", expected none, request, predicted`,
	} {
		if _, err := makeAuto(param.Parse("dally", text), cluster.BestFit); err == nil ||
			!strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}
