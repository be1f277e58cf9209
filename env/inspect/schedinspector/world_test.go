package schedinspector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn is a log of small jobs that are crowded, of whole seconds.
func drawn(seed uint64) *Log {
	r := rand.New(rand.NewPCG(seed, 0x15))
	l, at := &Log{Procs: 8}, 0
	for range 40 {
		if r.IntN(3) > 0 {
			at += r.IntN(400)
		}
		run := float64(1 + r.IntN(2000))
		j := Job{Submit: float64(at), Run: run, Request: run * float64(1+r.IntN(3)), Procs: 1 + r.IntN(8)}
		l.Jobs = append(l.Jobs, j)
		l.Longest = max(l.Longest, j.Request)
	}
	return l
}

// played plays an episode; refuses answers its decisions.
func played(t *testing.T, w *World, l *Log, s Setting, refuses func(k int) bool) {
	t.Helper()
	if err := w.Begin(l, s); err != nil {
		t.Fatal(err)
	}
	obs := make([]float64, NumFeatures)
	for k := 0; ; k++ {
		w.Observe(obs)
		for i, x := range obs {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("feature %d is %v", i, x)
			}
		}
		if w.Act(refuses(k)) {
			return
		}
	}
}

// Whatever is refused: each job starts once, at or after its submit, no more than the processors are
// in use at any start, and the score is of these starts.
func TestLaws(t *testing.T) {
	var w World
	for seed := range uint64(200) {
		l := drawn(seed)
		r := rand.New(rand.NewPCG(seed, 7))
		s := Setting{First: int(seed % 5), Jobs: 30, Base: Rules()[seed%16], Backfill: seed%2 == 0}
		played(t, &w, l, s, func(k int) bool { return k < 400 && r.IntN(3) == 0 })
		sum := 0.0
		for i := range s.Jobs {
			j, at := l.Jobs[s.First+i], w.Start(i)
			used := 0
			for k := range s.Jobs {
				if o := l.Jobs[s.First+k]; w.Start(k) <= at && (at < w.Start(k)+o.Run || k == i) {
					used += o.Procs
				}
			}
			if at < j.Submit || used > l.Procs {
				t.Fatalf("seed %d: job %d of %+v starts at %v beside %d processors in use", seed, i, j, at, used)
			}
			sum += max(1, (at-j.Submit+j.Run)/max(10, j.Run))
		}
		if got := w.Slowdown(); math.Abs(got-sum/30) > 1e-9*got {
			t.Fatalf("seed %d: score %v, of the starts %v", seed, got, sum/30)
		}
	}
}

// Where nothing is refused, all times twice as long give all starts twice as late.
func TestScale(t *testing.T) {
	var w, x World
	for seed := range uint64(50) {
		l := drawn(seed)
		twice := &Log{Procs: l.Procs, Longest: 2 * l.Longest, Jobs: slices.Clone(l.Jobs)}
		for i := range twice.Jobs {
			j := &twice.Jobs[i]
			j.Submit, j.Run, j.Request = 2*j.Submit, 2*j.Run, 2*j.Request
		}
		for _, name := range []string{"fcfs", "sjf", "saf", "srf", "smallest", "lpf"} {
			base, err := RuleOf(name)
			if err != nil {
				t.Fatal(err)
			}
			s := Setting{Jobs: 40, Base: base, Backfill: seed%2 == 0}
			never := func(int) bool { return false }
			played(t, &w, l, s, never)
			played(t, &x, twice, s, never)
			for i := range s.Jobs {
				if x.Start(i) != 2*w.Start(i) {
					t.Fatalf("%s, seed %d: job %d starts at %v, at %v in twice the time", name, seed, i, w.Start(i), x.Start(i))
				}
			}
		}
	}
}

// A queue of three jobs: long and narrow, short and wide, and between, in order of arrival.
func TestRulesByHand(t *testing.T) {
	l := &Log{Procs: 10, Longest: 1000, Jobs: []Job{{Submit: 1, Run: 1000, Request: 1000, Procs: 1},
		{Submit: 2, Run: 100, Request: 100, Procs: 5}, {Submit: 3, Run: 400, Request: 400, Procs: 3}}}
	for name, want := range map[string][]int{
		"fcfs": {0, 1, 2}, "lcfs": {2, 1, 0}, "smallest": {0, 2, 1}, "largest": {1, 2, 0}, "sjf": {1, 2, 0},
		"lpf": {0, 2, 1}, "saf": {1, 0, 2}, "laf": {2, 0, 1}, // 1000, 500, 1200
		"sexp": {1, 2, 0}, "lexp": {0, 2, 1}, "srf": {1, 2, 0}, "lrf": {0, 2, 1}, "multifactor": {0, 2, 1},
		"f1": {0, 1, 2}, // 3, 10 + 262, 7.8 + 415
		// +w: (2/1000)^3, 5 (3/100)^3, 3 (4/400)^3; 2 / (1000 tiny), 3 / 232, 4 / 634
		"wfp3": {0, 2, 1}, "unicep": {2, 1, 0},
	} {
		r, err := RuleOf(name)
		if err != nil {
			t.Fatal(err)
		}
		order := []int{0, 1, 2}
		slices.SortStableFunc(order, func(a, b int) int {
			a0, a1 := r.Score(l, &l.Jobs[a])
			b0, b1 := r.Score(l, &l.Jobs[b])
			switch {
			case a0 < b0 || a0 == b0 && a1 < b1:
				return -1
			case a0 == b0 && a1 == b1:
				return 0
			}
			return 1
		})
		if !slices.Equal(order, want) {
			t.Errorf("%s: order %v, expected %v", name, order, want)
		}
	}
	if len(Rules()) != 16 {
		t.Errorf("%d rules, expected 16", len(Rules()))
	}
}

// Refusing with nothing that runs and no job to come changes nothing but the refused time.
func TestStuck(t *testing.T) {
	var w World
	l := &Log{Procs: 1, Longest: 5, Jobs: []Job{{Run: 5, Request: 5, Procs: 1},
		{Submit: 50, Run: 5, Request: 5, Procs: 1}}}
	if err := w.Begin(l, Setting{Jobs: 1, Base: Rules()[0]}); err != nil {
		t.Fatal(err)
	}
	if w.Act(true); w.Now() != 0 || w.RefusedS() != 600 || !w.Stuck() {
		t.Errorf("at %v, refused %v", w.Now(), w.RefusedS())
	}
	// The job behind the episode bounds a refusal, but does not join; then 600 s are over first.
	l.Jobs = append(l.Jobs, Job{Submit: 70, Run: 5, Request: 5, Procs: 1})
	l.Jobs[0].Run = 10_000
	if err := w.Begin(l, Setting{Jobs: 2, Base: Rules()[0]}); err != nil {
		t.Fatal(err)
	}
	w.Act(false)
	if w.Act(true); w.Now() != 10_000 || w.Waiting() != 1 {
		t.Errorf("at %v, expected the end at 10000", w.Now())
	}
}

func TestFaults(t *testing.T) {
	good := Job{Submit: 1, Run: 1, Request: 1, Procs: 1}
	early := Job{Run: 1, Request: 1, Procs: 1}
	for _, l := range []*Log{{Procs: 1, Jobs: []Job{good}}, {Procs: 1, Longest: 1, Jobs: []Job{good, early}},
		{Procs: 0, Longest: 1, Jobs: []Job{good}}, {Procs: 1, Longest: 1, Jobs: []Job{{Procs: 1, Run: 1}}}} {
		if l.Validate() == nil {
			t.Errorf("%+v is valid", l)
		}
	}
	var w World
	for _, s := range []Setting{{First: -1, Jobs: 1}, {First: 1, Jobs: 1}, {Jobs: 0}} {
		s.Base = Rules()[0]
		if err := w.Begin(&Log{Procs: 1, Longest: 1, Jobs: []Job{good}}, s); err == nil {
			t.Errorf("%+v is no error", s)
		}
	}
}

// Once warm an episode allocates nothing.
func TestAllocations(t *testing.T) {
	var w World
	l := drawn(3)
	base, err := RuleOf("sjf")
	if err != nil {
		t.Fatal(err)
	}
	obs := make([]float64, NumFeatures)
	if n := testing.AllocsPerRun(20, func() {
		if err := w.Begin(l, Setting{Jobs: 40, Base: base, Backfill: true}); err != nil {
			t.Error(err)
		}
		for ended := false; !ended; ended = w.Act(!w.Fits() && w.RefusedS() == 0) {
			w.Observe(obs)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
