package app

import (
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"tarry/agents/nn"
)

// altered gives a checkpoint of a run in which the learner's part was changed, with checksums that
// fit.
func altered(t *testing.T, data []byte, change func(learner *nn.State)) []byte {
	t.Helper()
	whole, err := nn.DecodeState(data)
	if err != nil {
		t.Fatal(err)
	}
	part, err := whole.Get("learner")
	if err != nil {
		t.Fatal(err)
	}
	learner, err := nn.DecodeState(part)
	if err != nil {
		t.Fatal(err)
	}
	change(learner)
	whole.Put("learner", learner.Encode())
	return whole.Encode()
}

// begun starts a run and signals it to stop as soon as it has a checkpoint.
func begun(t *testing.T, dir, out string, args ...string) {
	t.Helper()
	for try := 0; ; try++ {
		if code := startAndSignal(t, dir, syscall.SIGTERM, time.Duration(50+50*try)*time.Millisecond,
			append(args, "--out", out, "--resume")...); code == exitRequeue {
			return
		}
		if try > 40 {
			t.Fatal("40 starts made no checkpoint")
		}
	}
}

// A loss that is not finite ends the run with 1, names the update and what is not finite, and
// leaves a dump. All that was there before stays, as it does when the checkpoint is of another
// version of the agent.
func TestTrainDiverged(t *testing.T) {
	for agent, c := range map[string]struct {
		more                 []string
		weight, loss, tensor string
	}{
		// Whether the sum is infinite or NaN depends on the update at which the signal stopped the
		// run.
		"ppo": {nil, "critic/1/bias", `training diverged: loss (\+Inf|NaN) \(policy `, `value (\+Inf|NaN)`},
		"sac": {[]string{"--set", "learning_starts=20", "--set", "batch=8"}, "critic1/1/bias",
			`training diverged: loss (\+Inf|NaN) of the critics`,
			`\ngradient of critic1/0/weight\[0,0\] is (\+Inf|-Inf|NaN)`},
	} {
		dir := t.TempDir()
		begun(t, dir, "run", append([]string{"train", "--env", smallEnv, "--agent", agent, "--steps", "1000000",
			"--set", "envs=2", "--set", "steps=16",
			"--set", "hidden=8", "--set", "checkpoint_every=1"}, c.more...)...)
		last := filepath.Join(dir, "run", "checkpoints", "last.ckpt")
		for _, k := range []struct {
			why    string
			change func(*nn.State)
			want   []string
			dump   bool
		}{
			{"another version", func(l *nn.State) { l.Put("header", []byte(`{"format":"tarry/agents/`+agent+`/0"}`)) },
				[]string{"of format", agent + `/0", expected "tarry/agents/` + agent + `/1"`}, false},
			{"diverged", func(l *nn.State) { l.PutFloats("weights/"+c.weight, []float64{1e308}) },
				[]string{agent + ": update ", c.loss, c.tensor, "the weights before it are in " +
					"run/checkpoints/diverged.ckpt"}, true},
		} {
			whole, err := os.ReadFile(last)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(last, altered(t, whole, k.change), 0o666); err != nil {
				t.Fatal(err)
			}
			before := sums(t, dir)
			s := tarry(t, dir, "train", "--out", "run", "--resume")
			if s.code != exitFailed || s.out != "" {
				t.Errorf("%s, %s: exit code %d, output %q, expected %d and none", agent, k.why, s.code, s.out,
					exitFailed)
			}
			for _, want := range k.want {
				if !regexp.MustCompile(want).MatchString(s.errors) {
					t.Errorf("%s, %s: it says\n%s\nexpected %s", agent, k.why, s.errors, want)
				}
			}
			after := sums(t, dir)
			if _, there := after["run/checkpoints/diverged.ckpt"]; there != k.dump {
				t.Errorf("%s, %s: a dump is there: %v, expected %v", agent, k.why, there, k.dump)
			}
			delete(after, "run/checkpoints/diverged.ckpt")
			sameFiles(t, agent+", "+k.why, before, after)
			if err := os.WriteFile(last, whole, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
