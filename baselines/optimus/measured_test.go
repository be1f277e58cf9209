package optimus

import (
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/loss"
)

// A loss that a job measures replaces the drawn one. The loss 2 + exp(-e/8) falls over ten epochs
// by (exp(10/8)-1) exp(-e/8), until that is a twentieth of what was lost so far.
func TestMeasuredLoss(t *testing.T) {
	p := policy(t, "")().(*Policy)
	l := life{truth: loss.Curve{Kind: loss.Exponential, A: 1, B: 1}, reports: []loss.Point{{K: 0, Loss: 9}}}
	for e := int32(1); e <= 20; e++ {
		m := sim.Telemetry{Epoch: e, Loss: 2 + math.Exp(-float64(e)/8)}
		p.measuredLoss(&l, &m, 50*float64(e))
		if was := len(l.reports); was != int(e) {
			t.Fatalf("%d reports after epoch %d", was, e)
		}
		p.measuredLoss(&l, &m, 50*float64(e)+10) // nothing new
	}
	if l.epochS != 50 || l.truth != (loss.Curve{}) || len(l.reports) != 20 {
		t.Errorf("%+v", l)
	}
	first := math.Exp(-1.0 / 8)
	want := 20.0
	for ; math.Expm1(10.0/8)*math.Exp(-want/8) > 0.05*(first-math.Exp(-20.0/8)); want++ {
	}
	if math.Abs(l.converges-want) > 1 {
		t.Errorf("converges at %v, expected %v", l.converges, want)
	}
}

// A job without a fit has further epochs left, and an epoch that has begun is finished.
func TestLeftWithoutFit(t *testing.T) {
	p := policy(t, "further=7")().(*Policy)
	l := life{epoch: 4, reports: []loss.Point{{K: 3, Loss: 1}, {K: 4, Loss: 1}}}
	if p.converge(&l); l.converges != 11 {
		t.Errorf("converges at %v, expected 7 epochs after the fourth", l.converges)
	}
}
