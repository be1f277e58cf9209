package spark

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func one(tasks int, rest float64, parents ...int) Stage {
	return Stage{tasks, rest, rest + 500, rest + 1500, parents}
}

// play runs jobs to the end, checks the books at every question and gives the sum of rewards.
func play(t testing.TB, s *Sim, jobs []Job, answer func(*Sim) (int, int)) (sum float64) {
	t.Helper()
	if err := Validate(jobs); err != nil {
		t.Fatal(err)
	}
	now := 0.0
	for s.Start(jobs); !s.Done(); {
		check(t, s)
		k, limit := answer(s)
		r, err := s.Step(k, limit)
		if err != nil {
			t.Fatal(err)
		}
		if s.Now() < now || r > 0 {
			t.Fatalf("from %v to %v ms, reward %v", now, s.Now(), r)
		}
		sum, now = sum+r, s.Now()
	}
	return sum
}

// check holds every executor in one place, and counts against lists.
func check(t testing.TB, s *Sim) {
	t.Helper()
	if s.free < 1 || s.free > len(s.executors) || len(s.asked) > s.free+s.promisedBy(s.from(s.asked[0])) {
		t.Fatalf("%d executors free, %d asked", s.free, len(s.asked))
	}
	held, on := make([]int, len(s.jobs)), make([]int, len(s.stages))
	for e := range s.executors {
		x := &s.executors[e]
		places := 0
		if has(s.idle, e) {
			places++
		}
		for j := range s.jobs {
			if has(s.jobs[j].idle, e) {
				places++
			}
		}
		if x.stage != None {
			places++
			on[x.stage]++
		}
		if x.job != None {
			held[x.job]++
		}
		if x.target != None {
			places++
		}
		if places > 1 {
			t.Fatalf("executor %d is in %d places: %+v", e, places, x)
		}
	}
	for j, n := range held {
		if n != s.jobs[j].held {
			t.Fatalf("job %d has %d executors, %d are counted", j, n, s.jobs[j].held)
		}
	}
	for k, n := range on {
		if x := &s.stages[k]; n != len(x.on) || x.begun > x.Tasks || x.ended > x.begun || x.promised < 0 || x.sent < 0 {
			t.Fatalf("stage %d: %d executors, %+v", k, n, x)
		}
	}
}

func (s *Sim) promisedBy(source int) (n int) {
	for _, p := range s.promises[source] {
		n += p.count
	}
	return n
}

// drawn draws jobs.
func drawn(r *rand.Rand, n int) (out []Job) {
	at := 0.0
	for range n {
		j := Job{Arrive: at}
		for k := range 1 + r.IntN(4) {
			st := one(1+r.IntN(9), float64(100+100*r.IntN(40)))
			for p := range k {
				if r.IntN(2) == 0 {
					st.Parents = append(st.Parents, p)
				}
			}
			j.Stages = append(j.Stages, st)
		}
		out = append(out, j)
		at += float64(r.IntN(3) * r.IntN(9000))
	}
	return out
}

// random answers with any stage that may be chosen, or none, and any limit.
func random(r *rand.Rand) func(*Sim) (int, int) {
	return func(s *Sim) (int, int) {
		var all []int
		for _, j := range s.In() {
			for k, to := s.Stages(j); k < to; k++ {
				if s.May(k) {
					all = append(all, k)
				}
			}
		}
		limit := 1 + r.IntN(s.Free())
		if len(all) == 0 || r.IntN(9) == 0 {
			return None, s.Free()
		}
		return all[r.IntN(len(all))], limit
	}
}

// Under any answers all jobs end, the rewards add up to the time in the system, a job takes no less than
// its longest path, and a run is a function of its jobs and answers.
func TestLaws(t *testing.T) {
	s := New(6, 700)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		jobs := drawn(r, 1+r.IntN(8))
		answer := func() func(*Sim) (int, int) { return random(rand.New(rand.NewPCG(seed, 2))) }
		if i := int(seed) % 5; i < len(Rules()) {
			answer = Rules()[i].Fresh
		}
		sum, total := play(t, s, jobs, answer()), 0.0
		ends := make([]float64, len(jobs))
		for j := range jobs {
			ends[j] = s.End(j)
			total += s.End(j) - s.Arrive(j)
			longest := make([]float64, len(jobs[j].Stages))
			for k, st := range jobs[j].Stages {
				for _, p := range st.Parents {
					longest[k] = max(longest[k], longest[p])
				}
				longest[k] += st.Rest
				if s.End(j)-s.Arrive(j) < longest[k] {
					t.Errorf("seed %d: job %d took %v ms, its path %v", seed, j, s.End(j)-s.Arrive(j), longest[k])
				}
			}
		}
		if !(math.Abs(sum*Scale+total) <= 1e-6*total) {
			t.Errorf("seed %d: rewards %v, time in the system %v ms", seed, sum, total)
		}
		again := New(6, 700)
		if play(t, again, jobs, answer()) != sum || again.End(0) != ends[0] {
			t.Errorf("seed %d: another run", seed)
		}
	}
}

// By hand, with one executor and no delay: two jobs of two tasks. The first task of the second job is
// fresh, and so is what follows a stage of the same job after idleness; a stage after another is first.
func TestByHand(t *testing.T) {
	s, fair := New(1, 0), Rules()[0].Fresh()
	play(t, s, []Job{{0, []Stage{one(2, 1000)}}, {0, []Stage{one(1, 1000), one(1, 1000, 0)}}}, fair)
	if s.End(0) != 3500 || s.End(1) != 3500+2500+2500 {
		t.Errorf("ends %v and %v, expected 3500 and 8500: fresh after the question about idle ones", s.End(0), s.End(1))
	}
	play(t, s, []Job{{0, []Stage{one(1, 1000), one(2, 1000)}}}, fair)
	if s.End(0) != 2500+1500+1000 {
		t.Errorf("end %v, expected 5000: fresh, first, rest", s.End(0))
	}
	s = New(2, 2000)
	play(t, s, []Job{{0, []Stage{one(1, 1000)}}, {0, []Stage{one(1, 9000)}}}, shortestLeft)
	if s.End(0) != 4500 || s.End(1) != 2000+10500 {
		t.Errorf("ends %v and %v, expected 4500 and 12500: both travel at once", s.End(0), s.End(1))
	}
}

func TestFaults(t *testing.T) {
	for want, jobs := range map[string][]Job{
		"0 stages at 0 ms":       {{}},
		"in order of arrival":    {{5, []Stage{one(1, 1)}}, {4, []Stage{one(1, 1)}}},
		"0 tasks of":             {{0, []Stage{one(0, 1)}}},
		"stage 0 comes before":   {{0, []Stage{one(1, 1, 0)}}},
		"stage 1 comes before":   {{0, []Stage{one(1, 1), one(1, 1, 1)}}},
		"numbers above 0":        {{0, []Stage{one(1, math.NaN())}}},
		"expected numbers above": {{0, []Stage{one(1, math.Inf(1))}}},
	} {
		if err := Validate(jobs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
	s := New(2, 0)
	jobs := []Job{{0, []Stage{one(1, 1), one(9, 1), one(1, 1, 1)}}, {10, []Stage{one(1, 1)}}}
	for _, c := range []struct{ stage, limit int }{{0, 0}, {-2, 1}, {4, 1}, {2, 1}, {3, 1}} {
		s.Start(jobs)
		if _, err := s.Step(c.stage, c.limit); err == nil {
			t.Errorf("%+v has no error", c)
		}
	}
	s.Start(jobs)
	if _, err := s.Step(1, 1); err != nil || s.Free() != 1 || s.May(1) || !s.May(0) {
		t.Errorf("error %v, %d free: a stage is chosen once in a round", err, s.Free())
	}
}

// Once warm a run allocates nothing.
func TestAllocations(t *testing.T) {
	s, jobs := New(8, 2000), drawn(rand.New(rand.NewPCG(1, 1)), 20)
	fair := Rules()[0].Fresh()
	run := func() {
		for s.Start(jobs); !s.Done(); {
			if _, err := s.Step(fair(s)); err != nil {
				t.Fatal(err)
			}
		}
	}
	run()
	if n := testing.AllocsPerRun(5, run); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkFair(b *testing.B) {
	s, jobs, steps := New(8, 2000), drawn(rand.New(rand.NewPCG(1, 1)), 40), 0
	fair := Rules()[0].Fresh()
	for b.Loop() {
		for s.Start(jobs); !s.Done(); steps++ {
			if _, err := s.Step(fair(s)); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
