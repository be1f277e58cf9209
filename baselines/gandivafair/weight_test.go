package gandivafair

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// The weight that the run states counts as tickets where the policy's setting names no user: the
// same as tickets=a:3.
func TestWeightsOfTheRun(t *testing.T) {
	owners, err := tenant.New([]tenant.Tenant{{User: "a", Weight: 3}})
	if err != nil {
		t.Fatal(err)
	}
	c := simtest.ByHand{Shape: [3]int{1, 1, 1}, Tenants: owners, Jobs: []sim.Job{asks("a", 1, 60), asks("b", 1, 20)}}
	c.Expect(t, policy(t, "quantum=10")(), "0 on [0] 0s-10s preempt", "1 on [0] 10s-20s preempt",
		"0 on [0] 20s-50s preempt", "1 on [0] 50s-60s finish", "0 on [0] 60s-80s finish")
	c.Expect(t, policy(t, "quantum=10,tickets=a:1")(), "0 on [0] 0s-10s preempt", "1 on [0] 10s-20s preempt",
		"0 on [0] 20s-30s preempt", "1 on [0] 30s-40s finish", "0 on [0] 40s-80s finish")
}
