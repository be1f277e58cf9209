package interference

import (
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// linked couples jobs; uneven has GPUs that differ.
type linked struct {
	common
	calls string
	share int32
}

func (l *linked) Place(q *sim.Query) error            { l.calls, l.share = l.calls+"p", q.ShareMilli; return nil }
func (l *linked) Remove(sim.JobID)                    { l.calls += "r" }
func (l *linked) Touched(dst []sim.JobID) []sim.JobID { l.calls += "t"; return append(dst, 4) }
func (l *linked) Reset()                              { l.calls += "0" }
func (l *linked) LinkUtil() float64                   { return 0.5 }

type uneven struct{ sim.SpeedModel }

func (uneven) Class(string) int      { return 3 }
func (uneven) Factors(int) []float64 { return []float64{1, 2} }

type both struct {
	*linked
	uneven
}

func (b both) Speed(q *sim.Query) (sim.Speed, error) { return b.linked.Speed(q) }

// What a model can do its wrapping can do, and no more.
func TestWrapKeepsAbilities(t *testing.T) {
	for name, c := range map[string]struct {
		inner            sim.SpeedModel
		coupled, differs bool
	}{"plain": {common{}, false, false}, "linked": {&linked{}, true, false}, "uneven": {uneven{common{}}, false, true}, "both": {both{&linked{}, uneven{}}, true, true}} {
		m := Wrap(c.inner, rule(t, "nway"), nil)
		links, coupled := m.(sim.Coupled)
		differ, differs := m.(sim.Variability)
		if coupled != c.coupled || differs != c.differs || sim.AsProgressive(m) != nil {
			t.Errorf("%s: coupled %v, differs %v, progressive %v", name, coupled, differs, sim.AsProgressive(m))
		}
		if m.(interface{ Inner() sim.SpeedModel }).Inner() != c.inner {
			t.Errorf("%s: another model within", name)
		}
		if coupled {
			links.Reset()
			if err := links.Place(on(job("bert"), 300, 1, 2)); err != nil {
				t.Fatal(err)
			}
			links.Remove(1)
			if got := links.Touched(nil); !slices.Equal(got, []sim.JobID{4}) {
				t.Errorf("touched %v", got)
			}
			if u := m.(interface{ LinkUtil() float64 }).LinkUtil(); u != 0.5 {
				t.Errorf("use of links %v", u)
			}
			if l, ok := c.inner.(*linked); ok && (l.calls != "0prt" || l.share != 1000) {
				t.Errorf("calls %q with a share of %d", l.calls, l.share)
			}
		}
		if differs && (differ.Class("x") != 3 || differ.Factors(0)[1] != 2) {
			t.Errorf("%s: other factors", name)
		}
	}
}

// Marks and batches are those of the model within; the times of a step are as long as others make them.
func TestProgressPassesThrough(t *testing.T) {
	inner := simtest.Progressing(common{})
	p := sim.AsProgressive(Wrap(inner, rule(t, "nway:a=1,util=0.1"), nil))
	if p == nil {
		t.Fatal("not progressive")
	}
	j := job("bert")
	alone := on(j, 1000, 2, 3)
	q := beside(on(j, 400, 2, 3), peer(j, 600, 3))
	var want, got sim.Telemetry
	within := sim.AsProgressive(inner)
	if !within.Telemetry(alone, &want) || !p.Telemetry(q, &got) || p.Mark(q) != within.Mark(alone) || p.Batches(j) != within.Batches(j) {
		t.Errorf("mark %v, batches %+v", p.Mark(q), p.Batches(j))
	}
	if got.StepS != 2*want.StepS || got.SyncS != 2*want.SyncS || got.LocalBatch != want.LocalBatch {
		t.Errorf("telemetry %+v, alone %+v", got, want)
	}
	if m := Wrap(common{}, rule(t, "nway"), nil).(*Model); m.Telemetry(q, &got) {
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
	m := Wrap(broken{}, rule(t, "nway"), nil)
	if _, err := m.Speed(on(job("bert"), 500, 1)); err != errBroken {
		t.Error(err)
	}
	if s := speed(t, Wrap(common{}, rule(t, "nway"), nil), on(job("bert"), 500)); s.Rate != 0 {
		t.Errorf("without GPUs: %+v", s)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, spec := range specs(t) {
		m := Wrap(common{}, rule(t, spec), nil)
		q := beside(on(job("vgg16"), 200, 0, 1, 2), peer(job("bert"), 200, 1), peer(job("gpt2"), 200, 0, 1), peer(job("bert"), 300, 1, 2))
		if n := testing.AllocsPerRun(100, func() { _, _ = m.Speed(q) }); n > 0 {
			t.Errorf("%s: %v allocations", spec, n)
		}
	}
}

func BenchmarkSpeed(b *testing.B) {
	for _, spec := range []string{"nway", "crossover"} {
		for name, gpus := range map[string][]cluster.GPU{"same": {0, 1, 2, 3}, "some": {1, 2}} {
			b.Run(spec+"/"+name, func(b *testing.B) {
				m, q := Wrap(common{}, rule(b, spec), nil), beside(on(job("vgg16"), 250, 0, 1, 2, 3), peer(job("bert"), 250, gpus...), peer(job("gpt2"), 250, gpus...))
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
