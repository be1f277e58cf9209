package app

import (
	"path/filepath"
	"strings"
	"testing"
)

// A run that imitates a scheduler first, and is then made longer, leaves the bytes of one that was
// as long from the start; what cannot be made longer is refused.
func TestTrainLonger(t *testing.T) {
	dir := t.TempDir()
	more := []string{"--set", "imitate=dally", "--set", "imitate_episodes=4", "--set", "imitate_epochs=2", "--set",
		"anneal=false", "--set", "checkpoint_minutes=0.001"}
	s := good(t, dir, small(smallEnv, "whole", more...)...)
	if !strings.Contains(s.errors, "imitation: ") || !strings.Contains(s.errors, "640 of 640 steps") {
		t.Errorf("training says %q", s.errors)
	}
	good(t, dir, append(small(smallEnv, "longer", more...), "--steps", "320")...)
	good(t, dir, "train", "--out", "longer", "--resume", "--steps", "640")
	want := sums(t, filepath.Join(dir, "whole"))
	sameFiles(t, "made longer", want, sums(t, filepath.Join(dir, "longer")))
	for _, c := range []struct{ args, want string }{
		{"--out longer --resume --steps 320", "total_steps was 640, now 320: a run can be made longer, not shorter"},
		{"--out x --env " + smallEnv + " --set imitate=fifo", "expected one of delay, dally, dally-manual, " +
			"dally-nowait, dally-consolidated, dally-evict, dally-elastic, dally-shared, ranked"},
		{"--out x --env " + smallEnv + " --set checkpoint_minuts=1",
			`unknown setting "checkpoint_minuts", expected one of env, agent, seed, checkpoint_every, checkpoint_minutes, validate_every, validate_episodes, validate_start, patience, `},
		{"--out x --env " + smallEnv + " --set sead=1", `did you mean "seed"?`},
		{"--out x --env " + smallEnv + " --set seed=1", "seed is no setting of --set, expected --seed"},
		{"--out x --env " + smallEnv + ",trace=phily:x.csv", "phily:x.csv"},
	} {
		if s := tarry(t, dir, append([]string{"train"}, strings.Fields(c.args)...)...); s.code == exitOK ||
			!strings.Contains(s.errors, c.want) {
			t.Errorf("train %s: exit code %d\n%s\nexpected %s", c.args, s.code, s.errors, c.want)
		}
	}
	sameFiles(t, "after refusals", want, sums(t, filepath.Join(dir, "longer")))
}
