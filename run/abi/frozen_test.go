package abi

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/agents/nn"
	"tarry/agents/ppo"
	"tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/run/train"
	"tarry/sim/rng"
)

// frozenRuns are short trainings whose agents Python has to act like: every sort of network, space
// and mask.
func frozenRuns() [][]string {
	const small = ":cluster=2x2x4,warm=2,horizon=12"
	ppo := []string{"envs=2", "steps=16", "total_steps=64", "minibatches=2"}
	order := "tarry/Order-v0" + small + ",globals=false,jobs=16"
	search := []string{"generations=1", "population=4", "windows=2", "validate_every=1", "validate_episodes=2"}
	run := func(name, env, agent string, more ...string) []string {
		return append([]string{name, env, agent}, more...)
	}
	return [][]string{
		run("discrete", "classic/CartPole-v1", "ppo", append([]string{"norm_obs=true", "anneal=false"}, ppo...)...),
		run("one", "tarry/Offer-v1"+small+",load=1.2", "ppo", ppo...),
		run("box", "classic/Pendulum-v1", "ppo", append([]string{"norm_obs=true"}, ppo...)...),
		run("tanh", "tarry/DelayTimer-v1"+small, "ppo", append([]string{"squash=true", "hidden=12"}, ppo...)...),
		run("classes", "tarry/DelayTimer-v1"+small, "ppo", append([]string{"encoder=classes",
			`candidates={"global":12,"features":14,"each":2}`, "hidden=9"}, ppo...)...),
		run("masked", "tarry/Preempt-v0"+small, "ppo", ppo...),
		run("masked-mlp", "tarry/Preempt-v0"+small, "ppo", append([]string{"encoder=mlp"}, ppo...)...),
		run("limits", "probe/Limits-v0", "ppo", append([]string{"hidden=9"}, ppo...)...),
		run("limits-legal", "probe/Limits-v0", "ppo", append([]string{"hidden=9",
			`candidates={"global":0,"features":3,"choices":3}`}, ppo...)...),
		run("relu", "probe/Limits-v0", "ppo", append([]string{"hidden=9", "activation=relu"}, ppo...)...),
		run("privileged", "probe/Privileged-v0", "ppo", append([]string{"hidden=9", "activation=relu", "norm_obs=true"},
			ppo...)...),
		run("picked", "tarry/Pick-v0:cluster=2x2x4,warm=0,horizon=48", "ppo", append([]string{"hidden=9"}, ppo...)...),
		run("a2c", "classic/CartPole-v1", "a2c", "envs=2", "steps=16", "total_steps=800"),
		run("ranking", order, "ppo", append([]string{"hidden=9"}, ppo...)...),
		run("linear", order+",features=rank+gpus+age+pressure_rank+wait2", "cmaes-policy", search...),
		run("hidden", "tarry/Order-v0"+small+",hidden=3", "cmaes-policy", search...),
		run("network", "classic/Pendulum-v1", "cmaes-policy",
			append([]string{"hidden=4", "norm_obs=true"}, search...)...),
		run("dqn", "classic/CartPole-v1", "dqn", "total_steps=1000"),
		run("sac", "classic/Pendulum-v1", "sac", "envs=1", "steps=50", "total_steps=50", "hidden=8"),
		run("started", order+",features=rank+gpus+age+pressure_rank+wait2", "ppo",
			append([]string{"hidden=9", "start=linear"}, ppo...)...),
	}
}

// acted is an observation, its mask and what the frozen agent does.
type acted struct {
	Obs    []float64 `json:"obs"`
	Mask   []bool    `json:"mask"`
	Action []float64 `json:"action"`
	Value  *float64  `json:"value"`
}

// TestFrozen trains agents and writes what they do, for Python to do the same.
func TestFrozen(t *testing.T) {
	dir := os.Getenv("TARRY_FROZEN")
	if dir == "" {
		t.Skip("TARRY_FROZEN names no folder: make pytest runs this test for those of Python")
	}
	from := shipped.All()
	for _, run := range frozenRuns() {
		name, to := run[0], filepath.Join(dir, run[0])
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
		var set []registry.Setting
		for _, s := range run[3:] {
			k, v, _ := strings.Cut(s, "=")
			if k == "start" {
				v = filepath.Join(dir, v)
			}
			set = append(set, registry.Setting{Key: k, Value: v})
		}
		cfg, err := train.Resolve(from, run[1], run[2], 3, set)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := train.Run(context.Background(), cfg, train.Options{Out: to}); err != nil {
			t.Fatal(name, err)
		}
		e, err := from.Maker().Make(cfg.Env)
		if err != nil {
			t.Fatal(name, err)
		}
		trained, err := train.OpenWith(from, from.Maker(), to, "best")
		if err != nil {
			t.Fatal(name, err)
		}
		p, err := trained.Policy(e.Spec())
		if err == nil {
			err = registry.Bind(p, e)
		}
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := json.Marshal(follow(t, e, p, critic(t, run[2], to, e)))
		if err != nil {
			t.Fatal(name, err)
		}
		if err := os.WriteFile(filepath.Join(to, "acted.json"), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// critic is what PPO's critic in a folder states; nil for other agents.
func critic(t *testing.T, agent, dir string, e env.Env) func(obs []float64, mask []bool) float64 {
	t.Helper()
	if agent != "ppo" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "checkpoints", "best.ckpt"))
	if err != nil {
		t.Fatal(err)
	}
	outer, err := nn.DecodeState(data)
	if err != nil {
		t.Fatal(err)
	}
	learner, err := outer.Get("learner")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ppo.LoadPolicy(learner, e.Spec())
	if err != nil {
		t.Fatal(err)
	}
	return p.Value
}

// follow acts for a hundred steps, and at each on an observation and a mask that are random, too.
func follow(t *testing.T, e env.Env, p registry.Policy, value func([]float64, []bool) float64) (out []acted) {
	t.Helper()
	seed := uint64(5)
	stream := rng.Source{Seed: seed}.Stream("noise").Rand
	obs, info, err := e.Reset(&seed, "")
	for range 100 {
		if err != nil {
			t.Fatal(err)
		}
		one := actOn(t, e, p, value, obs, info.Mask)
		x, mask := noisy(stream, obs, info.Mask)
		out = append(out, one, actOn(t, e, p, value, x, mask))
		s, wrong := e.Step(one.Action)
		if obs, info, err = s.Obs, s.Info, wrong; err == nil && s.Done() {
			obs, info, err = e.Reset(nil, "")
		}
	}
	return out
}

func actOn(t *testing.T, e env.Env, p registry.Policy, value func([]float64, []bool) float64, obs []float64,
	mask []bool) acted {
	t.Helper()
	one := acted{Obs: append([]float64{}, obs...), Mask: append([]bool{}, mask...),
		Action: make([]float64, e.Spec().Action.Len())}
	if err := p.Act(one.Action, obs, mask, nil); err != nil {
		t.Fatal(err)
	}
	if value != nil {
		v := value(obs, mask)
		one.Value = &v
	}
	return one
}

// noisy is another observation, whose zeros stay (they mark what is not there), and another mask,
// which allows something.
func noisy(r *rand.Rand, obs []float64, mask []bool) ([]float64, []bool) {
	x, m := append([]float64{}, obs...), append([]bool{}, mask...)
	for i := range x {
		if x[i] != 0 {
			x[i] += 0.5 * r.NormFloat64()
		}
	}
	for i := range m {
		m[i] = r.IntN(2) == 0
	}
	if len(m) > 0 {
		m[r.IntN(len(m))] = true
	}
	return x, m
}
