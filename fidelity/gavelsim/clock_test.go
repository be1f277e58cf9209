package gavelsim

import (
	"context"
	"math"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// clocked notes how far the kernel's ends are from the replay's in float64.
type clocked struct {
	*Policy
	worst float64
	ends  int
}

func (c *clocked) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		for _, s := range c.runs {
			if e.Kind == sim.Finish && s.job == e.Job && s.ends {
				c.worst, c.ends = max(c.worst, math.Abs(v.Now().Seconds()-s.finish)), c.ends+1
			}
		}
	}
	return c.Policy.Decide(v, out)
}

// TestClock: a job ends within 1.5 us of the exact instant: it is aimed at the nearest tick of the
// clock, and may end on the next. With the rounding of its submission, 0.5 us, a completion time is
// exact within 2 us, which make reference asks.
func TestClock(t *testing.T) {
	for _, trace := range []string{"gen_500", "genhi_500"} {
		for _, spec := range []string{"policy=fifo_perf", "policy=isolated"} {
			p, err := New(param.Parse("policy gavel-sim", "table="+sharedata.Path(t, "profiles", "gavel")+
				","+spec), cluster.BestFit)
			if err != nil {
				t.Skip(err)
			}
			c := &clocked{Policy: p.(*Policy)}
			if _, err := sim.Run(context.Background(), gaveltest.Scene(t, trace, 36, 36, 36), c); err != nil {
				t.Fatal(err)
			}
			if t.Logf("%s, %s: %d ends, worst %.3g s", trace, spec, c.ends, c.worst); c.worst > 1.5e-6 || c.ends < 400 {
				t.Errorf("%s, %s: %d ends, the worst %.3g s off, expected 400 within 1.5e-6 s", trace, spec, c.ends,
					c.worst)
			}
		}
	}
}
