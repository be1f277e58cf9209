package operate

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/simtest"
)

// diary writes down what happens to jobs, replicas and machines.
type diary struct{ lines []string }

func (l *diary) Interval(i *sim.Interval) { l.add("job", i) }
func (l *diary) Replica(i *sim.Interval)  { l.add("replica", i) }
func (l *diary) Job(*sim.Record)          {}
func (l *diary) Instant(*sim.Gauge)       {}
func (l *diary) Serve(*service.Span)      {}
func (l *diary) Lend(m int32, lent bool, at sim.Time) {
	l.lines = append(l.lines, fmt.Sprintf("machine %d lent %v at %v", m, lent, at.Seconds()))
}

func (l *diary) add(what string, i *sim.Interval) {
	l.lines = append(l.lines, fmt.Sprintf("%s %d on %v %v-%v %v", what, i.Job, i.GPUs, i.Start.Seconds(), i.End.Seconds(),
		i.Reason))
}

// watch is a policy that notes announced returns.
type watch struct {
	sim.Policy
	seen *[]string
}

func (w watch) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for m := range v.Topology().Machines() {
		if at := v.Services().ReturnAt(m); at != sim.Never {
			*w.seen = append(*w.seen, fmt.Sprintf("%v: machine %d at %v", v.Now().Seconds(), m, at.Seconds()))
		}
	}
	return w.Policy.Decide(v, out)
}

// day is one service on four machines of two GPUs, the last two of which are its own.
func day(load ...series.Step) *service.Model {
	return &service.Model{Own: []bool{false, false, true, true}, Services: []service.Spec{{Name: "web", Replicas: 4,
		RatePerS: 10, DeadlineS: 1, Target: 0.9, StartS: 1, Load: &series.Series{Steps: load}}}}
}

// play runs jobs in order of arrival beside a service under an operator.
func play(t *testing.T, m *service.Model, spec string, jobs ...sim.Job) (lines, returns []string) {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, 4, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	var l diary
	p := watch{simtest.Build(t, "fifo", queueing.NewFIFO, "")(), &returns}
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true, Services: m,
		Operator: operator(t, spec)}
	if _, err := sim.Run(context.Background(), cfg, p, &l); err != nil {
		t.Fatal(err)
	}
	return l.lines, returns
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%q\nexpected\n%q", what, got, want)
	}
}

// step is a load from some seconds on.
func step(at, load float64) series.Step { return series.Step{At: int64(at * 1e6), Value: load} }

// job is one of two GPUs for some seconds.
func job(id string, seconds float64) sim.Job {
	return sim.Job{ID: id, GPUs: 2, Work: 2 * sim.Seconds(seconds)}
}

// The surge at 10 s takes machine 2 from job 2. At 20 s two replicas are needed: replicas on machine 2
// stop when they were not needed for 5 s.
func TestLeastLends(t *testing.T) {
	lines, _ := play(t, day(step(0, 5), step(10, 35), step(20, 15)), "least:headroom=1,lend=all,down_s=5",
		job("0", 100), job("1", 100), job("2", 60))
	same(t, "least", lines,
		"machine 3 lent false at 0",
		"job 2 on [4 5] 0-10 preempt",
		"machine 2 lent false at 10",
		"replica 6 on [5] 10-25 preempt",
		"replica 5 on [4] 10-25 preempt",
		"machine 2 lent true at 25",
		"job 2 on [4 5] 25-75 finish",
		"job 0 on [0 1] 0-100 finish",
		"job 1 on [2 3] 0-100 finish",
		"replica 3 on [6] 0-100 horizon",
		"replica 4 on [7] 10-100 horizon")
}

// With the load known 4 s ahead replicas serve when it comes, and machine 2 is announced 5 s before.
func TestLeastAhead(t *testing.T) {
	lines, returns := play(t, day(step(0, 5), step(20, 35)), "least:headroom=1,lend=all,ahead_s=4,notice_s=5",
		job("0", 30), job("1", 12), job("2", 30))
	same(t, "announced", returns, "12: machine 2 at 16")
	same(t, "least", lines[:4],
		"machine 3 lent false at 0",
		"job 1 on [2 3] 0-12 finish",
		"job 2 on [4 5] 0-16 preempt",
		"machine 2 lent false at 16")
}

// Fixed replicas without loans keep both machines; on a cluster without machines of the services they take
// the GPUs of the first, since all cost as much.
func TestFixed(t *testing.T) {
	lines, _ := play(t, day(step(0, 5)), "fixed:replicas=2,place=spread", job("0", 10))
	same(t, "fixed", lines, "machine 2 lent false at 0", "machine 3 lent false at 0", "job 0 on [0 1] 0-10 finish",
		"replica 1 on [4] 0-10 horizon", "replica 2 on [6] 0-10 horizon")
	m := day(step(0, 0), step(5, 11))
	m.Own = nil
	lines, _ = play(t, m, "least:headroom=1,least=0,down_s=0", job("0", 10), job("1", 10), job("2", 10), job("3", 10))
	same(t, "least", lines, "job 0 on [0 1] 0-5 preempt", "job 1 on [2 3] 0-10 finish", "job 2 on [4 5] 0-10 finish",
		"job 3 on [6 7] 0-10 finish", "job 0 on [2 3] 10-15 finish", "replica 4 on [0] 5-15 horizon",
		"replica 5 on [1] 5-15 horizon")
}

// A replica that is not needed from 10 s on is used again at 20 s without a start; from 30 s on it is
// protected for 5 + 2 s, and then stopped for a job that waits.
func TestLifecycle(t *testing.T) {
	m := day(step(0, 15), step(10, 5), step(12, 15), step(30, 0))
	m.Services[0].Replicas = 2
	m.Own = nil
	late := sim.Job{ID: "9", GPUs: 8, Work: 80 * sim.Second, Submit: 31 * sim.Second}
	lines, _ := play(t, m, "lifecycle:headroom=1,least=0,protect_s=5,reuse_s=2", late)
	same(t, "lifecycle", lines, "replica 1 on [0] 0-35 preempt", "replica 2 on [1] 0-37 preempt",
		"job 0 on [0 1 2 3 4 5 6 7] 37-47 finish")
}

// A reclaim by costs takes the machine of the job with the most machines first.
func TestLoansByCost(t *testing.T) {
	m := &service.Model{Own: []bool{false, true, true, true}}
	wide := sim.Job{ID: "1", GPUs: 4, Work: 400 * sim.Second}
	lines, _ := play(t, m, "loans:list=0:3/10:2/20:0/30:3,reclaim=cost", job("0", 100), wide, job("2", 100))
	same(t, "loans", lines[:9],
		"machine 1 lent false at 0", "machine 2 lent false at 0", "machine 3 lent false at 0",
		"machine 1 lent true at 0", "machine 2 lent true at 0", "machine 3 lent true at 0",
		"job 1 on [2 3 4 5] 0-10 preempt",
		"machine 1 lent false at 10",
		"job 2 on [6 7] 0-20 preempt")
}
