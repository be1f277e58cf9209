package app

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarry/agents/registry"
	"tarry/run/train"
)

// seeds gives the arguments of a short training run with other seeds than small's.
func withSeeds(seeds, envText, out string, more ...string) []string {
	args := small(envText, out, more...)
	at := slices.Index(args, "--seed")
	args[at], args[at+1] = "--seeds", seeds
	return args
}

// Runs side by side leave the bytes of each alone, with fewer goroutines than runs and with more,
// and each has its line and its pictures.
func TestTrainSeeds(t *testing.T) {
	dir := t.TempDir()
	alone := map[string]map[string]string{}
	for _, seed := range []string{"2", "3", "9"} {
		args := small(smallEnv, "alone-"+seed)
		args[slices.Index(args, "--seed")+1] = seed
		good(t, dir, args...)
		alone[seed] = sums(t, filepath.Join(dir, "alone-"+seed))
	}
	many := []string{"1", "2", "7"}
	if len(raceFlags()) > 0 { // one alone meets no other, and seven are two with idle ones
		many = many[1:2]
	}
	for _, jobs := range many {
		out := "side-" + jobs
		s := good(t, dir, withSeeds("2-3,9", smallEnv, out, "--jobs", jobs, "--plot", "plots-"+jobs)...)
		lines := strings.Split(strings.TrimSpace(s.out), "\n")
		for i, seed := range []string{"2", "3", "9"} {
			sameFiles(t, "seed "+seed+", jobs "+jobs, alone[seed], sums(t, filepath.Join(dir, out, seed)))
			if len(lines) != 3 || !strings.HasSuffix(lines[i], filepath.Join(out, seed)) {
				t.Errorf("line %d of\n%s\nshould be of seed %s", i, s.out, seed)
			}
			if _, err := os.Stat(filepath.Join(dir, "plots-"+jobs, seed, "learning.png")); err != nil {
				t.Error(err)
			}
		}
		if !strings.Contains(s.errors, "1920 of 1920 steps, ") || strings.Contains(s.errors, "steps/s, return") {
			t.Errorf("the progress is of one run:\n%s", s.errors)
		}
	}
}

// A signal stops all runs after the update under way, with 75; --resume continues each of them to
// the same bytes, and leaves the runs that have ended.
func TestTrainSeedsKilled(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, withSeeds("1-3", smallEnv, "alone")...)
	want := sums(t, filepath.Join(dir, "alone"))
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		out := fmt.Sprint("killed-", int(sig))
		for try := 0; ; try++ {
			if try > 40 {
				t.Fatal("40 starts did not end the runs")
			}
			code := startAndSignal(t, dir, sig, time.Duration(100+60*try)*time.Millisecond,
				withSeeds("1-3", smallEnv, out, "--resume")...)
			if code == exitOK {
				break
			}
			if sig != syscall.SIGKILL && code != exitRequeue && code != -1 { // -1: before the program listened
				t.Fatalf("signal %v gives exit code %d, expected %d", sig, code, exitRequeue)
			}
		}
		sameFiles(t, sig.String(), want, sums(t, filepath.Join(dir, out)))
	}
}

// What is wrong is reported before any run begins.
func TestTrainSeedsFaults(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, withSeeds("2", "classic/CartPole-v1", "run")...)
	before := sums(t, dir)
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{withSeeds("1-3", "classic/CartPole-v1", "run"), filepath.Join("run", "2") +
			" holds a run already; --resume continues it", exitFailed},
		{withSeeds("3-1", "classic/CartPole-v1", "new"),
			`--seeds: "3-1", expected up to 100 different seeds in 0..9223372036854775807, such as 1-3 or 1,4,9`,
			exitUsage},
		{withSeeds("1,1-2", "classic/CartPole-v1", "new"), `--seeds: "1,1-2", expected`, exitUsage},
		{withSeeds("", "classic/CartPole-v1", "new"), `--seeds: "", expected`, exitUsage},
		{withSeeds("1-101", "classic/CartPole-v1", "new"), `--seeds: "1-101", expected`, exitUsage},
		{withSeeds("0-99,100", "classic/CartPole-v1", "new"), `--seeds: "0-99,100", expected`, exitUsage},
		{withSeeds("9223372036854775808", "classic/CartPole-v1", "new"), "--seeds: ", exitUsage},
		{withSeeds("-1", "classic/CartPole-v1", "new"), `--seeds: "-1", expected`, exitUsage},
		{withSeeds("1-2", "classic/CartPole-v1", "new", "--seed", "4"),
			"--seed and --seeds are both given, expected one of them", exitUsage},
		{withSeeds("1-2", "classic/CartPole-v1", "new", "--set", "gama=1"), `--set: unknown setting "gama"`, exitUsage},
	} {
		s := tarry(t, dir, c.args...)
		if s.code != c.code || strings.Count(s.errors, c.want) != 1 || s.out != "" {
			t.Errorf("%v: exit code %d, output %q\n%s\nexpected %d and %s", c.args, s.code, s.out, s.errors, c.code,
				c.want)
		}
	}
	sameFiles(t, "after refusals", before, sums(t, dir))
	if seeds, err := parseSeeds(fmt.Sprint(uint64(math.MaxInt64)-1, "-", uint64(math.MaxInt64),
		", 0-97")); err != nil || len(seeds) != 100 || seeds[1] != math.MaxInt64 {
		t.Errorf("the largest seeds: %v, %v", seeds, err)
	}
}

// The progress of several runs is their sum: what an earlier process made does not count for the
// rate, a run that stopped early takes its remaining steps with it.
func TestTrainProgressOfSeeds(t *testing.T) {
	var out bytes.Buffer
	p := &trainProgress{meter: newMeter(&out, auto), runs: []trainState{
		{seed: 1, total: 100, first: -1, last: math.NaN(), best: math.NaN()},
		{seed: 2, total: 100, first: -1, last: math.NaN(), best: math.NaN()},
		{seed: 3, total: 100, first: -1, last: math.NaN(), best: math.NaN()},
	}}
	p.start = p.start.Add(-10 * time.Second)
	p.over(2, train.Outcome{Steps: 100}) // it was complete already
	p.update(1, train.Progress{Row: registry.Row{Update: 5, Steps: 50, Return: 8}, Updates: 10, Steps: 100,
		Best: math.NaN()})
	p.over(1, train.Outcome{Steps: 50, Stopped: true})
	p.update(0, train.Progress{Row: registry.Row{Update: 10, Steps: 100, Return: 4}, Updates: 10, Steps: 100, Best: 7})
	if want := "250 of 250 steps, 2 of 3 seeds done, 2 steps/s, mean return 6, best seed on validation 7, " +
		"0s left\n"; out.String() != want {
		t.Errorf("said %q, expected %q", out.String(), want)
	}
}
