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

// A run records the content of every file of its mixture: a file may move with the run, but what
// was changed is refused.
func TestMixtureOfARun(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const text = "cluster: 1x2x4\nspeed: counting\ncuts: {windows: 3, warm: 2, horizon: 6, lease_s: 1800}\n"
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.yaml", text)
	write("b.yaml", strings.Replace(text, "1x2x4", "2x2x4", 1))
	var set []registry.Setting
	for _, s := range []string{"total_steps=32", "envs=2", "steps=8", "hidden=4", "minibatches=2", "epochs=1",
		"validate_episodes=2"} {
		k, v, _ := strings.Cut(s, "=")
		set = append(set, registry.Setting{Key: k, Value: v})
	}
	cfg, err := Resolve(shipped.All(), "tarry/DelayTimer-v1:mixture=a.yaml+b.yaml", "ppo", 1, set)
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	if _, err := Run(context.Background(), cfg, Options{Out: run}); err != nil {
		t.Fatal(err)
	}
	if at, err := Locate(shipped.All(), run, cfg.Env); err != nil || at != cfg.Env {
		t.Errorf("the mixture is at %s, %v", at, err)
	}
	moved := filepath.Join(run, "b.yaml")
	if err := os.Rename("b.yaml", moved); err != nil {
		t.Fatal(err)
	}
	if at, err := Locate(shipped.All(), run, cfg.Env); err != nil || !strings.Contains(at, "a.yaml+"+moved) {
		t.Errorf("the mixture with a file that was moved is at %s, %v", at, err)
	}
	write(moved, text)
	if _, err := Locate(shipped.All(), run, cfg.Env); err == nil ||
		!strings.Contains(err.Error(), "scenario b.yaml of the mixture with the content that the run had") {
		t.Errorf("a changed file gives %v", err)
	}
}
