package config

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/simtest"
)

// futureTrace is a trace of 300 jobs 600 s apart. With other, jobs that come before a time and end
// after it, each as if it had started at once, have up to 8 times the work, and so have jobs that
// come after it and end more than some seconds after it.
func futureTrace(t *testing.T, begins, after int, other bool) string {
	t.Helper()
	r, text := rand.New(rand.NewPCG(7, 7)), "id,submit_s,gpus,work_s,model,user\n"
	for i := range 300 {
		n, run, longer, until := 1+i%4, 200+r.IntN(3000), 1.1+6.9*r.Float64(), begins
		if i%29 == 5 { // it outlasts the parts
			run = 100_000
		}
		if i*600 >= begins {
			until += after
		}
		if i*600+run > until && other {
			run = int(float64(run) * longer)
		}
		text += fmt.Sprintf("%d,%d,%d,%d,VGG,u%d\n", i, i*600, n, n*run, i%3)
	}
	return write(t, "future.csv", text)
}

// With cuts, what a policy does in a window follows from what has ended when the window begins, and
// from what ends in it: run times of jobs that end later, of the training part that the predictor
// is fitted on and of the window, change no decision before the first of these ends.
func TestWindowsHideTheFuture(t *testing.T) {
	// of the first window of test, by cuts; and when the first of its jobs with other work may end
	const begins, after = 299 * 600 * 66 / 100, 9000
	for _, spec := range []string{"sjf:by=estimate", "srtf:by=left", "gittins", "easy", "qssf", "tiresias-gittins"} {
		for _, predict := range []string{"user-size", "global", "ridge"} {
			var runs [2]sim.Config
			var fresh func() (sim.Policy, error)
			for k := range runs {
				c := Default()
				c.Trace, c.Policies, c.Cluster, c.Predict, c.History = "csv:"+futureTrace(t, begins, after, k == 1),
					[]string{spec}, "1x2x4", predict, "none"
				c.Cuts.Part, c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.Gap, c.Cuts.Shares = scenario.Test, 0, 4, 0,
					[3]float64{50, 16, 34}
				s, err := Build(c, simulation.All())
				if err != nil {
					t.Fatal(err)
				}
				of := s.Trials()[0]
				if first := of.Workload.Jobs[0]; first.ID != "198" || first.Submit != (198*600-begins)*sim.Second {
					t.Fatalf("the window begins with %s at %v, expected job 198 that many seconds after %d", first.ID,
						first.Submit, begins)
				}
				speed, err := of.Speed()
				if err != nil {
					t.Fatal(err)
				}
				runs[k], fresh = sim.Config{Workload: of.Workload, Topology: of.Topology, Speed: speed,
					Predictor: of.Predictor, History: of.History}, of.Policy
			}
			if len(runs[0].Workload.Jobs) < 20 || runs[0].Workload.Hash() == runs[1].Workload.Hash() {
				t.Fatal("the windows have no other work")
			}
			if what, err := simtest.Differ(runs[0], runs[1], fresh, after*sim.Second); err != nil || what != "" {
				t.Errorf("%s with %s: %v, %s", spec, predict, err, what)
			}
		}
	}
}

// The history of a run's own jobs is marked as the work itself is, in what a trial states of its
// policy.
func TestOwnHistoryIsMarked(t *testing.T) {
	for history, want := range map[string]string{"self": "work+history", "none": "history",
		write(t, "h.csv", "gpu_s\n60\n600\n"): "history"} {
		c := Default()
		c.Trace, c.Policies, c.Cluster, c.Speed, c.History = "synth:demo,jobs=30",
			[]string{"tiresias-gittins", "tiresias"}, "2x2x8", "counting", history
		s, err := Build(c, simulation.All())
		if err != nil {
			t.Fatal(err)
		}
		done, err := trial.Run(context.Background(), s.Trials(), trial.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, r := range done {
			got = append(got, r.Row.Knows)
		}
		if text := strings.Join(got, ", "); text != want+", nothing" {
			t.Errorf("history %s: the policies know %s, expected %s, nothing", history, text, want)
		}
	}
}
