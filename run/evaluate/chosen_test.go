package evaluate

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/delaytimer"
	"tarry/run/trial"
	"tarry/run/tune"
)

// Where an environment chooses its predictor, training, tuning and evaluation do so, and state it in
// a file of the manifest; each policy that reads predictions has the choice under itself.
func TestChosenPredictors(t *testing.T) {
	options := busy + ",predict=auto:of=global+ridge"
	agent := trained(t, delaytimer.ID, options)
	dir := t.TempDir()
	c := tune.Default()
	c.Env, c.Policy, c.Params = delaytimer.ID+":"+options, "dally:order=gittins,evict=later", []string{"margin=0:1"}
	c.Optimiser, c.Budget, c.Windows, c.Validation = "random", 2, 2, 2
	if _, err := tune.Run(context.Background(), shipped.All(), c, tune.Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	for path, policy := range map[string]string{
		filepath.Join(agent, "windows.json"): "dally:order=gittins,evict=later,margin=1",
		filepath.Join(dir, "best.json"):      c.Policy} {
		text, err := os.ReadFile(path)
		if plain := strings.Join(strings.Fields(string(text)), ""); err != nil || !strings.Contains(plain,
			`"policy":"`+policy+`","windows":`) {
			t.Errorf("%s has no choice under %s (%v): %s", path, policy, err, plain)
		}
	}
	r := request(agent)
	r.Tuned, r.OpenTuned, r.Baselines = []string{dir}, tune.OpenWith, []string{"dally", "gittins"}
	s, err := Build(shipped.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]bool{}
	for _, one := range s.Choices() {
		by[one.Policy] = true
	}
	if !by["gittins"] || by["dally"] || len(s.Chosen) != len(s.Policies) || !strings.Contains(s.JSON, `"chosen"`) {
		t.Errorf("chosen under %v: %s", by, s.JSON)
	}
	if _, err := trial.Run(context.Background(), s.Trials, trial.Options{}); err != nil || s.Err() != nil {
		t.Fatal(err, s.Err())
	}
}
