package train

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/shipped"
)

// A run records the content of its scenario: the file may move with the run, but what was changed
// is refused.
func TestScenarioOfARun(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const text = "cluster: 1x2x4\nspeed: counting\nprofiles: [tiny.yaml]\nfaults: {machine_mtbf_s: 90000}\ncuts: " +
		"{windows: 3, warm: 2, horizon: 6, lease_s: 1800}\n"
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const profile = "name: tiny\nlayers: [{name: fc, forward_us: 900}]\n"
	write("tiny.yaml", profile)
	write("s.yaml", text)
	var set []registry.Setting
	for _, s := range []string{"total_steps=32", "envs=2", "steps=8", "hidden=4", "minibatches=2", "epochs=1",
		"validate_episodes=1"} {
		k, v, _ := strings.Cut(s, "=")
		set = append(set, registry.Setting{Key: k, Value: v})
	}
	cfg, err := Resolve(shipped.All(), "tarry/DelayTimer-v0:scenario=s.yaml", "ppo", 1, set)
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	if _, err := Run(context.Background(), cfg, Options{Out: run}); err != nil {
		t.Fatal(err)
	}
	if at, err := Locate(shipped.All(), run, cfg.Env); err != nil || at != cfg.Env {
		t.Errorf("the scenario is at %s, %v", at, err)
	}
	if err := os.Rename("s.yaml", filepath.Join(run, "s.yaml")); err != nil {
		t.Fatal(err)
	}
	if at, err := Locate(shipped.All(), run, cfg.Env); err != nil ||
		!strings.Contains(at, filepath.Join(run, "s.yaml")) {
		t.Errorf("the scenario that was moved is at %s, %v", at, err)
	}
	write("s.yaml", strings.Replace(text, "1x2x4", "1x2x8", 1))
	if at, err := Locate(shipped.All(), run, cfg.Env); err != nil ||
		!strings.Contains(at, filepath.Join(run, "s.yaml")) {
		t.Errorf("another file of the name is taken: %s, %v", at, err)
	}
	write("tiny.yaml", profile+"# changed\n")
	if _, err := Locate(shipped.All(), run, cfg.Env); err == nil ||
		!strings.Contains(err.Error(), "and the files that it names with theirs") {
		t.Errorf("a changed profile of the scenario gives %v", err)
	}
	write("tiny.yaml", profile)
	write(filepath.Join(run, "s.yaml"), text+"# changed\n")
	if _, err := Locate(shipped.All(), run, cfg.Env); err == nil ||
		!strings.Contains(err.Error(), "with the content that the run had") {
		t.Errorf("a changed scenario gives %v", err)
	}
}
