package hived

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "hived", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob, Alone: true, Allocates: true}
	simtest.Conform(t, "hived", New, o.Settings(
		"", "line=strict", "over=large", "inside=las,queues=3/9", "cells=x:machine*1+gpu*2/y:2*1+1*3/z:rack*1",
		"cells=x:machine*1+gpu*2/y:2*1+1*3,inside=las,queues=2,lazy=true",
		"cells=x:machine*2/y:slot*1/z:gpu*1,over=none",
	))
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"cells=a", "cells=a:machine", "cells=a:machine*-1", "cells=a:row*2", "cells=a:0*2",
		"queues=3/2", "inside=srtf", "over=all", "line=no", "unit=pod", "lazy=7"} {
		if _, err := New(param.Parse("policy hived", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
