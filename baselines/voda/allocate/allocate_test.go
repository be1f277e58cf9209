package allocate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/voda/allocate"
)

// linear is a speed of w on w GPUs, up to n.
func linear(n int) []float64 {
	var s []float64
	for w := range n + 1 {
		s = append(s, float64(w))
	}
	return s
}

// Cases worked out by hand: what each rule gives, and what its defect does.
func TestByHand(t *testing.T) {
	job := func(lo, hi, num int, submit int64, left float64, s ...float64) allocate.Job {
		return allocate.Job{Min: lo, Max: hi, Num: num, Submit: submit, FirstStart: allocate.Never, Remaining: left,
			Speedup: s}
	}
	half := []float64{0, 1, 1.5, 1.75, 1.875, 1.9375}
	three := []allocate.Job{job(2, 4, 3, 1, 10, half...), job(1, 5, 2, 0, 30, half...),
		job(4, 4, 4, 2, 20, linear(5)...)}
	started := slices.Clone(three)
	started[0].FirstStart, started[0].Queue, started[1].Queue = 5, 1, 1
	for _, c := range []struct {
		name      string
		a         allocate.Algorithm
		corrected bool
		jobs      []allocate.Job
		gpus      int
		want      []int
	}{
		{"job 1, then job 0; job 2 does not fit", allocate.FIFO, false, three, 6, []int{2, 1, 0}},
		{"shortest first: job 0, then job 2", allocate.SRJF, false, three, 6, []int{2, 0, 4}},
		{"3 GPUs are left: +1 to jobs 1 and 0, then to job 1", allocate.ElasticFIFO, true, three, 6, []int{3, 3, 0}},
		{"job 2 gets 1 GPU though its min is 4", allocate.ElasticFIFO, false, three, 6, []int{3, 2, 1}},
		{"job 2 is satisfied at its min", allocate.ElasticSRJF, true, three, 9, []int{3, 2, 4}},
		{"job 2 grows above its max", allocate.ElasticSRJF, false, three, 9, []int{3, 1, 5}},
		{"submit decides where nobody has started, in queue 0", allocate.Tiresias, false, three, 8, []int{3, 2, 0}},
		{"queue 0 first, then who has started first", allocate.Tiresias, false, started, 7, []int{3, 0, 4}},
		{"gains: job 1 would gain its min at 1 each GPU", allocate.ElasticTiresias, false, started, 8, []int{3, 1, 4}},
		{"2 x 1.5 is more than 1.75 + 1", allocate.FfDLOptimizer, true, three[:2], 4, []int{2, 2}},
		{"each job has a GPU, more than its min says", allocate.FfDLOptimizer, false, three, 3, []int{1, 1, 1}},
		{"jobs 1 and 0 fit, job 2 not; of equal sums the later, job 0, has fewer", allocate.FfDLOptimizer, true, three,
			5, []int{2, 3, 0}},
		{"no GPU", allocate.FfDLOptimizer, false, three, 0, []int{0, 0, 0}},
	} {
		if got := allocate.New(c.a, c.corrected).Allocate(c.jobs, c.gpus, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s, corrected %v on %d: %v, expected %v: %s", c.a, c.corrected, c.gpus, got, c.want, c.name)
		}
	}
}

// The tournament by hand. Jobs of speeds 1, 1.5: a second GPU adds 0.5 / 1.5 of what it makes and
// 0.5 / 1 of what there was.
func TestTournamentByHand(t *testing.T) {
	half := []float64{0, 1, 1.5, 1.75}
	jobs := []allocate.Job{{Min: 1, Max: 3, Remaining: 10, Speedup: half},
		{Min: 1, Max: 3, Remaining: 20, Speedup: half}}
	for _, c := range []struct {
		rule allocate.Tournament
		gpus int
		want []int
		why  string
	}{
		{allocate.Tournament{Own: true}, 1, []int{1, 0}, "less remaining"},
		{allocate.Tournament{Own: true}, 2, []int{1, 1}, "job 1 gains 1/1 > 0.5/1"},
		{allocate.Tournament{Own: true}, 3, []int{2, 1}, "job 1 is longer: 0.5/1.5 < 0.5/1"},
		{allocate.Tournament{Own: true}, 4, []int{2, 2}, "job 0 has length 10/1.5 and gains 0.25/1.5 < 0.5/1.5"},
		{allocate.Tournament{Own: true}, 5, []int{3, 2}, "0.25/1.75 < 0.25/1.5"},
	} {
		if got := c.rule.Share(jobs, c.gpus, nil); !slices.Equal(got, c.want) {
			t.Errorf("%+v on %d: %v, expected %v: %s", c.rule, c.gpus, got, c.want, c.why)
		}
	}
	equal := []allocate.Job{jobs[0], jobs[0]}
	for earlier, want := range map[bool][]int{true: {1, 0}, false: {0, 1}} {
		rule := allocate.Tournament{Own: true, Earlier: earlier}
		if got := rule.Share(equal, 1, nil); !slices.Equal(got, want) {
			t.Errorf("equal jobs, earlier %v: %v, expected %v", earlier, got, want)
		}
	}
	wide := []allocate.Job{{Min: 3, Max: 3, Remaining: 10, Speedup: linear(3)},
		{Min: 2, Max: 3, Remaining: 20, Speedup: linear(3)}}
	rule := allocate.Tournament{Own: true, Mins: true}
	for gpus, want := range [][]int{{0, 0}, {0, 0}, {0, 2}, {3, 0}, {3, 0}, {3, 2}, {3, 3}} {
		if got := rule.Share(wide, gpus, nil); !slices.Equal(got, want) {
			t.Errorf("mins on %d: %v, expected %v", gpus, got, want)
		}
	}
}

// The order of the list matters to the tournament: the relation is not transitive.
func TestTournamentDependsOnTheList(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	rule := allocate.Tournament{Own: true}
	for range 10000 {
		jobs := draw(r, 4, 6)
		back := slices.Clone(jobs)
		slices.Reverse(back)
		a, b := rule.Share(jobs, 6, nil), rule.Share(back, 6, nil)
		slices.Reverse(b)
		if !slices.Equal(a, b) {
			return
		}
	}
	t.Error("no list of 10000 gave another allocation backwards")
}

// Corrected variants keep min to max, count in steps from min, and give out no more than there is.
func TestCorrectedKeepsBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var out []int
	for n := range 20000 {
		jobs := draw(r, r.IntN(25), 1+r.IntN(9))
		for i := range jobs {
			j := &jobs[i]
			j.Step = r.IntN(4)
			j.Num = j.Min + (j.Num-j.Min)/max(1, j.Step)*max(1, j.Step)
		}
		a := allocate.New(allocate.Algorithm(n%8), true)
		a.Mins, a.Compact = true, r.IntN(12)
		gpus := r.IntN(50)
		out = a.Allocate(jobs, gpus, out)
		sum := 0
		for i, w := range out {
			j := &jobs[i]
			if sum += w; w != 0 && (w < j.Min || w > j.Max || (w-j.Min)%max(1, j.Step) != 0) {
				t.Fatalf("case %d: %s: job %d has %d GPUs, expected %d to %d in steps of %d", n, a.Algorithm, i, w,
					j.Min, j.Max, j.Step)
			}
		}
		if sum > gpus {
			t.Fatalf("case %d: %s gave %d of %d GPUs", n, a.Algorithm, sum, gpus)
		}
	}
}

// Where submits, first starts and remaining times differ, the order of the list is free: only
// E-Tiresias breaks ties of gains by it.
func TestOrderOfTheListIsFree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := range 8000 {
		a := allocate.New(allocate.Algorithm(n%8), n%3 > 0)
		jobs := draw(r, 12, 6)
		for i, x := range r.Perm(len(jobs)) {
			jobs[i].Submit, jobs[i].FirstStart, jobs[i].Remaining = int64(x), int64(x), float64(1+x)
		}
		at := r.Perm(len(jobs))
		mixed := make([]allocate.Job, len(jobs))
		for i, p := range at {
			mixed[p] = jobs[i]
		}
		if a.Algorithm == allocate.ElasticTiresias {
			continue // equal gains
		}
		want, got := a.Allocate(jobs, 20, nil), a.Allocate(mixed, 20, nil)
		for i, p := range at {
			if got[p] != want[i] {
				t.Fatalf("case %d: %s: job %d has %d GPUs, in another order of the list %d", n, a.Algorithm, i,
					want[i], got[p])
			}
		}
	}
}

func TestNames(t *testing.T) {
	for i, name := range allocate.Names() {
		if got := allocate.Algorithm(i).String(); got != name {
			t.Errorf("%d is %q, expected %q", i, got, name)
		}
	}
}

// backlog is 2000 waiting jobs and 100 on a cluster of 512.
func backlog() []allocate.Job {
	jobs := draw(rand.New(rand.NewPCG(13, 14)), 2100, 16)
	for i := range jobs {
		jobs[i].Submit = int64(i)
	}
	return jobs
}

func BenchmarkAllocate(b *testing.B) {
	jobs := backlog()
	for i, name := range allocate.Names() {
		a := allocate.New(allocate.Algorithm(i), true)
		a.Mins = true
		out := a.Allocate(jobs, 512, nil)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out = a.Allocate(jobs, 512, out)
			}
		})
	}
}

func BenchmarkTournamentPlain(b *testing.B) {
	jobs := backlog()
	for b.Loop() {
		p := plain{Tournament: allocate.Tournament{Own: true}, jobs: jobs}
		p.share(512)
	}
}
