package voda

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// builders are the policies by name.
func builders() map[string]func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"voda": New, "afs-l": NewAFSL,
		"afs-p": NewAFSP, "edl": NewEDL}
}

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, name, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, name, builders()[name], text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 30, Laws: simtest.PermuteIDs | simtest.NullJob}
	for kind, cases := range map[string][]simtest.Case{
		"voda": o.Settings("", "algorithm=fifo,interval=2", "place=packed,interval=0", "algorithm=srjf,interval=0",
			"algorithm=elastic-srjf,work=estimate,interval=1",
			"algorithm=tiresias,queue=5,promote=2,interval=1,check=1",
			"algorithm=elastic-tiresias,queue=5,promote=1,compact=0,interval=0,check=2,curve=linear",
			"algorithm=ffdl-optimizer,interval=0", "algorithm=afs-l,interval=3"),
		"afs-l": o.Settings("", "share=common,every=3,work=estimate,interval=1"),
		"afs-p": o.Settings("", "every=2,curve=linear"),
		"edl":   o.Settings("queue=4,compact=1"),
	} {
		t.Run(kind, func(t *testing.T) { simtest.Conform(t, kind, builders()[kind], cases) })
	}
}
