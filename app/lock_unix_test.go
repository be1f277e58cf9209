//go:build unix

package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alone starts a run that has its folder, and gives it once it does.
func alone(t *testing.T, dir, out string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := launch(t, dir, args...)
	t.Cleanup(func() {
		cmd.Process.Kill() // it may have ended
		cmd.Wait()
	})
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(2 * time.Millisecond) {
		held, begun := content(filepath.Join(dir, out, "lock")), content(filepath.Join(dir, out, "config.json"))
		if held != "" && begun != "" {
			return cmd
		}
	}
	t.Fatalf("%v did not begin", args)
	return nil
}

// Two runs on one folder are kept apart: the second states who has it and changes nothing. One that
// was killed with -9 has it no longer, and resumes to the same bytes, without the lock.
func TestRunsKeptApart(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	train := func(out string, more ...string) []string {
		return append([]string{"train", "--env", "classic/CartPole-v1", "--set", "envs=4", "--set", "steps=128",
			"--set", "total_steps=8192", "--set", "checkpoint_every=1",
			"--set", "validate_every=0", "--set", "validate_episodes=2", "--out", out}, more...)
	}
	for _, c := range []struct {
		name string
		args func(out string, more ...string) []string
	}{{"train", train}, {"tune", tuning}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			good(t, dir, c.args("whole")...)
			first := alone(t, dir, "run", c.args("run")...)
			if !halt(t, first.Process.Pid) { // it holds the folder as long as it is there
				t.Fatal("the run was over before it could be stopped")
			}
			before := sums(t, filepath.Join(dir, "run"))
			want := fmt.Sprintf("tarry: run is locked by another process (pid %d on %s); wait until it ends, or "+
				"give another folder\n", first.Process.Pid, host)
			for _, more := range [][]string{nil, {"--resume"}, {"--resume", "--seed", "9"}} {
				if s := tarry(t, dir, c.args("run", more...)...); s.code != exitFailed || s.errors != want ||
					s.out != "" {
					t.Errorf("%v: exit code %d, %q, %q, expected %d and %q", more, s.code, s.errors, s.out, exitFailed,
						want)
				}
			}
			sameFiles(t, "after refusals", before, sums(t, filepath.Join(dir, "run")))
			if err := first.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			first.Wait() // it was killed
			if content(filepath.Join(dir, "run", "lock")) == "" {
				t.Error("nothing is left of the killed run's lock: the test shows nothing")
			}
			good(t, dir, c.args("run", "--resume")...)
			sameFiles(t, "killed", sums(t, filepath.Join(dir, "whole")), sums(t, filepath.Join(dir, "run")))
		})
	}
}

// A run in a folder that cannot be written to notes it.
func TestRunReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("everything can be written to by root")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o555); err != nil {
		t.Fatal(err)
	}
	want := "tarry: run cannot be written to: open run/lock: permission denied\n"
	for _, args := range [][]string{small(smallEnv, "run"), tuning("run", "--resume")} {
		if s := tarry(t, dir, args...); s.code != exitFailed || s.errors != want {
			t.Errorf("%v: exit code %d, %q, expected %d and %q", args, s.code, s.errors, exitFailed, want)
		}
	}
}

// Two that write tables into one folder are kept apart as well; the second changes nothing, and
// after kill -9 the same command ends with the same bytes.
func TestTablesKeptApart(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dir := scratch(t)
	good(t, dir, small(smallEnv, "agent")...)
	simulate := func(out string, more ...string) []string {
		return append([]string{"simulate", "--trace", "synth:philly,jobs=20000,gpus=128,load=0.9", "--cluster",
			"4x4x8", "--policy", "tiresias", "--out", out}, more...)
	}
	measure := func(out string, more ...string) []string {
		return append([]string{"eval", "--checkpoint", "agent", "--baselines", "fifo,dally,tiresias", "--count", "6",
			"--trace", "synth:philly,jobs=30000,load=0.9", "--out", out}, more...)
	}
	for _, c := range []struct {
		name string
		args func(out string, more ...string) []string
	}{{"compare", compareRun}, {"simulate", simulate}, {"eval", measure}} {
		t.Run(c.name, func(t *testing.T) {
			whole := good(t, dir, c.args(c.name+"-whole")...)
			out := c.name + "-run"
			first := alone(t, dir, out, c.args(out)...)
			stopped := halt(t, first.Process.Pid)
			if _, err := os.Stat(filepath.Join(dir, out, "lock")); err != nil || !stopped {
				t.Skip("the run was over before it could be stopped")
			}
			before := sums(t, filepath.Join(dir, out))
			want := fmt.Sprintf("tarry: %s is locked by another process (pid %d on %s); wait until it ends, or give "+
				"another folder\n", out, first.Process.Pid, host)
			for _, more := range [][]string{nil, {"--force"}} {
				if s := tarry(t, dir, c.args(out, more...)...); s.code != exitFailed ||
					!strings.HasSuffix(s.errors, want) || s.out != "" {
					t.Errorf("%v: exit code %d, %q, %q, expected %d and %q", more, s.code, s.errors, s.out, exitFailed,
						want)
				}
			}
			sameFiles(t, "after refusals", before, sums(t, filepath.Join(dir, out)))
			if err := first.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			first.Wait() // it was killed
			again := good(t, dir, c.args(out)...)
			sameFiles(t, "killed", sums(t, filepath.Join(dir, c.name+"-whole")), sums(t, filepath.Join(dir, out)))
			if again.out != whole.out {
				t.Errorf("printed\n%s\nexpected\n%s", again.out, whole.out)
			}
		})
	}
}

// halt stops a child with SIGSTOP and waits until it has stopped, since a signal takes a moment;
// false when it ended before.
func halt(t *testing.T, pid int) bool {
	t.Helper()
	var status syscall.WaitStatus
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); err != nil {
		t.Fatal(err)
	}
	return status.Stopped()
}
