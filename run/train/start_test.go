package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/trait"
)

const (
	queue = "tarry/Order-v0:cluster=2x2x4,windows=6,warm=4,horizon=12,load=1.2,jobs=12,features=rank+gpus+wait"
	ranks = "tarry/Order-v0:cluster=2x2x4,windows=6,warm=4,horizon=12,load=1.2,jobs=12,globals=false,reward=relative"
)

// searched is a short policy search, and the text of its best agent.
func searched(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	cfg, err := Resolve(shipped.All(), queue, "cmaes-policy", 1,
		settings([]string{"generations=2", "population=4", "windows=2", "validate_episodes=2"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), cfg, Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	text, err := cfg.weights(dir)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "weights.txt")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// A run that starts from a folder or its file has the numbers and options of these in its
// configuration, needs neither any more, and acts as they do until the policy learns.
func TestStart(t *testing.T) {
	dir, file := searched(t)
	from := func(start string) Config {
		return short(t, ranks, "start="+start, "values_first=6", "noise=episode", "norm_reward=false")
	}
	cfg := from(dir)
	a, err := cfg.JSON()
	if err != nil {
		t.Fatal(err)
	}
	other := from(file)
	if b, err := other.JSON(); err != nil || !bytes.Equal(a, b) {
		t.Errorf("from the folder\n%s\nfrom the file\n%s, error %v", a, b, err)
	}
	for _, want := range []string{"features=rank+gpus+wait", "margin=", "min_run=", "t_rack=", "median_s=",
		`"start": [`} {
		if !bytes.Contains(a, []byte(want)) {
			t.Errorf("%s is missing in\n%s", want, a)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := Run(context.Background(), cfg, Options{Out: out}); err != nil {
		t.Fatal(err)
	}
	again, err := Recorded(shipped.All(), out)
	if err != nil {
		t.Fatal(err)
	}
	same, err := again.With(ranks, "", nil, settings([]string{"start=" + file})) // the same line once more
	if b, _ := same.JSON(); err != nil || !bytes.Equal(a, b) {
		t.Errorf("once more it is\n%s, error %v", b, err)
	}
	trained, err := Open(shipped.All(), out, "last")
	if err != nil {
		t.Fatal(err)
	}
	e, err := again.make(trait.Validation)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	p, err := trained.Policy(e.Spec())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Act(make([]float64, 12), make([]float64, e.Spec().Observation.Len()), nil, nil); err == nil {
		t.Error("it acts without an environment that says what its start means")
	}
	if err := registry.Bind(p, e); err != nil {
		t.Fatal(err)
	}
	on, _ := env.Find[trait.Searchable](e)
	start := other.start(t)
	got, want := make([]float64, 12), make([]float64, 12)
	obs, info, err := e.Reset(nil, "window=1")
	steps := 0
	for done := false; err == nil && !done; steps++ {
		if err = errors.Join(p.Act(got, obs, info.Mask, nil), on.Answer(want, obs, start)); err == nil &&
			!slices.Equal(got, want) {
			t.Fatalf("step %d: %v, expected %v", steps, got, want)
		}
		var s env.Step
		s, err = e.Step(got)
		obs, done = s.Obs, s.Done()
	}
	if err != nil || steps < 5 {
		t.Errorf("%d steps, error %v", steps, err)
	}
}

// start is the setting of a run.
func (c *Config) start(t *testing.T) []float64 {
	t.Helper()
	var all struct{ Start []float64 }
	text, err := c.agent.JSON()
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all.Start) != 3 {
		t.Fatal(all, err)
	}
	return all.Start
}

func TestStartFaults(t *testing.T) {
	_, file := searched(t)
	bad := filepath.Join(t.TempDir(), "bad.txt")
	if err := os.WriteFile(bad, []byte("tarry-score 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ env, set, want string }{
		{ranks, "start=nothere.txt",
			`--set: start is "nothere.txt": stat nothere.txt: no such file or directory, expected numbers, a file of tarry export weights or the folder of a policy search`},
		{ranks, "start=" + bad, `bad.txt:1: the file begins with "tarry-score 2"`},
		{ranks, "start=" + t.TempDir(), "is not the folder of a training run"},
		{ranks, "start=1,x", "start"},
		{cart, "start=" + file, "parameters of classic/CartPole-v1 have no text"},
		{queue, "start=" + file, `expected encoder "ranking"`},
	} {
		_, err := Resolve(shipped.All(), c.env, "ppo", 1, settings([]string{c.set}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.set, err, c.want)
		}
	}
}
