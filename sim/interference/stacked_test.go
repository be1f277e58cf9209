package interference

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// linked is a model with links; placed is the share at which a job was placed.
type linked struct {
	common
	placed int32
}

func (l *linked) Place(q *sim.Query) error            { l.placed = q.ShareMilli; return nil }
func (l *linked) Remove(sim.JobID)                    {}
func (l *linked) Touched(dst []sim.JobID) []sim.JobID { return dst }
func (l *linked) Reset()                              {}

// Links see a job as the model within does, on whole GPUs.
func TestLinksSeeWholeGPUs(t *testing.T) {
	inner := &linked{}
	if err := over(inner, rule(t, "nway")).(sim.Coupled).Place(on(job("bert"), 300, 1, 2)); err != nil ||
		inner.placed != 1000 {
		t.Errorf("placed with a share of %d (%v), expected 1000", inner.placed, err)
	}
}

// Marks and batches are the inner model's; the times of a step are as long as others make
// them.
func TestProgressPassesThrough(t *testing.T) {
	inner := simtest.Progressing(common{})
	p := sim.AsProgressive(over(inner, rule(t, "nway:a=1,util=0.1")))
	if p == nil {
		t.Fatal("not progressive")
	}
	j := job("bert")
	alone := on(j, 1000, 2, 3)
	q := beside(on(j, 400, 2, 3), peer(j, 600, 3))
	var want, got sim.Telemetry
	within := sim.AsProgressive(inner)
	if !within.Telemetry(alone, &want) || !p.Telemetry(q, &got) || p.Mark(q) != within.Mark(alone) ||
		p.Batches(j) != within.Batches(j) {
		t.Errorf("mark %v, batches %+v", p.Mark(q), p.Batches(j))
	}
	if got.StepS != 2*want.StepS || got.SyncS != 2*want.SyncS || got.LocalBatch != want.LocalBatch {
		t.Errorf("telemetry %+v, alone %+v", got, want)
	}
	if m := over(common{}, rule(t, "nway")).(*stack.Stack); m.Telemetry(q, &got) {
		t.Error("telemetry over a model without")
	}
}

// broken has no answer.
type broken struct{}

func (broken) Speed(*sim.Query) (sim.Speed, error) { return sim.Speed{}, errBroken }

const errBroken = fault("no answer")

type fault string

func (f fault) Error() string { return string(f) }

func TestFaultsPassThrough(t *testing.T) {
	m := over(broken{}, rule(t, "nway"))
	if _, err := m.Speed(on(job("bert"), 500, 1)); err != errBroken {
		t.Error(err)
	}
	if s := speed(t, over(common{}, rule(t, "nway")), on(job("bert"), 500)); s.Rate != 0 {
		t.Errorf("without GPUs: %+v", s)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, spec := range specs(t) {
		m := over(common{}, rule(t, spec))
		q := beside(on(job("vgg16"), 200, 0, 1, 2), peer(job("bert"), 200, 1), peer(job("gpt2"), 200, 0, 1),
			peer(job("bert"), 300, 1, 2))
		if n := testing.AllocsPerRun(100, func() { _, _ = m.Speed(q) }); n > 0 {
			t.Errorf("%s: %v allocations", spec, n)
		}
	}
}

func BenchmarkSpeed(b *testing.B) {
	for _, spec := range []string{"nway", "crossover"} {
		for name, gpus := range map[string][]cluster.GPU{"same": {0, 1, 2, 3}, "some": {1, 2}} {
			b.Run(spec+"/"+name, func(b *testing.B) {
				m, q := over(common{}, rule(b, spec)), beside(on(job("vgg16"), 250, 0, 1, 2, 3),
					peer(job("bert"), 250, gpus...), peer(job("gpt2"), 250, gpus...))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := m.Speed(q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
