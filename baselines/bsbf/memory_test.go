package bsbf

import (
	"context"
	"math/rand/v2"
	"testing"

	"tarry/sim"
)

// Beside 6 of 10 MiB only a batch in parts fits: half of the memory falls with it, so that 2 parts
// need 6 x 0.75 = 4.5, 5 MiB, and 4 parts 6 x 0.625 = 3.75, 4 MiB. Each part beyond the first costs
// a tenth: job 1 would take 13 s. Alone it has its whole batch again.
func TestBatchInParts(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{fat(job(0, 1, 26, "a"), 6), fat(job(0, 1, 30, "a"), 6)} }
	cfg := memory(t, setting(t, always(1), [3]int{1, 1, 1}, jobs()...), 10)
	expect(t, cfg, maker(t, New, "")(), "0 on [0] x500 0s-26s finish", "1 on [0] x500 0s-26s tune",
		"1 on [0] x1000 26s-36s finish")
	// Of 9 MiB 3 are left, and 8 parts need 6 x 0.5625 = 3.375; two parts do not fit 4, and memory
	// of which nothing falls with the batch does not fit 5.
	for settings, mib := range map[string]int64{"": 9, "accum=2": 10, "batch_mem=0": 11} {
		cfg = memory(t, setting(t, always(1), [3]int{1, 1, 1}, jobs()...), mib)
		expect(t, cfg, maker(t, New, settings)(), "0 on [0] x1000 0s-26s finish", "1 on [0] x1000 26s-56s finish")
	}
}

// On drawn crowds memory never runs out, jobs share, and some have their batch in parts.
func TestMemoryIsNeverExceeded(t *testing.T) {
	joins, parts := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1815))
		jobs := crowd(r, 0)
		for i := range jobs {
			jobs[i].GPUMiB = int32(r.IntN(21))
		}
		for _, build := range []func() sim.Policy{maker(t, New, "place=jobs"), maker(t, New, ""),
			maker(t, NewFFS, "")} {
			w := &parted{guard: guard{Policy: build(), t: t}}
			e, err := sim.Run(context.Background(), memory(t, setting(t, always(0.9), [3]int{1, 3, 4}, jobs...), 20), w)
			if err != nil {
				t.Fatal(err)
			}
			for j := range jobs {
				if x := e.Record(sim.JobID(j)); x.OutOfMemory > 0 || x.State != sim.Done {
					t.Fatalf("seed %d: job %d is %v and ran out of memory %d times", seed, j, x.State, x.OutOfMemory)
				}
			}
			joins, parts = joins+w.joined, parts+w.parts
		}
	}
	if joins < 1000 || parts < 500 {
		t.Errorf("%d jobs joined others and %d had their batch in parts: too few to tell", joins, parts)
	}
}

type parted struct {
	guard
	parts int
}

func (w *parted) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = w.guard.Decide(v, out)
	for _, d := range out {
		if d.Kind == sim.Start && d.AccumSteps > 1 {
			w.parts++
		}
	}
	return out
}
