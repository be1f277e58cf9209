package envs

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/baselines/score"
	"tarry/baselines/typed"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/offer"
	"tarry/env/order"
	"tarry/env/pairs"
	"tarry/env/preempt"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// hashing is an agent whose actions follow from all that it sees, to six digits: any feature that
// differs leads to other actions. choices is how many it has where nothing is masked; 0 = real
// numbers.
func hashing(choices int) schedenv.Actor {
	return func(obs []float64, mask []bool, action []float64) {
		h := fnv.New64a()
		for _, x := range obs {
			fmt.Fprintf(h, "%.6f ", x)
		}
		var legal []int
		for i := range max(choices, len(mask)) {
			if mask == nil || mask[i] {
				legal = append(legal, i)
			}
		}
		for i := range action {
			fmt.Fprint(h, i)
			if len(legal) > 0 {
				action[i] = float64(legal[h.Sum64()%uint64(len(legal))])
			} else {
				action[i] = float64(h.Sum64()%201)/100 - 1
			}
		}
	}
}

// hidden is an environment with a frozen agent inside, by the orders and groups that decide what it
// reads.
func hidden(t *testing.T, id, first, hide string) sim.Policy {
	t.Helper()
	var c schedenv.Config
	c.Dally = dally.Default()
	c.Dally.LeaseS = 60
	if hide != "" {
		c.Hide = strings.Split(hide, "+")
	}
	for _, name := range dally.OrderNames() {
		if name == first {
			c.Dally.Order = dally.OrderNamed(name)
		}
	}
	var p sim.Policy
	var err error
	switch id {
	case delaytimer.ID:
		p, err = delaytimer.AsPolicy(delaytimer.Config{Config: c, Every: sim.Second}, hashing(0))
	case delaytimer.IDDiscrete:
		p, err = delaytimer.AsPolicy(delaytimer.Config{Config: c, Every: sim.Second, Discrete: true}, hashing(21))
	case offer.ID:
		p, err = offer.AsPolicy(offer.Config{Config: c, Recheck: sim.Second}, hashing(2))
	case order.ID:
		c.Hide = nil
		rule := &score.Rule{Globals: score.DefaultGlobals(), Law: score.Law{MedianS: 20, Spread: 1}}
		if rule.Func, err = score.New([]string{"rank"}, 0); err == nil {
			p, err = order.AsPolicy(order.Config{Config: c, Jobs: 5, Rule: rule}, hashing(0))
		}
	case pairs.ID:
		c.Hide = nil
		s := typed.Default()
		s.Law, s.RoundS = score.Law{MedianS: 20, Spread: 1}, 30
		c.Topology, err = cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 1}}}})
		if err == nil {
			p, err = pairs.AsPolicy(pairs.Config{Config: c, Jobs: 5, Typed: s, Features: []string{"rank"}}, hashing(0))
		}
	case preempt.ID:
		c.Dally.NoLease = true
		p, err = preempt.AsPolicy(preempt.Config{Config: c, Every: sim.Second, MinRun: 20 * sim.Second, Candidates: 3,
			Victims: 2}, hashing(0))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// In an environment that does not declare that it knows the work that is left, no observation, mask
// or base policy depends on it; in one that does, something does.
func TestWorkThatIsLeftIsHidden(t *testing.T) {
	for _, c := range []struct {
		id, order, hide, knows string
	}{
		{delaytimer.ID, "network", "", "done"}, {delaytimer.IDDiscrete, "network", "", "done"},
		{delaytimer.ID, "las", "", "nothing"},
		{offer.ID, "network", "", "done+work"}, {offer.ID, "network", "work", "done"},
		{offer.ID, "las", "work+network", "nothing"},
		{preempt.ID, "network", "", "done+work"}, {preempt.ID, "network", "work", "done"},
		{preempt.ID, "las", "work", "done"},
		{preempt.ID, "fifo", "work+network", "nothing"}, {preempt.ID, "srpt", "work", "done+work"},
		{order.ID, "network", "", "done"}, {pairs.ID, "network", "", "done+speed"},
	} {
		name := fmt.Sprintf("%s order=%s hide=%s", c.id, c.order, c.hide)
		fresh := func(*sim.Workload) sim.Policy { return hidden(t, c.id, c.order, c.hide) }
		knows, found := fresh(nil).Knows(), 0
		if knows.String() != c.knows {
			t.Errorf("%s knows %v, want %s", name, knows, c.knows)
		}
		seeds := uint64(40)
		if knows.Clairvoyant() {
			seeds = 400 // the loop ends when it has found something
		}
		for seed := range seeds {
			what, err := simtest.Foresees(fresh, seed, simtest.Options{})
			switch {
			case err != nil:
				t.Fatalf("%s, seed %d: %v", name, seed, err)
			case what != "" && !knows.Clairvoyant():
				t.Fatalf("%s knows %v and what an agent does there depends on the work that is left, seed %d: %s",
					name, knows, seed, what)
			case what != "":
				found++
			}
			if found == 3 {
				break
			}
		}
		if knows.Clairvoyant() && found == 0 {
			t.Errorf("%s declares that it knows %v, and nothing in it depends on the work that is left", name, knows)
		}
	}
}

// What is known with which options.
func TestKnows(t *testing.T) {
	for text, want := range map[string]string{"tarry/Preempt-v0": "done+work", "tarry/Preempt-v0:hide=work": "done",
		"tarry/Preempt-v0:order=las,hide=work+network": "nothing",
		"tarry/Preempt-v0:order=srpt,hide=work":        "done+work", "tarry/Preempt-v0:base=sjf,hide=work": "done+work",
		"tarry/Preempt-v0:base=fifo,hide=work+network": "nothing", "tarry/Offer-v0:hide_work=true": "done",
		"tarry/Order-v1": "done+speed", "tarry/Order-v1:predicted=true": "done+estimate+speed",
		"tarry/Order-v1:exact=true": "done+work+speed",
		"tarry/Order-v0":            "done", "tarry/Order-v0:predicted=true": "done+estimate",
		`tarry/Order-v0:predicted=true,predict="request:sigma=0"`:   "done+estimate+work",
		`tarry/Order-v0:predicted=true,predict="request:sigma=0.5"`: "done+estimate",
		`tarry/Order-v0:predicted=false,predict="request:sigma=0"`:  "done", "tarry/DelayTimerDiscrete-v0": "done"} {
		e, err := All().Make(simulation.All(), text)
		if err != nil {
			t.Fatal(err)
		}
		on, ok := env.Find[schedenv.Simulated](e)
		if !ok {
			t.Fatalf("%s is not over the simulator", text)
		}
		if got := on.AsPolicy(nil).Knows().String(); got != want {
			t.Errorf("%s knows %s, want %s", text, got, want)
		}
	}
}
