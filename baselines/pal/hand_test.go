package pal

import (
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "pal", New, text)
}

// uneven is a cluster whose GPUs differ: a job runs at the pace of its slowest, slow[model][gpu]
// times the time of an even one, and across machines far times.
type uneven struct {
	top  *cluster.Topology
	slow map[string][]float64
	far  float64
}

func (u uneven) Speed(q *sim.Query) (sim.Speed, error) {
	worst := 0.0
	for _, g := range q.GPUs {
		worst = max(worst, u.slow[q.Job.Model][g])
	}
	if u.top.LevelOf(q.GPUs) > cluster.LevelMachine {
		worst *= u.far
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) / worst, ComputeFrac: 1}, nil
}

// run runs jobs on machines x gpus and gives the GPUs that each was first given, and the number of
// migrations.
func run(t *testing.T, p sim.Policy, machines, gpus int, u uneven, jobs []sim.Job) (first [][]cluster.GPU,
	e *sim.Engine) {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	u.top = top
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	e, err = sim.New(sim.Config{Workload: w, Topology: top, Speed: u, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	first = make([][]cluster.GPU, len(jobs))
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return first, e
		}
		out := p.Decide(v, nil)
		for _, d := range out {
			if d.Kind == sim.Start && first[d.Job] == nil {
				first[d.Job] = slices.Clone(d.GPUs)
			}
		}
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
	}
}

func job(id, model string, gpus int32, submit, seconds float64) sim.Job {
	return sim.Job{ID: id, Model: model, GPUs: gpus, Submit: sim.Seconds(submit), Work: sim.Time(gpus) *
		sim.Seconds(seconds)}
}

// Two machines of four. On the first a GPU is slow for models a and b, on the second three are
// fast.
func unevenly() uneven {
	return uneven{slow: map[string][]float64{
		"a": {2, 1, 1, 1, 0.8, 0.8, 0.8, 1},
		"b": {1, 1, 1, 2, 0.8, 0.8, 0.8, 1},
		"c": {1, 1, 1, 1, 1, 1, 1, 1},
	}, far: 1}
}

func TestPlacements(t *testing.T) {
	for _, c := range []struct {
		name, settings string
		jobs           []sim.Job
		want           [][]cluster.GPU
	}{
		{"one GPU takes the lowest score, from the machine with about as many of it", "bins=3",
			[]sim.Job{job("0", "a", 1, 0, 100)}, [][]cluster.GPU{{4}}},
		{"three take the fast ones of one machine", "bins=3",
			[]sim.Job{job("0", "a", 3, 0, 100)}, [][]cluster.GPU{{4, 5, 6}}},
		{"four take a machine without the slow one, not the fast and one elsewhere", "bins=3",
			[]sim.Job{job("0", "a", 4, 0, 100)}, [][]cluster.GPU{{4, 5, 6, 7}}},
		{"a job of two goes across machines rather than onto the slow GPU: 1.2 x 1 < 1 x 2",
			"bins=3,order=fifo,sticky=true",
			[]sim.Job{job("0", "c", 2, 0, 100), job("1", "c", 3, 0, 100), job("2", "b", 2, 1, 100)},
			[][]cluster.GPU{{0, 1}, {4, 5, 6}, {2, 7}}},
		{"and onto the slow GPU where machines are 2.5 times as far", "bins=3,order=fifo,sticky=true," +
			"locality=1/1/2.5/2.5",
			[]sim.Job{job("0", "c", 2, 0, 100), job("1", "c", 3, 0, 100), job("2", "b", 2, 1, 100)},
			[][]cluster.GPU{{0, 1}, {4, 5, 6}, {2, 3}}},
		{"the sensitive class is placed first, though it came later", "bins=3,order=fifo",
			[]sim.Job{job("0", "c", 3, 0, 100), job("1", "a", 3, 0, 100)}, [][]cluster.GPU{{0, 1, 2}, {4, 5, 6}}},
		{"not so without by_class", "bins=3,order=fifo,by_class=false",
			[]sim.Job{job("0", "c", 8, 0, 10), job("1", "c", 4, 1, 100), job("2", "a", 3, 1, 100)},
			[][]cluster.GPU{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3}, {4, 5, 6}}},
		{"PM-First takes the lowest scores wherever they are", "bins=3,place=pm-first,order=fifo,sticky=true",
			[]sim.Job{job("0", "a", 1, 0, 100), job("1", "a", 3, 1, 100)}, [][]cluster.GPU{{4}, {1, 5, 6}}},
		{"packed does not look at scores", "place=packed",
			[]sim.Job{job("0", "a", 3, 0, 100)}, [][]cluster.GPU{{0, 1, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := run(t, policy(t, c.settings)(), 2, 4, unevenly(), c.jobs)
			for i := range c.want {
				if !slices.Equal(got[i], c.want[i]) {
					t.Errorf("job %d is placed on %v, want %v", i, got[i], c.want[i])
				}
			}
		})
	}
}

// A job moves to the fast GPUs at the round after they became free, and stays where it is with
// sticky.
func TestRoundsMoveJobs(t *testing.T) {
	jobs := []sim.Job{job("0", "a", 3, 0, 5), job("1", "a", 3, 1, 100)}
	_, e := run(t, policy(t, "bins=3,round=10")(), 2, 4, unevenly(), jobs)
	if got := e.Record(1).Migrations; got != 1 {
		t.Errorf("%d migrations, want 1", got)
	}
	// From 10 s on at 1/0.8 of the speed: 9 s of work are done by then, 91 x 0.8 are left.
	if got, want := e.Record(1).End, sim.Seconds(10+91*0.8); got < want-2 || got > want+2 {
		t.Errorf("it ends at %v, want %v", got, want)
	}
	_, e = run(t, policy(t, "bins=3,round=10,sticky=true")(), 2, 4, unevenly(), jobs)
	if r := e.Record(1); r.Migrations != 0 || r.End != sim.Seconds(101) {
		t.Errorf("with sticky it moves %d times and ends at %v, want 0 and 101 s", r.Migrations, r.End)
	}
}

// las preempts at rounds: the job that has had 4 GPU-seconds falls behind the job that has had
// none.
func TestOrders(t *testing.T) {
	jobs := []sim.Job{job("0", "c", 8, 0, 30), job("1", "c", 8, 1, 5)}
	for _, c := range []struct {
		settings string
		ends     float64
	}{{"order=las,queues=4,round=10", 15}, {"order=fifo,round=10", 35}, {"order=srtf,round=10", 15},
		{"order=srtf,round=0", 6}} {
		_, e := run(t, policy(t, c.settings)(), 2, 4, unevenly(), jobs)
		if got := e.Record(1).End; got != sim.Seconds(c.ends) {
			t.Errorf("%s: the short job ends at %v, want %v s", c.settings, got, c.ends)
		}
	}
}

// A job that wants more than is left blocks, unless backfill lets the next pass.
func TestBackfill(t *testing.T) {
	jobs := []sim.Job{job("0", "c", 5, 0, 10), job("1", "c", 8, 0, 10), job("2", "c", 2, 0, 10)}
	for settings, ends := range map[string]float64{"order=fifo": 30, "order=fifo,backfill=true": 10} {
		_, e := run(t, policy(t, settings)(), 2, 4, unevenly(), jobs)
		if got := e.Record(2).End; got != sim.Seconds(ends) {
			t.Errorf("%s: the small job ends at %v, want %v s", settings, got, ends)
		}
	}
}

// The walk of the matrix: with 1/1/1.7/1.7 the paper's example order of two levels.
func TestTraversal(t *testing.T) {
	var locality [cluster.LevelCluster + 1]float64
	copy(locality[:], []float64{1, 1, 1, 1.7, 1.7})
	var walk []string
	for _, e := range traversal([]float64{0.9, 1, 2}, locality) {
		if e.level == cluster.LevelMachine || e.level == cluster.LevelCluster {
			walk = append(walk, map[cluster.Level]string{cluster.LevelMachine: "in",
				cluster.LevelCluster: "across"}[e.level]+[]string{"0.9", "1", "2"}[e.score])
		}
	}
	if got, want := strings.Join(walk, " "), "in0.9 in1 across0.9 across1 in2 across2"; got != want {
		t.Errorf("walk %s, want %s", got, want)
	}
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		text    string
		scaled  string
		without simtest.Trait
	}{
		{"round=0", "round=0", 0}, {"round=9", "round=27", 0}, {"round=9,sticky=true", "round=27,sticky=true", 0},
		{"order=fifo,round=4", "order=fifo,round=12", simtest.Costs},
		{"order=srtf,round=7,backfill=true", "order=srtf,round=21,backfill=true", simtest.Costs},
		{"place=pm-first,round=11,queues=3/9", "place=pm-first,round=33,queues=9/27", 0},
		{"place=packed,round=8", "place=packed,round=24", 0},
	} {
		t.Run(c.text, func(t *testing.T) {
			o := simtest.Options{Seeds: 80, Without: c.without, Laws: simtest.ScaleTimes | simtest.NullJob,
				Scaled: func(k int64) sim.Policy {
					if k != 3 {
						t.Fatalf("scaled by %d", k)
					}
					return policy(t, c.scaled)()
				}}
			simtest.Policy(t, policy(t, c.text), o)
		})
	}
}
