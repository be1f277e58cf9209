package variants

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// crowd is a model in which a share is a ticket: each job beside one keeps so much of its speed, by
// the other's model, and racks halve it.
type crowd struct {
	top  *cluster.Topology
	keep map[string]float64
}

func (c crowd) Speed(q *sim.Query) (sim.Speed, error) {
	s := sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}
	if c.top.LevelOf(q.GPUs) > cluster.LevelMachine {
		s.Rate /= 2
	}
	for _, p := range q.Peers {
		s.Rate *= c.keep[p.Job.Model]
	}
	return s, nil
}

// sharedPlay runs a variant on racks x machines x GPUs and gives what was decided, with the shares.
func sharedPlay(t *testing.T, shape [3]int, keep map[string]float64, text string, jobs ...sim.Job) string {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(shape[0], shape[1], shape[2], 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := makeAuto(param.Parse("policy dally", text), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	s := &sharedLines{Policy: p}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: hand.Numbered(t, jobs...), Topology: top,
		Speed: crowd{top, keep}, Check: true}, s); err != nil {
		t.Fatal(err)
	}
	return strings.Join(s.lines, "\n")
}

type sharedLines struct {
	sim.Policy
	lines []string
}

func (s *sharedLines) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.Policy.Decide(v, out)
	for _, d := range out {
		switch d.Kind {
		case sim.Start:
			s.lines = append(s.lines, fmt.Sprintf("%v start %d on %v share %d", v.Now(), d.Job, d.GPUs, d.ShareMilli))
		case sim.Tune:
			s.lines = append(s.lines, fmt.Sprintf("%v tune %d to %d", v.Now(), d.Job, d.ShareMilli))
		case sim.Renew, sim.Preempt:
			s.lines = append(s.lines, fmt.Sprintf("%v %v %d", v.Now(), d.Kind, d.Job))
		}
	}
	return out
}

// One machine of two GPUs, full with job 0. Job 1 comes at 10 s and joins GPU 0 at once: the loss
// of 20 % is below the bound of 25 %. It has done its 40 s at 60 s (0.8 of full speed); job 0 has
// then done 10 + 0.8 x 50 of 100 s a GPU and needs 50 s more.
func TestSharesAtOnce(t *testing.T) {
	jobs := []sim.Job{{GPUs: 2, Work: 200 * sim.Second}, {GPUs: 1, Work: 40 * sim.Second, Submit: 10 * sim.Second}}
	keep := map[string]float64{"": .8}
	want := "0s start 0 on [0 1] share 0\n10s tune 0 to 500\n10s start 1 on [0] share 500\n60s tune 0 to 1000"
	if got := sharedPlay(t, [3]int{1, 1, 2}, keep, "share=0.25", jobs...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Below the loss no job shares: job 1 waits for the end of job 0.
	want = "0s start 0 on [0 1] share 0\n100s start 1 on [0] share 0"
	for _, text := range []string{"", "share=0", "share=0.19"} {
		if got := sharedPlay(t, [3]int{1, 1, 2}, keep, text, jobs...); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// Two hosts of a GPU each: job 2 goes to the one with which the greater loss of both is least, job
// 3 to the other, job 4 to none, as each has a mate. Of a pair both losses count: beside model b
// (keep 0.7) a loses 30 %.
func TestSharesWithTheBestMate(t *testing.T) {
	one := func(model string, submit sim.Time) sim.Job {
		return sim.Job{GPUs: 1, Work: 70 * sim.Second, Model: model, Submit: submit * sim.Second}
	}
	got := sharedPlay(t, [3]int{1, 1, 2}, map[string]float64{"a": .9, "b": .7}, "share=0.3", one("b", 0), one("a", 0),
		one("a", 1), one("a", 2), one("a", 3))
	first := strings.Join(strings.Split(got, "\n")[:6], "\n")
	want := "0s start 0 on [0] share 0\n0s start 1 on [1] share 0\n1s tune 1 to 500\n1s start 2 on [1] share " +
		"500\n2s tune 0 to 500\n2s start 3 on [0] share 500"
	if first != want || strings.Contains(first, "start 4") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// With share_at a job waits for its timer before it shares: T_rack is half a lease of 100 s, T_net
// one. One machine of two GPUs is full; job 2 wants two GPUs of one job and finds none, job 3, of
// 20 s on, wants one.
func TestSharesWhenTheTimerHasRunOut(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{{GPUs: 1, Work: 1000 * sim.Second}, {GPUs: 1, Work: 1000 * sim.Second, Submit: 1},
			{GPUs: 2, Work: 20 * sim.Second, Submit: 10 * sim.Second},
			{GPUs: 1, Work: 30 * sim.Second, Submit: 20 * sim.Second}}
	}
	keep := map[string]float64{"": .9}
	for text, want := range map[string]string{
		"share=0.2":               "20s tune 0 to 500\n20s start 3",
		"share=0.2,share_at=rack": "70s tune 0 to 500\n70s start 3",
		"share=0.2,share_at=net":  "120s tune 0 to 500\n120s start 3",
	} {
		got := sharedPlay(t, [3]int{1, 1, 2}, keep, text+",lease=100,t_rack=0.5,t_net=1,preempt=false", jobs()...)
		if !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// At the end of a lease a job that shares stays where it is, unless it finds a free place: GPU 1 is
// free from 50 s on, when job 1 has ended.
func TestSharersMoveAtTheEndOfALease(t *testing.T) {
	got := sharedPlay(t, [3]int{1, 1, 2}, map[string]float64{"": .9}, "share=0.2,lease=40",
		sim.Job{GPUs: 1, Work: 400 * sim.Second}, sim.Job{GPUs: 1, Work: 45 * sim.Second},
		sim.Job{GPUs: 1, Work: 400 * sim.Second, Submit: sim.Second})
	for _, want := range []string{"1s start 2 on [0] share 500", "40s renew 0"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwithout %s", got, want)
		}
	}
	if !strings.Contains(got, "start 2 on [1]") && !strings.Contains(got, "start 0 on [1]") {
		t.Errorf("nobody moved to the free GPU:\n%s", got)
	}
}

// Wrong combinations are refused.
func TestSharingIsRefusedWithOtherRules(t *testing.T) {
	for _, text := range []string{"share=0.2,renew=return", "share=0.2,evict=later", "share=0.2,shrink=most",
		"share=0.2,backfill=request"} {
		if _, err := makeAuto(param.Parse("policy dally", text), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), "share is 0.2 with") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// The laws of the kernel hold through sharing under interference: the suite's own model halves the
// speed of who shares, so that a bound of one half shares as much as it can.
func TestSharingConforms(t *testing.T) {
	for name, text := range map[string]string{"at once": "share=0.5",
		"after the rack's timer": "share=0.5,share_at=rack,t_rack=0.5,t_net=1", "no leases": "share=1,preempt=false",
		"auto": "share=0.75,share_at=net,min_rack=0.2,min_net=0.4"} {
		t.Run(name, func(t *testing.T) {
			// the tuner's lists still grow; below they do not
			simtest.Policy(t, build(t, makeAuto, "lease=6,"+text),
				simtest.Options{Seeds: 80, Without: simtest.Costs, Laws: simtest.NullJob, Allocates: true})
			simtest.Policy(t, build(t, makeAuto, "lease=60,"+text), simtest.Options{Seeds: 80})
		})
	}
}
