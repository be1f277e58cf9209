package sleep

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// In the gaps between jobs a machine under a break-even timer takes at most twice the energy of one
// that is switched off, or not, by the length of each gap (Karlin et al. 1988); other timers may not.
func TestBreakEvenRatio(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	spec := power.Spec{OffW: 0, BootW: 250, IdleW: 150, GPUIdleW: 50, LinearW: 100, BootS: 60, CycleJ: 5000}
	worst, beyond := 0.0, false
	for seed := range uint64(40) {
		draws := rng.Source{Seed: seed}.Stream("gaps")
		var js []sim.Job
		at := sim.Time(0)
		for i := range 30 {
			js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: 1, Work: 10 * sim.Second, Submit: at})
			at += sim.Seconds(10 + 60 + 400*draws.Float64()*draws.Float64())
		}
		w, err := sim.NewWorkload("gaps", js)
		if err != nil {
			t.Fatal(err)
		}
		model := &power.Model{Specs: []power.Spec{spec}, Of: []int32{0}}
		for _, rule := range []string{"rule=break-even", "rule=timer,idle_s=0", "rule=timer,idle_s=100000"} {
			b, err := books.New(model, top, nil)
			if err != nil {
				t.Fatal(err)
			}
			cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Power: model, Check: true}
			e, err := sim.Run(context.Background(), cfg, policy(t, "host=fifo,buffer=0,"+rule)(), b)
			if err != nil {
				t.Fatal(err)
			}
			best, ran := 0.0, 0.0
			for j := range js {
				r := e.Record(sim.JobID(j))
				if ran += (r.End - r.Start).Seconds(); j+1 < len(js) {
					gap := max(0, w.Jobs[j+1].Submit-r.End).Seconds()
					best += min(gap*spec.OnW(1), spec.CycleJ+spec.BootW*spec.BootS)
				}
			}
			b.Advance(e.Now())
			took := b.Total().J() - ran*(spec.OnW(1)+spec.BusyW(1))
			if ratio := took / best; rule == "rule=break-even" {
				worst = max(worst, ratio)
			} else if ratio > 2 {
				beyond = true
			}
		}
	}
	if worst > 2+1e-9 || worst < 1 {
		t.Errorf("a break-even timer takes %.3f times the least energy, expected 1..2", worst)
	}
	if !beyond {
		t.Error("no other timer takes more than twice the least energy: these gaps test nothing")
	}
	t.Logf("at most %.3f times the least energy", worst)
}
