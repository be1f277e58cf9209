package muxflow

import (
	"testing"

	"tarry/sim/simtest"
	"tarry/sim/simtest/keep"
)

// Every case has services, beside which jobs go.
func TestConformance(t *testing.T) {
	o := simtest.Options{Serve: keep.Case}
	simtest.Conform(t, "muxflow", New, o.Settings("", "match=greedy,share=0.3", "match=first,cooldown_s=0"))
}
