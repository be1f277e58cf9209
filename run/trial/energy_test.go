package trial

import (
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/power"
	"tarry/sim/series"
)

// script is what happens at which second.
type script map[sim.Time][]sim.Decision

func (script) Knows() know.Set { return know.Nothing }

func (p script) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = append(out, p[v.Now()]...)
	for at := v.Now() + sim.Second; at < 100*sim.Second; at += sim.Second {
		if p[at] != nil {
			return append(out, sim.Decision{Kind: sim.WakeAt, At: at})
		}
	}
	return out
}

// Two machines of two GPUs. Machine 1 is off from 0, boots from 6 to 16; a runs on machine 0 from 0 to
// 10, b waits from 5 and runs on machine 1 from 16 to 20, c waits from 7 and runs on machine 0 from 10 to
// 15. So b waits for 10 s of a boot, and c, whose machine never boots, for none.
func TestPowerByHand(t *testing.T) {
	const s = sim.Second
	start := func(j sim.JobID, gpus ...cluster.GPU) sim.Decision {
		return sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus}
	}
	p := script{0: {start(0, 0, 1), {Kind: sim.PowerOff, Machine: 1}}, 6 * s: {{Kind: sim.PowerOn, Machine: 1}},
		10 * s: {start(2, 0, 1)}, 16 * s: {start(1, 2, 3)}}
	tr := newTrial(workload(t, sim.Job{ID: "a", GPUs: 2, Work: 20 * s, User: "u"},
		sim.Job{ID: "b", GPUs: 2, Work: 8 * s, Submit: 5 * s, User: "v"},
		sim.Job{ID: "c", GPUs: 2, Work: 10 * s, Submit: 7 * s, User: "u"}), topology(t, 1, 2, 2), 0)
	tr.Tenants, tr.Power = "user", &power.Model{Of: make([]int32, 2),
		Specs:  []power.Spec{{OffW: 1, BootW: 30, IdleW: 10, GPUIdleW: 2, LinearW: 20, BootS: 10, CycleJ: 7}},
		Carbon: series.Constant(500), Cap: series.Constant(60),
		Price: &series.Series{Steps: []series.Step{{At: 0, Value: 1}, {At: int64(10 * s), Value: 2}}}}
	tr.Policy = func() (sim.Policy, error) { return p, nil }
	tr.Speed = func() (sim.SpeedModel, error) { return ideal{}, nil }
	out, err := Run(t.Context(), []Trial{tr}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range out[0].Measures {
		name := m.Name
		if m.Of != "" {
			name += " " + m.Of
		}
		got[name] = m.Value
	}
	off, boot, idle, busy := 6., 10*30+7., 20*14.+4*14, 40*(10+5+4.)
	first := 6 + 4*30 + 7 + 10*14 + 400. // before 10 s
	all := off + boot + idle + busy
	for name, want := range map[string]float64{"energy_off_kwh": off / 3.6e6, "energy_boot_kwh": boot / 3.6e6,
		"energy_idle_kwh": idle / 3.6e6, "energy_busy_kwh": busy / 3.6e6, "energy_kwh": all / 3.6e6,
		"energy_busy_kwh u": 600 / 3.6e6, "energy_busy_kwh v": 160 / 3.6e6, "power_mean_w": all / 20,
		"power_max_w": 84, "boots": 1, "boot_wait_mean_s": 10. / 3, "over_cap_s": 13,
		"energy_delay_kwh_s": all / 3.6e6 * (10 + 15 + 8) / 3, "energy_cost": (first + 2*(all-first)) / 3.6e6,
		"carbon_kg": .5 * all / 3.6e6} {
		if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-12*max(1, want) {
			t.Errorf("%s is %v (there: %v), expected %v", name, v, ok, want)
		}
	}
}
