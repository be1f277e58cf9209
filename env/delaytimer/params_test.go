package delaytimer

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/sim"
)

// searched makes an environment that policy search has parameters of.
func searched(t testing.TB, options string) *Env {
	t.Helper()
	e, err := schedtest.Over(simulation.All(), MakeV1)(options + ",regime=true")
	if err != nil {
		t.Fatal(err)
	}
	return e.(*Env)
}

// vectors are the start and some others.
func vectors(e *Env) [][]float64 {
	var out [][]float64
	for k := range 4 {
		var v []float64
		for i, p := range e.Parameters() {
			v = append(v, p.Start+p.Sigma*float64(k)*math.Sin(float64(7*k+i*i)))
		}
		out = append(out, v)
	}
	return out
}

// What Play measures on a window of a mixture is what the policy with Answer inside does there, and
// is relative to Dally.
func TestPlayIsThePolicy(t *testing.T) {
	ctx := context.Background()
	for _, options := range []string{"cluster=ethernet:4x4x8,windows=4,warm=6,horizon=48,load=1.3,warmup=base",
		"mixture=" + strings.Join(regimes(t), "+") + ",cluster=ethernet:4x4x8,warmup=base"} {
		e := searched(t, options)
		if err := trait.CheckParameters(e.Parameters()); err != nil {
			t.Fatal(err)
		}
		c := e.Config()
		costs := map[float64]bool{}
		for w := range 2 {
			for _, x := range vectors(e) {
				p := e.AsPolicy(func(obs []float64, _ []bool, action []float64) {
					if err := e.Answer(action, obs, x); err != nil {
						t.Error(err)
					}
				})
				engine, load, err := c.Run(ctx, w, p)
				if err != nil {
					t.Fatal(err)
				}
				jct := 0.0
				for j, job := range load.Jobs {
					jct += (engine.Record(sim.JobID(j)).End - job.Submit).Seconds() / float64(len(load.Jobs))
				}
				o, err := e.Play(ctx, x, trait.Train, w)
				if err != nil {
					t.Fatal(err)
				}
				again, err := e.Play(ctx, x, trait.Train, w)
				if err != nil || again.Cost != o.Cost {
					t.Errorf("window %d: %v after %v, error %v", w, again.Cost, o.Cost, err)
				}
				if math.Abs(o.Metrics[0].Value/jct-1) > 1e-12 || o.Cost != o.Metrics[0].Value/o.Metrics[1].Value {
					t.Errorf("window %d: Play says %v, the records %v s", w, o, jct)
				}
				costs[o.Cost] = true
			}
		}
		if len(costs) < 2 {
			t.Errorf("%s: costs %v, expected them to depend on the vector", options, costs)
		}
	}
}

// The start is the base policy but for demands that share a class and tuning between epochs.
func TestStartIsNearDally(t *testing.T) {
	e := searched(t, "cluster=ethernet:4x4x8,windows=4,warm=0,horizon=48,load=0.9")
	for w := range 4 {
		o, err := e.Play(context.Background(), vectors(e)[0], trait.Validation, w)
		if err != nil || math.Abs(o.Cost-1) > 0.1 {
			t.Errorf("window %d: cost %v, error %v, expected about 1", w, o.Cost, err)
		}
	}
}

// On a slow network coarse places cost more than on a fast one, to larger jobs and not to single
// GPUs; a hidden group shows nothing.
func TestCostsTellNetworksApart(t *testing.T) {
	seed := uint64(1)
	last := func(options string) []float64 {
		e := searched(t, options+",windows=4,warm=24,horizon=48,load=1.1")
		obs, _, err := e.Reset(&seed, "window=0")
		if err != nil {
			t.Fatal(err)
		}
		return obs[schedFeatures:]
	}
	slow, fast := last("cluster=ethernet:4x4x8"), last("cluster=4x4x8")
	width := features + len(regimeFeatures())
	at := func(obs []float64, class, k int) float64 { return obs[class*width+features+k] }
	for class := 1; class < 4; class++ { // four GPUs to sixteen
		if s, f := at(slow, class, 1), at(fast, class, 1); !(s > f && f >= 0) {
			t.Errorf("class %d: across racks costs %v on Ethernet and %v on NVLink", class, s, f)
		}
	}
	if at(slow, 2, 0) <= at(fast, 2, 0) || at(slow, 2, 2) <= 0.5 || at(slow, 2, 3) <= 0.5 {
		t.Errorf("class 2 shows %v and %v", slow[2*width+features:3*width], fast[2*width+features:3*width])
	}
}

const schedFeatures = 12

// Places by demand: in a machine, on one machine more than needed, in two racks; none where there
// is none.
func TestSpreads(t *testing.T) {
	c := config(t, "cluster=3x2x4")
	var s spreads
	for n, want := range map[int][3]string{1: {"1", "", ""}, 4: {"4", "2+2", "4/"}, 6: {"", "3+3", "3/3"},
		8: {"", "4+4", "4/4"}, 20: {"", "", "7/7/6"}} {
		at := s.of(c.Topology, n, "")
		for k, gpus := range at {
			if (want[k] == "") != (len(gpus) == 0) || len(gpus) != 0 && len(gpus) != n || !slices.IsSorted(gpus) {
				t.Errorf("%d GPUs, place %d: %v, expected %q", n, k, gpus, want[k])
			}
		}
		if n == 4 && (c.Topology.LevelOf(at[1]) <= c.Topology.LevelOf(at[0]) ||
			c.Topology.LevelOf(at[2]) <= c.Topology.LevelOf(at[1])) {
			t.Errorf("places of 4 GPUs are not each coarser than the last: %v", at)
		}
	}
}

func TestCheckSearched(t *testing.T) {
	mixed := "mixture=" + strings.Join(regimes(t), "+")
	envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) {
		return searched(t, "cluster=2x2x4,windows=4,"+
			"warm=6,horizon=24"), nil
	},
		ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
	envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return searched(t, mixed), nil },
		ResetOptions: []string{"window=3"}, Identity: schedtest.Identity})
}

// What export wrote is demonstrated to the last bit; a damaged file names its line.
func TestWeightsAreDemonstrated(t *testing.T) {
	e := searched(t, "cluster=2x2x4,windows=4,warm=6,horizon=24,load=1.1")
	x := vectors(e)[2]
	var text strings.Builder
	if err := e.Export(&text, x); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "weights.txt")
	write := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(text.String())
	if err := e.Follow("weights:" + path); err != nil {
		t.Fatal(err)
	}
	got, want := make([]float64, 2*Classes), make([]float64, 2*Classes)
	if err := e.Demonstrate(got); !errors.Is(err, env.ErrResetNeeded) {
		t.Errorf("before a reset: %v", err)
	}
	obs, _, err := e.Reset(nil, "window=1")
	if err := errors.Join(err, e.Answer(want, obs, x), e.Demonstrate(got)); err != nil || !slices.Equal(got, want) {
		t.Errorf("demonstrated %v, expected %v, error %v", got, want, err)
	}
	lines := strings.Split(text.String(), "\n")
	for _, wrong := range []struct{ text, want string }{
		{strings.Replace(text.String(), "rack_bias", "rack_bais", 1),
			`weights.txt:3: "rack_bais" is unknown, expected some of rack_bias, rack_tuner, rack_cost`},
		{strings.Join(append(slices.Clone(lines[:3]), "rack_tuner = 99"), "\n"),
			`weights.txt:4: rack_tuner is "99", expected a number from -16 to 16`},
		{text.String() + "net_size = 1", "weights.txt:15: net_size is given on line 13 already, expected once"},
		{text.String() + "net_size 1", `weights.txt:15: the line is "net_size 1", expected NAME = VALUE`},
		{strings.Join(lines[:4], "\n"), "weights.txt:4: the weight rack_cost is missing, expected every weight of " +
			"both timers"},
		{"tarry-score 1\n", `weights.txt:1: the file begins with "tarry-score 1", expected "tarry-timers 1"`},
	} {
		write(wrong.text)
		if err := e.Follow("weights:" + path); err == nil || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("error %v, expected %s", err, wrong.want)
		}
	}
	if err := e.Follow("weights:/none/at.all"); err == nil ||
		!strings.HasPrefix(err.Error(), "weights: open /none/at.all") {
		t.Errorf("error %v", err)
	}
	if err := e.Follow("dally"); err != nil {
		t.Error(err)
	}
}

// A wait without end is the largest action, with the option alone.
func TestEndless(t *testing.T) {
	c := *searched(t, small).cfg
	s := newScheduler(&c)
	if got := s.timer(1); got != sim.Never {
		t.Errorf("the largest action waits for %v", got)
	}
	c.SeeRegime = false
	if got := s.timer(1); got != 60*c.Lease() {
		t.Errorf("without the option it waits for %v", got)
	}
	var _ schedenv.Simulated = &Env{}
}
