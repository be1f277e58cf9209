package queueing_test

import (
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	for name := range constructors {
		t.Run(name, func(t *testing.T) {
			o := simtest.Options{Laws: simtest.AllLaws}
			params := ""
			if name == "las" {
				params = "quantum_s=4,starve_s=50"
				o.Scaled = func(k int64) sim.Policy { return policy(t, name, fmt.Sprintf("quantum_s=%d,starve_s=%d", 4*k, 50*k)) }
			}
			simtest.Policy(t, func() sim.Policy { return policy(t, name, params) }, o)
		})
	}
}
