package typed

import (
	"testing"

	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs}
	simtest.Conform(t, "typed", New, o.Named([][2]string{
		{"defaults", ""},
		{"short rounds", "round=2,law_median_s=5,law_spread=1"},
		{"not eager", "round=4,eager=false,edge=0.5,price=1,predicted=true"},
		{"stays", "round=3,running=-1,elsewhere=2,age=-0.3,wait=0.2,pressure_gpus=0.5,preempted=1"},
		{"clairvoyant", "exact=true,slower=2,price=-1,best=0"},
	}))
}
