package variability

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// What depends on progress within does so outside, with the times of the slowest GPU; what does not
// has no marks.
func TestProgressPassesThrough(t *testing.T) {
	f := parse(t, put(t, factors)+",classes="+put(t, "model,class\nVGG16,B\n"))
	if p := sim.AsProgressive(stack.New(counting{}, NewLayer(f))); p != nil {
		t.Errorf("counting is progressive: %T", p)
	}
	inner := simtest.Progressing(simtest.Counting{})
	p := sim.AsProgressive(stack.New(inner, NewLayer(f)))
	if p == nil {
		t.Fatal("epochs are not progressive")
	}
	q := query("VGG16", 0, 1)
	q.Job.Work, q.Knobs = 30, sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}
	var alone, slow sim.Telemetry
	within := sim.AsProgressive(inner)
	if !within.Telemetry(q, &alone) || !p.Telemetry(q, &slow) || p.Mark(q) != 10 ||
		p.Batches(q.Job) != within.Batches(q.Job) {
		t.Errorf("mark %v, batches %+v", p.Mark(q), p.Batches(q.Job))
	}
	all := f.Factors(f.Class("VGG16"))
	if least := min(all[0], all[1]); slow.StepS != alone.StepS/least || slow.SyncS != alone.SyncS/least {
		t.Errorf("telemetry %+v, within %+v, the slowest factor is %v", slow, alone, least)
	}
}
