package policysearch_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policysearch"
)

// TestCartPole: a linear policy balances for as long as an episode lasts, within generations that
// take a second.
func TestCartPole(t *testing.T) {
	for k, generations := range map[policysearch.Kind]int{policysearch.CMAES: 20, policysearch.Random: 20,
		policysearch.OpenES: 60} {
		cfg := policysearch.Default()
		cfg.Generations, cfg.Windows = generations, 8
		l, err := k.New(cfg, 2, agenttest.Classic(cartPole))
		rows := agenttest.Train(t, l, err)
		defer l.Close()
		if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got >= 475) {
			t.Errorf("%s: the policy found earns %.1f, expected 475", k.Name(), got)
		}
		last := rows[len(rows)-1]
		if last.Steps != generations*16*8 || last.Episodes != last.Steps || !(last.PolicyLoss <= -last.Return) {
			t.Errorf("%s: the last row is %+v, expected %d windows and a best cost no worse than the mean", k.Name(),
				last, generations*16*8)
		}
	}
}

// TestPendulum: a small network swings the pendulum up. One that acts at random earns about -1200.
func TestPendulum(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; not with -short")
	}
	cfg := policysearch.Default()
	agenttest.Advise(t, "classic/Pendulum-v1", policysearch.CMAES.Name(), &cfg)
	l, err := policysearch.CMAES.New(cfg, 2, agenttest.Classic("classic/Pendulum-v1"))
	agenttest.Train(t, l, err)
	defer l.Close()
	if got := agenttest.Return(t, l.Policy(), "classic/Pendulum-v1", 50); !(got > -300) {
		t.Errorf("the policy found earns %.1f, expected more than -300", got)
	}
}

// The parameters of an environment are found, within their bounds: (0.7, -1.5), where the best
// second one is out of bounds.
func TestParameters(t *testing.T) {
	for _, k := range []policysearch.Kind{policysearch.CMAES, policysearch.OpenES, policysearch.Random} {
		for _, cost := range []string{policysearch.Mean, policysearch.Rank, policysearch.Log} {
			cfg := policysearch.Default()
			cfg.Windows, cfg.Cost = 12, cost
			l, err := k.New(cfg, 2, toys(t))
			agenttest.Train(t, l, err)
			x := l.Policy().Vector()
			off := 0.15
			if k == policysearch.Random {
				off = 0.4
			}
			if a, b := x[0]-0.7, x[1]+1.5; a*a+b*b > off*off || b < 0 {
				t.Errorf("%s with cost=%s finds %.3f, expected 0.7 and -1.5", k.Name(), cost, x)
			}
			l.Close()
		}
	}
}
