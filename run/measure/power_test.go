package measure_test

import (
	"testing"

	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/simtest"
)

// Two machines of two GPUs. Machine 1 is off from 0, boots from 6 to 16; a runs on machine 0 from 0 to
// 10, b waits from 5 and runs on machine 1 from 16 to 20, c waits from 7 and runs on machine 0 from 10 to
// 15. So b waits for 10 s of a boot, and c, whose machine never boots, for none.
func TestPowerByHand(t *testing.T) {
	const s = sim.Second
	start := func(j sim.JobID, gpus ...cluster.GPU) sim.Decision {
		return sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus}
	}
	p := play{0: {start(0, 0, 1), {Kind: sim.PowerOff, Machine: 1}}, 6 * s: {{Kind: sim.PowerOn, Machine: 1}},
		10 * s: {start(2, 0, 1)}, 16 * s: {start(1, 2, 3)}}
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 2, Work: 20 * s, User: "u"},
		{ID: "b", GPUs: 2, Work: 8 * s, Submit: 5 * s, User: "v"},
		{ID: "c", GPUs: 2, Work: 10 * s, Submit: 7 * s, User: "u"}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	m := &power.Model{Specs: []power.Spec{{OffW: 1, BootW: 30, IdleW: 10, GPUIdleW: 2, LinearW: 20, BootS: 10, CycleJ: 7}},
		Of: make([]int32, 2), Carbon: power.Constant(500), Cap: power.Constant(60),
		Price: &power.Series{Steps: []power.Step{{At: 0, Value: 1}, {At: int64(10 * s), Value: 2}}}}
	f := &follow{b: measure.New(top, "user", nil), w: w}
	book, err := f.b.Power(m, top)
	if err != nil {
		t.Fatal(err)
	}
	f.e, err = sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Power: m, Check: true}, f, book)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.e.Drive(t.Context(), p, f.look); err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	f.b.Rows(p, func(name, of, unit string, value float64) {
		if got[name+" "+of] = value; of == "" {
			got[name] = value
		}
	})
	off, boot, idle, busy := 6., 10*30+7., 20*14.+4*14, 40*(10+5+4.)
	first := 6 + 4*30 + 7 + 10*14 + 400. // before 10 s
	all := off + boot + idle + busy
	expect(t, got, map[string]float64{"energy_off_kwh": off / 3.6e6, "energy_boot_kwh": boot / 3.6e6,
		"energy_idle_kwh": idle / 3.6e6, "energy_busy_kwh": busy / 3.6e6, "energy_kwh": all / 3.6e6,
		"energy_busy_kwh u": 600 / 3.6e6, "energy_busy_kwh v": 160 / 3.6e6, "power_mean_w": all / 20,
		"power_max_w": 84, "boots": 1, "boot_wait_mean_s": 10. / 3, "over_cap_s": 13,
		"energy_delay_kwh_s": all / 3.6e6 * (10 + 15 + 8) / 3, "energy_cost": (first + 2*(all-first)) / 3.6e6,
		"carbon_kg": .5 * all / 3.6e6})
	bare := &follow{b: measure.New(top, "", nil)}
	bare.b.Rows(nil, func(name, of, unit string, value float64) { t.Errorf("without power there is %s", name) })
}
