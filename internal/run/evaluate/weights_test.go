package evaluate

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"tarry/agents"
	"tarry/baselines/score"
	"tarry/catalogue/shipped"
	"tarry/internal/run/train"
	"tarry/internal/run/trial"
)

// searched is the folder of a short policy search over tarry/Order-v0.
func searched(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var set []agents.Setting
	for _, s := range []string{"generations=2", "population=4", "windows=2", "validate_every=1", "validate_episodes=2"} {
		k, v, _ := strings.Cut(s, "=")
		set = append(set, agents.Setting{Key: k, Value: v})
	}
	cfg, err := train.Resolve(shipped.All(), "tarry/Order-v0:cluster=2x2x4,features=rank+gpus+age,"+busy, "cmaes-policy", 3, set)
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
	if err := WriteWeights(shipped.All(), dir, "last", &last); err != nil {
		t.Fatal(err)
	}
	r, err := score.Parse("weights", &last)
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(r.Func.Terms(), " "); names != "rank gpus age" || r.Func.Weights()[0] == 1 || r.Globals.Auto() {
		t.Errorf("%s with weights %v, %+v: expected others than those of the start", names, r.Func.Weights(), r.Globals)
	}
	s, err := Build(shipped.All(), request(dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trial.Run(context.Background(), s.Trials, trial.Options{Workers: 1}); err != nil || s.Err() != nil || !strings.HasPrefix(s.Policies[0], "cmaes-policy") {
		t.Errorf("policies %v, errors %v, %v", s.Policies, err, s.Err())
	}
	if err := WriteWeights(shipped.All(), trained(t, "tarry/Order-v0", "cluster=2x2x4,jobs=8,globals=false,"+busy), "last", &last); err == nil || !strings.Contains(err.Error(), "expected an agent of policy search") {
		t.Errorf("ppo gives %v", err)
	}
}
