package themis

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "themis", New, text)
}

func TestConformance(t *testing.T) {
	options := func(seeds int, allocates bool) simtest.Options {
		return simtest.Options{Seeds: seeds, Allocates: allocates, Laws: simtest.PermuteIDs | simtest.NullJob}
	}
	simtest.Conform(t, "themis", New, []simtest.Case{
		{Name: "defaults", Options: options(60, false)},
		{Name: "short leases", Text: "lease=30", Options: options(0, true)},
		{Name: "leases of their own", Text: "lease=20,align=false,f=0.3", Options: options(60, true)},
		{Name: "everybody bids", Text: "lease=30,f=0,round=draw,left=rho", Options: options(60, true)},
		{Name: "the worst-off alone", Text: "lease=30,f=1,left=auction,round=down,grow=false",
			Options: options(60, true)},
		{Name: "users", Text: "lease=30,app=user,f=0.5,work=estimate", Options: options(60, true)},
		{Name: "groups", Text: "lease=30,app=group,f=0,ideal=share,contention=now", Options: options(60, true)},
		{Name: "admission", Text: "lease=30,ideal=alone,idle=ratio,f=1,payments=false,left=auction,align=false,admit=1.5",
			Options: options(60, true)},
	})
}
