package sjfbco

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/preset"
	"tarry/sim/speed"
)

// counted is a cluster of machines of two GPUs whose uplinks jobs share by count.
func counted(t *testing.T, machines int, alpha float64) (*cluster.Topology, sim.SpeedModel) {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, machines, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	f := preset.NVLinkFabric()
	f.Links[network.InRack].GBps /= 20
	m, err := speed.NewContended(top, f, models.NewSet(models.Catalogue()...), "", speed.Contention{
		Share: speed.ShareCount, Alpha: alpha}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return top, m
}

// seen is the policy that keeps the end that its first plan has.
type seen struct {
	*policy
	last float64
}

func (s *seen) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.policy.Decide(v, out)
	if v.Now() == 0 {
		s.last = s.policy.last
	}
	return out
}

// A batch that finds all its GPUs at once ends when its plan ends: to a microsecond where no two jobs
// meet on a link, and else but for shares in sixty-fourths and for what an iteration hides of an
// exchange that takes longer.
func TestPlaysEndAsTheKernel(t *testing.T) {
	set := models.NewSet(models.Catalogue()...)
	alike, met := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 6))
		top, model := counted(t, 4, 0.2)
		var jobs []sim.Job
		for left := 8; left > 0; {
			n := min(left, 1+r.IntN(4))
			left -= n
			jobs = append(jobs, sim.Job{ID: fmt.Sprint(len(jobs)), GPUs: int32(n), Model: set.Names()[r.IntN(len(set.Names()))],
				Work: sim.Time(n) * sim.Seconds(100+900*r.Float64())})
		}
		w, err := sim.NewWorkload("batch", jobs)
		if err != nil {
			t.Fatal(err)
		}
		p := &seen{policy: policyOf(t, "alpha=0.2,steps=0")().(*policy)}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: model, Check: true}, p)
		if err != nil {
			t.Fatal(err)
		}
		end := 0.0
		for i := range jobs {
			end = max(end, float64(e.Record(sim.JobID(i)).End))
		}
		switch off := math.Abs(p.last - end); {
		case off <= 5: // each end is rounded up to a microsecond
			alike++
		case off <= 0.2*end:
			met++
		default:
			t.Errorf("seed %d: the plan ends at %v us, the run at %v", seed, p.last, end)
		}
	}
	if alike < 30 || met < 5 {
		t.Errorf("%d ends are the plan's, %d differ by contention, expected 30 and 5 at least", alike, met)
	}
}

// Under contention the plan has the least makespan that it can see: two jobs of two GPUs with
// much to exchange do not share the links of both machines, as they would where each filled what the
// small jobs leave.
func TestLinksKeepJobsApart(t *testing.T) {
	job := func(id string, gpus int32, s float64, model string) sim.Job {
		return sim.Job{ID: id, GPUs: gpus, Model: model, Work: sim.Time(gpus) * sim.Seconds(s)}
	}
	w, err := sim.NewWorkload("apart", []sim.Job{job("a", 1, 900, "resnet50"), job("b", 1, 900, "resnet50"),
		job("c", 2, 300, "vgg16"), job("d", 2, 300, "vgg16")})
	if err != nil {
		t.Fatal(err)
	}
	top, model := counted(t, 3, 0.2)
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: model, Check: true},
		policyOf(t, "")())
	if err != nil {
		t.Fatal(err)
	}
	for j := range sim.JobID(4) {
		if r := e.Record(j); r.Level > cluster.LevelMachine || r.Start != 0 {
			t.Errorf("job %d starts at %v at level %v, expected now on one machine", j, r.Start, r.Level)
		}
	}
}
