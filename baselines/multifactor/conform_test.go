package multifactor

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "slurm", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 100, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "slurm", New, o.Named([][2]string{
		{"defaults", ""},
		{"short periods", "calc_s=2,half_s=9,max_age_s=20,backfill=easy,weight_qos=50"},
		{"classic", "calc_s=3,half_s=20,fairshare=classic,decay=exact,backfill=none,favor=small,weight_gpu=7"},
		{"few reservations", "calc_s=1.5,half_s=0,depth=3"},
		{"by request", "calc_s=5,by=request,backfill=easy"},
		{"consolidated", "calc_s=2,half_s=9,place=consolidate"},
		{"consolidated behind one", "calc_s=2,half_s=9,place=lowest,backfill=easy"},
		{"delays", "calc_s=2,half_s=9,place=delay,delay_machine_s=4,delay_rack_s=4"},
	}))
}

// ranked lets the jobs of the suite have priorities of their own, which it draws for none: by the
// length of the name of its model and its number of GPUs.
type ranked struct{ sim.Policy }

func (r ranked) Clone() sim.Policy { return ranked{r.Policy.(*Policy).Clone()} }

func (r ranked) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = r.Policy.Decide(v, out)
	p := r.Policy.(*Policy)
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive { // for the next decisions
			p.jobs[ev.Job].qos = int32(len(v.Job(ev.Job).Model())) + int32(v.Job(ev.Job).GPUs()%3)
		}
	}
	return out
}

func TestConformanceWithPreemption(t *testing.T) {
	for _, text := range []string{"preempt=qos,calc_s=2,half_s=9", "preempt=qos,backfill=easy,calc_s=3",
		"preempt=qos,backfill=none,calc_s=1", "preempt=qos,place=consolidate,calc_s=2"} {
		t.Run(text, func(t *testing.T) {
			fresh := policy(t, text)
			simtest.Policy(t, func() sim.Policy { return ranked{fresh()} },
				simtest.Options{Seeds: 450, Allocates: true, Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"weight_age=-1", "weight_size=0.5", "favor=none", "half_s=0.5", "calc_s=0",
		"backfill=all", "preempt=yes", "depth=0", "dampening=0"} {
		if _, err := New(param.Parse("policy slurm", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
