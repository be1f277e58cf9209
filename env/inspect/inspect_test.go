package inspect

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/inspected"
	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/inspect/schedinspector"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// small is a machine of 16 processors that is busy.
const small = "cluster=1x2x8,window_jobs=200,windows=6,load=1.4,workload=poisson,by=estimate"

func config(t testing.TB, text string) Config {
	t.Helper()
	return schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), ID) })
}

func made(t testing.TB, c Config) *Env {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wild refuses by what it sees.
func wild(obs []float64, _ []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	action[0] = float64(int(math.Abs(x)*1e4) % 3 % 2)
}

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{"cluster=1x2x8,window_jobs=60,windows=4,load=1.3",
		"cluster=1x2x8,window_jobs=60,windows=4,load=1.6,backfill=none,base=f1,by=estimate,part=validation,refusals=3",
		"cluster=1x2x8,window_jobs=50,windows=4,load=1.3,reward=bsld,backfill=fcfs",
		"cluster=1x2x8,window_jobs=50,windows=4,load=1.3,reward=jct,horizon=20",
		"protocol=schedinspector,cluster=1x2x8,window_jobs=60,windows=4,load=1.3",
		"protocol=schedinspector,cluster=1x2x8,window_jobs=60,windows=4,load=1.3,backfill=fcfs,base=lexp,by=request"} {
		t.Run(options, func(t *testing.T) {
			c := envtest.Config{New: func() (env.Env, error) { return schedtest.Over(simulation.All(), Make)(options) },
				ResetOptions: []string{"window=2"}, Identity: schedtest.Identity}
			if strings.HasPrefix(options, "protocol") {
				c.Identity = nil
			}
			envtest.CheckEnv(t, c)
		})
	}
}

// slowdown is the mean bounded slowdown of the episode that has ended.
func slowdown(e *Env) (sum float64) {
	for j, r := range schedtest.Read(e.Engine(), len(e.Workload())) {
		job := &e.Workload()[j]
		sum += max(1, (r.End-job.Submit).Seconds()/max(10, job.RunTime().Seconds())) / float64(len(e.Workload()))
	}
	return sum
}

// The return is (base - own) / max(base, own, 1) of the mean bounded slowdowns.
func TestReturnIsGain(t *testing.T) {
	for _, fill := range []string{"none", "fcfs", "easy"} {
		e := made(t, config(t, small+",backfill="+fill))
		for window := range 3 {
			at, sum := fmt.Sprintf("window=%d", window), [2]env.Episode{}
			var cost [2]float64
			for k, act := range []schedenv.Actor{func(_ []float64, _ []bool, a []float64) { a[0] = 0 }, wild} {
				var err error
				if sum[k], err = schedenv.Play(e, 1, at, act); err != nil {
					t.Fatal(err)
				}
				cost[k] = slowdown(e)
			}
			want := (cost[0] - cost[1]) / max(cost[0], cost[1], 1)
			if math.Abs(sum[0].Return) > 1e-9 || math.Abs(sum[1].Return-want) > 1e-9 || cost[1] < 2 || cost[0] == cost[1] {
				t.Errorf("%s, window %d: returns %v and %v, expected 0 and %v", fill, window, sum[0].Return, sum[1].Return, want)
			}
		}
	}
}

// Over the simulator and in the published loop the same answers give the same starts: with all that
// is published (base rules, backfilling, pauses, events one at a time).
func TestTwin(t *testing.T) {
	refused := 0
	for _, text := range []string{"base=sjf", "base=fcfs", "base=f1", "base=sjf,backfill=fcfs", "base=f1,backfill=fcfs"} {
		if !strings.Contains(text, "backfill") {
			text += ",backfill=none"
		}
		c := config(t, small+",refusals=100000,"+text)
		e := made(t, c)
		for window := range 4 {
			var answers []bool
			_, err := schedenv.Play(e, 1, fmt.Sprintf("window=%d", window), func(obs []float64, m []bool, a []float64) {
				if wild(obs, m, a); len(e.View().Running()) == 0 && len(answers)%7 > 0 {
					a[0] = 0
				}
				answers = append(answers, a[0] == 1)
			})
			if err != nil {
				t.Fatal(err)
			}
			refused += replayed(t, &c, e, answers, text)
		}
	}
	if refused < 500 {
		t.Errorf("%d refusals, expected more", refused)
	}
}

// replayed plays the answers of an episode in the published loop.
func replayed(t *testing.T, c *Config, e *Env, answers []bool, text string) (refusals int) {
	t.Helper()
	l := (&instances{cfg: c}).log(e.Workload())
	base, err := schedinspector.RuleOf(c.Protocol.Base)
	if err != nil {
		t.Fatal(err)
	}
	var w schedinspector.World
	set := schedinspector.Setting{Jobs: len(l.Jobs), Base: base, Backfill: c.Protocol.Fill == "fcfs"}
	if err := w.Begin(l, set); err != nil {
		t.Fatal(err)
	}
	for i, refuse := range answers {
		if w.Stuck() && refuse { // there time stands still
			t.Fatalf("%s: refused with nothing that runs or comes", text)
		}
		if w.Act(refuse) != (i == len(answers)-1) {
			t.Fatalf("%s: the loop ends after %d of %d answers", text, i+1, len(answers))
		}
	}
	for j, r := range schedtest.Read(e.Engine(), len(l.Jobs)) {
		if math.Abs(r.Start.Seconds()-w.Start(j)) > 1e-6 {
			t.Fatalf("%s: job %d starts at %v, in the loop at %v", text, j, r.Start, w.Start(j))
		}
	}
	refusals, _ = w.Counts()
	return refusals
}

// Refusing nothing is the base rule: without backfilling and with fcfs picked, record for record.
func TestFollowing(t *testing.T) {
	for _, fill := range []string{"none", "fcfs"} {
		for _, order := range []string{"fcfs", "sjf", "f1", "wfp3", "unicep"} {
			c := config(t, small+",backfill="+fill+",base="+order)
			e := made(t, c)
			want := schedtest.Records(t, &c.Config, 1, schedtest.Policy(t, policies.All(), "picked:order="+order+
				",backfill="+fill))
			got, steps := schedtest.Demonstrated(t, e.Env, "window=1", "never")
			if !slices.Equal(got, want) || steps < 50 {
				t.Errorf("%s, %s: another run, %d questions", order, fill, steps)
			}
		}
	}
	if err := made(t, config(t, small)).Follow("srtf"); err == nil ||
		!strings.Contains(err.Error(), "srtf cannot be followed") {
		t.Errorf("error %v", err)
	}
}

// Each fixed inspector is another one, and the same as a policy and as a demonstration.
func TestInspectors(t *testing.T) {
	var seen [][]sim.Record
	for _, name := range inspected.InspectorNames() {
		c := config(t, small+",backfill=none")
		e := made(t, c)
		got, _ := schedtest.Demonstrated(t, e.Env, "window=1", name)
		if want := schedtest.Records(t, &c.Config, 1, fixed(t, &c, name)); !slices.Equal(got, want) {
			t.Errorf("%s: the policy leads to another run", name)
		}
		if slices.ContainsFunc(seen, func(r []sim.Record) bool { return slices.Equal(r, got) }) {
			t.Errorf("%s is the same as another", name)
		}
		seen = append(seen, got)
	}
}

// fixed is the base rule with a fixed inspector.
func fixed(t *testing.T, c *Config, name string) sim.Policy {
	t.Helper()
	i, err := inspected.InspectorOf(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := inspected.NewRuled(&c.Protocol, i)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The policy with an inspector in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	for _, text := range []string{"backfill=none,base=f1", "backfill=fcfs", "backfill=easy", "backfill=easy,by=estimate"} {
		c := config(t, text)
		for _, name := range []string{"wild", "wide-and-full", "full"} {
			simtest.Policy(t, func() sim.Policy {
				if name != "wild" {
					return fixed(t, &c, name)
				}
				p, err := AsPolicy(c, wild)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}, simtest.Options{Seeds: 12})
		}
	}
}

// In the published loop the return is the relative gain of the metrics, each fixed
// inspector costs what it costs there, and parts differ.
func TestPublished(t *testing.T) {
	const text = "protocol=schedinspector,cluster=1x2x8,window_jobs=100,windows=4,load=1.4,workload=poisson"
	e, err := NewPublished(config(t, text), "")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[float64]bool{}
	for _, name := range inspected.InspectorNames() {
		if err := e.Follow(name); err != nil {
			t.Fatal(err)
		}
		sum, err := schedenv.Play(e, 1, "window=2", func(_ []float64, _ []bool, a []float64) {
			if err := e.Demonstrate(a); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		var m [4]float64
		e.Model().Metrics(m[:])
		if cost, err := e.Cost(); err != nil || cost != m[0] || math.Abs(sum.Return-(m[1]-m[0])/max(m[0], m[1])) > 1e-12 ||
			int(m[3]) != sum.Steps || (name == "never") != (m[2] == 0) {
			t.Errorf("%s: return %v over %d steps, metrics %v, error %v", name, sum.Return, sum.Steps, m, err)
		}
		seen[m[0]] = true
	}
	if len(seen) < 4 {
		t.Errorf("%d different costs", len(seen))
	}
	other, err := e.Another(schedenv.Test)
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := schedenv.Play(other, 1, "window=2", wild); err != nil || other.(*Published).Part() != schedenv.Test {
		t.Errorf("%v, error %v", sum, err)
	}
}

// Who refuses for ever is cut off.
func TestPublishedEnds(t *testing.T) {
	const text = "protocol=schedinspector,cluster=1x2x8,window_jobs=10,windows=4,workload=poisson"
	e, err := NewPublished(config(t, text), "")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := schedenv.Play(e, 1, "window=0", func(_ []float64, _ []bool, a []float64) { a[0] = 1 })
	if err != nil || sum.Steps != 4000 || sum.Return != -1 {
		t.Errorf("%+v, error %v", sum, err)
	}
	if cost, err := e.Cost(); err != nil || !(cost >= 2) {
		t.Errorf("cost %v, error %v", cost, err)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"refusals=-1":                               "refusals",
		"base=saf":                                  `order "saf": unknown, expected one of`,
		"base=srtf":                                 "base",
		"backfill=no":                               "backfill",
		"protocol=rl":                               "protocol",
		"warm=3":                                    "warm is 10800s, expected 0: a window begins with an empty cluster",
		"reward=gain,gamma=0.9":                     "gamma is 0.9 with reward gain, expected 1",
		"protocol=schedinspector,backfill=easy":     "backfill is easy with protocol=schedinspector",
		"protocol=schedinspector,reward=bsld":       "reward is given with protocol=schedinspector",
		"protocol=schedinspector,refusals=3":        "refusals is given with protocol=schedinspector",
		"protocol=schedinspector,base=f2":           `base rule "f2": unknown`,
		"protocol=schedinspector,trace=csv:/no.csv": "/no.csv",
	} {
		if _, err := Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// Nothing but the request is known: no answer depends on how long the jobs run in truth.
func TestRunTimesAreHidden(t *testing.T) {
	for _, text := range []string{"backfill=easy", "backfill=none,base=f1"} {
		c := config(t, text)
		for name, fresh := range map[string]func(*sim.Workload) sim.Policy{
			"agent": func(*sim.Workload) sim.Policy {
				p, err := AsPolicy(c, wild)
				if err != nil {
					t.Fatal(err)
				}
				return p
			},
			"rule": func(*sim.Workload) sim.Policy { return fixed(t, &c, "full") },
		} {
			if got := fresh(nil).Knows(); got != know.Nothing {
				t.Errorf("%s, %s: it knows %v", text, name, got)
			}
			for seed := range uint64(40) {
				if what, err := simtest.Foresees(fresh, seed, simtest.Options{}); err != nil || what != "" {
					t.Fatalf("%s, %s, seed %d: %v %s", text, name, seed, err, what)
				}
			}
		}
	}
}

// The policy with a file of weights is the network in the agent's place.
func TestWeights(t *testing.T) {
	text := "tarry network 1\nobservation 14\nchoices 2\nfirst 0\nmasked false\nanswers logits\nclip 0\n" +
		"network mlp relu 2\nmatrix 0/weight 14 2\n"
	for i := range 14 {
		text += fmt.Sprintf("%d %d\n", i%3-1, 2*(i%2)-1)
	}
	path := filepath.Join(t.TempDir(), "net.txt")
	if err := os.WriteFile(path, []byte(text+"matrix 0/bias 1 2\n0.1 0\n"+
		"matrix 1/weight 2 2\n1 -1\n-1 1\nmatrix 1/bias 1 2\n0 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	net, err := netfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, small)
	answers := [2]int{}
	p, err := AsPolicy(c, func(obs []float64, _ []bool, action []float64) {
		net.Act(action, obs, nil)
		answers[int(action[0])]++
	})
	if err != nil {
		t.Fatal(err)
	}
	want := schedtest.Records(t, &c.Config, 1, p)
	got := schedtest.Records(t, &c.Config, 1, schedtest.Policy(t, policies.All(), "inspected:weights="+path))
	if !slices.Equal(got, want) || answers[0] < 20 || answers[1] < 20 {
		t.Errorf("another run, answers %v", answers)
	}
	simtest.Policy(t, func() sim.Policy { return schedtest.Policy(t, policies.All(), "inspected:weights="+path) },
		simtest.Options{Seeds: 8})
	for text, want := range map[string]string{
		"inspected:weights=../../examples/weights/marl.txt": "119 numbers to 8 choices, expected the 14 to 2",
		"inspected:weights=/none":                           "/none",
		"inspected:lease_s=60":                              "expected it beside a network",
		"inspected:rule=never,weights=" + path:              "weights and rule are given",
		"inspected:weights=../../examples/timers.txt":       "timers.txt",
	} {
		if _, err := policies.All().Build(text, cluster.BestFit); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
