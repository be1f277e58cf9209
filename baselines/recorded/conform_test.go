package recorded

import (
	"testing"

	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	simtest.Conform(t, "recorded", New, []simtest.Case{
		{Name: "without records", Options: simtest.Options{Laws: simtest.AllLaws}},
	})
}
