package replicas

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/baselines/operate"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/model"
	"tarry/env/wrap"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/param"
)

func made(t testing.TB, options string) *model.Env[*Model] {
	t.Helper()
	e, err := Make(simulation.All(), options)
	if err != nil {
		t.Fatal(err)
	}
	return e.(*model.Env[*Model])
}

func TestConforms(t *testing.T) {
	for _, options := range []string{"hours=4,windows=3",
		"hours=3,services=bursty:own=2,policy=fifo,lend=none,part=test"} {
		fresh := func() (env.Env, error) { return wrap.OrderEnforcing(made(t, options)), nil }
		envtest.CheckEnv(t, envtest.Config{New: fresh, ResetOptions: []string{"window=1"}, MaxAllocs: -1})
	}
}

// play plays a window by a rule.
func play(t testing.TB, e *model.Env[*Model], rule string, window int) (sum, cost float64) {
	t.Helper()
	if err := e.Follow(rule); err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.Reset(nil, fmt.Sprint("window=", window)); err != nil {
		t.Fatal(err)
	}
	a := []float64{0}
	for done := false; !done; {
		if err := e.Demonstrate(a); err != nil {
			t.Fatal(err)
		}
		s, err := e.Step(a)
		if err != nil {
			t.Fatal(err)
		}
		sum, done = sum+s.Reward, s.Done()
	}
	cost, err := e.Cost()
	if err != nil {
		t.Fatal(err)
	}
	return sum, cost
}

// An agent that follows a rule is the operator learned with that rule: the same requests in time and the
// same jobs. The cost is what the rewards sum to.
func TestAgentIsOperator(t *testing.T) {
	for _, rule := range operate.ScaleRules() {
		e := made(t, "hours=8,windows=3,load=0.6")
		sum, cost := play(t, e, rule.Name, 2)
		m := e.Model()
		if want := float64(m.epochs) * (1 - cost); math.Abs(sum-want) > 1e-9*math.Abs(want) {
			t.Errorf("%s: rewards sum to %v, the cost states %v", rule.Name, sum, want)
		}
		op, err := operate.NewLearned(param.Parse("", "rule="+rule.Name+",every_s=600,lend=all"))
		if err != nil {
			t.Fatal(err)
		}
		inside := operated(t, m, op)
		a, b := m.view.Services().Ledger(0), inside.Services().Ledger(0)
		if a != b || a.Arrived == 0 || m.view.Free().Total() != inside.Free().Total() {
			t.Errorf("%s: %+v in the environment, %+v under the operator", rule.Name, a, b)
		}
	}
}

// operated runs the present window of a model under an operator to the end of the episode.
func operated(t *testing.T, m *Model, op sim.Operator) *sim.View {
	t.Helper()
	c := m.cfg
	speed, err := c.setup.Speed()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.policy()
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: m.jobs, Topology: c.setup.Topology, Speed: speed, Costs: c.setup.Costs(),
		ModelBytes: c.setup.Bytes(), Services: m.loads, Operator: op, Until: m.end + sim.Seconds(1e6), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	var at *sim.View
	if err := e.Drive(context.Background(), p, func(v *sim.View) (bool, error) {
		if v.Now() >= m.end {
			at = v
		}
		return at == nil, nil
	}); err != nil || at == nil {
		t.Fatalf("error %v", err)
	}
	return at
}

// A load to come is in no observation: loads that differ only later give the same numbers until then.
func TestNothingComesIsSeen(t *testing.T) {
	e := made(t, "hours=6,windows=2")
	for _, rule := range operate.ScaleRules() {
		if rule.Clairvoyant != (rule.Name == "coming") {
			t.Errorf("%s: clairvoyant %v", rule.Name, rule.Clairvoyant)
		}
	}
	if _, _, err := e.Reset(nil, "window=1"); err != nil {
		t.Fatal(err)
	}
	r := e.Model().desk.Readings[0]
	a, b := make([]float64, operate.NumReadingFeatures), make([]float64, operate.NumReadingFeatures)
	r.Write(a)
	r.Coming *= 7
	r.Write(b)
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("number %d follows the load to come", i)
		}
	}
}

func TestFaults(t *testing.T) {
	for options, want := range map[string]string{"services=none": "services", "services=days": "services",
		"policy=dal": "dal",
		"price=-1":   "price", "cluster=4": "cluster", "lend=some": "lend", "hours=0": "hours"} {
		if _, err := Make(simulation.All(), options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", options, err)
		}
	}
}

// By the load of the epoch to come least is better, by the load of the last epoch hardly: what the bar
// gains is the future. Among rules without it the first has the least cost on validation.
func TestBar(t *testing.T) {
	cost := map[string]float64{}
	e := made(t, "part=validation,windows=12")
	for _, rule := range operate.ScaleRules() {
		for w := range 12 {
			_, c := play(t, e, rule.Name, w)
			cost[rule.Name] += c / 12
		}
	}
	t.Log(cost)
	if cost["coming"] > 0.9*cost["least-1.5"] || cost["recent"] < 1.2*cost["coming"] {
		t.Errorf("costs %v, expected the future to be of use", cost)
	}
	for _, rule := range operate.ScaleRules() {
		if !rule.Clairvoyant && cost[rule.Name] < 0.98*cost["least-1.5"] {
			t.Errorf("%s costs %v, the first rule %v", rule.Name, cost[rule.Name], cost["least-1.5"])
		}
	}
}

// The shipped network, found by CMA-ES, costs less than the operator least's rule on test windows, and
// about as much as 1.5 times the load; the operator learned plays it.
func TestShippedWeights(t *testing.T) {
	const path = "../../examples/weights/replicas.txt"
	net, err := netfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := operate.NewLearned(param.Parse("", "weights="+path)); err != nil {
		t.Fatal(err)
	}
	const windows = 8
	var agent, least, wide float64
	e := made(t, "part=test")
	for w := range windows {
		obs, info, err := e.Reset(nil, fmt.Sprint("window=", w))
		if err != nil {
			t.Fatal(err)
		}
		a := []float64{0}
		for done := false; !done; {
			net.Act(a, obs, info.Mask)
			s, err := e.Step(a)
			if err != nil {
				t.Fatal(err)
			}
			obs, info, done = s.Obs, s.Info, s.Done()
		}
		cost, err := e.Cost()
		if err != nil {
			t.Fatal(err)
		}
		agent += cost / windows
	}
	rules := made(t, "part=test")
	for w := range windows {
		_, byLeast := play(t, rules, "least", w)
		_, byWide := play(t, rules, "least-1.5", w)
		least, wide = least+byLeast/windows, wide+byWide/windows
	}
	if t.Log(agent, least, wide); agent > 0.9*least || agent > 1.1*wide {
		t.Errorf("costs %v, least %v, least-1.5 %v", agent, least, wide)
	}
}
