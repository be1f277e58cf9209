package lucid

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// beside is a speed model: what a job keeps beside another, by the models of both ("ab": a beside
// b), 1 by default.
type beside map[string]float64

func (b beside) Speed(q *sim.Query) (sim.Speed, error) {
	keep := 1.0
	for _, p := range q.Peers {
		if k, ok := b[q.Job.Model+p.Job.Model]; ok {
			keep *= k
		}
	}
	return sim.Speed{Rate: float64(float64(len(q.GPUs)) * keep), ComputeFrac: keep}, nil
}

// byHand is a case worked out by hand.
type byHand struct {
	machines, gpus int
	settings       string
	keep           beside
	costs          sim.Costs
	jobs           []sim.Job
}

// job is one of a model, with its submission and run time in seconds.
func job(model string, submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{Model: model, Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

func (c byHand) expect(t *testing.T, want ...string) {
	t.Helper()
	for i := range c.jobs {
		c.jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", c.jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, c.machines, c.gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	var got simtest.Tape
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: c.keep, Costs: c.costs,
		Check: true}, policy(t, c.settings)(), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Lines, want) {
		t.Errorf("%s: got\n%q\nwant\n%q", c.settings, got.Lines, want)
	}
}

// The last of four machines profiles for 10 s. Job 2 has most GPUs and waits until both are free,
// though it came first of the waiting jobs; jobs 0 and 3 end inside; job 4 is too large for the
// profiler.
func TestProfiler(t *testing.T) {
	byHand{machines: 4, gpus: 2, settings: "profile_machines=1,profile_gpus=2,profile_s=10,sharing=never",
		jobs: []sim.Job{
			job("", 0, 1, 5), job("", 0, 1, 30), job("", 0, 2, 20), job("", 1, 1, 3), job("", 1, 4, 4),
		}}.expect(t, "0 on [6] 0s-5s finish", "4 on [0 1 2 3] 1s-5s finish", "3 on [6] 5s-8s finish",
		"1 on [7] 0s-10s preempt",
		"2 on [6 7] 10s-20s preempt", "1 on [0] 10s-30s finish", "2 on [2 3] 20s-30s finish")
	// The checkpoint holds the profiler's GPU for 2 s, and the restart costs 1 s: job 1 waits 12 s.
	byHand{machines: 4, gpus: 1, settings: "profile_machines=1,profile_gpus=1,profile_s=10,sharing=never",
		costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 2}, Restore: sim.Cost{FixedS: 1}},
		jobs:  []sim.Job{job("", 0, 1, 30), job("", 0, 1, 5)}}.expect(t,
		"0 on [3] 0s-12s preempt", "1 on [3] 12s-17s finish", "0 on [0] 12s-33s finish")
	// In the simulator's way a job of 30 s starts at once and holds a GPU of the profiler all the
	// same.
	byHand{machines: 4, gpus: 1, settings: "profiler=ideal,profile_machines=1,profile_gpus=1,profile_s=10," +
		"sharing=never", jobs: []sim.Job{
		job("", 0, 1, 30), job("", 0, 1, 5)}}.expect(t, "1 on [3] 10s-15s finish", "0 on [0] 0s-30s finish")
}

// With more than one job in its queue the profiler takes the last idle machine of the main pool,
// and gives it back when the queue is short, before job 3 comes.
func TestProfilerGrows(t *testing.T) {
	byHand{machines: 4, gpus: 1, settings: "profile_machines=1,profile_most=2,profile_gpus=1,profile_s=10," +
		"grow_queue=1,shrink_queue=1,step_s=4,sharing=never", jobs: []sim.Job{
		job("", 0, 1, 30), job("", 0, 1, 5), job("", 0, 1, 5),
		job("", 24, 3, 5),
	}}.expect(t, "1 on [3] 0s-5s finish", "2 on [3] 5s-10s finish", "0 on [2] 0s-10s preempt",
		"0 on [0] 10s-30s finish", "3 on [0 1 2] 30s-35s finish")
}

// Six GPUs are a machine and the rest where they fit best; eight two machines; two lie where least
// is left.
func TestPlacement(t *testing.T) {
	byHand{machines: 4, gpus: 4, settings: "profiler=off,sharing=never", jobs: []sim.Job{
		job("", 0, 1, 9), job("", 1, 6, 9), job("", 2, 2, 9), job("", 3, 1, 9), job("", 4, 4, 4), job("", 5, 8, 5),
	}}.expect(t, "4 on [12 13 14 15] 4s-8s finish", "0 on [0] 0s-9s finish", "1 on [1 2 4 5 6 7] 1s-10s finish",
		"2 on [8 9] 2s-11s finish",
		"3 on [3] 3s-12s finish", "5 on [4 5 6 7 12 13 14 15] 10s-15s finish")
}

// Without sharing the first that does not fit blocks the queue, which is in the order of predicted
// run time x GPUs.
func TestOrder(t *testing.T) {
	byHand{machines: 1, gpus: 2, settings: "profiler=off,sharing=never", jobs: []sim.Job{
		job("", 0, 1, 10), job("", 1, 1, 20), job("", 2, 2, 6), job("", 3, 1, 11.5),
	}}.expect(t, "0 on [0] 0s-10s finish", "1 on [1] 1s-21s finish", "3 on [0] 10s-21.5s finish",
		"2 on [0 1] 21.5s-27.5s finish")
}

// Job 0 runs for 1 s alone, then at 0.9 beside job 1, which takes 48 / 0.96 s; then alone again.
func TestSharing(t *testing.T) {
	const always = "profiler=off,sharing=always"
	two := func(a, b sim.Job, more ...sim.Job) []sim.Job { return append([]sim.Job{a, b}, more...) }
	byHand{machines: 1, gpus: 2, settings: always, keep: beside{"ab": 0.9, "ba": 0.96},
		jobs: two(job("a", 0, 2, 100), job("b", 1, 2, 48))}.expect(t,
		"0 on [0 1] 0s-1s tune", "1 on [0 1] 1s-51s finish", "0 on [0 1] 1s-51s tune", "0 on [0 1] 51s-105s finish")
	apart := []string{"0 on [0 1] 0s-100s finish", "1 on [0 1] 100s-148s finish"}
	for name, c := range map[string]byHand{
		"scores 2 and 1": {keep: beside{"ab": 0.84, "ba": 0.94},
			jobs: two(job("a", 0, 2, 100), job("b", 1, 2, 48))},
		"switched off":        {settings: "profiler=off", jobs: two(job("a", 0, 2, 100), job("b", 1, 2, 48))},
		"more GPUs than most": {settings: always + ",share_gpus=1", jobs: two(job("a", 0, 2, 100), job("b", 1, 2, 48))},
	} {
		t.Run(name, func(t *testing.T) {
			c.machines, c.gpus = 1, 2
			if c.settings == "" {
				c.settings = always
			}
			c.expect(t, apart...)
		})
	}
	// Other numbers of GPUs do not share, though there is room.
	byHand{machines: 1, gpus: 2, settings: always, jobs: two(job("a", 0, 2, 100), job("b", 1, 1, 48))}.expect(t,
		"0 on [0 1] 0s-100s finish", "1 on [0] 100s-148s finish")
	// Twice the predicted GPU-time may share, more may not.
	byHand{machines: 1, gpus: 1, settings: always, jobs: two(job("a", 0, 1, 100), job("b", 1, 1, 200))}.expect(t,
		"0 on [0] 0s-1s tune", "0 on [0] 1s-100s finish", "1 on [0] 1s-100s tune", "1 on [0] 100s-201s finish")
	byHand{machines: 1, gpus: 1, settings: always, jobs: two(job("a", 0, 1, 100), job("b", 1, 1, 201))}.expect(t,
		"0 on [0] 0s-100s finish", "1 on [0] 100s-301s finish")
	// A third waits until one of two has ended, and then shares with the other.
	byHand{machines: 1, gpus: 1, settings: always, jobs: two(job("a", 0, 1, 100), job("b", 1, 1, 10),
		job("c", 2, 1, 20))}.expect(t,
		"0 on [0] 0s-1s tune", "1 on [0] 1s-11s finish", "0 on [0] 1s-11s tune", "2 on [0] 11s-31s finish",
		"0 on [0] 11s-31s tune", "0 on [0] 31s-100s finish")
	// Sharing goes before an idle GPU, unless prefer states otherwise.
	byHand{machines: 1, gpus: 2, settings: always, jobs: two(job("a", 0, 1, 10), job("b", 1, 1, 9))}.expect(t,
		"0 on [0] 0s-1s tune", "0 on [0] 1s-10s finish", "1 on [0] 1s-10s finish")
	byHand{machines: 1, gpus: 2, settings: always + ",prefer=idle",
		jobs: two(job("a", 0, 1, 10), job("b", 1, 1, 9))}.expect(t,
		"0 on [0] 0s-10s finish", "1 on [1] 1s-10s finish")
}

// Three jobs come in the first 100 s: 0.2 of them are expected per step, 3 in five steps, more than
// 2, so that job 1 shares from 100 s on, and job 2 after it. Of two no more than 2 are expected.
func TestForecast(t *testing.T) {
	jobs := []sim.Job{job("a", 0, 1, 250), job("b", 1, 1, 50), job("c", 2, 1, 100)}
	byHand{machines: 1, gpus: 1, settings: "profiler=off", jobs: slices.Clone(jobs)}.expect(t,
		"0 on [0] 0s-100s tune", "1 on [0] 100s-150s finish", "0 on [0] 100s-150s tune", "0 on [0] 150s-250s finish",
		"2 on [0] 150s-250s finish")
	byHand{machines: 1, gpus: 1, settings: "profiler=off", jobs: slices.Clone(jobs[:2])}.expect(t,
		"0 on [0] 0s-250s finish", "1 on [0] 250s-300s finish")
}

func TestSettings(t *testing.T) {
	for text, want := range map[string]string{
		"keep=0.8/0.9":              "keep is [0.8 0.9], expected two falling numbers A/B",
		"scores=usage,busy=0.5/0.2": "busy is [0.5 0.2], expected two rising numbers A/B",
	} {
		if _, err := New(setOf(text), cluster.BestFit); err == nil ||
			!slices.Contains([]string{"policy lucid: " + want}, err.Error()) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
