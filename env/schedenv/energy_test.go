package schedenv

import (
	"math"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/catalogue/simulation"
	"tarry/env/schedenv/charge"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/series"
)

const kWhJ = 3.6e6

// testPower has machines of one type, with prices and a cap.
func testPower(machines int) *power.Model {
	const hour = 3_600_000_000
	return &power.Model{Of: make([]int32, machines), Carbon: series.Constant(250),
		Specs: []power.Spec{{OffW: 10, BootW: 300, IdleW: 250, GPUIdleW: 50, LinearW: 50, CubicW: 200, BootS: 120,
			CycleJ: 900}},
		Price: &series.Series{Every: 8 * hour, Steps: []series.Step{{At: 0, Value: 1}, {At: 3 * hour, Value: -2}}},
		Cap:   &series.Series{Steps: []series.Step{{At: 0, Value: 1e9}, {At: 5 * hour, Value: 2000}}}}
}

// idleJ is what the idle machines of an episode without a warm-up draw, mostJ a lease at the most.
func idleJ(e *Env) float64 {
	from := float64(e.win.view.Now()-e.begin) / 1e6
	return float64(e.topology().Machines()) * e.cfg.Power.Specs[0].OnW(4) * from
}

func mostJ(e *Env) float64 { return e.meter.energy.FullKWh() * kWhJ }

// booker books intervals and machines that are on: energy at prices by hand, one second at a time.
type booker struct {
	watts []float64 // of each second
	model *power.Model
}

func (b *booker) Interval(i *sim.Interval) {
	if i.Run > 0 {
		draw := float64(len(i.GPUs)) * (1 - i.CommFrac) * b.model.Specs[0].BusyW(i.FreqFrac)
		from, to := (i.End - i.Run).Seconds(), i.End.Seconds()
		for t := int(from); float64(t) < to; t++ {
			for t >= len(b.watts) {
				b.watts = append(b.watts, 0)
			}
			b.watts[t] += draw * (math.Min(to, float64(t+1)) - math.Max(from, float64(t)))
		}
	}
}

func (*booker) Job(*sim.Record)    {}
func (*booker) Instant(*sim.Gauge) {}

// What an episode spends is what a second account of the same run has, by seconds of intervals:
// energy, cost, carbon, and the energy beyond the cap; and the rewards sum to their charge.
func TestEnergyAgainstSeconds(t *testing.T) {
	for _, of := range charge.Prices() {
		e := timidEnv(t, brief+"warm=0,horizon=30,reward=energy,energy_weight=2,over_weight=3,restore_s=40,energy_price="+of)
		e.cfg.Horizon = 0
		sum, err := Play(e, 1, "window=2", func(_ []float64, _ []bool, a []float64) { a[0] = 0 })
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Identity(sum.Return); err != nil {
			t.Error(err)
		}
		if e.Identity(sum.Return*(1+1e-8)-1e-8) == nil {
			t.Error("a wrong sum passes for the right one")
		}
		b := &booker{model: e.cfg.Power}
		engine, _, err := e.cfg.Run(t.Context(), 2, dally.NewPolicy(e.cfg.Dally, nil), b)
		if err != nil {
			t.Fatal(err)
		}
		var want charge.Spent
		idle := float64(e.topology().Machines()) * e.cfg.Power.Specs[0].OnW(4)
		for at := int(e.begin.Seconds()); at < int(engine.Now().Seconds()); at++ {
			w, us := idle, int64(at)*1e6
			if at < len(b.watts) {
				w += b.watts[at]
			}
			want.Add(&charge.Spent{KWh: w / kWhJ, Cost: w / kWhJ * e.cfg.Power.Price.At(us), CarbonKg: w / kWhJ * 0.25,
				OverKWh: max(0, w-e.cfg.Power.Cap.At(us)) / kWhJ})
		}
		got := &e.meter.total
		for i, pair := range [][2]float64{{got.KWh, want.KWh}, {got.Cost, want.Cost}, {got.CarbonKg, want.CarbonKg},
			{got.OverKWh, want.OverKWh}} {
			if math.Abs(pair[0]-pair[1]) > 2e-4*math.Abs(pair[1]) || pair[1] == 0 {
				t.Errorf("%s: account %d is %v, by seconds %v", of, i, pair[0], pair[1])
			}
		}
	}
}

// A discount within steps and between them is the integral of the discounted charge, whatever the
// steps.
func TestEnergyDiscount(t *testing.T) {
	m := testPower(2)
	whole, parts := 0.0, 0.0
	for _, n := range []int{1, 7} {
		c := &Config{Power: m, Reward: Reward{Gamma: 0.8, Energy: charge.Law{Weight: 1, Of: "kwh"}}, Dally: dally.Default()}
		c.Topology = timidEnv(t, "cluster=1x2x4,windows=5,load=0.9,warm=0,horizon=5").cfg.Topology
		w, err := c.account()
		if err != nil {
			t.Fatal(err)
		}
		w.Take(0)
		sum, discount := 0.0, 1.0
		for i := range n {
			step := 3 * c.Lease() / sim.Time(n)
			s := w.Take(sim.Time(i+1) * step)
			sum += discount * s.Charge
			discount *= math.Pow(0.8, 3/float64(n))
		}
		whole, parts = parts, sum
	}
	idle := 2 * m.Specs[0].OnW(4) / (2 * m.Specs[0].MaxW(4))
	want := idle * (1 - math.Pow(0.8, 3)) / -math.Log(0.8)
	if math.Abs(whole-want) > 1e-12 || math.Abs(parts-want) > 1e-8 {
		t.Errorf("discounted charges %v and %v, expected %v", whole, parts, want)
	}
}

// Rewards that need watts or prices are refused where the run states none.
func TestEnergyNeedsPower(t *testing.T) {
	for text, want := range map[string]string{
		"reward=energy": "the run states no power", "reward=energy,energy_price=kw": `did you mean "kwh"?`,
		"reward=energy,energy_weight=-1": "energy_weight"} {
		s := param.Parse("test", brief+text)
		c := Read(s, simulation.All())
		err := s.Err()
		if err == nil {
			err = c.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", text, err, want)
		}
	}
	c := timidEnv(t, brief+"warm=0,horizon=5,reward=energy").cfg
	c.Reward.Energy.Of, c.Power = "cost", &power.Model{Of: c.Power.Of, Specs: c.Power.Specs}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "energy_price is cost and the run states none") {
		t.Errorf("no price: error %v", err)
	}
	c.Power.Price = series.Constant(0)
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "0 at all times") {
		t.Errorf("a price of 0: error %v", err)
	}
}
