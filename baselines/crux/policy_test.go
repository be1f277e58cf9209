package crux

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/over"
	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/network"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// hosts parses the hosts of these tests.
func hosts(spec string, rule cluster.Rule) (sim.Policy, error) {
	name, text, _ := strings.Cut(spec, ":")
	if name == "spread" {
		return spread{}, nil
	}
	of := map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"fifo": queueing.NewFIFO,
		"fifo-fit": queueing.NewFitFirst, "las": queueing.NewLAS, "srtf": queueing.NewSRTF}[name]
	if of == nil {
		return nil, fmt.Errorf("policy %q: unknown", name)
	}
	return of(param.Parse("policy", text), rule)
}

func build(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "crux", New(hosts), text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "crux", New(hosts), o.Settings("host=fifo", "host=las,levels=2,paths=false,orders=3"))
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"host=none", "host=fifo,levels=0", "host=fifo,levels=101", "host=fifo,orders=0",
		"host=fifo,paths=2"} {
		if _, err := New(hosts)(param.Parse("policy crux", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// bench is a leaf-spine of racks with one machine each, whose jobs have the patterns of their
// models and run at full speed. It writes down every change of paths and levels.
type bench struct {
	top    *cluster.Topology
	spines int
	models map[string]Pattern
	runs   map[sim.JobID]sim.Query
	cloned bool // the policy is replaced by its clone before each decision
	lines  []string
}

func (b *bench) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

func (b *bench) Place(q *sim.Query) error {
	b.runs[q.ID] = *q
	b.lines = append(b.lines, fmt.Sprintf("%d: level %d, path %b", q.ID, q.LinkLevel, q.Path))
	return nil
}
func (b *bench) Remove(id sim.JobID)                 { delete(b.runs, id) }
func (b *bench) Touched(dst []sim.JobID) []sim.JobID { return dst }
func (b *bench) Reset()                              { b.runs = map[sim.JobID]sim.Query{} }
func (b *bench) Links() int                          { return b.top.Machines() + b.top.Racks()*max(1, b.spines) }
func (b *bench) Paths() int                          { return b.spines }
func (b *bench) LinkUse(int32) float64               { return 0 }
func (b *bench) Period(q *sim.Query) (network.Period, error) {
	return network.Period(b.models[q.Job.Model]), nil
}

func (b *bench) LinkJobs(link int32) (jobs []sim.JobID) {
	for _, id := range slices.Sorted(maps.Keys(b.runs)) {
		q := b.runs[id]
		if slices.Contains(b.Crosses(nil, id, q.GPUs, q.Path), link) {
			jobs = append(jobs, id)
		}
	}
	return jobs
}

func (b *bench) Crosses(dst []int32, _ sim.JobID, gpus []cluster.GPU, path uint64) []int32 {
	first, last := b.top.Machine(gpus[0]), b.top.Machine(gpus[len(gpus)-1])
	if first == last {
		return dst
	}
	for m := first; m <= last; m++ {
		dst = append(dst, int32(m))
		for s := range max(1, b.spines) {
			if path>>s&1 == 1 || path == 0 && s == 0 {
				dst = append(dst, int32(b.top.Machines()+m*max(1, b.spines)+s))
			}
		}
	}
	return dst
}

// watched is a policy whose decisions are read before the next one.
type watched struct {
	sim.Policy
	look   func(v *sim.View)
	cloned bool
}

func (w *watched) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if w.look != nil {
		w.look(v)
	}
	if w.cloned {
		w.Policy = w.Policy.(over.Cloner).Clone()
	}
	return w.Policy.Decide(v, out)
}

// play runs jobs on racks of one machine, and gives the bench.
func (b *bench) play(t *testing.T, text string, racks, gpus int, look func(v *sim.View), jobs ...sim.Job) *bench {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(racks, 1, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("bench", jobs)
	if err != nil {
		t.Fatal(err)
	}
	b.top = top
	b.Reset()
	a := simtest.NewAudit(w, top)
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: b, Check: true},
		&watched{build(t, text)(), look, b.cloned}, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(e); err != nil {
		t.Fatal(err)
	}
	return b
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func job(submit, gpus, run int, model string) sim.Job {
	return sim.Job{Submit: sim.Time(submit) * sim.Second, GPUs: int32(gpus), Work: sim.Time(gpus*run) * sim.Second,
		Model: model}
}

// The paper's first example, with 7 and 5 GPUs on three machines of 4: the job with less intensity
// (5 against 7) and the shorter iteration goes first, for k = 3/2. When it has ended the other
// has the highest level again. On a tree no path is set.
func TestExampleOne(t *testing.T) {
	b := &bench{models: map[string]Pattern{"long": {2, 2, 1}, "short": {1, 1, 1}}}
	b.play(t, "host=fifo,levels=3", 3, 4, nil, job(0, 7, 9, "long"), job(1, 5, 2, "short"))
	same(t, b.lines, "0: level 3, path 0", "1: level 3, path 0", "0: level 2, path 0", "0: level 3, path 0")
}

// Three jobs over the same two racks with two spines: each takes the spine with less volume, in
// order of intensity (12, 4, 3/2), so the third joins the most intense, and moves as the others end.
// Without paths the network chooses.
func TestPathsByIntensity(t *testing.T) {
	models := map[string]Pattern{"a": {4, 3, 1}, "b": {4, 1, 1}, "c": {1, 2, 1}}
	jobs := func() []sim.Job {
		return []sim.Job{job(0, 3, 9, "a"), job(1, 3, 9, "b"), job(2, 3, 9, "c")}
	}
	over := func(spines int, text string) []string {
		b := &bench{models: models, spines: spines}
		return b.play(t, "host=spread,"+text, 2, 9, nil, jobs()...).lines
	}
	same(t, over(2, "levels=4"), "0: level 4, path 1", "1: level 4, path 1", "0: level 3, path 10",
		"2: level 2, path 1", "2: level 3, path 10", "2: level 4, path 1")
	for _, line := range over(2, "paths=false") {
		if !strings.HasSuffix(line, "path 0") {
			t.Errorf("paths=false: %s", line)
		}
	}
}

// spread gives a job its GPUs from both of two machines, in order of arrival.
type spread struct{}

func (spread) Knows() know.Set   { return know.Nothing }
func (spread) Clone() sim.Policy { return spread{} }
func (spread) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if ev.Kind != sim.Arrive {
			continue
		}
		d := sim.Decision{Kind: sim.Start, Job: ev.Job}
		for k, n := 0, int(v.Job(ev.Job).GPUs()); len(d.GPUs) < n; k++ {
			lo, hi := v.Topology().MachineGPUs(k % 2)
			for g := lo; g < hi; g++ {
				if v.Free().Has(g) {
					v.Free().Take(g)
					d.GPUs = append(d.GPUs, g)
					break
				}
			}
		}
		slices.Sort(d.GPUs)
		out = append(out, d)
	}
	return out
}

// drawn gives jobs of three models with random sizes and times.
func drawn(seed uint64, n, most int) []sim.Job {
	r := rand.New(rand.NewPCG(seed, 7))
	var jobs []sim.Job
	for i := range n {
		jobs = append(jobs, job(i/2, 1+r.IntN(most), 1+r.IntN(30), string(rune('a'+r.IntN(3)))))
	}
	return jobs
}

// At each instant levels are 1 to 3 and each job across racks has one path; few pairs on a link have
// equal levels. A policy that is replaced by its clone before each decision decides the same.
func TestLevelsOnDrawnJobs(t *testing.T) {
	models := map[string]Pattern{"a": {4, 3, 0.5}, "b": {4, 1, 1}, "c": {1, 2, 0.25}}
	shared, equal := 0, 0
	for seed := range uint64(20) {
		for _, host := range []string{"fifo-fit", "las"} {
			b := &bench{models: models, spines: 3}
			look := func(v *sim.View) {
				for l := range int32(v.Links().Count()) {
					jobs := v.Links().Jobs(l)
					for i, x := range jobs {
						k := v.Run(x).Knobs()
						if k.LinkLevel < 1 || k.LinkLevel > 3 || k.Path&(k.Path-1) != 0 || k.Path == 0 {
							t.Fatalf("seed %d: job %d has level %d and path %b", seed, x, k.LinkLevel, k.Path)
						}
						for _, y := range jobs[:i] {
							shared++
							if v.Run(y).Knobs().LinkLevel == k.LinkLevel {
								equal++
							}
						}
					}
				}
			}
			b.play(t, "host="+host+",levels=3", 4, 4, look, drawn(seed, 40, 9)...)
			again := &bench{models: models, spines: 3, cloned: true}
			again.play(t, "host="+host+",levels=3", 4, 4, nil, drawn(seed, 40, 9)...)
			same(t, again.lines, b.lines...)
		}
	}
	if shared < 1000 || equal > shared/5 {
		t.Errorf("%d of %d pairs on a link have equal levels", equal, shared)
	}
}

// Where the speed model has no links, each allocation is the host's.
func TestIsItsHostWithoutLinks(t *testing.T) {
	for _, host := range []string{"fifo", "fifo-fit", "las:quantum_s=4", "srtf"} {
		for seed := range uint64(10) {
			top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
			if err != nil {
				t.Fatal(err)
			}
			jobs := drawn(seed, 60, 12)
			for i := range jobs {
				jobs[i].ID = fmt.Sprint(i)
			}
			w, err := sim.NewWorkload("drawn", jobs)
			if err != nil {
				t.Fatal(err)
			}
			var tapes [2]simtest.Tape
			for i, p := range []sim.Policy{build(t, "host="+param.Quote(host))(),
				simtest.Build(t, "host", hostOf(host), "")()} {
				if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
					Check: true}, p, &tapes[i]); err != nil {
					t.Fatal(err)
				}
			}
			same(t, tapes[0].Lines, tapes[1].Lines...)
		}
	}
}

// hostOf makes a host.
func hostOf(spec string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(_ *param.Set, rule cluster.Rule) (sim.Policy, error) { return hosts(spec, rule) }
}

// A job has as many paths as machines in its smallest rack, at most all.
func TestLeastMachines(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(3, 4, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gpus []cluster.GPU
		want int
	}{{[]cluster.GPU{0, 1, 8}, 1}, {[]cluster.GPU{0, 2, 4, 8, 9, 10}, 2}, {[]cluster.GPU{0, 2, 8, 10, 12, 16}, 1},
		{[]cluster.GPU{0, 1, 2, 3}, 2}} {
		if got := leastMachines(top, c.gpus); got != c.want {
			t.Errorf("%v: %d, expected %d", c.gpus, got, c.want)
		}
	}
}
