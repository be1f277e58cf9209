package power

import (
	"math"
	"slices"
	"testing"

	"tarry/baselines/dally"
	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/param"
	draw "tarry/sim/power"
	"tarry/sim/series"
)

const (
	short  = "cluster=2x2x4,windows=4"
	small  = short + ",warm=6,horizon=24"
	priced = small + ",energy_price=cost"
)

// model has machines of one type, with a price and a carbon intensity that change by the hour and a
// cap that holds at noon.
func model(machines int) *draw.Model {
	day := &series.Series{Every: int64(24 * hour)}
	for h := range int64(24) {
		day.Steps = append(day.Steps, series.Step{At: h * int64(hour), Value: 0.1 + 0.02*float64((h*7)%24)})
	}
	return &draw.Model{Of: make([]int32, machines), Price: day, Carbon: series.Constant(300),
		Cap: &series.Series{Every: int64(24 * hour), Steps: []series.Step{{At: 0, Value: 1e6},
			{At: int64(11 * hour), Value: 2500}, {At: int64(14 * hour), Value: 1e6}}},
		Specs: []draw.Spec{{Name: "test", OffW: 10, BootW: 300, IdleW: 250, GPUIdleW: 50, LinearW: 50, CubicW: 200,
			BootS: 120, DownS: 30, CycleJ: 20000}}}
}

func config(t testing.TB, text string) Config {
	t.Helper()
	c, err := configOf(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func configOf(text string) (Config, error) {
	s := param.Parse("test", text)
	c := Read(s, simulation.All(), ID)
	if c.Topology != nil {
		c.Power = model(c.Topology.Machines())
	}
	return c, s.Err()
}

func made(t testing.TB, c Config) *schedenv.Env {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// set always sets the same.
func set(limit, spare, timer float64, clock ...float64) schedenv.Actor {
	return func(_ []float64, _ []bool, action []float64) {
		c := Config{LowestClock: 0.5}
		c.encode(limit, spare, timer, [classes]float64(clock), action)
	}
}

var never = math.Inf(1)

// wild sets whatever, depending on what it sees.
func wild(obs []float64, _ []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	for i := range action {
		action[i] = math.Sin(x*17 + float64(i))
	}
}

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{priced, priced + ",base=fifo-fit,hide=ahead+day",
		small + ",checkpoint_s=30,restore_s=10,part=validation,over_weight=3,reward=relative",
		small + ",base=srtf,gamma=0.9,energy_price=carbon,average=8",
		small + `,load=1.2,base="sjf:block=true",elastic="min=1,max=2x"`} {
		t.Run(options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return New(config(t, options), options) },
				ResetOptions: []string{"window=2"}, Identity: schedtest.Identity, MaxAllocs: 4})
		})
	}
}

// With all machines on at the nominal clock the run is the base policy's, and so is a run whose agent
// is never asked.
func TestAlwaysOnIsTheBase(t *testing.T) {
	for _, base := range []string{"dally", "fifo", "fifo-fit", "srtf", "las", "sjf:block=true", "gandiva"} {
		c := config(t, short+`,warm=0,horizon=0,load=1.2,checkpoint_s=20,restore_s=5,base="`+base+`"`)
		alone := schedtest.Policy(t, policies.All(), base)
		if base == "dally" {
			alone = dally.NewPolicy(c.Dally, nil)
		}
		want := schedtest.Records(t, &c.Config, 1, alone)
		got, asked := schedtest.Play(t, made(t, c), "window=1", set(1, 1, never, 1, 1, 1))
		if !slices.Equal(got, want) || asked < 10 {
			t.Errorf("%s: the records differ, or %d questions are too few", base, asked)
		}
		c.Warm, c.WarmBase = 1e9*sim.Second, true
		p, err := AsPolicy(c, wild)
		if err != nil {
			t.Fatal(err)
		}
		if got := schedtest.Records(t, &c.Config, 1, p); !slices.Equal(got, want) {
			t.Errorf("%s: the records of one that is never asked differ", base)
		}
	}
}
