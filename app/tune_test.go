package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tuning gives the arguments of a short run.
func tuning(out string, more ...string) []string {
	return append([]string{"tune", "--env", smallEnv, "--policy", "dally-manual", "--param", "t_rack=0.05:20:log",
		"--param", "t_net=0.05:40:log",
		"--optimiser", "cmaes", "--budget", "120", "--windows", "4", "--validation", "3", "--out", out}, more...)
}

// A run that is killed again and again, or asked to stop, leaves the bytes of one that was not;
// workers move none.
func TestTuneKilled(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, tuning("whole", "--jobs", "1")...)
	want := sums(t, filepath.Join(dir, "whole"))
	if len(want) != 6 {
		t.Errorf("%d files, expected 6: %v", len(want), want)
	}
	for round, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, warningSignal} {
		out, stopped := fmt.Sprint("killed", round), 0
		for try := 0; ; try++ {
			if try > 40 {
				t.Fatal("40 starts did not end the run")
			}
			code := startAndSignal(t, dir, sig, time.Duration(25+60*try)*time.Millisecond, tuning(out, "--resume")...)
			if code == exitOK {
				break
			}
			stopped++
			// -1, 130: the signal came before the program listened
			if sig != syscall.SIGKILL && code != exitRequeue && code != exitInterrupted && code != -1 {
				t.Fatalf("signal %v gives exit code %d, expected %d", sig, code, exitRequeue)
			}
		}
		if stopped == 0 {
			t.Logf("signal %v came too late each time", sig)
		}
		sameFiles(t, fmt.Sprint("after ", sig), want, sums(t, filepath.Join(dir, out)))
	}
}

// What is printed is a scheduler for --policy, and stands beside others on windows of test alone.
func TestTuneAndEval(t *testing.T) {
	dir := t.TempDir()
	s := good(t, dir, tuning("tuned", "--budget", "12", "--seed", "3")...)
	policy := strings.TrimSpace(s.out)
	if !strings.HasPrefix(policy, "dally-manual") || !strings.Contains(s.errors, "points, ") ||
		!strings.Contains(s.errors, "validation") {
		t.Errorf("said %q and\n%s", s.out, s.errors)
	}
	var b struct {
		Policy              string
		Train, Validation   float64
		Simulations, Budget int
	}
	text, err := os.ReadFile(filepath.Join(dir, "tuned", "best.json"))
	if err != nil || json.Unmarshal(text, &b) != nil || b.Policy != policy || !(b.Validation > 0) ||
		b.Simulations < 12*4 {
		t.Errorf("best.json is %s, %v", text, err)
	}
	good(t, dir, "simulate", "--trace", "synth:demo,jobs=20", "--policy", policy)
	s = good(t, dir, "eval", "--tuned", "tuned", "--baselines", "dally", "--count", "4", "--format", "json", "--out",
		"evaluated")
	if !strings.Contains(s.out, "tuned by cmaes with seed 3") || strings.Count(s.out, "\n") < 2 {
		t.Errorf("eval says\n%s", s.out)
	}
	again := good(t, dir, "tune", "--out", "tuned", "--resume")
	if strings.TrimSpace(again.out) != policy {
		t.Errorf("again it says %q", again.out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"eval", "--tuned", "tuned", "--windows", "train", "--count", "2"}, "is training window 0 of tuned"},
		{[]string{"eval", "--tuned", "nowhere"}, "nowhere is not the folder of a run of tarry tune"},
		{[]string{"tune"}, "no --out, expected the folder of the run"},
		{tuning("other", "--param", "t_rak=1:2", "--metric", "jct"), "metric \"jct\", expected one of jct_mean"},
		{tuning("other", "--param", "t_rak=1:2"), `did you mean "t_rack"?`},
		{[]string{"tune", "--out", "tuned", "--resume", "--budget", "13"}, "budget was 12, now 13"},
		{[]string{"tune", "--out", "x", "--env", smallEnv}, "--policy"},
	} {
		if s := tarry(t, dir, c.args...); s.code == exitOK || !strings.Contains(s.errors, c.want) {
			t.Errorf("%v: exit code %d, %s, expected %s", c.args, s.code, s.errors, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "other")); err == nil {
		t.Error("a run that was refused left a folder")
	}
}
