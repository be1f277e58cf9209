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
	return map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"voda": New, "afs-l": NewAFSL, "afs-p": NewAFSP, "edl": NewEDL}
}

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, name, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, name, builders()[name], text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		laws       simtest.Law
	}{
		{"voda", "", simtest.PermuteIDs},
		{"voda", "algorithm=fifo,interval=2", simtest.PermuteIDs},
		{"voda", "place=packed,interval=0", simtest.PermuteIDs},
		{"voda", "algorithm=srjf,interval=0", simtest.PermuteIDs},
		{"voda", "algorithm=elastic-srjf,work=estimate,interval=1", simtest.PermuteIDs},
		{"voda", "algorithm=tiresias,queue=5,promote=2,interval=1,check=1", simtest.PermuteIDs},
		{"voda", "algorithm=elastic-tiresias,queue=5,promote=1,compact=0,interval=0,check=2,curve=linear", simtest.PermuteIDs},
		{"voda", "algorithm=ffdl-optimizer,interval=0", simtest.PermuteIDs},
		{"voda", "algorithm=afs-l,interval=3", simtest.PermuteIDs},
		{"afs-l", "", simtest.PermuteIDs},
		{"afs-l", "share=common,every=3,work=estimate,interval=1", simtest.PermuteIDs},
		{"afs-p", "", simtest.PermuteIDs},
		{"afs-p", "every=2,curve=linear", simtest.PermuteIDs},
		{"edl", "queue=4,compact=1", simtest.PermuteIDs},
	} {
		t.Run(c.name+" "+c.text, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.name, c.text), simtest.Options{Seeds: 30, Laws: c.laws | simtest.NullJob})
		})
	}
}

// As published jobs may be given less than their min, and then wait; nothing else is wrong.
func TestPublishedConforms(t *testing.T) {
	for _, a := range []string{"elastic-fifo", "elastic-srjf", "elastic-tiresias", "ffdl-optimizer", "afs-l"} {
		t.Run(a, func(t *testing.T) {
			simtest.Policy(t, policy(t, "voda", "corrected=false,interval=1,check=1,queue=5,algorithm="+a), simtest.Options{Seeds: 20, MayStarve: true})
		})
	}
}
