package preempt

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan/victim"
	"tarry/sim/simtest"
)

func configV2(t testing.TB, text string) Config { return configOf(t, IDV2, text) }

func TestCheckEnvV2(t *testing.T) {
	for _, options := range []string{"cluster=2x2x4,windows=4,warm=6,horizon=24,load=1.1,candidates=6",
		"cluster=2x2x8,windows=3,warm=6,horizon=30,load=1.1,hide=risk+predicted,predict=none,order=las",
		"cluster=2x2x4,windows=4,warm=6,horizon=24,load=1.1,costs.kill=false,checkpoint_s=30,hide=set"} {
		allocs := 2.0 // the predictor learns from each job that ends
		if strings.Contains(options, "predict=none") {
			allocs = 0
		}
		envtest.CheckEnv(t, envtest.Config{MaxAllocs: allocs,
			New:          func() (env.Env, error) { return MakeV2(simulation.All(), options) },
			ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
	}
}

func TestHideV2(t *testing.T) {
	schedtest.Hides(t, schedtest.Over(simulation.All(), MakeV2),
		"cluster=2x2x4,windows=4,warm=8,horizon=60,load=1.1,checkpoint_s=5,costs.checkpoint_every_s=900,"+
			"costs.kill=false,costs.restore_s=60,hide_work=false", groupsSets(), func(k int, mask []bool, action []float64) {
			var legal []int
			for i, ok := range mask {
				if ok {
					legal = append(legal, i)
				}
			}
			action[0] = float64(legal[k*3%len(legal)])
		})
}

// wildSet takes any legal action, depending on what it sees.
func wildSet(obs []float64, mask []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	var legal []int
	for i, ok := range mask {
		if ok {
			legal = append(legal, i)
		}
	}
	action[0] = float64(legal[int((math.Sin(x*17)+1)/2.001*float64(len(legal)))])
}

// An agent that never evicts is Dally, and one inside the loop is the one outside.
func TestSetsOutsideAndInside(t *testing.T) {
	c := configV2(t, "cluster=2x2x4,warm=0,horizon=60,load=1.2")
	got, steps := play(t, c, "window=1", never)
	if want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(c.Dally, nil)); !slices.Equal(got, want) || steps < 10 {
		t.Errorf("%d questions, or the records differ from Dally's", steps)
	}
	got, _ = play(t, c, "window=1", wildSet)
	p, err := AsPolicy(c, wildSet)
	if err != nil {
		t.Fatal(err)
	}
	if want := schedtest.Records(t, &c.Config, 1, p); !slices.Equal(got, want) {
		t.Error("the records of the agent inside the loop differ")
	}
	killed := sim.Time(0)
	for i := range got {
		killed += got[i].KilledRun
	}
	if killed == 0 {
		t.Error("nothing was lost by kills")
	}
}

// The demonstrated rules, asked at every instant and shown every job, are the rules of Dally's own
// evictions, record for record.
func TestFollowingIsTheChoiceOfVictims(t *testing.T) {
	for k, name := range victim.Names() {
		if k == 0 {
			continue
		}
		for _, order := range []contest.Order{contest.ShortestTime(), contest.LeastService()} {
			c := configV2(t, "cluster=2x2x4,warm=0,horizon=60,load=1.1,candidates=16,victims=1000,order=las")
			c.Every, c.Dally.Order = 1, order
			rule := c.Dally
			rule.Evict, rule.MinRun, rule.Victims = true, float64(c.MinRun)/float64(c.Lease()), victim.Choice(k)
			want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(rule, nil))
			got, evictions := follow(t, c, name)
			if !slices.Equal(got, want) || evictions < 5 {
				t.Errorf("%s in the order %s: %d evictions, records equal: %v", name, order.Name, evictions,
					slices.Equal(got, want))
			}
		}
	}
}

// With a margin the agent that follows a rule is the rule with this margin, and evicts less.
func TestFollowingWithAMargin(t *testing.T) {
	var kills []int
	for _, margin := range []float64{0, 1} {
		c := configV2(t, fmt.Sprintf("cluster=2x2x4,warm=0,horizon=60,load=1.1,candidates=16,victims=1000,"+
			"order=psrpt,margin=%v", margin))
		c.Every = 1
		rule := c.Dally
		rule.Evict, rule.MinRun, rule.Victims = true, float64(c.MinRun)/float64(c.Lease()), victim.LeastLostPerGPU
		rule.Margin = margin
		want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(rule, nil))
		got, evictions := follow(t, c, "least-lost-per-gpu")
		if !slices.Equal(got, want) {
			t.Errorf("margin %v: %d evictions, the records are not the rule's", margin, evictions)
		}
		kills = append(kills, evictions)
	}
	if kills[1] == 0 || kills[1] >= kills[0] {
		t.Errorf("%d evictions without a margin, %d with one, expected fewer", kills[0], kills[1])
	}
}

// Three jobs hold four GPUs; job 3 needs three of them at 100 s. The first two of the set are not
// enough, so nothing goes until the third is named, or none. Who waits is asked again at the
// checkpoint.
func TestSetByHand(t *testing.T) {
	c := configV2(t, "cluster=1x1x4,warm=0,speed=counting,min_run=0.001,every=1,costs.checkpoint_every_s=70,predict=none,"+
		"order=fifo,costs.kill=true")
	c.Costs.Restore = sim.Cost{}
	job := func(id string, at sim.Time, gpus int32) sim.Job {
		return sim.Job{ID: id, Submit: at * sim.Second, GPUs: gpus, Work: sim.Time(gpus) * 1000 * sim.Second}
	}
	c.Source = fixed{[]sim.Job{job("a", 0, 1), job("b", 0, 1), job("c", 20, 2), job("d", 100, 4)}}
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(0)
	_, info, err := e.Reset(&seed, "")
	if err != nil {
		t.Fatal(err)
	}
	legal := func(mask []bool) (out []int) {
		for i, ok := range mask {
			if ok {
				out = append(out, i)
			}
		}
		return out
	}
	do := func(action int, at sim.Time, want ...int) {
		t.Helper()
		s, err := e.Step([]float64{float64(action)})
		if err != nil {
			t.Fatal(err)
		}
		if now := e.Engine().Now(); now != at*sim.Second || !slices.Equal(legal(s.Info.Mask), want) {
			t.Fatalf("after %d: at %v actions %v, expected at %d s %v", action, now, legal(s.Info.Mask), at, want)
		}
	}
	// 16 candidates: 1 to 16 go now, 17 to 32 at their checkpoint. Listed are c, a, b.
	if got := legal(info.Mask); !slices.Equal(got, []int{0, 1, 2, 3, 17, 18, 19}) || e.Engine().Now() != 100*sim.Second {
		t.Fatalf("at %v actions %v", e.Engine().Now(), got)
	}
	do(18, 140, 0, 1, 2, 3, 17, 18, 19) // a has checkpoints at 70 and 140 s
	do(2, 140, 0, 1, 3)
	do(3, 140, 0, 1)
	if _, err := e.Step([]float64{1}); err != nil {
		t.Fatal(err)
	}
	for i, killed := range []sim.Time{0, 0, 50, 0} { // c was saved at 90 s
		if r := e.Engine().Record(sim.JobID(i)); r.KilledRun != killed*sim.Second || r.Preemptions != int32(1-i/3) {
			t.Errorf("job %d: %v lost by %d kills, expected %d s", i, r.KilledRun, r.Preemptions, killed)
		}
	}
	if r := e.Engine().Record(3); r.Start != 140*sim.Second {
		t.Errorf("d starts at %v, expected 140 s", r.Start)
	}
}

// The policy with an agent in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestSetsConform(t *testing.T) {
	c := Config{Every: sim.Second, MinRun: 20 * sim.Second, Candidates: 3, Victims: 2}
	c.ID, c.Dally = IDV2, dally.Default()
	c.Dally.LeaseS, c.Dally.NoLease = 60, true
	simtest.Policy(t, func() sim.Policy {
		p, err := AsPolicy(c, wildSet)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}, simtest.Options{Seeds: 60})
}

// Observations are not clairvoyant by default: predictions are an estimate.
func TestSetsKnow(t *testing.T) {
	for text, want := range map[string]know.Set{"order=fifo": know.Done | know.Estimate,
		"order=fifo,predict=none": know.Done, "order=fifo,hide=predicted": know.Done,
		"order=fifo,hide_work=false,predict=none": know.Done | know.Work,
		"order=gittins": know.Done | know.Estimate} {
		c := configV2(t, "cluster=2x2x4,"+text)
		if err := c.own(); err != nil {
			t.Fatal(err)
		}
		if got := c.fresh().Knows(); got != want {
			t.Errorf("%s: declares %v, expected %v", text, got, want)
		}
	}
}
