package lwf

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/preset"
	"tarry/sim/simtest"
	"tarry/sim/speed"
)

// lab is a cluster of one rack whose uplinks are so slow that a job over several machines does little
// but communicate.
type lab struct {
	t     *testing.T
	top   *cluster.Topology
	alpha float64
}

func newLab(t *testing.T, machines, gpus int) lab {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	return lab{t: t, top: top}
}

// slow divides links by count, which costs alpha.
func (l lab) slow() sim.SpeedModel {
	l.t.Helper()
	f := preset.NVLinkFabric()
	f.Links[network.InRack].GBps *= 1e-5
	m, err := speed.NewContended(l.top, f, models.NewSet(models.Catalogue()...), "", speed.Contention{
		Share: speed.ShareCount, Alpha: l.alpha}, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return m
}

// play runs jobs and gives their records.
func (l lab) play(settings string, s sim.SpeedModel, jobs ...sim.Job) []sim.Record {
	l.t.Helper()
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		l.t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: l.top, Speed: s, Check: true},
		build(l.t, settings)())
	if err != nil {
		l.t.Fatal(err)
	}
	var out []sim.Record
	for i := range jobs {
		out = append(out, e.Record(sim.JobID(i)))
	}
	return out
}

// job is one of vgg16 that arrives at a second.
func job(at, gpus int, work sim.Time) sim.Job {
	return sim.Job{ID: fmt.Sprintf("%c%d", 'a'+at, gpus), GPUs: int32(gpus), Submit: sim.Time(at) * sim.Second,
		Work: work * sim.Second, Model: "vgg16"}
}

// Two jobs of three GPUs on machines of two share the middle one's uplink. One may have it: the
// second waits for the first. Two may: it starts at once. Without a loss the last ends alike.
func TestOneLink(t *testing.T) {
	l := newLab(t, 3, 2)
	jobs := []sim.Job{job(0, 3, 100), job(1, 3, 100)}
	jobs[1].Submit = 0
	jobs[1].ID = "second"
	one := l.play("admit=count", l.slow(), jobs...)
	if one[1].Start != one[0].End || one[0].Start != 0 {
		t.Errorf("one on a link: starts at %v and %v, the first ends at %v", one[0].Start, one[1].Start, one[0].End)
	}
	for _, settings := range []string{"admit=count,n=2", "admit=count,n=0"} {
		two := l.play(settings, l.slow(), jobs...)
		if two[1].Start != 0 {
			t.Errorf("%s: the second starts at %v", settings, two[1].Start)
		}
		if a, b := one[1].End.Seconds(), two[1].End.Seconds(); math.Abs(a/b-1) > 1e-3 {
			t.Errorf("%s: the last ends at %v, one after the other at %v", settings, b, a)
		}
	}
	equal := l.play("", l.slow(), jobs...)
	if equal[1].Start != equal[0].End {
		t.Errorf("AdaDUAL of equal jobs: starts at %v, the first ends at %v", equal[1].Start, equal[0].End)
	}
}

// AdaDUAL: the second starts beside the first where that has 2 (1 + alpha) times as much left.
func TestAda(t *testing.T) {
	l := newLab(t, 3, 2)
	for _, c := range []struct {
		settings string
		work     sim.Time
		beside   bool
	}{{"alpha=0", 201, true}, {"alpha=0", 199, false}, {"alpha=0.5", 301, true}, {"alpha=0.5", 299, false}} {
		first, second := job(0, 3, c.work), job(0, 3, 100)
		second.ID = "second" // the shorter one goes first of equals in time
		first.Submit, second.Submit = 0, sim.Microsecond
		got := l.play(c.settings, l.slow(), first, second)
		if beside := got[1].Start == sim.Microsecond; beside != c.beside {
			t.Errorf("%s, %d s before: the second starts at %v, the first ends at %v", c.settings, c.work, got[1].Start,
				got[0].End)
		}
	}
}

// named gives jobs their order as names, a second apart.
func named(jobs ...sim.Job) []sim.Job {
	for i := range jobs {
		jobs[i].ID, jobs[i].Submit = fmt.Sprint(i), sim.Time(i)*sim.Second
	}
	return jobs
}

// Beside two jobs AdaDUAL lets no third in, however little it has to send: a short job holds the
// first machine, two jobs meet on the middle one, and the last would meet both there.
func TestAdaOfThree(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 1}, {Count: 1, GPUs: 3},
		{Count: 2, GPUs: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	l := lab{t: t, top: top}
	jobs := named(job(0, 1, 10), job(0, 2, 1e6), job(0, 3, 1000), job(0, 2, 1))
	jobs[3].Submit = 20 * sim.Second
	for settings, waits := range map[string]bool{"": true, "admit=count,n=2": true, "admit=count,n=3": false} {
		got := l.play(settings, l.slow(), jobs...)
		if got[1].Start != sim.Second || got[2].Start != 2*sim.Second {
			t.Fatalf("%q: the first start at %v and %v", settings, got[1].Start, got[2].Start)
		}
		if want := map[bool]sim.Time{true: got[2].End, false: 20 * sim.Second}[waits]; got[3].Start != want {
			t.Errorf("%q: the last starts at %v, expected %v", settings, got[3].Start, want)
		}
	}
}

// Jobs of one size and one amount of work: AdaDUAL never lets a second one in, so every time is as
// with one job on a link.
func TestEqualMessages(t *testing.T) {
	l := newLab(t, 5, 4)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var jobs []sim.Job
		for i := range 40 {
			j := job(0, 5, 100)
			j.ID, j.Submit = fmt.Sprint(i), sim.Time(r.IntN(1e9))
			jobs = append(jobs, j)
		}
		a, b := l.play("admit=count", l.slow(), jobs...), l.play("", l.slow(), jobs...)
		for i := range a {
			if a[i].Start != b[i].Start || a[i].End != b[i].End {
				t.Fatalf("seed %d: job %d from %v to %v, with AdaDUAL from %v to %v", seed, i, a[i].Start, a[i].End,
					b[i].Start, b[i].End)
			}
		}
	}
}

// Without links in the speed model the uplinks of machines are counted all the same.
func TestWithoutLinks(t *testing.T) {
	l := newLab(t, 3, 2)
	a, b := job(0, 3, 100), job(1, 3, 100)
	for settings, waits := range map[string]bool{"admit=count": true, "admit=count,n=2": false} {
		got := l.play(settings, simtest.Counting{}, a, b)
		if (got[1].Start == got[0].End) != waits {
			t.Errorf("%s: the second starts at %v, the first ends at %v", settings, got[1].Start, got[0].End)
		}
	}
}

// placed gives the GPUs of each start.
func (l lab) placed(settings string, jobs ...sim.Job) (out [][]cluster.GPU) {
	l.t.Helper()
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		l.t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: l.top, Speed: simtest.Counting{}, Check: true})
	if err != nil {
		l.t.Fatal(err)
	}
	p := build(l.t, settings)()
	e.Permit(p.Knows())
	out = make([][]cluster.GPU, len(jobs))
	for {
		v, ok, err := e.Next()
		if err != nil {
			l.t.Fatal(err)
		}
		if !ok {
			return out
		}
		decisions := p.Decide(v, nil)
		for _, d := range decisions {
			out[d.Job] = append(out[d.Job], d.GPUs...)
		}
		if err := e.Apply(decisions); err != nil {
			l.t.Fatal(err)
		}
	}
}

// On an empty cluster jobs of one GPU take the first GPUs; larger ones the machines in order, then
// the machine with the least mean work left, and kappa makes them small.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		settings string
		sizes    []int
		want     string
	}{
		{"", []int{1, 1, 1, 1, 1}, "[[0] [1] [2] [3] [4]]"},
		{"", []int{2, 2, 2}, "[[0 1] [4 5] [8 9]]"},
		{"kappa=2", []int{2, 2, 2}, "[[0 1] [2 3] [4 5]]"},
		{"", []int{2, 3, 2, 2}, "[[0 1] [4 5 6] [8 9] [2 3]]"}, // 100 s on two, 67 s on three, GPUs
		{"admit=count,n=0", []int{6, 3}, "[[0 1 2 3 4 5] [8 9 10]]"},
	} {
		var jobs []sim.Job
		for i, n := range c.sizes {
			j := job(i, n, 200)
			j.ID = fmt.Sprint(i)
			jobs = append(jobs, j)
		}
		if got := fmt.Sprint(newLab(t, 3, 4).placed(c.settings, jobs...)); got != c.want {
			t.Errorf("%q, %v: %s, expected %s", c.settings, c.sizes, got, c.want)
		}
	}
}

// The queue goes by compute x workers, and what does not fit holds nothing up.
func TestQueue(t *testing.T) {
	l := newLab(t, 1, 4)
	got := l.play("", simtest.Counting{}, job(0, 4, 40), job(1, 2, 60), job(2, 1, 50), job(3, 4, 10), job(4, 1, 8))
	var starts []float64
	for _, r := range got {
		starts = append(starts, r.Start.Seconds())
	}
	// At 10 s all but the job of all GPUs, which is second in the queue, and waits for the job of 50 s.
	if fmt.Sprint(starts) != "[0 10 10 60 10]" {
		t.Errorf("starts %v", starts)
	}
}
