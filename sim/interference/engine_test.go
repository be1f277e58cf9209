package interference

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// crowd starts each job on the GPUs with most room, with a share of share thousandths of each; a
// job for which there is no room waits.
type crowd struct {
	share   int32
	waiting []sim.JobID
	used    []int32
	gpus    map[sim.JobID][]cluster.GPU
}

func (c *crowd) Knows() know.Set { return 0 }

func (c *crowd) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			c.waiting = append(c.waiting, e.Job)
		case sim.Finish:
			for _, g := range c.gpus[e.Job] {
				c.used[g] -= c.share
			}
		}
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(j sim.JobID) bool {
		var gpus []cluster.GPU
		for g := range c.used {
			if c.used[g]+c.share <= 1000 && int32(len(gpus)) < int32(v.Job(j).GPUs()) {
				gpus = append(gpus, cluster.GPU(g))
			}
		}
		if int32(len(gpus)) < int32(v.Job(j).GPUs()) {
			return false
		}
		for _, g := range gpus {
			c.used[g] += c.share
		}
		c.gpus[j] = gpus
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: c.share}})
		return true
	})
	return out
}

// tape writes down all that observers receive; ends are the ends of jobs.
type tape struct {
	text string
	ends []sim.Time
}

func (t *tape) Interval(i *sim.Interval) { t.text += fmt.Sprintf("interval %+v\n", *i) }
func (t *tape) Job(r *sim.Record)        { t.ends[r.Job] = r.End }
func (t *tape) Instant(*sim.Gauge)       {}

// played gives what happens to jobs on 4 GPUs, with all invariants on.
func played(t *testing.T, m sim.SpeedModel, share int32, jobs ...sim.Job) *tape {
	t.Helper()
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	p := &crowd{share: share, used: make([]int32, 4), gpus: map[sim.JobID][]cluster.GPU{}}
	audit, out := simtest.NewAudit(w, top), &tape{ends: make([]sim.Time, len(jobs))}
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

// Two jobs on the same 4 GPUs, the second from 100 s on, at 1/1.25 of their speed; when the first
// ends the other has all of its speed.
func TestTwoJobsByHand(t *testing.T) {
	m := over(simtest.Counting{}, rule(t, "nway:a=0.25,util=0.5"))
	a := sim.Job{ID: "a", GPUs: 4, Model: "vgg16", Work: 4 * 500 * sim.Second}
	b := sim.Job{ID: "b", GPUs: 4, Model: "bert", Work: 4 * 1000 * sim.Second, Submit: 100 * sim.Second}
	got := played(t, m, 500, a, b).ends
	// a has 400 s left at 100 s and takes 500; b did 400 of its 1000 s by then.
	if got[0] != 600*sim.Second || got[1] != 1200*sim.Second {
		t.Errorf("ends at %v, expected 600 s and 1200 s", got)
	}
}

// Jobs that share under a law that costs nothing run as fast as alone: each ends its work after it
// starts. Under any other law they take longer, and what one more sharer may be given is not more.
func TestRunsWithTheAudit(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var jobs []sim.Job
	for i := range 60 {
		j := sim.Job{ID: fmt.Sprint(i), GPUs: 1 + r.Int32N(4), Model: []string{"vgg16", "bert", "gpt2"}[r.IntN(3)],
			Submit: sim.Time(r.IntN(200)) * sim.Second, Priority: r.Int32N(2)}
		j.Work = sim.Time(j.GPUs) * sim.Time(1+r.IntN(100)) * sim.Second
		jobs = append(jobs, j)
	}
	free := played(t, over(simtest.Counting{}, rule(t, "horus:factor=0")), 1, jobs...)
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range w.Jobs {
		if want := j.Submit + j.Work/sim.Time(j.GPUs); free.ends[i] != want {
			t.Errorf("job %s ends at %v, expected %v", j.ID, free.ends[i], want)
		}
	}
	for _, spec := range specs(t) {
		for _, share := range []int32{500, 250, 100} {
			m := func() sim.SpeedModel { return over(simtest.Progressing(common{}), rule(t, spec)) }
			slow := played(t, m(), share, jobs...)
			if again := played(t, m(), share, jobs...); again.text != slow.text {
				t.Errorf("%s: two runs differ", spec)
			}
			for i, j := range w.Jobs {
				if slow.ends[i] <= j.Submit {
					t.Errorf("%s: job %s ends at %v", spec, j.ID, slow.ends[i])
				}
			}
		}
	}
}
