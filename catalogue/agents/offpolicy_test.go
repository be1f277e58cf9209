package agents_test

import (
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/agents"
	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/env"
)

// onClusters are the environments over the simulator, on a small cluster, with the agents that
// serve them.
func onClusters() map[string]string {
	const small = ":cluster=2x2x4,windows=6,warm=2,horizon=6,lease_s=1800,load=2"
	return map[string]string{
		"tarry/DelayTimer-v0" + small: "sac", "tarry/DelayTimerDiscrete-v0" + small: "dqn",
		"tarry/Preempt-v0" + small: "dqn", "tarry/Offer-v0" + small: "dqn",
	}
}

// fewSteps are settings for a run of two updates.
func fewSteps() []registry.Setting {
	return []registry.Setting{{Key: "total_steps", Value: "64"}, {Key: "envs", Value: "2"}, {Key: "steps", Value: "16"},
		{Key: "learning_starts", Value: "8"},
		{Key: "batch", Value: "4"}, {Key: "buffer", Value: "50"}}
}

// Agents that keep their steps train on the environments over the simulator with their own
// settings, and what they leave acts there; an agent for other actions, and another agent's policy,
// are refused.
func TestOffPolicyOnClusters(t *testing.T) {
	other := map[string]string{"dqn": "sac", "sac": "dqn"}
	for text, name := range onClusters() {
		id, _, _ := strings.Cut(text, ":")
		fresh := func(int) (env.Env, error) { return envs.All().Make(simulation.All(), text) }
		e, err := agents.All().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := e.Configure(specOf(t, id), 1, nil)
		if err != nil || plain.Steps() < 10_000 {
			t.Errorf("%s on %s: %d steps, error %v", name, id, plain.Steps(), err)
		}
		c, err := e.Configure(specOf(t, id), 1, fewSteps())
		if err != nil {
			t.Fatal(err)
		}
		l, err := c.New(1, fresh)
		if err != nil {
			t.Fatal(err)
		}
		for !l.Done() {
			if row, err := l.Update(); err != nil || !(row.ValueLoss >= 0) {
				t.Fatalf("%s on %s: %+v, error %v", name, id, row, err)
			}
		}
		saved, err := l.Save()
		if err != nil {
			t.Fatal(err)
		}
		world, err := envs.All().Make(simulation.All(), text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Load(saved, world.Spec())
		if err != nil {
			t.Fatal(err)
		}
		obs, info, err := world.Reset(nil, "")
		if err != nil {
			t.Fatal(err)
		}
		action := make([]float64, world.Spec().Action.Len())
		if err := p.Fork().Act(action, obs, info.Mask, nil); err != nil ||
			env.CheckAction(world.Spec(), info.Mask, action) != nil {
			t.Errorf("%s on %s acts %v, error %v", name, id, action, err)
		}
		wrong, err := agents.All().Find(other[name])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := wrong.Load(saved, world.Spec()); err == nil ||
			!strings.Contains(err.Error(), `checkpoint is of format "tarry/agents/`+name+`/1"`) {
			t.Errorf("%s loads a policy of %s: %v", wrong.Name, name, err)
		}
		c, err = wrong.Configure(specOf(t, id), 1, fewSteps())
		if err != nil {
			t.Fatal(err)
		}
		refused := map[string]string{"dqn": "expected Discrete", "sac": "expected Box"}[wrong.Name]
		want := wrong.Name + ": the actions of " + id + " are " + env.Describe(world.Spec().Action) + ", " + refused +
			": another agent takes them (see tarry list agents)"
		if _, err := c.New(1, fresh); err == nil || err.Error() != want {
			t.Errorf("%s on %s: %v", wrong.Name, id, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	}
}
