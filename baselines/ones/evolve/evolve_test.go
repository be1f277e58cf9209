package evolve

import (
	"math"
	"slices"
	"testing"

	"tarry/sim/rng"
)

// drawn gives some jobs and a present schedule of blocks.
func drawn(r *rng.Stream, slots, most int) (jobs []Job, present []int32) {
	present = slices.Repeat([]int32{Idle}, slots)
	at := 0
	for i := range 1 + r.IntN(most) {
		j := Job{Least: 1, Unit: 1, Limit: int32(1 + r.IntN(4)), Ripe: true, Time: 100 * r.Float64()}
		if r.IntN(5) == 0 {
			j.Least, j.Unit = 2, int32(1+r.IntN(2))
		}
		j.Resume = int32(1 + r.IntN(int(j.Limit)))
		for n := range j.Limit + 1 {
			j.Score = append(j.Score, float64(j.Time*math.Pow(float64(n), 0.4*r.Float64())))
		}
		if n := int(j.usable(int32(r.IntN(5)))); n > 0 && at+n <= slots && r.IntN(3) > 0 {
			block(present[at:at+n], int32(i))
			at += n
		} else {
			j.New = r.IntN(2) == 0
			if j.Ripe = !j.New; j.New {
				j.Limit = j.least()
			}
		}
		jobs = append(jobs, j)
	}
	return jobs, present
}

// lawful fails a schedule in which a job has a count that it cannot have, or several blocks, or in
// which slots are idle that a job could use.
func lawful(t *testing.T, s *Search, slots []int32) {
	t.Helper()
	counts := s.count(nil, slots)
	idle := int32(0)
	for i, j := range slots {
		if j == Idle {
			idle++
		} else if i > 0 && slots[i-1] != j && slices.Contains(slots[:i], j) {
			t.Fatalf("job %d has several blocks: %v", j, slots)
		}
	}
	for i, n := range counts {
		j := &s.jobs[i]
		if n > 0 && (n < j.Least || n > j.Limit || n%j.Unit != 0) {
			t.Fatalf("job %+v has %d slots", *j, n)
		}
		if n+idle >= 0 && j.usable(n+idle) > n {
			t.Fatalf("%d slots are idle, and job %+v has %d: %v", idle, *j, n, slots)
		}
	}
}

// TestSearchAgainstAll: on small cases every schedule of a population keeps the rules, and after
// some generations the best is at least as good as the best that one can have by taking jobs out of
// the present schedule and repairing it. In most cases it is the best of all that are repaired: the
// others leave a job out to let another grow, which a repair does not.
func TestSearchAgainstAll(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("cases")
	optimal, missed, cases := 0, 0, 300
	for n := range cases {
		slots := 3 + r.IntN(6)
		jobs, present := drawn(r, slots, 6)
		s := New(Config{Size: 16, Cross: 0.5, Mutate: 0.3})
		s.Slots(slices.Repeat([]int32{-1}, slots))
		search := rng.Source{Seed: uint64(n)}.Stream("search")
		last := math.Inf(1)
		for range 100 {
			s.Generation(search, jobs, present)
			for _, l := range s.lives {
				lawful(t, s, l)
			}
			score := s.Score(s.count(nil, s.Best()))
			if score > last+1e-6*last {
				t.Fatalf("case %d: the best score went from %v to %v", n, last, score)
			}
			last = score
		}
		best, any := math.Inf(1), math.Inf(1)
		s.every(make([]int32, len(jobs)), 0, int32(slots), func(counts []int32) {
			out := true
			for i, c := range counts {
				out = out && (c == 0 && jobs[i].Ripe || c == s.now[i])
			}
			s.repair(counts)
			if any = min(any, s.Score(counts)); out {
				best = min(best, s.Score(counts))
			}
		})
		if last < any-1e-6*any || last > best+1e-6*best {
			missed++
			t.Logf("case %d: the search has %v, the best of the present schedule without some jobs %v, the best "+
				"of all %v", n, last, best, any)
		}
		if last <= any+1e-6*any {
			optimal++
		}
	}
	t.Logf("%d of %d searches found the best of all", optimal, cases)
	if missed > 0 || optimal < cases*4/5 {
		t.Errorf("%d searches missed what is in their reach, and %d of %d found the best of all", missed, optimal,
			cases)
	}
}

// every calls a function with a copy of all counts that jobs may have.
func (s *Search) every(counts []int32, i int, free int32, visit func([]int32)) {
	if i == len(counts) {
		visit(slices.Clone(counts))
		return
	}
	for n := int32(0); n <= free; n++ {
		if n == 0 || s.jobs[i].usable(n) == n {
			counts[i] = n
			s.every(counts, i+1, free-n, visit)
		}
	}
	counts[i] = 0
}

// TestReorderAgainstAll: the programme keeps as many slots as any interleaving of the jobs that
// stay, the jobs that come and the idle block; and of all orders of blocks none keeps many more.
func TestReorderAgainstAll(t *testing.T) {
	r := rng.Source{Seed: 2}.Stream("cases")
	slots, lost, cases := 0, 0, 2000
	for range cases {
		n := 3 + r.IntN(8)
		jobs, present := drawn(r, n, 5)
		if r.IntN(3) == 0 {
			r.Shuffle(n, func(i, j int) { present[i], present[j] = present[j], present[i] })
		}
		s := New(Config{Size: 4})
		s.slots, s.jobs = n, jobs
		counts := make([]int32, len(jobs))
		free := n
		for i := range counts {
			counts[i] = int32(r.IntN(min(free, 4) + 1))
			free -= int(counts[i])
		}
		got := s.Reorder(nil, present, counts)
		if !slices.Equal(s.count(nil, got), counts) {
			t.Fatalf("counts %v became %v", counts, got)
		}
		kept := n - changed(got, present)
		if best := s.merged(present, counts, 0, 0, false, nil); kept != best {
			t.Fatalf("%v to counts %v: %v keeps %d slots, the best interleaving %d", present, counts, got, kept, best)
		}
		best := s.orders(present, counts, nil)
		if kept > best {
			t.Fatalf("%v to counts %v: %v keeps %d slots, the best order %d", present, counts, got, kept, best)
		}
		slots, lost = slots+best, lost+best-kept
	}
	t.Logf("%d of the %d slots that the best orders keep are lost", lost, slots)
	if lost > slots/25 {
		t.Errorf("%d of the %d slots that the best orders keep are lost", lost, slots)
	}
}

// merged is the most slots that an interleaving keeps.
func (s *Search) merged(present, counts []int32, i, j int, idle bool, so []int32) int {
	best := -1
	if i < len(s.stay) {
		k := s.stay[i]
		best = max(best, s.merged(present, counts, i+1, j, idle,
			append(slices.Clone(so), slices.Repeat([]int32{k}, int(counts[k]))...)))
	}
	if j < len(s.come) {
		k := s.come[j]
		best = max(best, s.merged(present, counts, i, j+1, idle,
			append(slices.Clone(so), slices.Repeat([]int32{k}, int(counts[k]))...)))
	}
	if !idle {
		best = max(best, s.merged(present, counts, i, j, true,
			append(slices.Clone(so), slices.Repeat([]int32{Idle}, s.idle)...)))
	}
	if best < 0 {
		return len(present) - changed(present, so)
	}
	return best
}

// orders is the most slots that any order of the blocks keeps, with idle slots anywhere.
func (s *Search) orders(present, counts, so []int32) int {
	if len(so) == len(present) {
		return len(present) - changed(present, so)
	}
	best := -1
	for j, n := range counts {
		if n > 0 && !slices.Contains(so, int32(j)) {
			best = max(best, s.orders(present, counts, append(slices.Clone(so),
				slices.Repeat([]int32{int32(j)}, int(n))...)))
		}
	}
	idle := 0
	for _, k := range so {
		if k == Idle {
			idle++
		}
	}
	if idle < s.idle {
		best = max(best, s.orders(present, counts, append(slices.Clone(so), Idle)))
	}
	return best
}

// TestRepairByHand follows the order of a repair: a new job, one to resume, growth of the shortest.
func TestRepairByHand(t *testing.T) {
	s := New(Config{Size: 2})
	s.slots = 8
	s.jobs = []Job{
		{Least: 1, Unit: 1, Limit: 2, Resume: 2, Time: 50},           // runs on 4, cut to 2
		{Least: 2, Unit: 2, Limit: 7, Resume: 3, Time: 10},           // waits: resumes with 2, grows to 4
		{Least: 1, Unit: 1, Limit: 1, New: true},                     // gets 1
		{Least: 3, Unit: 1, Limit: 3, Resume: 3, Time: 5},            // shortest: 3
		{Least: 9, Unit: 1, Limit: 9, Resume: 9, New: true, Time: 0}, // never fits
	}
	s.prepare()
	counts := []int32{4, 0, 0, 0, 0}
	s.repair(counts)
	if want := []int32{2, 2, 1, 3, 0}; !slices.Equal(counts, want) {
		t.Errorf("repaired to %v, expected %v", counts, want)
	}
	counts = []int32{0, 1, 0, 2, 0}
	s.slots = 6
	s.repair(counts) // 1 and 3 are below their least: 1 new, 3 for the shortest, 2 for the next
	if want := []int32{0, 2, 1, 3, 0}; !slices.Equal(counts, want) {
		t.Errorf("repaired to %v, expected %v", counts, want)
	}
}

// Schedules follow slots that come and go and jobs that are renamed; a clone goes the same way.
func TestLifeOfAPopulation(t *testing.T) {
	r := rng.Source{Seed: 4}.Stream("cases")
	s := New(Config{Size: 8, Cross: 0.5, Mutate: 0.3})
	s.Slots([]int32{-1, -1, -1, -1})
	jobs, _ := drawn(r, 4, 6)
	present := slices.Repeat([]int32{Idle}, 4)
	s.Generation(r, jobs, present)
	s.lives[0] = []int32{0, 0, 1, Idle}
	s.Slots([]int32{3, 1, -1, 2, 0})
	is := slices.Repeat([]int32{-1}, len(jobs))
	is[0] = 3
	s.Rename(is)
	if want := []int32{Idle, 3, Idle, Idle, 3}; !slices.Equal(s.lives[0], want) {
		t.Errorf("schedule %v, expected %v", s.lives[0], want)
	}
	jobs, present = drawn(r, 5, 9)
	for len(jobs) < 4 {
		jobs = append(jobs, jobs[0])
	}
	c := s.Clone()
	s.Generation(rng.Source{Seed: 5}.Stream("x"), jobs, present)
	c.Generation(rng.Source{Seed: 5}.Stream("x"), jobs, present)
	for i := range s.lives {
		if !slices.Equal(s.lives[i], c.lives[i]) {
			t.Fatalf("schedule %d is %v, of the clone %v", i, s.lives[i], c.lives[i])
		}
	}
	draws := rng.Source{Seed: 6}.Stream("y")
	s.Generation(draws, jobs, present)
	if n := testing.AllocsPerRun(50, func() { s.Generation(draws, jobs, present) }); n > 0 {
		t.Errorf("%v allocations per generation once warm", n)
	}
}

func BenchmarkGeneration(b *testing.B) {
	r := rng.Source{Seed: 9}.Stream("bench")
	const slots = 64
	s := New(Config{Size: 16, Cross: 0.5, Mutate: 0.3})
	s.Slots(slices.Repeat([]int32{-1}, slots))
	var jobs []Job
	for range 40 {
		j := Job{Least: 1, Unit: 1, Limit: int32(1 + r.IntN(16)), Resume: 2, Ripe: r.IntN(4) > 0, Time: 100 *
			r.Float64()}
		for n := range j.Limit + 1 {
			j.Score = append(j.Score, j.Time*math.Pow(float64(n), 0.2))
		}
		jobs = append(jobs, j)
	}
	present := slices.Repeat([]int32{Idle}, slots)
	for b.Loop() {
		s.Generation(r, jobs, present)
		copy(present, s.Best())
	}
}

// changed counts the slots in which two schedules differ.
func changed(a, b []int32) int {
	n := 0
	for i, j := range a {
		if b[i] != j {
			n++
		}
	}
	return n
}
