package racks_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/place"
	"tarry/env/racks"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

const small = "cluster=3x2x4,windows=4,warm=6,horizon=24,load=1.2"

func rules() []string {
	return []string{"local", "home", "freest", "spread", "quiet", "fastest"}
}

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{small, small + ",targets=1,forwards=0,part=validation,reward=relative",
		"cluster=2x2x4,windows=4,warm=0,horizon=24,load=1.2,speed=collective,reward=slowdown,targets=7",
		small + ",faults.machine_mtbf_s=72000,faults.machine_mttr_s=7200"} {
		t.Run(options, func(t *testing.T) {
			// The model of speeds remembers the places that it was asked about.
			envtest.CheckEnv(t, envtest.Config{MaxAllocs: 1, New: func() (env.Env, error) {
				return schedtest.Over(simulation.All(), racks.Make)(options)
			}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
		})
	}
}

func config(t testing.TB, text string) racks.Config {
	t.Helper()
	return schedtest.Config(t, text, func(s *param.Set) racks.Config { return racks.Read(s, simulation.All(), racks.ID) })
}

func made(t testing.TB, c racks.Config) *racks.Env {
	t.Helper()
	e, err := racks.New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func policy(t testing.TB, text string) sim.Policy {
	t.Helper()
	return simtest.Build(t, "marl-like", racks.Policy, text)()
}

// An agent that follows a rule is the policy with the rule, record for record; the rules differ.
func TestFollowing(t *testing.T) {
	seen := map[string][]sim.Record{}
	for _, r := range rules() {
		c := config(t, "cluster=3x4x4,windows=4,warm=0,horizon=0,load=1.2")
		want := schedtest.Records(t, &c.Config, 1, policy(t, "rule="+r))
		for _, follow := range []string{r, "marl-like:rule=" + r} {
			e := made(t, c)
			got, steps := schedtest.Demonstrated(t, e.Env, "window=1", follow)
			if !slices.Equal(got, want) || steps < 20 {
				t.Errorf("%s: other records than under the policy, %d questions", follow, steps)
			}
		}
		for other, records := range seen {
			if slices.Equal(records, want) {
				t.Errorf("%s and %s are alike on this window", r, other)
			}
		}
		seen[r] = want
	}
	if err := made(t, config(t, small)).Follow("srtf"); err == nil ||
		!strings.Contains(err.Error(), "srtf cannot be followed, expected one of local, home") {
		t.Errorf("error %v", err)
	}
}

// wild chooses by what it sees.
func wild(obs []float64, mask []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += float64(o * float64(1+i%7))
	}
	for at := int(math.Abs(x)*1e4) % len(mask); ; at = (at + 1) % len(mask) {
		if mask[at] {
			action[0] = float64(at)
			return
		}
	}
}

// The same agent outside and inside the loop gives the same run, whatever it chooses: all jobs end.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{"", ",targets=1", ",forwards=9", ",forwards=0"} {
		c := config(t, "cluster=3x2x4,windows=4,warm=0,horizon=0,load=1.2"+text)
		got := schedtest.Inside(t, text, made(t, c).Env, c, 2, wild, racks.AsPolicy)
		for j := range got {
			if got[j].End == sim.Never {
				t.Fatalf("%s: job %d does not end", text, j)
			}
		}
	}
}

// With one rack there is one scheduler: the rules are the central rules of Place-v0 over the same sets.
func TestOneRack(t *testing.T) {
	c := config(t, "cluster=1x6x4,windows=4,warm=0,horizon=0,load=1.2")
	for own, central := range map[string]string{"local": "first", "home": "first", "freest": "first", "spread": "spread",
		"quiet": "quiet"} {
		want := schedtest.Records(t, &c.Config, 1, simtest.Build(t, "deepshare", place.Policy, "rule="+central)())
		if got := schedtest.Records(t, &c.Config, 1, policy(t, "rule="+own)); !slices.Equal(got, want) {
			t.Errorf("%s is not %s with one rack", own, central)
		}
	}
}

// jobs of a hand-made case: seconds and GPUs in the order of arrival, one each second from 100 s on.
func jobs(list ...[2]int) (out []sim.Job) {
	for i, j := range list {
		out = append(out, sim.Job{Submit: sim.Time(100+i) * sim.Second, GPUs: int32(j[1]),
			Work: sim.Time(j[0]*j[1]) * sim.Second})
	}
	return out
}

// stay is a job's time on GPUs.
type stay struct {
	job      sim.JobID
	gpus     []cluster.GPU
	from, to sim.Time
}

// mirrored are the GPUs in the other of two racks of 8.
func (s *stay) mirrored() (out []cluster.GPU) {
	for _, g := range s.gpus {
		out = append(out, (g+8)%16)
	}
	slices.Sort(out)
	return out
}

// stays notes them.
type stays []stay

func (s *stays) Interval(i *sim.Interval) {
	*s = append(*s, stay{i.Job, slices.Clone(i.GPUs), i.Start, i.End})
}
func (s *stays) Job(*sim.Record)    {}
func (s *stays) Instant(*sim.Gauge) {}

// play runs a policy on jobs on two racks of machines with 4 GPUs, every invariant checked.
func play(t *testing.T, machines int, list []sim.Job, p sim.Policy) (out stays) {
	t.Helper()
	for i := range list {
		list[i].ID = fmt.Sprintf("%02d", i)
	}
	w, err := sim.NewWorkload("by hand", list)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, machines, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}, p,
		&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Two racks that change places give the mirrored run: a job before all others has each of them arrive at
// the other rack.
func TestMirroredRacks(t *testing.T) {
	list := jobs([2]int{30, 3}, [2]int{50, 4}, [2]int{20, 2}, [2]int{40, 4}, [2]int{9, 1}, [2]int{17, 6}, [2]int{8, 2},
		[2]int{60, 7}, [2]int{5, 1}, [2]int{33, 4}, [2]int{21, 8}, [2]int{12, 2})
	for _, r := range rules() {
		a := play(t, 2, slices.Clone(list), policy(t, "rule="+r))
		b := play(t, 2, append([]sim.Job{{GPUs: 1, Work: sim.Second}}, list...), policy(t, "rule="+r))[1:]
		if len(a) != len(list) || len(b) != len(list) {
			t.Fatalf("%s: %d and %d runs of %d jobs", r, len(a), len(b), len(list))
		}
		for i := range a {
			x, y := a[i], b[i]
			if x.job+1 != y.job || x.from != y.from || x.to != y.to || !slices.Equal(x.gpus, y.mirrored()) {
				t.Errorf("%s: %+v, mirrored %+v", r, x, y)
			}
		}
	}
}

// Who starts where, by hand: 2 racks of 1 machine with 4 GPUs.
func TestByHand(t *testing.T) {
	list := jobs([2]int{50, 3}, [2]int{10, 1}, [2]int{20, 2}, [2]int{10, 1})
	for r, want := range map[string][]string{
		// job 2 arrives at rack 0, where one GPU is free, and goes to rack 1; job 3 fills rack 1
		"local": {"1 on [4] 101s-111s", "3 on [7] 103s-113s", "2 on [5 6] 102s-122s", "0 on [0 1 2] 100s-150s"},
		// it waits for rack 0
		"home": {"1 on [4] 101s-111s", "3 on [5] 103s-113s", "0 on [0 1 2] 100s-150s", "2 on [0 1] 150s-170s"},
	} {
		var got []string
		for _, x := range play(t, 1, slices.Clone(list), policy(t, "rule="+r)) {
			got = append(got, fmt.Sprintf("%d on %v %v-%v", x.job, x.gpus, x.from, x.to))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, expected %q", r, got, want)
		}
	}
}

// A job goes no farther than it may: an agent that forwards whenever it can asks forwards times for each
// job at most.
func TestForwards(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		c := config(t, fmt.Sprintf("cluster=3x2x4,windows=4,warm=0,horizon=0,load=0.7,forwards=%d", n))
		e := made(t, c)
		sent := 0
		records, _ := schedtest.Play(t, e.Env, "window=1", func(_ []float64, mask []bool, action []float64) {
			if at := slices.Index(mask[5:], true); at >= 0 {
				action[0] = float64(5 + at)
				sent++
				return
			}
			action[0] = float64(1 + slices.Index(mask[1:], true))
		})
		if most := n * len(records); sent > most || n > 0 && sent < most/3 {
			t.Errorf("forwards=%d: %d of %d", n, sent, most)
		}
	}
}

// Under contended kept is 1 whatever runs on the links of a set.
func TestKept(t *testing.T) {
	e := made(t, config(t, "cluster=2x4x4,windows=4,warm=6,horizon=48,load=1.2"))
	schedtest.Kept(t, e.Env, "choice", "meets")
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{"targets=0": "targets", "forwards=-1": "forwards", "forward=1": "forwards"} {
		if _, err := racks.Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{"rule=locl": `did you mean "local"`, "weights=/none": "/none",
		"rule=home,weights=/none": "rule and weights are both given",
		"lease_s=60":              "without weights",
		"forwards=101":            "forwards"} {
		if _, err := racks.Policy(param.Parse("policy marl-like", text), 0); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// Draws are legal choices, other draws are other runs; jobs with one rule are the policy with the rule.
func TestByRules(t *testing.T) {
	c := config(t, "cluster=3x2x4,windows=4,warm=0,horizon=0,load=1.2,forwards=1")
	e := made(t, c)
	want := schedtest.Records(t, &c.Config, 1, policy(t, "rule=quiet,forwards=1"))
	of := slices.Repeat([]trait.Answer{{Rule: slices.Index(rules(), "quiet")}}, len(want))
	byRule := func() []sim.Record {
		p, err := e.ByRules(of)
		if err != nil {
			t.Fatal(err)
		}
		return schedtest.Records(t, &c.Config, 1, p)
	}
	if !slices.Equal(byRule(), want) {
		t.Error("answers by quiet are not the policy quiet")
	}
	seen := map[string]bool{}
	for k := range 12 {
		for i := range of {
			of[i] = trait.Answer{Rule: -1, Draw: float64((i*7+k)%12) / 12}
		}
		records := byRule()
		text := ""
		for j := range records {
			if records[j].End == sim.Never {
				t.Fatalf("draws %d: job %d does not end", k, j)
			}
			text += fmt.Sprint(records[j].Start, " ")
		}
		seen[text] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d of 12 lists of draws have runs of their own", len(seen))
	}
}
