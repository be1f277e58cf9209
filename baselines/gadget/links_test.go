package gadget

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/preset"
	"tarry/sim/speed"
)

// reserving is the policy whose programme is looked at after each decision.
type reserving struct {
	*policy
	t       *testing.T
	bound   int // slots in which the uplinks leave no room for what a job would gain by
	uplinks int // slots in which rings take uplinks
}

func (s *reserving) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.policy.Decide(v, out)
	n := s.slot.problem.Groups()
	if v.Now()%s.length != 0 || n == 0 {
		return out
	}
	held(s.t, uint64(v.Now()), &s.slot)
	used := 0.0
	for _, o := range s.slot.pick {
		used += s.slot.use(o)[1]
	}
	if used > 0 {
		s.uplinks++
	}
	if used > s.slot.problem.Cap[1]-1 {
		s.bound++
	}
	return out
}

// Where jobs share links the programme has a row for the uplinks, which rings over several machines
// take and do not exceed, whatever they would gain.
func TestUplinksAreARow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	top, err := cluster.New(cluster.Uniform(1, 6, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	set := models.NewSet(models.Catalogue()...)
	f := preset.NVLinkFabric()
	f.Links[network.InRack].GBps /= 20
	m, err := speed.NewContended(top, f, set, "", speed.Contention{Share: speed.ShareCount, Alpha: 0.2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i := range 40 {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(20 * float64(i)), GPUs: 3, MinGPUs: 3,
			MaxGPUs: 8, Model: set.Names()[r.IntN(len(set.Names()))], Work: sim.Seconds(100 + 200*r.Float64())})
	}
	w, err := sim.NewWorkload("elastic", jobs)
	if err != nil {
		t.Fatal(err)
	}
	p := &reserving{policy: policyOf(t, "slot=30")().(*policy), t: t}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true},
		p); err != nil {
		t.Fatal(err)
	}
	if p.uplinks == 0 || p.bound == 0 {
		t.Errorf("rings take uplinks in %d slots, and nearly all of them in %d, expected some", p.uplinks, p.bound)
	}
}
