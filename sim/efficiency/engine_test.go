package efficiency

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// wide starts job i on gpus GPUs from i x gpus on, with these knobs, and sets others of job 0 at a
// later time.
type wide struct {
	gpus        int
	first, then sim.Knobs
	at          sim.Time // 0 = never
}

func (w *wide) Knows() know.Set { return 0 }

func (w *wide) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			d := sim.Decision{Kind: sim.Start, Job: e.Job, Knobs: w.first}
			for g := range w.gpus {
				d.GPUs = append(d.GPUs, cluster.GPU(int(e.Job)*w.gpus+g))
			}
			out = append(out, d)
			if w.at > 0 && e.Job == 0 {
				out = append(out, sim.Decision{Kind: sim.WakeAt, At: w.at})
			}
		case sim.Timer:
			out = append(out, sim.Decision{Kind: sim.Tune, Job: 0, Knobs: w.then})
		}
	}
	return out
}

// tape writes down all that observers receive; ends are the ends of jobs.
type tape struct {
	text string
	ends map[sim.JobID]sim.Time
}

func (t *tape) Interval(i *sim.Interval) { t.text += fmt.Sprintf("interval %+v\n", *i) }
func (t *tape) Job(r *sim.Record) {
	t.text += fmt.Sprintf("job %+v\n", *r)
	t.ends[r.Job] = r.End
}
func (t *tape) Instant(g *sim.Gauge) { t.text += fmt.Sprintf("instant %+v\n", *g) }

// played gives what happens to jobs, with all invariants on.
func played(t *testing.T, m sim.SpeedModel, p sim.Policy, jobs ...sim.Job) *tape {
	t.Helper()
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 8, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	audit, out := simtest.NewAudit(w, top), &tape{ends: map[sim.JobID]sim.Time{}}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true}, p, audit,
		out)
	if err == nil {
		err = audit.Close(e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// elastic is a job of ResNet-50 that asks for 2 GPUs.
func elastic(id string, work sim.Time) sim.Job {
	return sim.Job{ID: id, GPUs: 2, MinGPUs: 1, MaxGPUs: 64, Model: "resnet50", Work: work}
}

// A job whose noise grows takes in each epoch that part of its work over the rate with that epoch's
// noise; each mark adds at most a microsecond.
func TestWorkAcrossMarks(t *testing.T) {
	for _, c := range []struct {
		spec   string
		gpus   int
		growth float64
		epochs int
	}{{"noise=8x,growth=16,epochs=9", 8, 16, 9}, {"noise=8x,growth=0.1,epochs=50", 16, 0.1, 50},
		{"noise=8x,growth=16,epochs=9", 2, 16, 9}, {"noise=8x,growth=16,epochs=1", 8, 1, 1}} {
		m := wrapped(t, c.spec)
		j := elastic("a", 1000*sim.Second+7)
		got := played(t, m, &wide{gpus: c.gpus}, j).ends[0]
		want := 0.0
		q := on(&j, c.gpus)
		for e := range c.epochs {
			noise := 8.0
			if c.epochs > 1 {
				noise *= math.Pow(c.growth, float64(e)/float64(c.epochs-1))
			}
			times := float64(c.gpus) / 2
			want += float64(j.Work) / float64(c.epochs) / (speed(t, common{}, q).Rate * (noise + 1) / (noise + times))
		}
		if d := float64(got) - want; d < -0.01 || d > float64(c.epochs)+0.01 {
			t.Errorf("%s on %d GPUs: ends at %d, expected %.3f", c.spec, c.gpus, got, want)
		}
	}
}

// A batch that a policy sets is the job's from then on, and the job's work is done to the
// end.
func TestTunedBatch(t *testing.T) {
	m, j := wrapped(t, "noise=3x,growth=1,epochs=4,fixed=0"), elastic("a", 1000*sim.Second)
	got := played(t, m, &wide{2, sim.Knobs{Batch: 4, AccumSteps: 4}, sim.Knobs{Batch: 1, AccumSteps: 1}, 60 *
		sim.Second}, j).ends[0]
	q := on(&j, 2)
	q.Batch = 4
	first := speed(t, common{}, q).Rate * (3 + 1) / (3 + 4.0)
	q.Batch = 1
	want := 60e6 + (1000e6-60e6*first)/speed(t, common{}, q).Rate
	if d := float64(got) - want; d < -0.01 || d > 2 {
		t.Errorf("ends at %d, expected %.3f", got, want)
	}
}

// Runs at the own batch equal the inner model's to the last bit, whatever the noise; so are
// weak ones without noise.
func TestRunsAtTheOwnBatch(t *testing.T) {
	var jobs []sim.Job
	for i := range 8 {
		j := elastic(string(rune('a'+i)), sim.Time(1e8+1e7*float64(i*i)))
		j.Submit = sim.Time(i) * 3 * sim.Second
		jobs = append(jobs, j)
	}
	for _, c := range []struct {
		spec string
		gpus int
	}{{Measured, 2}, {"noise=2,growth=100,scaling=strong", 2}, {"noise=inf", 8}, {"noise=inf", 1}} {
		p := &wide{c.gpus, sim.Knobs{}, sim.Knobs{FreqFrac: 0.7}, 11 * sim.Second}
		if got, want := played(t, wrapped(t, c.spec), p, jobs...).text,
			played(t, common{}, p, jobs...).text; got != want {
			t.Errorf("%s on %d GPUs:\n%s\nwithin:\n%s", c.spec, c.gpus, got, want)
		}
	}
}
