package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarry/output/results"
)

// smallEnv is an environment of a small cluster and short windows.
const smallEnv = "tarry/DelayTimer-v0:cluster=2x2x4,windows=6,warm=2,horizon=6,lease_s=1800"

// small gives the arguments of a short training run.
func small(envText, out string, more ...string) []string {
	args := []string{"train", "--env", envText, "--out", out, "--seed", "5", "--steps", "640"}
	for _, s := range []string{"envs=2", "steps=16", "hidden=8", "minibatches=2", "checkpoint_every=2",
		"validate_every=5", "validate_episodes=2"} {
		args = append(args, "--set", s)
	}
	return append(args, more...)
}

// A run that is killed again and again, or asked to stop, leaves the bytes of one that was not.
func TestTrainKilled(t *testing.T) {
	for _, envText := range []string{"classic/CartPole-v1", smallEnv} {
		killed(t, envText, []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, warningSignal},
			func(out string, more ...string) []string {
				return small(envText, out, more...)
			})
	}
}

// Agents that learn from steps they keep do so too: the steps are part of the checkpoint.
func TestReplayKilled(t *testing.T) {
	for agent, envText := range map[string]string{"dqn": strings.Replace(smallEnv, "Timer", "TimerDiscrete", 1),
		"sac": smallEnv} {
		killed(t, agent, []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}, func(out string, more ...string) []string {
			args := []string{"train", "--env", envText, "--agent", agent, "--out", out, "--seed", "5", "--steps", "640"}
			for _, s := range []string{"envs=2", "steps=16", "hidden=8", "batch=8", "buffer=300", "learning_starts=40",
				"checkpoint_every=2", "validate_every=5", "validate_episodes=2"} {
				args = append(args, "--set", s)
			}
			return append(args, more...)
		})
	}
}

// killed compares a run that is stopped by each of the signals until it ends with a whole one.
func killed(t *testing.T, name string, signals []syscall.Signal, args func(out string, more ...string) []string) {
	t.Helper()
	dir := t.TempDir()
	good(t, dir, args("whole")...)
	want := sums(t, filepath.Join(dir, "whole"))
	if len(want) != 6 {
		t.Errorf("%s: %d files, expected 6: %v", name, len(want), want)
	}
	for round, sig := range signals {
		out := fmt.Sprint("killed", round)
		stopped := 0
		for try := 0; ; try++ {
			if try > 40 {
				t.Fatalf("%s: 40 starts did not end the run", name)
			}
			code := startAndSignal(t, dir, sig, time.Duration(15+40*try)*time.Millisecond, args(out, "--resume")...)
			if code == exitOK {
				break
			}
			stopped++
			// -1: the signal came before the program listened
			if sig != syscall.SIGKILL && code != exitRequeue && code != -1 {
				t.Fatalf("%s: signal %v gives exit code %d, expected %d", name, sig, code, exitRequeue)
			}
		}
		if stopped == 0 {
			t.Logf("%s: signal %v came too late each time", name, sig)
		}
		sameFiles(t, fmt.Sprint(name, " after ", sig), want, sums(t, filepath.Join(dir, out)))
	}
}

// startAndSignal runs the command and sends it a signal after a while; it gives the exit code.
func startAndSignal(t *testing.T, dir string, sig syscall.Signal, after time.Duration, args ...string) int {
	t.Helper()
	cmd := exec.Command(binary(), args...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Signal(sig) }) // it may have ended
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// Neither the number of processors nor of goroutines changes a result.
func TestTrainProcessors(t *testing.T) {
	for _, envText := range []string{"classic/CartPole-v1", smallEnv} {
		dir := t.TempDir()
		for _, n := range []string{"1", "2"} {
			cmd := exec.Command(binary(), small(envText, "p"+n, "--jobs", n)...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS="+n)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		sameFiles(t, envText, sums(t, filepath.Join(dir, "p1")), sums(t, filepath.Join(dir, "p2")))
	}
}

// An environment states what its runs would: which types have no speed is a note, and a model that
// nothing has an error.
func TestTrainNotes(t *testing.T) {
	dir := t.TempDir()
	racks := "racks: [{machines: [{gpus: 1, type: H100}, {gpus: 1, type: v100}]}]\ngpu_speed: "
	for name, speeds := range map[string]string{"good.yaml": "{h100: 3}\n",
		"bad.yaml": "{h100: {other: 3, vgg6: 2}}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(racks+speeds), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env := strings.Replace(smallEnv, "cluster=2x2x4", "cluster=good.yaml", 1)
	if s := good(t, dir, small(env, "run")...); strings.Count(s.errors,
		"no gpu_speed is given for v100: as fast as the reference type") != 1 {
		t.Errorf("training says %q, expected that v100 has no speed", s.errors)
	}
	s := tarry(t, dir, small(strings.Replace(env, "good", "bad", 1), "other")...)
	if s.code != exitUsage || !strings.Contains(s.errors, `gpu_speed: unknown model "vgg6", did you mean "vgg16"?`) {
		t.Errorf("code %d, %q, expected that vgg6 is unknown", s.code, s.errors)
	}
}

// Settings come from a file and from flags, which win; a resumed run needs none of them.
func TestTrainSettings(t *testing.T) {
	dir := t.TempDir()
	file := "env: classic/CartPole-v1\nseed: 9\ntotal_steps: 64\nenvs: 2\nsteps: 16\nhidden: [4, 4]\ngamma: 0.9\n"
	if err := os.WriteFile(filepath.Join(dir, "run.yaml"), []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	s := good(t, dir, "train", "--config", "run.yaml", "--set", "gamma=0.8", "--out", "run")
	if !strings.Contains(s.out, "2 updates, 64 steps; best on validation: return") ||
		!strings.Contains(s.errors, "64 of 64 steps, ") {
		t.Errorf("training says %q and %q", s.out, s.errors)
	}
	text, err := os.ReadFile(filepath.Join(dir, "run", "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"seed": 9`, `"gamma": 0.8`, `"agent": "ppo"`, `"total_steps": 64`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("config.json lacks %s:\n%s", want, text)
		}
	}
	before := sums(t, filepath.Join(dir, "run"))
	good(t, dir, "train", "--out", "run", "--resume")
	sameFiles(t, "resumed when it had ended", before, sums(t, filepath.Join(dir, "run")))
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"--out", "run"}, "no environment", exitUsage},
		{[]string{"--env", "classic/CartPole-v1"}, "no --out", exitUsage},
		{[]string{"--out", "run", "--config", "run.yaml"}, "holds a run already; --resume continues it", exitFailed},
		{[]string{"--out", "run", "--resume", "--set", "gamma=0.7"}, "gamma was 0.8, now 0.7", exitFailed},
		{[]string{"--out", "x", "--env", "tarry/DelayTimer-v0:part=test"}, "part is test, expected train", exitUsage},
		{[]string{"--out", "x", "--config", "run.yaml", "--set", "gama=1"}, `--set: unknown setting "gama"`, exitUsage},
		{[]string{"--out", "x", "--config", "run.yaml", "--set", "gamma"}, `--set: "gamma", expected key=value`,
			exitUsage},
	} {
		s := tarry(t, dir, append([]string{"train"}, c.args...)...)
		if s.code != c.code || !strings.Contains(s.errors, c.want) {
			t.Errorf("train %v: exit code %d\n%s\nexpected %d and %s", c.args, s.code, s.errors, c.code, c.want)
		}
	}
	sameFiles(t, "after refusals", before, sums(t, filepath.Join(dir, "run")))
}

// An agent is measured like a scheduler, in pairs, on windows that training did not see.
func TestEval(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, small(smallEnv, "run")...)
	args := []string{"eval", "--checkpoint", "run", "--baselines", "dally,fifo", "--baseline", "tiresias:queues=5/10",
		"--count", "4"}
	table := good(t, dir, append(args, "--out", "e1", "--jobs", "1")...)
	for _, want := range []string{"ppo-5-best", "dally", "tiresias:queues=5/10",
		"means over 4 windows that training did not see"} {
		if !strings.Contains(table.out, want) {
			t.Errorf("the table lacks %q:\n%s", want, table.out)
		}
	}
	if !strings.Contains(table.errors, "decisions, ") || strings.Contains(table.out, "decisions") {
		t.Errorf("latency is printed as %q", table.errors)
	}
	good(t, dir, append(args, "--out", "e2", "--jobs", "2")...)
	one := sums(t, filepath.Join(dir, "e1"))
	sameFiles(t, "workers", one, sums(t, filepath.Join(dir, "e2")))
	if again := good(t, dir, append(args, "--out", "e1")...); again.out != table.out {
		t.Errorf("what was kept gives another table:\n%s", again.out)
	}
	rows, err := results.ReadDir[results.Eval](context.Background(), filepath.Join(dir, "e1", "evals"))
	if err != nil || len(rows) != 20 || rows[4].Policy != "untrained:ppo" {
		t.Fatalf("%d rows, %v, expected 20, the untrained agent's behind its own", len(rows), err)
	}
	for i, r := range rows {
		if r.Replicate != int64(i%4) || r.WorkloadSHA256 != rows[i%4].WorkloadSHA256 ||
			(i < 4) != strings.HasPrefix(r.Agent, "ppo of tarry/DelayTimer-v0, seed 5, best after ") ||
			!(r.JCTMean > 0) {
			t.Errorf("row %d is %+v", i, r)
		}
	}
	for _, format := range []string{"json", "csv"} {
		if s := good(t, dir, append(args, "--format", format)...); strings.Count(s.out,
			"\n") != map[string]int{"json": 5, "csv": 6}[format] || !strings.Contains(s.out, "jct_mean_diff_lo_s") {
			t.Errorf("%s is\n%s", format, s.out)
		}
	}
	if s := good(t, dir, append(args, "--untrained=false")...); strings.Contains(s.out, "untrained") {
		t.Errorf("without the untrained agent\n%s", s.out)
	}
	good(t, dir, "eval", "--checkpoint", "run", "--which", "last", "--cluster", "2x4x4", "--count", "2", "--baselines",
		"dally")
	good(t, dir, "eval", "--checkpoint", "run", "--trace", "synth:demo,jobs=400,gpus=16", "--count", "2",
		"--baselines", "dally")
	sameFiles(t, "reading", one, sums(t, filepath.Join(dir, "e1")))
}

// What cannot be measured fairly is refused.
func TestEvalFaults(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, small(smallEnv, "run")...)
	good(t, dir, small("classic/CartPole-v1", "cart")...)
	bad := filepath.Join(dir, "bad")
	if err := os.CopyFS(bad, os.DirFS(filepath.Join(dir, "run"))); err != nil {
		t.Fatal(err)
	}
	best := filepath.Join(bad, "checkpoints", "best.ckpt")
	data, err := os.ReadFile(best)
	if err == nil {
		data[len(data)/3] ^= 4
		err = os.WriteFile(best, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"--checkpoint run --windows train --count 1", "window 0 of part train is training window 0 of run: " +
			"expected windows that training has not seen"},
		{"--checkpoint run --windows validation --count 1", "is validation window 0 of run"},
		{"--checkpoint run --windows tst",
			`--windows: "tst", expected one of train, validation, test; did you mean "test"?`},
		{"--checkpoint run --count 7", "windows are 7, expected 1..6"},
		{"--checkpoint run --set part=test", "--windows for the part"},
		{"--checkpoint run --baselines daly", `did you mean "dally"?`},
		{"--checkpoint run --baselines dally,dally", `policy "dally" is given twice`},
		{"--checkpoint run --set laod=1", `did you mean "load"?`},
		{"--checkpoint none", "none is not the folder of a training run"},
		{"--checkpoint carrt", `did you mean "cart"?`},
		{"--checkpoint .", "no such file or directory; it holds bad, cart, run"},
		{"--checkpoint bad", "truncated or damaged"},
		{"--checkpoint cart", "environment classic/CartPole-v1 has no cluster"},
		{"--checkpoint run --which worst", `which is "worst", expected best or last`},
		{"--baselines dally", "no checkpoint"},
		{"--checkpoint run --format jsn", `--format: "jsn"`},
	} {
		s := tarry(t, dir, append([]string{"eval"}, strings.Fields(c.args)...)...)
		if s.code != exitUsage || !strings.Contains(s.errors, c.want) || s.out != "" {
			t.Errorf("eval %s: exit code %d, output %q\n%s\nexpected %s", c.args, s.code, s.out, s.errors, c.want)
		}
	}
}
