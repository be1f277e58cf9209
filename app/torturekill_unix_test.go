//go:build unix

package app

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarry/internal/effort"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// victim is a command that is killed at a random moment, again and again, and started anew until it
// ends.
type victim struct {
	name string
	args func(out string) []string
	// before makes the folder that the command finds; nil = it finds none.
	before func(out string) error

	want    map[string]string // the files of an undisturbed run
	printed string
	took    time.Duration
}

// guard ends a command that hangs. No run here takes a hundredth of it.
const guard = 5 * time.Minute

// TestTortureKills: after kill -9 at any moment, however often, the same command ends with the
// bytes of an undisturbed run, prints the same, and leaves nothing half-written.
func TestTortureKills(t *testing.T) {
	dir := scratch(t)
	victims := victimsIn(t, dir)
	kills, histories := 0, 0
	t.Cleanup(func() { t.Logf("%d histories with %d kills of running commands", histories, kills) })
	simtest.Torture(t, effort.Of(t, 1, 2)*len(victims), func(seed uint64) error {
		v := victims[seed%uint64(len(victims))]
		n, err := v.history(dir, fmt.Sprintf("%s-%d", v.name, seed), rng.Source{Seed: seed}.Stream("kills"))
		kills += n
		histories++
		return err
	})
}

// victimsIn lists the commands.
func victimsIn(t *testing.T, dir string) []*victim {
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	simulate := write("simulate.yaml", "name: s\nkind: simulate\nbase: {trace: "+
		"\"synth:philly,jobs=1500,gpus=128,load={load}\", cluster: 4x4x8}\naxes: [{name: load, values: [0.6, 0.9]}, "+
		"{name: policy, values: [dally, tiresias, fifo]}]\nseeds: 2\n")
	learn := write("learn.yaml", "name: l\nkind: learn\nbase: {env: \""+smallEnv+"\", total_steps: 320, envs: 2, "+
		"steps: 16, hidden: 8, minibatches: 2, checkpoint_every: 2, validate_every: 5, validate_episodes: 2, "+
		"evaluate: {baselines: [fifo], windows: 1}}\nseeds: 2\n")
	chosen := write("chosen.yaml", "name: c\nkind: simulate\nbase: {trace: \"synth:recur,jobs=1500,load=0.8\", cluster: "+
		"1x4x4, predict: \"auto:of=ridge+last2+size\"}\naxes: [{name: policy, values: [gittins, qssf]}]\n")
	choosing := smallEnv + ",workload=recur,predict=auto:of=ridge+last2"
	good(t, dir, small(smallEnv, "agent")...)
	good(t, dir, "sweep", simulate, "--out", "swept")
	fixed := func(args ...string) func(string) []string {
		return func(out string) []string { return append(args[:len(args):len(args)], "--out", out) }
	}
	return []*victim{
		{name: "compare", args: fixed("compare", "--trace", "synth:philly,jobs=3000,gpus=128,load=0.9", "--cluster",
			"4x4x8", "--policy", "dally", "--policy", "fifo",
			"--replicates", "2", "--jobs", "2", "--format", "json", "--plot", "plots")},
		{name: "train", args: func(out string) []string { return small(smallEnv, out, "--resume") }},
		{name: "sweep", args: fixed("sweep", simulate, "--jobs", "3")},
		{name: "isolated", args: fixed("sweep", simulate, "--jobs", "2", "--isolate")},
		{name: "learning", args: fixed("sweep", learn, "--jobs", "2")},
		{name: "tune", args: func(out string) []string { return tuning(out, "--resume") }},
		{name: "eval", args: fixed("eval", "--checkpoint", "agent", "--baselines", "dally,fifo", "--count", "6",
			"--trace", "synth:philly,jobs=8000,load=0.9")},
		{name: "chosen", args: fixed("compare", "--trace", "synth:recur,jobs=3000,load=0.8", "--cluster", "1x4x4",
			"--predict", "auto:of=ridge+last2+size", "--policy", "gittins", "--policy", "qssf")},
		{name: "chosen-sweep", args: fixed("sweep", chosen, "--jobs", "2")},
		{name: "chosen-train", args: func(out string) []string { return small(choosing, out, "--resume") }},
		{name: "gather", args: func(out string) []string { return []string{"sweep", "gather", out} },
			before: func(out string) error {
				from := filepath.Join(dir, "swept")
				if err := os.CopyFS(out, os.DirFS(from)); err != nil {
					return err
				}
				for _, made := range []string{"manifest.json", "trials", "jobs"} {
					if err := os.RemoveAll(filepath.Join(out, made)); err != nil {
						return err
					}
				}
				return nil
			}},
		{name: "figures", args: func(out string) []string {
			return []string{"figures", "swept", "--out", out, "--only",
				"jct_cdf"}
		}},
		{name: "split", args: fixed("trace", "split", "--trace", "synth:philly,jobs=30000", "--format", "csv")},
	}
}

// history starts the command in a fresh folder, kills it up to three times, lets it end, and
// compares. It gives the number of kills that met a running command.
func (v *victim) history(dir, out string, draws *rng.Stream) (kills int, err error) {
	if v.want == nil {
		if err := v.straight(dir); err != nil {
			return 0, err
		}
	}
	defer os.RemoveAll(filepath.Join(dir, out))
	if v.before != nil {
		if err := v.before(filepath.Join(dir, out)); err != nil {
			return 0, err
		}
	}
	var moments []string
	for range 3 {
		after := time.Duration(draws.Float64() * float64(v.took))
		met, err := v.kill(dir, out, after)
		if err != nil {
			return kills, err
		}
		if !met {
			break
		}
		kills++
		moments = append(moments, after.String())
	}
	why := fmt.Sprintf("%s killed after %s", v.name, strings.Join(moments, ", "))
	got, _, err := v.run(dir, out)
	if err != nil {
		return kills, fmt.Errorf("%s: %w", why, err)
	}
	// there may be nothing left to gather
	if want := strings.ReplaceAll(v.printed, v.name+"-straight", out); got != want && v.name != "gather" {
		return kills, fmt.Errorf("%s: it prints\n%s\nexpected\n%s", why, got, want)
	}
	files, err := filesOf(filepath.Join(dir, out))
	if err != nil {
		return kills, err
	}
	return kills, differ(why, v.want, files)
}

// straight runs the command without a disturbance.
func (v *victim) straight(dir string) error {
	out := v.name + "-straight"
	if v.before != nil {
		if err := v.before(filepath.Join(dir, out)); err != nil {
			return err
		}
	}
	var err error
	if v.printed, v.took, err = v.run(dir, out); err != nil {
		return err
	}
	v.want, err = filesOf(filepath.Join(dir, out))
	return err
}

// run starts the command and waits for its end.
func (v *victim) run(dir, out string) (printed string, took time.Duration, err error) {
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	cmd := exec.CommandContext(ctx, binary(), v.args(out)...)
	var stdout, stderr strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return "", 0, fmt.Errorf("tarry %s: %w\n%s", strings.Join(v.args(out), " "), err, stderr.String())
	}
	return stdout.String(), time.Since(start), nil
}

// kill starts the command and kills it after a time; met states that it had not ended.
func (v *victim) kill(dir, out string, after time.Duration) (met bool, err error) {
	cmd := exec.Command(binary(), v.args(out)...)
	var stderr strings.Builder
	cmd.Dir, cmd.Stderr = dir, &stderr
	if err := cmd.Start(); err != nil {
		return false, err
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() }) // it may have ended
	defer timer.Stop()
	cmd.Wait() // the state states how it ended
	if code := cmd.ProcessState.ExitCode(); code > 0 {
		return false, fmt.Errorf("tarry %s: exit code %d\n%s", strings.Join(v.args(out), " "), code, stderr.String())
	}
	return cmd.ProcessState.ExitCode() < 0, nil
}

// filesOf gives the hash of every file below dir except the history of a run:
// logs, locks and STATUS.
func filesOf(dir string) (map[string]string, error) {
	all, err := hashes(dir)
	for name := range all {
		switch filepath.Base(name) {
		case "STATUS", "log", "lock":
			delete(all, name)
		}
	}
	return all, err
}

// differ names the files that two folders do not have in common.
func differ(why string, want, got map[string]string) error {
	var bad []string
	for f, h := range want {
		if got[f] != h {
			bad = append(bad, f)
		}
	}
	for f := range got {
		if _, ok := want[f]; !ok {
			bad = append(bad, f+" (too many)")
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("%s: other than without a kill: %s", why, strings.Join(bad, ", "))
	}
	return nil
}
