package rltune

import (
	"testing"

	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	o := simtest.Options{}
	simtest.Conform(t, "rltune-like", New, o.Named([][2]string{
		{"defaults", ""},
		{"by rank, three at a time", "rule=f1,front=3,weigh=rank,decay=0.5,size=1"},
		{"first fit", "rule=fifo,front=0"},
		{"few nodes", "rule=area,front=64,nodes=1,prefer=0.9"},
		{"profiled", "rule=wfp3,profiled=true"},
		{"clairvoyant", "exact=true,rule=unicep"},
		{"small", "rule=small,by=request"},
	}))
}
