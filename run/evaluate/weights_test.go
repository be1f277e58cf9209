package evaluate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/baselines/score"
	"tarry/catalogue/shipped"
	"tarry/internal/netfile"
	"tarry/run/train"
	"tarry/run/trial"
)

// searched is the folder of a short policy search over tarry/Order-v0.
func searched(t *testing.T) string { return searchedWith(t, 3) }

func searchedWith(t *testing.T, seed uint64) string {
	t.Helper()
	dir := t.TempDir()
	var set []registry.Setting
	for _, s := range []string{"generations=2", "population=4", "windows=2", "validate_every=1",
		"validate_episodes=2"} {
		k, v, _ := strings.Cut(s, "=")
		set = append(set, registry.Setting{Key: k, Value: v})
	}
	cfg, err := train.Resolve(shipped.All(), "tarry/Order-v0:cluster=2x2x4,features=rank+gpus+age,"+busy,
		"cmaes-policy", seed, set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train.Run(context.Background(), cfg, train.Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What a policy search found is text that the policy ranked reads, and is measured like any agent.
func TestWriteWeights(t *testing.T) {
	dir := searched(t)
	var last bytes.Buffer
	if err := WriteWeights(shipped.All(), dir, "last", 0, &last); err != nil {
		t.Fatal(err)
	}
	r, err := score.Parse("weights", &last)
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(r.Func.Terms(), " "); names != "rank gpus age" || r.Func.Weights()[0] == 1 ||
		r.Globals.Auto() {
		t.Errorf("%s with weights %v, %+v: expected others than those of the start", names, r.Func.Weights(), r.Globals)
	}
	s, err := Build(shipped.All(), request(dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trial.Run(context.Background(), s.Trials, trial.Options{Workers: 1}); err != nil || s.Err() != nil ||
		!strings.HasPrefix(s.Policies[0], "cmaes-policy") {
		t.Errorf("policies %v, errors %v, %v", s.Policies, err, s.Err())
	}
	if err := WriteWeights(shipped.All(), trained(t, "tarry/Order-v0", "cluster=2x2x4,jobs=8,globals=true,"+busy),
		"last", 0, &last); err == nil || !strings.Contains(err.Error(), "expected choices, or an agent of policy search") {
		t.Errorf("ppo gives %v", err)
	}
}

// An agent that makes choices is the text of a network, to the last bit or rounded.
func TestWriteNetwork(t *testing.T) {
	dir := trained(t, "tarry/Preempt-v0", "cluster=2x2x4,windows=8,warm=2,horizon=24")
	var long, short bytes.Buffer
	if err := errors.Join(WriteWeights(shipped.All(), dir, "best", 0, &long),
		WriteWeights(shipped.All(), dir, "best", 4, &short)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []*bytes.Buffer{&long, &short} {
		n, err := netfile.Read("weights", bytes.NewReader(text.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if f := n.Form(); !n.Masked() || f.Set == nil || f.Hidden[0] != 4 {
			t.Errorf("the text has %+v, expected a masked network of candidates", f)
		}
	}
	if short.Len() > long.Len()/2 {
		t.Errorf("%d bytes with four digits, %d with all", short.Len(), long.Len())
	}
}

// From the first job of a window on an agent decides as a rule does: a vector and the rule of its
// text have the same rows, over the same jobs, including the warm-up's.
func TestAgentsBeginWithTheFirstJob(t *testing.T) {
	dir := searched(t)
	path := filepath.Join(t.TempDir(), "weights.txt")
	var text bytes.Buffer
	if err := errors.Join(WriteWeights(shipped.All(), dir, "last", 0, &text),
		os.WriteFile(path, text.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := request(dir)
	r.Which, r.Baselines = "last", []string{"ranked:weights=" + path, "dally"}
	rows, err := measure(t, r, 2)
	if err != nil {
		t.Fatal(err)
	}
	agent, rule, dally := rows[0], rows[1], rows[2]
	if !slices.Equal(agent.JCT, rule.JCT) || rule.Diff.Point != 0 || slices.Equal(rule.JCT, dally.JCT) {
		t.Errorf("the agent has %v, the rule of its text %v, dally %v", agent.JCT, rule.JCT, dally.JCT)
	}
	for w := range agent.Runs {
		a, b := agent.Runs[w], rule.Runs[w]
		if !slices.Equal(a.JCT, b.JCT) || agent.Compared != agent.Jobs || len(a.JCT) != len(agent.Common[w]) {
			t.Errorf("window %d: %d of %d jobs are compared; the jobs of the agent and of the rule took\n%v\n%v", w,
				agent.Compared, agent.Jobs, a.JCT, b.JCT)
		}
	}
}

// Agents that begin after the warm-up are compared with agents alone.
func TestWarmupByTheBase(t *testing.T) {
	r := request(searched(t))
	r.Options = append(r.Options, "warmup=base")
	if _, err := Build(shipped.All(), r); err == nil || !strings.Contains(err.Error(),
		"expected warmup=agent, or agents alone") {
		t.Errorf("rules beside agents that begin later give %v", err)
	}
	r.Baselines = nil
	if _, err := Build(shipped.All(), r); err != nil {
		t.Error(err)
	}
}
