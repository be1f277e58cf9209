package cassini_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/param"
)

// lanes is a speed model whose jobs cross the uplinks of their racks, with phases: a job of model
// "C/V" computes for C seconds and transfers for V in each iteration. Speeds do not depend on it: the
// decisions are what is looked at.
type lanes struct {
	top   *cluster.Topology
	on    [][]sim.JobID
	began map[sim.JobID]sim.Time
	keep  sim.JobID
}

func (l *lanes) Speed(q *sim.Query) (sim.Speed, error) {
	rate := float64(len(q.GPUs))
	if l.top.LevelOf(q.GPUs) == cluster.LevelCluster {
		rate *= 0.9
	}
	return sim.Speed{Rate: rate, ComputeFrac: 1}, nil
}

func (l *lanes) Place(q *sim.Query) error {
	l.Remove(q.ID)
	if l.keep != q.ID {
		l.began[q.ID] = q.Now
	}
	l.keep = sim.NoJob
	for _, k := range l.Crosses(nil, q.ID, q.GPUs, 0) {
		l.on[k] = append(l.on[k], q.ID)
	}
	return nil
}

func (l *lanes) Remove(id sim.JobID) {
	for k := range l.on {
		l.on[k] = slices.DeleteFunc(l.on[k], func(j sim.JobID) bool { return j == id })
	}
}

func (l *lanes) Touched(dst []sim.JobID) []sim.JobID { return dst }

func (l *lanes) Reset() {
	l.on, l.began, l.keep = make([][]sim.JobID, l.top.Racks()), map[sim.JobID]sim.Time{}, sim.NoJob
}

func (l *lanes) Keep(id sim.JobID) { l.keep = id }

func (l *lanes) Phases(dst []float64) []float64 {
	for _, j := range slices.Sorted(maps.Keys(l.began)) {
		dst = append(dst, float64(j), float64(l.began[j]))
	}
	return dst
}

func (l *lanes) SetPhases(from []float64) {
	for i := 0; i < len(from); i += 2 {
		l.began[sim.JobID(from[i])] = sim.Time(from[i+1])
	}
}

// Began leaves out which of a job's iterations it is: only the first is known to begin as it should.
func (l *lanes) Began(id sim.JobID, _ sim.Time) sim.Time { return l.began[id] }

func (l *lanes) Links() int { return l.top.Racks() }

func (l *lanes) Paths() int { return 0 }

func (l *lanes) Phased() bool { return true }

func (l *lanes) LinkJobs(link int32) []sim.JobID { return l.on[link] }

func (l *lanes) LinkUse(int32) float64 { return 0 }

func (l *lanes) Crosses(dst []int32, _ sim.JobID, gpus []cluster.GPU, _ uint64) []int32 {
	from := len(dst)
	for _, g := range gpus {
		if r := int32(l.top.Rack(l.top.Machine(g))); !slices.Contains(dst[from:], r) {
			dst = append(dst, r)
		}
	}
	if len(dst)-from < 2 {
		return dst[:from]
	}
	return dst
}

func (l *lanes) Period(q *sim.Query) (network.Period, error) {
	p := network.Period{ReleaseFrac: 1}
	_, err := fmt.Sscanf(q.Job.Model, "%g/%g", &p.ComputeS, &p.TransferS)
	return p, err
}

// tale runs CASSINI on jobs and writes down what it starts, moves and tunes.
func tale(t *testing.T, shape [3]int, settings string, jobs []sim.Job) (lines []string) {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(shape[0], shape[1], shape[2], 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := over(param.Parse("cassini", settings), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: &lanes{top: top},
		Check: true}, &noted{p, &lines}); err != nil {
		t.Fatal(err)
	}
	return lines
}

// noted is a policy whose starts, moves and tunes are written down.
type noted struct {
	sim.Policy
	lines *[]string
}

func (n *noted) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = n.Policy.Decide(v, out)
	for _, d := range out {
		switch d.Kind {
		case sim.Start, sim.Migrate:
			*n.lines = append(*n.lines, fmt.Sprintf("%v: %v %d on %v", v.Now(), d.Kind, d.Job, d.GPUs))
		case sim.Tune:
			*n.lines = append(*n.lines, fmt.Sprintf("%v: job %d held %v, pace %v", v.Now(), d.Job, d.Delay, d.Pace))
		}
	}
	return out
}

func wide(submit sim.Time, gpus int, model string) sim.Job {
	return sim.Job{Submit: submit * sim.Second, GPUs: int32(gpus), Model: model, Work: sim.Time(gpus) * 100 * sim.Second}
}

// Three racks of two GPUs, jobs of three: both cross the uplink of the rack in the middle. Iterations
// take 1 s, of which 0.4 s are transfers: the second job begins 29 of 72 angles after the first, and
// both are held to slots of 1 s.
func TestShiftsByHand(t *testing.T) {
	pair := func(a, b string) []sim.Job { return []sim.Job{wide(0, 3, a), wide(0, 3, b)} }
	starts := []string{"0s: start 0 on [0 1 2]", "0s: start 1 on [3 4 5]"}
	for _, c := range []struct {
		settings, a, b string
		want           []string
	}{
		{"", "0.6/0.4", "0.6/0.4", []string{"1e-06s: job 0 held 0s, pace 1.000016s",
			"1e-06s: job 1 held 0.402783s, pace 1.000016s", "111.111112s: job 1 held 0s, pace 1e-06s"}},
		{",pace=false", "0.6/0.4", "0.6/0.4", []string{"1e-06s: job 1 held 0.402783s, pace 0s"}},
		{",shift=false", "0.6/0.4", "0.6/0.4", nil},
		// The transfers fill the link.
		{"", "0.5/0.5", "0.5/0.5", []string{"1e-06s: job 0 held 0s, pace 1.000016s",
			"1e-06s: job 1 held 0.500007s, pace 1.000016s", "111.111112s: job 1 held 0s, pace 1e-06s"}},
		// Two transfers of 0.6 s meet in any case: they are shifted and held to no slots.
		{"", "0.4/0.6", "0.4/0.6", []string{"1e-06s: job 1 held 0.402783s, pace 0s"}},
		// 1 s becomes 1.02 s, twice 0.51 s; 0.6 s and 1 s have no common perimeter of one lap.
		{"", "0.7/0.3", "0.41/0.1", []string{"1e-06s: job 0 held 0s, pace 1.020032s",
			"1e-06s: job 1 held 0.085001s, pace 0.510016s", "111.111112s: job 1 held 0s, pace 1e-06s"}},
		{",laps=1", "0.7/0.3", "0.4/0.2", nil},
	} {
		check(t, tale(t, [3]int{3, 2, 1}, "host=fifo-fit"+c.settings, pair(c.a, c.b)), slices.Concat(starts, c.want)...)
	}
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// Where the host's place for job 1 would share a link on which transfers meet, another place of as
// many GPUs is taken; with one candidate, or where transfers need not meet, the host's is.
func TestPlacesByHand(t *testing.T) {
	for _, c := range []struct {
		settings string
		jobs     []sim.Job
		want     []string
	}{
		{"", []sim.Job{wide(0, 3, "0.4/0.6"), wide(1, 3, "0.4/0.6")}, []string{"0s: start 0 on [0 1 2]",
			"1s: start 1 on [4 5 6]"}},
		{",candidates=1", []sim.Job{wide(0, 3, "0.4/0.6"), wide(1, 3, "0.4/0.6")}, []string{"0s: start 0 on [0 1 2]",
			"1s: start 1 on [3 4 5]"}},
		{"", []sim.Job{wide(0, 3, "0.6/0.4"), wide(1, 3, "0.6/0.4")}, []string{"0s: start 0 on [0 1 2]",
			"1s: start 1 on [3 4 5]"}},
	} {
		got := tale(t, [3]int{5, 2, 1}, "host=fifo-fit"+c.settings, c.jobs)
		got = slices.DeleteFunc(got, func(line string) bool { return !strings.Contains(line, "start") })
		check(t, got, c.want...)
	}
}
