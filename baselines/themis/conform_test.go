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
	for _, c := range []struct {
		name, text string
		seeds      int
	}{
		{"defaults", "", 60},
		{"short leases", "lease=30", 0},
		{"leases of their own", "lease=20,align=false,f=0.3", 60},
		{"everybody bids", "lease=30,f=0,round=draw,left=rho", 60},
		{"the worst-off alone", "lease=30,f=1,left=auction,round=down,grow=false", 60},
		{"users", "lease=30,app=user,f=0.5,work=estimate", 60},
		{"groups", "lease=30,app=group,f=0,ideal=share,contention=now", 60},
		{"as the simulator", "lease=30,value=speedup,ideal=alone,idle=ratio,threshold=0,payments=false,left=auction,align=false,admit=1.5", 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Seeds: c.seeds, Allocates: c.text != "", Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}
