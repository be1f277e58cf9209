package agents_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/agents"
	"tarry/env"
	"tarry/env/layout"
	"tarry/internal/netfile"
)

// randomEnv is an environment of random observations and masks, whose reward is a function of both.
type randomEnv struct {
	spec env.Spec
	at   uint64
	obs  []float64
	mask []bool
}

func (d *randomEnv) Spec() *env.Spec { return &d.spec }
func (d *randomEnv) Close() error    { return nil }

func (d *randomEnv) Reset(seed *uint64, _ string) ([]float64, env.Info, error) {
	if seed != nil {
		d.at = *seed
	}
	d.draw()
	return d.obs, env.Info{Mask: d.mask}, nil
}

func (d *randomEnv) draw() {
	r := rand.New(rand.NewPCG(d.at, 8))
	d.obs, d.mask = drawnQuestion(&d.spec, r)
	d.at++
}

func (d *randomEnv) Step(action []float64) (env.Step, error) {
	reward := d.obs[(int(action[0])+len(d.obs))%len(d.obs)]
	d.draw()
	return env.Step{Obs: d.obs, Reward: reward, Truncated: d.at%20 == 0, Info: env.Info{Mask: d.mask, Elapsed: 1}}, nil
}

func (d *randomEnv) Snapshot() ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, d.at), nil
}

func (d *randomEnv) Restore(b []byte) (env.Step, error) {
	d.at = binary.LittleEndian.Uint64(b) - 1
	d.draw()
	return env.Step{Obs: d.obs, Info: env.Info{Mask: d.mask}}, nil
}

// drawnQuestion is an observation and a mask that allows a choice in each component.
func drawnQuestion(s *env.Spec, r *rand.Rand) (obs []float64, mask []bool) {
	for range s.Observation.Len() {
		obs = append(obs, r.NormFloat64())
	}
	if !s.Masked {
		return obs, nil
	}
	sizes := []int{env.MaskLen(s.Action)}
	if m, ok := s.Action.(env.MultiDiscrete); ok {
		sizes = m.N
	}
	for _, n := range sizes {
		from := len(mask)
		for range n {
			mask = append(mask, r.IntN(2) == 0)
		}
		mask[from+r.IntN(n)] = true
	}
	return obs, mask
}

// The text of a trained agent acts as its checkpoint does on 1000 observations, whatever the agent
// and its network.
func TestNetworkActsAsTheCheckpoint(t *testing.T) {
	list := foreign()
	list.Advice = nil
	several := &env.Spec{ID: "mine/Several-v0", Observation: env.NewBox(-9, 9, 6), Masked: true,
		Action: env.MultiDiscrete{N: []int{3, 4}}}
	plain := &env.Spec{ID: "mine/Plain-v0", Observation: env.NewBox(-9, 9, 6), Action: env.Discrete{N: 5, Start: -2}}
	masked := &env.Spec{ID: "mine/Masked-v0", Observation: env.NewBox(-9, 9, 6), Action: env.Discrete{N: 5}, Masked: true}
	small := "total_steps=256 envs=2 steps=32 "
	orders := &env.Spec{ID: "mine/Order-v0", Observation: env.NewBox(-9, 9, 8), Action: env.NewBox(-9, 9, 3),
		Layout: layout.Observation{Acts: layout.OnEach, Ranks: true, Segments: []layout.Segment{
			{Name: "all", Features: make([]layout.Feature, 2), Items: 1},
			{Name: "item", Features: make([]layout.Feature, 2), Items: 3}}}}
	for _, c := range []struct {
		agent, set string
		spec       *env.Spec
	}{
		{"ppo", small + "hidden=7 learning_rate=0.02", list},
		{"ppo", small + "hidden=7,6 norm_obs=true learning_rate=0.02", several},
		{"a2c", small + "rollouts=1 hidden=7 learning_rate=0.02 norm_obs=true", plain},
		{"a2c", small + "rollouts=1 hidden=7 learning_rate=0.02 activation=relu", list},
		{"dqn", small + "hidden=7 activation=tanh learning_starts=64 learning_rate=0.02 train_every=2", masked},
		{"cmaes-policy", "generations=2 population=4 windows=2 hidden=4 activation=relu", masked},
		{"reinforce", "total_steps=300 hidden=7 learning_rate=0.02", masked},
		{"dqn", small + "hidden=7 duel=true learning_starts=64 learning_rate=0.02 train_every=2", masked},
		{"dqn", small + "hidden=7 learning_starts=64 learning_rate=0.02 train_every=2", plain},
		{"dqn", small + "hidden=7 duel=true learning_starts=64 learning_rate=0.02 train_every=2", list},
		{"cmaes-policy", "generations=2 population=4 windows=2 hidden=4", several},
		{"ppo", small + "hidden=7 learning_rate=0.02", orders},
	} {
		e, err := agents.All().Find(c.agent)
		if err != nil {
			t.Fatal(err)
		}
		l, err := learnerFor(e, c.spec, c.set)
		if err != nil {
			t.Fatal(c.agent, err)
		}
		for !l.Done() {
			if _, err := l.Update(); err != nil {
				t.Fatal(c.agent, err)
			}
		}
		p, err := e.Load(saved(t, l), c.spec)
		if err != nil {
			t.Fatal(c.agent, err)
		}
		sameActions(t, c.agent+" "+c.spec.ID, p, c.spec)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

// sameActions holds the text of a policy to the policy.
func sameActions(t *testing.T, name string, p registry.Policy, spec *env.Spec) {
	t.Helper()
	text, err := registry.Text(p)
	if err != nil {
		t.Fatal(name, err)
	}
	n, err := netfile.Read(name, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r, seen := rand.New(rand.NewPCG(4, 4)), map[float64]int{}
	want, got := make([]float64, spec.Action.Len()), make([]float64, spec.Action.Len())
	for range 1000 {
		obs, mask := drawnQuestion(spec, r)
		if err := p.Act(want, obs, mask, nil); err != nil {
			t.Fatal(name, err)
		}
		if n.Act(got, obs, mask); !slices.Equal(want, got) {
			t.Fatalf("%s: the text acts %v, the checkpoint %v", name, got, want)
		}
		seen[got[0]]++
	}
	if len(seen) < 2 {
		t.Errorf("%s: all actions are %v", name, seen)
	}
}

// Numbers for a critic alone change no action, of any agent, and its text has no room for them; a
// learner whose actions follow from values refuses them.
func TestCriticOnly(t *testing.T) {
	features := func(n int) []layout.Feature { return make([]layout.Feature, n) }
	spec := &env.Spec{ID: "mine/Hidden-v0", Observation: env.NewBox(-9, 9, 9), Action: env.Discrete{N: 3}, Masked: true,
		Layout: layout.Observation{Acts: layout.OnOne, Segments: []layout.Segment{
			{Name: "hidden", Features: features(2), Items: 1, CriticOnly: true},
			{Name: "all", Features: features(1), Items: 1}, {Name: "item", Features: features(2), Items: 3}}}}
	small := "total_steps=256 envs=2 steps=32 hidden=7 learning_rate=0.02 "
	for agent, set := range map[string]string{"ppo": small, "a2c": small + "rollouts=1",
		"ppo mlp": small + "encoder=mlp norm_obs=true", "reinforce": "total_steps=300 hidden=7",
		"cmaes-policy": "generations=2 population=4 windows=2"} {
		name, _, _ := strings.Cut(agent, " ")
		e, err := agents.All().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := learnerFor(e, spec, set)
		if err != nil {
			t.Fatal(agent, err)
		}
		for !l.Done() {
			if _, err := l.Update(); err != nil {
				t.Fatal(agent, err)
			}
		}
		p, err := e.Load(saved(t, l), spec)
		if err != nil {
			t.Fatal(agent, err)
		}
		sameActions(t, agent, p, spec)
		r, want, got := rand.New(rand.NewPCG(4, 4)), make([]float64, 1), make([]float64, 1)
		for range 200 {
			obs, mask := drawnQuestion(spec, r)
			for i, seen := range [][]float64{obs, append([]float64{8, -8}, obs[2:]...), obs[2:]} {
				if err := p.Act(got, seen, mask, rand.New(rand.NewPCG(1, 1))); err != nil {
					t.Fatal(agent, err)
				}
				if i == 0 {
					copy(want, got)
				}
				if got[0] != want[0] {
					t.Fatalf("%s: action %v became %v with other numbers for the critic", agent, want, got)
				}
			}
		}
		text, err := registry.Text(p)
		if err != nil || !bytes.Contains(text, []byte("\nobservation 7\n")) {
			t.Errorf("%s: the text is of another observation, error %v", agent, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	e, _ := agents.All().Find("dqn")
	if _, err := learnerFor(e, spec, ""); err == nil ||
		!strings.Contains(err.Error(), "2 observation entries are for a critic alone") {
		t.Errorf("dqn: error %v", err)
	}
}

// learnerFor is a learner over random observations, with settings.
func learnerFor(e registry.Entry, spec *env.Spec, set string) (registry.Learner, error) {
	var given []registry.Setting
	for _, s := range strings.Fields(set) {
		k, v, _ := strings.Cut(s, "=")
		given = append(given, registry.Setting{Key: k, Value: v})
	}
	cfg, err := e.Configure(spec, 1, given)
	if err != nil {
		return nil, err
	}
	return cfg.New(1, func(i int) (env.Env, error) { return &randomEnv{spec: *spec, at: uint64(1000 * i)}, nil })
}

// Continuous actions have no text.
func TestNetworkRefuses(t *testing.T) {
	e, _ := agents.All().Find("ppo")
	spec := &env.Spec{ID: "mine/Box-v0", Observation: env.NewBox(-9, 9, 6), Action: env.NewBox(-1, 1, 2)}
	l, err := learnerFor(e, spec, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := registry.Text(l.Policy()); err == nil || err.Error() !=
		"the actions are 2 continuous numbers, expected choices" {
		t.Errorf("error %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
