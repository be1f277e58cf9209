package vclos

import (
	"testing"

	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 150, Laws: simtest.AllLaws}
	simtest.Conform(t, "vclos", New, o.Settings(""))
}
