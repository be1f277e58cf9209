package experiments

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/envs"
	"tarry/catalogue/shipped"
	"tarry/experiments/questions"
	"tarry/experiments/results"
	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// cellOf gives the settings of the first cell of a question with these values of axes.
func cellOf(t *testing.T, q sweep.Question, axes map[string]string) sweep.Settings {
	t.Helper()
	for _, s := range q.Specs(sweep.Full) {
		cells, err := s.Cells(shipped.All())
		if err != nil {
			t.Fatal(err)
		}
		for i := range cells {
			fits := true
			for k, v := range axes {
				fits = fits && cells[i].Axes[k] == v
			}
			if fits {
				return cells[i].Settings
			}
		}
	}
	t.Fatalf("%s has no cell with %v", q.Name, axes)
	return nil
}

// setup writes what decides training and measuring, options in one order; but for the length and
// the number of baselines.
func setup(t *testing.T, s sweep.Settings) string {
	t.Helper()
	own := map[string]any{}
	for k, v := range s {
		own[k] = v
	}
	for _, k := range []string{"total_steps", "evaluate", "setting", "learner", "variant", "load"} {
		delete(own, k)
	}
	id, options, _ := strings.Cut(own["env"].(string), ":")
	list := param.Split(options)
	slices.Sort(list)
	own["env"] = id + ":" + strings.Join(list, ",")
	text, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is taken apart is the learner of the question results, on its first setting.
func TestAgentAblationIsOfResults(t *testing.T) {
	q := questions.Shipped("results", results.Answer).Opened()
	want := setup(t, cellOf(t, q, map[string]string{"learner": "preempt-ppo"}))
	whole := cellOf(t, questions.Shipped("agentablation").Opened(), map[string]string{"variant": "whole"})
	if got := setup(t, whole); got != want {
		t.Errorf("the whole agent is\n%s\nthat of results\n%s", got, want)
	}
}

// Every group and every reward of the environment has its variant, and each differs from the whole
// in that alone.
func TestAgentAblationIsComplete(t *testing.T) {
	whole := cellOf(t, questions.Shipped("agentablation").Opened(), map[string]string{"variant": "whole"})
	env := whole["env"].(string)
	_, params, _ := strings.Cut(env, ":")
	var groups, rewards []string
	for _, s := range questions.Shipped("agentablation").Opened().Specs(sweep.Full) {
		cells, err := s.Cells(shipped.All())
		if err != nil {
			t.Fatal(err)
		}
		for i := range cells {
			c := &cells[i]
			more := strings.TrimPrefix(strings.TrimPrefix(c.Settings["env"].(string), env), ",")
			switch v := c.Axes["variant"]; {
			case strings.HasPrefix(v, "hide-"):
				if groups = append(groups, v[5:]); more != "hide="+v[5:] {
					t.Errorf("%s has %q", v, more)
				}
			case strings.HasPrefix(v, "reward-"):
				if rewards = append(rewards, v[7:]); more != "reward="+v[7:] {
					t.Errorf("%s has %q", v, more)
				}
			case more != "":
				t.Errorf("%s has %q", v, more)
			}
		}
	}
	groups, rewards = uniq(groups), uniq(rewards)
	e, err := envs.All().Make(shipped.All().Catalogues, "tarry/Preempt-v0:"+params+",hide="+strings.Join(groups, "+"))
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	obs, _, err := e.Reset(&seed, "")
	if err != nil || slices.ContainsFunc(obs, func(v float64) bool { return v != 0 }) {
		t.Errorf("without the groups %v the agent sees %v, %v", groups, obs, err)
	}
	if _, err := envs.All().Make(shipped.All().Catalogues, "tarry/Preempt-v0:reward=?"); err == nil ||
		// energy needs a run that states watts, which the question has none of
		!strings.Contains(strings.Replace(err.Error(), " energy,", "", 1), "expected jct, "+strings.Join(rewards, ", ")) {
		t.Errorf("rewards %v, but %v", rewards, err)
	}
}

func uniq(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
