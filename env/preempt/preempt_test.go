package preempt

import (
	"math"
	"slices"
	"testing"

	"tarry/baselines/dally"
	"tarry/catalogue/simulation"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func config(t testing.TB, text string) Config { return configOf(t, ID, text) }

// configOf is the settings of an id, without a horizon.
func configOf(t testing.TB, id, text string) Config {
	t.Helper()
	c := schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), id) })
	c.Horizon = 0
	return c
}

// fresh is the scheduler of one run.
func fresh(t testing.TB, c *Config) *scheduler {
	t.Helper()
	if err := c.own(); err != nil {
		t.Fatal(err)
	}
	return newScheduler(c)
}

func read(e *sim.Engine, n int) []sim.Record { return schedtest.Read(e, n) }

// play steps through an episode of a fresh environment and counts the questions.
func play(t testing.TB, c Config, window string, act schedenv.Actor) ([]sim.Record, int) {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return schedtest.Play(t, e, window, act)
}

func never(_ []float64, _ []bool, action []float64) { action[0] = 0 }

// wild evicts some candidate or none, depending on what it sees.
func wild(obs []float64, mask []bool, action []float64) {
	x, legal := 0.0, 0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	for legal < len(mask) && mask[legal] {
		legal++
	}
	action[0] = math.Floor((math.Sin(x*17) + 1) / 2.001 * float64(legal))
}

// An agent that never evicts is Dally: without leases, or with them.
func TestNeverIsDally(t *testing.T) {
	for _, text := range []string{"cluster=2x2x4,warm=0,horizon=60", "cluster=2x2x4,warm=0,horizon=60,leases=true," +
		"checkpoint_s=20"} {
		c := config(t, text)
		got, steps := play(t, c, "window=1", never)
		if want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(c.Dally, nil)); !slices.Equal(got, want) {
			t.Errorf("%s: the records differ from Dally's", text)
		}
		if steps < 10 {
			t.Errorf("%s: %d questions, expected a cluster in which jobs are blocked", text, steps)
		}
	}
}

// The same agent outside and inside the loop gives the same run, and it does evict.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{"cluster=2x2x4,warm=0,horizon=60", "cluster=2x2x4,warm=8,horizon=60,leases=true," +
		"checkpoint_s=20,restore_s=5", "cluster=2x2x4,warm=8,horizon=60,hide=work+network"} {
		c := config(t, text+",warmup=base") // episodes begin after it
		got, _ := play(t, c, "window=2", wild)
		p, err := AsPolicy(c, wild)
		if err != nil {
			t.Fatal(err)
		}
		if want := schedtest.Records(t, &c.Config, 2, p); !slices.Equal(got, want) {
			t.Errorf("%s: the records differ", text)
		}
		n := int32(0)
		for i := range got {
			n += got[i].Preemptions
		}
		if n == 0 {
			t.Errorf("%s: nobody was evicted", text)
		}
	}
}

// The policy with an agent in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	for _, leases := range []bool{false, true} {
		c := Config{Every: sim.Second, MinRun: 3 * sim.Second, Candidates: 3, Victims: 2}
		c.Dally = dally.Default()
		c.Dally.LeaseS, c.Dally.NoLease = 60, !leases
		build := func() sim.Policy {
			p, err := AsPolicy(c, wild)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		simtest.Policy(t, build, simtest.Options{Seeds: 80, Without: simtest.Costs})
		c.MinRun = 20 * sim.Second // longer than costs, or no job would make progress
		simtest.Policy(t, build, simtest.Options{Seeds: 80})
	}
}

// By hand: two jobs of a whole machine hold the cluster, a third is blocked; evicting the first
// gives its machine to the third at that instant, and the victim waits.
func TestEvictionByHand(t *testing.T) {
	c := config(t, "cluster=1x2x4,warm=0,speed=counting,min_run=0.001,every=0.001")
	job := func(id string, at sim.Time) sim.Job {
		return sim.Job{ID: id, Submit: at, GPUs: 4, Work: 4 * 1000 * sim.Second}
	}
	c.Source = fixed{[]sim.Job{job("a", 0), job("b", 0), job("c", 100*sim.Second)}}
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(0)
	_, info, err := e.Reset(&seed, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := []bool{true, true, true}; !slices.Equal(info.Mask[:3], want) || slices.Contains(info.Mask[3:], true) {
		t.Fatalf("mask %v, expected none and two candidates", info.Mask)
	}
	if now := e.Engine().Now(); now != 100*sim.Second {
		t.Fatalf("asked at %v, expected when c is blocked, at 100s", now)
	}
	s, err := e.Step([]float64{1})
	for err == nil && !s.Done() {
		s, err = e.Step([]float64{0})
	}
	if err != nil {
		t.Fatal(err)
	}
	a, b, third := e.Engine().Record(0), e.Engine().Record(1), e.Engine().Record(2)
	if a.Preemptions != 1 || b.Preemptions != 0 || third.Start != 100*sim.Second {
		t.Errorf("%d and %d preemptions, c starts at %v; expected 1, 0 and 100s", a.Preemptions, b.Preemptions,
			third.Start)
	}
	if want := 1900 * sim.Second; a.End != want || b.End != 1000*sim.Second {
		t.Errorf("a ends at %v, b at %v; expected %v and 1000s", a.End, b.End, want)
	}
}

// fixed is one window for all parts.
type fixed struct{ jobs []sim.Job }

func (fixed) Windows(schedenv.Part) int { return 1 }

func (f fixed) Window(schedenv.Part, int) (*sim.Workload, error) {
	return sim.NewWorkload("fixed", slices.Clone(f.jobs))
}

// Relative to the base policy, an agent that does as it does earns nothing.
func TestRelativeToItselfIsNothing(t *testing.T) {
	c := config(t, "cluster=2x2x4,warm=8,horizon=60,reward=relative")
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	idle, err := schedenv.Play(e, 1, "window=2", never)
	if err != nil {
		t.Fatal(err)
	}
	busy, err := schedenv.Play(e, 1, "window=2", wild)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(idle.Return) > 1e-9 || math.Abs(busy.Return) < 1e-3 {
		t.Errorf("relative returns %v of an agent like the base policy, %v of another; expected 0 and not 0",
			idle.Return, busy.Return)
	}
}

// With hide_work neither blocked jobs nor candidates show how much work is left, and nothing else
// changes.
func TestHideWork(t *testing.T) {
	hidden := map[int]bool{}
	at := len(schedenv.ClusterFeatures())
	for _, n := range append([]int{blockedFeatures}, slices.Repeat([]int{candidateFeatures}, 16)...) {
		hidden[at+4], hidden[at+5] = true, true
		at += n
	}
	seen := func(text string) []float64 {
		e, err := Make(simulation.All(), "cluster=2x2x4,warm=8,horizon=60"+text)
		if err != nil {
			t.Fatal(err)
		}
		seed := uint64(5)
		obs, _, err := e.Reset(&seed, "")
		if err != nil {
			t.Fatal(err)
		}
		return obs
	}
	open, shut, told := seen(""), seen(",hide_work=true"), 0
	for i := range open {
		switch {
		case hidden[i] && shut[i] != 0, !hidden[i] && shut[i] != open[i]:
			t.Errorf("number %d is %v, open %v", i, shut[i], open[i])
		case hidden[i] && open[i] != 0:
			told++
		}
	}
	if told == 0 {
		t.Error("nothing was hidden")
	}
}
