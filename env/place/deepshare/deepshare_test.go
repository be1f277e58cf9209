package deepshare

import (
	"math"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim/rng"
	"tarry/sim/speed/deepshare"
)

// list draws jobs of all types.
func list(t *Tables, n int, seed uint64) (jobs []Job) {
	r := rng.Source{Seed: seed}.Stream("jobs")
	for range n {
		kind := r.IntN(t.Types())
		jobs = append(jobs, Job{kind, t.Samples[kind] * (0.5 + r.Float64())})
	}
	return jobs
}

// check reports what does not hold of a world between rounds.
func check(t *testing.T, w *World) {
	t.Helper()
	used, running := 0, 0
	for i := range w.Jobs {
		s := &w.Jobs[i]
		if len(s.Nodes) > 0 {
			running++
			used += s.PerNode * len(s.Nodes)
			if s.PerNode*len(s.Nodes) != GPUs(s.Type) || s.Last >= 0 || s.Ratio < floor || s.Ratio > 1 {
				t.Fatalf("round %d: job %d is %+v", w.Round, i, *s)
			}
		}
		if (s.Last >= 0) != (s.Samples <= s.Done || s.Last >= 0 && s.ending()) {
			t.Fatalf("round %d: job %d ended: %+v", w.Round, i, *s)
		}
	}
	if used != w.used || running != len(w.Running) || running+len(w.Queue)+w.ended != len(w.Jobs) {
		t.Fatalf("round %d: %d GPUs of %d jobs, stated %d of %d, %d wait, %d ended", w.Round, used, running, w.used,
			len(w.Running), len(w.Queue), w.ended)
	}
}

// Under every rule all jobs end once, GPUs add up, and without slips no GPU is given twice.
func TestRules(t *testing.T) {
	tables := Own()
	for _, slips := range []bool{true, false} {
		for _, rule := range Rules() {
			w := New(tables, slips)
			for seed := range uint64(3) {
				w.Reset(list(tables, 60, seed))
				for w.Live() {
					if rule.Play(w, nil); w.Round > 10_000 {
						t.Fatalf("%s: no end", rule.Name)
					}
					check(t, w)
				}
				m := w.Means()
				if m.Ended != 60 || m.TrainedS > m.JCTS || m.P99S < m.TrainedS || m.Ratio <= 0 || m.Ratio > 1 {
					t.Errorf("%s: %+v", rule.Name, m)
				}
			}
		}
	}
}

// By hand: jobs of 2 GPUs on nodes 0 and 1, the first of 14 rounds' samples, the second of more.
func TestSlips(t *testing.T) {
	tables := Own()
	first := func(slips bool) *World {
		w := New(tables, slips)
		perS := tables.perS[0]
		w.Reset([]Job{{0, perS * RoundS * 2.5}, {0, perS * RoundS * 10}})
		for range 3 {
			Rules()[2].Play(w, nil)
		}
		return w
	}
	ratio := 1 / (1 + 0.06*0.4)
	perS := tables.perS[0]
	// With the slips the first ends in round 2 and the second gains nothing in it.
	if w := first(true); w.Jobs[0].Last != 2 || w.Jobs[1].Rounds != 2 {
		t.Errorf("with slips the first ended in round %d, the second progressed in %d", w.Jobs[0].Last, w.Jobs[1].Rounds)
	}
	// Without, the first ends in round 1, as less than a round is left, and the second continues.
	w := first(false)
	if w.Jobs[0].Last != 1 || w.Jobs[1].Rounds != 3 || math.Abs(w.Jobs[1].Done/(3*perS*ratio*RoundS)-1) > 1e-12 {
		t.Errorf("without slips the first ended in round %d, the second has %+v", w.Jobs[0].Last, w.Jobs[1])
	}
}

// The reward: with one job alone its loss is 0, and the use is of the rounds before.
func TestTraining(t *testing.T) {
	tables := Own()
	w := New(tables, true)
	w.Reset([]Job{{0, tables.Samples[0]}, {0, tables.Samples[0]}, {2, tables.Samples[2]}})
	if r := w.Train(Stop, 0.8, 0.2); r != 0 || len(w.Running) != 0 || w.Round != 1 {
		t.Errorf("nothing placed: reward %v, %d jobs", r, len(w.Running))
	}
	if r := w.Train(5, 0.8, 0.2); r != 0 || len(w.Running) != 1 {
		t.Errorf("one job: reward %v", r)
	}
	loss := 1 - 1/(1+0.06*0.4)
	const keep = 9.0 / 11
	use := (2.0 / 32) / (1 + keep) // rounds of 0 and of 2 GPUs
	if r := w.Train(5, 0.8, 0.2); math.Abs(r-(0.2*use-0.8*loss)) > 1e-12 || len(w.Running) != 2 {
		t.Errorf("two jobs: reward %v, expected %v", r, 0.2*use-0.8*loss)
	}
	// The last job is placed; the rest of the run has no question.
	if w.Train(6, 0.8, 0.2); w.Live() || w.Means().Ended != 3 {
		t.Errorf("%d of 3 jobs ended by round %d", w.Means().Ended, w.Round)
	}
}

// The authors' tables are read; ours are as theirs are: ratios in (0, 1], speeds for every legal shape.
func TestTables(t *testing.T) {
	read, err := deepshare.Open(sharedata.Path(t, "profiles", "deepshare"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := From(read)
	if err != nil {
		t.Fatal(err)
	}
	for _, tables := range []*Tables{theirs, Own()} {
		low := 0
		for i, perS := range tables.perS {
			if (perS > 0) != legal(i/kinds, i%kinds) {
				t.Errorf("shape %d: %v samples/s", i, perS)
			}
			for j, other := range tables.perS {
				r := tables.ratio[i*len(tables.perS)+j]
				if perS > 0 && other > 0 && !(r > 0 && r <= 1) {
					t.Errorf("shapes %d and %d: ratio %v", i, j, r)
				}
				if perS > 0 && other > 0 && r <= relieve {
					low++
				}
			}
		}
		if low == 0 || len(tables.Models) != 6 {
			t.Errorf("%d models, %d pairs at or below %v", len(tables.Models), low, relieve)
		}
	}
}

// A round allocates nothing once warm.
func TestAllocations(t *testing.T) {
	tables := Own()
	w := New(tables, true)
	jobs := list(tables, 100, 1)
	for range 2 {
		w.Reset(jobs)
		for w.Live() {
			w.Train(First(w), 0.8, 0.2)
		}
	}
	if n := testing.AllocsPerRun(5, func() {
		w.Reset(jobs)
		for w.Live() {
			w.Train(Spread(w), 0.8, 0.2)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
