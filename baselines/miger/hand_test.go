package miger

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// tape writes down intervals with the instance and the share of each.
type tape struct {
	top   interface{ name(i uint8) string }
	lines []string
}

func (t *tape) Interval(i *sim.Interval) {
	t.lines = append(t.lines, fmt.Sprintf("%d on %v %v-%v in %s, %d, ran %v: %v", i.Job, i.GPUs, i.Start, i.End,
		t.top.name(i.Instance), i.ShareMilli, i.Run, i.Reason))
}
func (t *tape) Job(*sim.Record)    {}
func (t *tape) Instant(*sim.Gauge) {}

// names gives instances their names.
type names struct{ instances }

func (n names) name(i uint8) string {
	if i == 0 {
		return "none"
	}
	return n.top.MIG(0).String(int(i) - 1)
}

// small is a job that keeps a part of a GPU busy for so long, alone.
func small(submit, seconds, util float64) sim.Job {
	return sim.Job{GPUs: 1, Model: fmt.Sprint(util), Submit: sim.Seconds(submit), Work: sim.Seconds(seconds),
		GPUUtilFrac: util}
}

// TestByHand: what the policy does on one GPU, or two, of an A100 with 40 GB.
func TestByHand(t *testing.T) {
	with := func(j sim.Job, set func(j *sim.Job)) sim.Job { set(&j); return j }
	for _, c := range []struct {
		name, settings string
		gpus           int
		jobs           []sim.Job
		want           []string
	}{
		// Job 0 has all. Job 1 comes at 10 s: as half does for each, 4g and 3g lose nothing for
		// 0.4: the GPU is cut anew, and both wait 5 s. When job 0 ends, job 1 would gain nothing by
		// more.
		{"the GPU is cut for a second job", "pairs=false", 1, []sim.Job{small(0, 50, .4), small(10, 60, .4)}, []string{
			"0 on [0] 0s-10s in 7g.40gb at 0:8, 1000, ran 10s: tune",
			"0 on [0] 10s-55s in 3g.20gb at 4:4, 428, ran 40s: finish",
			"1 on [0] 10s-75s in 4g.20gb at 0:4, 571, ran 60s: finish",
		}},
		// With pairs they share what there is: each needs 0.4 x 1.1 of the half that it has, and
		// nothing is cut.
		{"a pair costs nothing", "", 1, []sim.Job{small(0, 50, .4), small(10, 60, .4)}, []string{
			"0 on [0] 0s-10s in 7g.40gb at 0:8, 1000, ran 10s: tune",
			"0 on [0] 10s-50s in 7g.40gb at 0:8, 500, ran 40s: finish",
			"1 on [0] 10s-50s in 7g.40gb at 0:8, 500, ran 40s: tune",
			"1 on [0] 50s-70s in 7g.40gb at 0:8, 1000, ran 20s: finish",
		}},
		// Jobs that keep a GPU busy gain nothing by any configuration without a pair: 4/7 + 3/7 is
		// one. The second waits.
		{"no gain, no sharing", "pairs=false", 1, []sim.Job{small(0, 50, 1), small(10, 60, 1)}, []string{
			"0 on [0] 0s-50s in 7g.40gb at 0:8, 1000, ran 50s: finish",
			"1 on [0] 50s-110s in 7g.40gb at 0:8, 1000, ran 60s: finish",
		}},
		// A repartition that costs 5 s of two jobs gains nothing within 6 s, at a gain of one.
		{"too dear", "pairs=false,horizon_s=6", 1, []sim.Job{small(0, 20, .4), small(10, 10, .4)}, []string{
			"0 on [0] 0s-20s in 7g.40gb at 0:8, 1000, ran 20s: finish",
			"1 on [0] 20s-30s in 7g.40gb at 0:8, 1000, ran 10s: finish",
		}},
		// In 4g job 1 runs at (4/7)/0.9 = 0.635, in half of 7g at 0.5/0.9/1.1 = 0.505: over 300 s
		// that gains more than the 5 s that both wait. At 35 s it is alone, and has all of the GPU
		// after 5 s: 12.698 s of 60 are done.
		{"growth", "", 1, []sim.Job{small(0, 30, .1), small(10, 60, .9)}, []string{
			"0 on [0] 0s-10s in 7g.40gb at 0:8, 1000, ran 10s: tune",
			"0 on [0] 10s-35s in 3g.20gb at 4:4, 428, ran 20s: finish",
			"1 on [0] 10s-35s in 4g.20gb at 0:4, 571, ran 20s: tune",
			"1 on [0] 35s-87.301588s in 7g.40gb at 0:8, 1000, ran 47.301588s: finish",
		}},
		// An online job takes an idle GPU before offline ones that came earlier, and gets its own
		// instance where there is none.
		{"online first", "jobs=1", 1, []sim.Job{small(0, 10, .9), small(1, 10, .9),
			with(small(2, 10, .9), func(j *sim.Job) { j.Priority = 1 })}, []string{
			"0 on [0] 0s-10s in 7g.40gb at 0:8, 1000, ran 10s: finish",
			"2 on [0] 10s-20s in 7g.40gb at 0:8, 1000, ran 10s: finish",
			"1 on [0] 20s-30s in 7g.40gb at 0:8, 1000, ran 10s: finish",
		}},
		// An online job that keeps a GPU busy has at least half of its speed in 4g, not in 3g; the
		// offline one, which comes second, gets 3g at 3/7 and no more. Alone again it stays: more
		// gains nothing.
		{"the least instance of an online job", "pairs=false", 1,
			[]sim.Job{with(small(0, 30, 1), func(j *sim.Job) { j.Priority = 1 }), small(10, 15, 1)}, []string{
				"0 on [0] 0s-10s in 7g.40gb at 0:8, 1000, ran 10s: tune",
				"1 on [0] 10s-50s in 3g.20gb at 4:4, 428, ran 35s: finish",
				"0 on [0] 10s-50s in 4g.20gb at 0:4, 571, ran 35s: finish",
			}},
		// As a pair in 7g the online one has six tenths, the least with half of its speed (0.6/1.1
		// = 0.545), the other the rest (0.4/1.1 = 0.364), at no cost. That 3g would give the other
		// 0.429 gains 6.5 s in 100 s, and cutting the GPU anew 5 s of one and 5 x 0.429 s of the
		// other.
		{"the least share of an online job", "horizon_s=100", 1,
			[]sim.Job{with(small(0, 30, 1), func(j *sim.Job) { j.Priority = 1 }), small(10, 1, 1)}, []string{
				"0 on [0] 0s-10s in 7g.40gb at 0:8, 1000, ran 10s: tune",
				"1 on [0] 10s-12.75s in 7g.40gb at 0:8, 400, ran 2.75s: finish",
				"0 on [0] 10s-12.75s in 7g.40gb at 0:8, 600, ran 2.75s: tune",
				"0 on [0] 12.75s-31.25s in 7g.40gb at 0:8, 1000, ran 18.5s: finish",
			}},
		// Memory: 25 000 MiB are in no instance but 7g, so no job comes beside; a job of more than
		// that has the GPU uncut.
		{"memory", "", 1, []sim.Job{with(small(0, 10, .1), func(j *sim.Job) { j.GPUMiB = 25000 }),
			with(small(1, 10, .1), func(j *sim.Job) { j.GPUMiB = 16000 }),
			with(small(2, 10, .1), func(j *sim.Job) { j.GPUMiB = 40193 })}, []string{
			"0 on [0] 0s-10s in 7g.40gb at 0:8, 1000, ran 10s: finish",
			"1 on [0] 10s-20s in 7g.40gb at 0:8, 1000, ran 10s: finish",
			"2 on [0] 20s-30s in none, 1000, ran 10s: finish",
		}},
		// A gang waits for both GPUs from 2 s on. Job 3 shares with job 0, and so does job 4 at 7
		// s, though GPU 1 is idle since 6 s; the gang starts when job 0 has ended.
		{"gangs are not passed over", "gangs=first", 2, []sim.Job{small(0, 20, .4),
			with(small(1, 20, .4), func(j *sim.Job) { j.Work = 5 * sim.Second }),
			with(small(2, 20, .4), func(j *sim.Job) { j.GPUs, j.Work = 2, 10*sim.Second }), small(3, 4, .4),
			small(7, 5, .4)}, []string{
			"0 on [0] 0s-3s in 7g.40gb at 0:8, 1000, ran 3s: tune",
			"1 on [1] 1s-6s in 7g.40gb at 0:8, 1000, ran 5s: finish",
			"3 on [0] 3s-7s in 7g.40gb at 0:8, 500, ran 4s: finish",
			"4 on [0] 7s-12s in 7g.40gb at 0:8, 500, ran 5s: finish",
			"0 on [0] 3s-12s in 7g.40gb at 0:8, 500, ran 9s: tune",
			"0 on [0] 12s-20s in 7g.40gb at 0:8, 1000, ran 8s: finish",
			"2 on [0 1] 20s-25s in none, 1000, ran 5s: finish",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.jobs {
				c.jobs[i].ID = fmt.Sprint(i)
			}
			w, err := sim.NewWorkload("by hand", c.jobs)
			if err != nil {
				t.Fatal(err)
			}
			top := machines(t, c.gpus, 0)
			got := tape{top: names{instances{top}}}
			audit := simtest.NewAudit(w, top)
			e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: instances{top},
				Check: true}, policy(t, c.settings)(), &got, audit)
			if err != nil {
				t.Fatal(err)
			}
			if err := audit.Close(e); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.lines, c.want) {
				t.Errorf("got\n%q\nwant\n%q", got.lines, c.want)
			}
		})
	}
}
