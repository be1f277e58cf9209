package evaluate

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/registry"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/sim"
)

// policyEnv is an environment in which an agent is measured: over the simulator as a policy, or
// outside it by the cost of its episodes.
type policyEnv struct {
	config schedenv.Config
	in     env.Env
	spec   *env.Spec
	policy func(schedenv.Actor) sim.Policy // nil = outside the simulator
	scored trait.Scored                    // nil = over the simulator
}

// policyEnvOf makes the environment that an agent was trained on.
func policyEnvOf(m *registry.Maker, id, options string) (*policyEnv, error) {
	e, err := m.Make(id + ":" + options)
	if err != nil {
		// one without a cluster refuses the options of windows, which states less
		if plain, bad := m.Make(id); bad == nil {
			_, over := env.Find[schedenv.Simulated](plain)
			if _, outside := env.Find[trait.Scored](plain); !over && !outside {
				err = errNoCluster(id)
			}
			err = errors.Join(err, plain.Close())
		}
		return nil, err
	}
	on, ok := env.Find[schedenv.Simulated](e)
	if !ok {
		if by, ok := env.Find[trait.Scored](e); ok {
			return &policyEnv{in: e, spec: e.Spec(), scored: by}, nil
		}
		return nil, errNoCluster(id)
	}
	if seen := on.Spec(); !env.EqualSpaces(seen.Observation, e.Spec().Observation) ||
		!env.EqualSpaces(seen.Action, e.Spec().Action) {
		return nil, fmt.Errorf("environment %s: a layer around its scheduler changes observations or actions, "+
			"expected one that is schedenv.Simulated itself", id)
	}
	return &policyEnv{config: on.Config(), in: e, spec: e.Spec(), policy: on.AsPolicy}, nil
}

func errNoCluster(id string) error {
	return fmt.Errorf("environment %s has no cluster and no cost of an episode, expected one over the simulator, or "+
		"one with rules (tarry list envs)", id)
}

// Frozen is an agent that acts and learns no more. It serves many goroutines.
type Frozen struct {
	// Name stands in the tables; Agent states in full what it is.
	Name, Agent string

	family string // the name of its algorithm
	kind   string // all that decides its training but the seed
	seed   uint64 // of its training
	sha256 string // of its checkpoint
	// validation is its mean return there; NaN = unknown.
	validation float64
	untrained  bool // it is a checkpoint as it was before training
	env        *policyEnv
	// options are its environment's, with what the request states over them; at is the same
	// with the path of its trace now.
	options, at string
	policy      agents.Policy
	// foreign states that it is no agent of tarry, so that each of its actions is looked at.
	foreign bool
	clock   func() time.Duration
	stop    func()
	asked   atomic.Int64
	spent   atomic.Int64
	mu      sync.Mutex
	err     error
}

// fresh gives a policy for one run on a window: what an agent draws depends on its seed and on the
// window, and on no other run.
func (f *Frozen) fresh(window int) (sim.Policy, error) {
	if x, ok := agents.Vector(f.policy); ok {
		if on, ok := env.Find[schedenv.Parametric](f.env.in); ok {
			return on.AsParametric(x)
		}
	}
	p := f.policy.Fork()
	agents.Begin(p, window)
	return f.env.policy(func(obs []float64, mask []bool, action []float64) {
		var from time.Duration
		if f.clock != nil {
			from = f.clock()
		}
		err := p.Act(action, obs, mask, nil)
		if f.clock != nil {
			f.spent.Add(int64(f.clock() - from))
		}
		f.asked.Add(1)
		if f.foreign {
			f.fail(f.checked(err, mask, action))
			return
		}
		for i, a := range action {
			if math.IsNaN(a) || math.IsInf(a, 0) {
				action[i] = 0
				err = fmt.Errorf("action %d is %v, expected a finite number: %w", i, a, env.ErrInvalidAction)
			}
		}
		f.fail(err)
	}), nil
}

// checked is what is wrong with an actor's answer; a wrong action becomes one that the environment
// takes.
func (f *Frozen) checked(err error, mask []bool, action []float64) error {
	if err == nil {
		err = env.CheckAction(f.env.spec, mask, action)
	}
	if err != nil {
		legal(f.env.spec, mask, action)
	}
	return err
}

// fail keeps the first error: a policy has no way to give one back.
func (f *Frozen) fail(err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = fmt.Errorf("%s: %w", f.Name, err)
		if f.stop != nil {
			f.stop()
		}
	}
}

// Latency is how often the agent was asked, and the mean time of an answer; 0 without a clock.
func (f *Frozen) Latency() (decisions int64, mean time.Duration) {
	if n := f.asked.Load(); n > 0 {
		return n, time.Duration(f.spent.Load() / n)
	}
	return 0, 0
}
