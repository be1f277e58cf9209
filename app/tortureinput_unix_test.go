//go:build unix

package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarry/internal/effort"
	"tarry/internal/legible"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// What a command may take for a mutated input. Inputs that are not mutated take a tenth.
const (
	mostTime   = 2 * time.Minute
	mostMemory = 1 << 30 // bytes, resident
)

// target is an input and the commands that read it.
type target struct {
	file     string
	commands [][]string
}

// TestTortureInputs: whatever is wrong with an input, a command notes it with the file's name and a
// known exit code, or does its work. It does not panic, hang, or take more memory than is stated,
// and writes nothing that a terminal obeys.
func TestTortureInputs(t *testing.T) {
	dir := scratch(t)
	base := filepath.Join(dir, "base")
	targets := targetsIn(t, base)
	whole := filepath.Join(dir, "whole") // the commands succeed where nothing is mutated
	for _, x := range targets {
		if err := os.CopyFS(whole, os.DirFS(base)); err != nil {
			t.Fatal(err)
		}
		for _, args := range x.commands {
			if r := limited(whole, args); r.code != exitOK || r.check(x.file) != nil {
				t.Fatalf("%s as it should be: tarry %s: code %d, %v\n%s", x.file, strings.Join(args, " "), r.code,
					r.check(x.file), r.errors)
			}
		}
		os.RemoveAll(whole)
	}
	inputs, runs, refused := 0, 0, 0
	var memory int64
	t.Cleanup(func() {
		t.Logf("%d mutated inputs of %d kinds, %d runs, %d refused them; at most %d MiB", inputs, len(targets), runs,
			refused, memory>>20)
	})
	simtest.Torture(t, effort.Of(t, 1, 4)*len(targets), func(seed uint64) error {
		inputs++
		draws := rng.Source{Seed: seed}.Stream("mutations")
		x := targets[seed%uint64(len(targets))]
		work := filepath.Join(dir, fmt.Sprint("work-", seed))
		defer os.RemoveAll(work)
		if err := os.CopyFS(work, os.DirFS(base)); err != nil {
			return err
		}
		path := filepath.Join(work, x.file)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		data, what := mutate(data, draws)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
		for _, args := range x.commands {
			r := limited(work, args)
			runs++
			if r.code != exitOK {
				refused++
			}
			memory = max(memory, r.memory)
			if err := r.check(x.file); err != nil {
				return fmt.Errorf("%s (%s): tarry %s: %w", x.file, what, strings.Join(args, " "), err)
			}
		}
		return nil
	})
}

// outcomeOf is how a command ended.
type outcomeOf struct {
	code        int
	out, errors string
	took        time.Duration
	memory      int64
}

// limited runs the command with a bound on its address space and on its time.
func limited(dir string, args []string) outcomeOf {
	ctx, stop := context.WithTimeout(context.Background(), mostTime)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 8000000; exec "$0" "$@"`, binary()},
		args...)...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	start := time.Now()
	cmd.Run() // the state states how it ended
	r := outcomeOf{code: cmd.ProcessState.ExitCode(), out: out.String(), errors: errs.String(), took: time.Since(start)}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = int64(u.Maxrss) << 10
	}
	return r
}

// check reports what is wrong with the end of a command that read a file.
func (r *outcomeOf) check(file string) error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	switch {
	case r.code < 0 && r.took >= mostTime:
		bad("it did not end within %v", mostTime)
	case !slices.Contains([]int{exitOK, exitFailed, exitUsage, 42, exitRequeue}, r.code):
		bad("exit code %d", r.code)
	}
	for _, word := range []string{"panic:", "fatal error:", "goroutine ", "runtime error"} {
		if strings.Contains(r.errors, word) {
			bad("it says %q", word)
		}
	}
	if r.memory > mostMemory {
		bad("it took %d MiB, at most %d are stated", r.memory>>20, mostMemory>>20)
	}
	if r.code != exitOK && !strings.Contains(r.errors, filepath.Base(file)) {
		bad("the message does not name %s", filepath.Base(file))
	}
	if shown := strings.NewReplacer("\n", "", "\t", "").Replace(r.out + r.errors); strings.ContainsFunc(shown,
		legible.Hidden) {
		bad("it writes characters that a terminal obeys")
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("%w; code %d, %v\n%.2000s", errors.Join(errs...), r.code, r.took, r.errors)
}

// mutate changes a text and states how.
func mutate(data []byte, draws *rng.Stream) ([]byte, string) {
	data = slices.Clone(data)
	n := len(data)
	at := draws.IntN(n)
	size := 1 + draws.IntN(min(n-at, 64))
	lines := bytes.SplitAfter(data, []byte("\n"))
	switch kind := draws.IntN(6); {
	case kind == 1:
		return data[:at], fmt.Sprintf("cut at byte %d of %d", at, n)
	case kind == 2:
		more := make([]byte, size)
		for i := range more {
			// a larger number is right, and takes longer
			for more[i] = byte(draws.IntN(256)); '0' <= more[i] && more[i] <= '9'; more[i]++ {
			}
		}
		return slices.Insert(data, at, more...), fmt.Sprintf("%d bytes more at %d", size, at)
	case kind == 3 && len(lines) > 2:
		i, j := draws.IntN(len(lines)-1), draws.IntN(len(lines)-1)
		lines[i], lines[j] = lines[j], lines[i]
		return bytes.Join(lines, nil), fmt.Sprintf("lines %d and %d swapped", i+1, j+1)
	case kind == 4:
		return slices.Delete(data, at, at+size), fmt.Sprintf("%d bytes less at %d", size, at)
	case kind == 5:
		return slices.Insert(data, at, slices.Clone(data[at:at+size])...), fmt.Sprintf("%d bytes twice at %d", size, at)
	}
	flips := 1 + draws.IntN(8)
	for range flips {
		data[draws.IntN(n)] ^= 1 << draws.IntN(8)
	}
	return data, fmt.Sprintf("%d bits flipped", flips)
}

// targetsIn makes whole inputs of every kind below base and lists them.
func targetsIn(t *testing.T, base string) []target {
	t.Helper()
	if err := os.MkdirAll(base, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(base, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	simulate := func(trace string, more ...string) []string {
		return append([]string{"simulate", "--trace", trace, "--policy", "fifo", "--until", "1e6"}, more...)
	}
	var all []target
	add := func(file string, commands ...[]string) { all = append(all, target{file, commands}) }
	for _, ext := range []string{"csv", "csv.gz", "csv.zst", "parquet"} {
		good(t, base, "trace", "generate", "--out", "jobs."+ext, "synth:demo,jobs=60")
		format := strings.SplitN(ext, ".", 2)[0] + ":jobs." + ext
		add("jobs."+ext, simulate(format), []string{"trace", "info", format})
	}
	for _, s := range samples(t) {
		write(s.name, s.text)
		path := s.format + ":" + cmp.Or(s.path, s.name)
		run := simulate(path)
		if s.format == "pollux" { // its applications have no layers
			run = simulate(path, "--speed", "counting")
		}
		add(s.name, run, []string{"trace", "convert", path, "out.csv"})
	}
	write("run.yaml", "trace: synth:demo,jobs=40\ncluster: {racks: [{count: 2, machines: [{count: 2, gpus: 8, type: "+
		"V100}]}], gpu_speed: {V100: 1.5}}\npolicies: [fifo, \"dally:lease=600\"]\ncosts: {restore_s: 5}\nfaults: "+
		"{machine_mtbf_s: 1e6}\nuntil_s: 1000000\n")
	add("run.yaml", []string{"compare", "--config", "run.yaml", "--max-jobs", "1000"})
	write("cluster.yaml", "name: lab\nracks:\n  - count: 2\n    machines:\n      - {count: 3, gpus: 8, slots: 2}\n  "+
		"- machines: &m [{gpus: 4}]\n  - machines: *m\nfabric: {base: paper, links: {rack: {kind: full, gb_per_s: "+
		"3, latency_ns: 9}}}\n")
	add("cluster.yaml", simulate("synth:demo,jobs=30", "--cluster", "cluster.yaml"))
	write("profile.yaml", "name: tiny\naliases: [t]\nbatch: 32\nlayers:\n  - {name: conv, forward_us: 1.5, "+
		"input_grad_us: 2, weight_grad_us: 3, bytes: 64}\n  - name: fc\n    forward_us: 10\n")
	add("profile.yaml", simulate("synth:demo,jobs=30", "--profile", "profile.yaml"))
	write("sweep.yaml", "name: s\nkind: simulate\nbase: {trace: \"synth:demo,jobs=30,load={load}\", cluster: "+
		"2x2x8}\naxes:\n  - {name: load, grid: {from: 0.5, to: 0.9, steps: 2}}\n  - name: policy\n    values: "+
		"[fifo, dally]\nseeds: 1\nbudget: {cells: 50}\n")
	add("sweep.yaml", []string{"sweep", "sweep.yaml", "--dry-run"})
	write("learn.yaml", "name: l\nkind: learn\nbase:\n  env: \""+smallEnv+"\"\n  agent: ppo\n  total_steps: 64\n  "+
		"envs: 2\n  steps: 16\n  hidden: [8]\n  evaluate: {baselines: [fifo], windows: 1}\naxes: [{name: gamma, "+
		"values: [0.9, 0.99]}]\n")
	add("learn.yaml", []string{"sweep", "learn.yaml", "--dry-run"})
	write("tune.yaml", "name: u\nkind: tune\nbase: {env: \""+smallEnv+"\", policy: dally-manual, params: {t_net: "+
		"\"0.05:100:log\"}, budget: 4, windows: 1, validation: 1, candidates: 1, evaluate: {baselines: [dally], "+
		"windows: 1}}\naxes: [{name: t_rack, optimise: {from: 0.05, to: 50, log: true}}]\n")
	add("tune.yaml", []string{"sweep", "tune.yaml", "--dry-run"})
	write("train.yaml", "env: classic/CartPole-v1\nagent: ppo\nseed: 3\nenvs: 2\nsteps: 16\nhidden: [8, "+
		"8]\nminibatches: 2\nvalidate_episodes: 1\n")
	add("train.yaml", []string{"train", "--config", "train.yaml", "--steps", "64", "--out", "new"})
	return append(all, folderTargets(t, base)...)
}

// folderTargets makes the folders of runs and lists their files.
func folderTargets(t *testing.T, base string) []target {
	t.Helper()
	compare := []string{"compare", "--trace", "synth:demo,jobs=60", "--policy", "fifo", "--policy", "dally", "--out",
		"run"}
	train := small(smallEnv, "agent", "--resume", "--set", "anneal=false")
	tune := tuning("tuned", "--budget", "6", "--resume")
	sweep := []string{"sweep", "sweep.yaml", "--out", "swept"}
	for _, args := range [][]string{compare, train, tune, sweep} {
		good(t, base, args...)
	}
	longer := append(slices.Clone(train), "--steps", "704")
	measured := func(flag, dir string) []string {
		return []string{"eval", flag, dir, "--baselines", "fifo", "--count", "1"}
	}
	report := func(dir string) []string { return []string{"report", dir, "--out", "page.html"} }
	status, verify := []string{"sweep", "status", "swept", "--cells"}, []string{"sweep", "status", "swept", "--verify"}
	gather := []string{"sweep", "gather", "swept"}
	cell := "swept/cells/load=0.5/policy=dally/seed=1/"
	part := "/policy-dally/replicate-0/part-0.parquet"
	return []target{
		{"run/trials" + part, [][]string{compare, report("run")}},
		{"run/jobs" + part, [][]string{report("run"), compare}},
		{"run/intervals" + part, [][]string{report("run")}},
		{"run/cluster" + part, [][]string{report("run")}},
		{"run/config.json", [][]string{compare}},
		{"run/manifest.json", [][]string{report("run"), compare}},
		{"agent/checkpoints/best.ckpt", [][]string{measured("--checkpoint", "agent")}},
		{"agent/checkpoints/last.ckpt", [][]string{longer}},
		{"agent/windows.json", [][]string{measured("--checkpoint", "agent"), longer}},
		{"agent/config.json", [][]string{measured("--checkpoint", "agent"), longer}},
		{"agent/curves/part-0.parquet", [][]string{{"export", "tensorboard", "--out", "boards", "agent"},
			report("agent")}},
		{"tuned/STATE", [][]string{tune}},
		{"tuned/config.json", [][]string{tune, measured("--tuned", "tuned")}},
		{"tuned/windows.json", [][]string{tune, measured("--tuned", "tuned")}},
		{"tuned/best.json", [][]string{measured("--tuned", "tuned")}},
		{"tuned/tune/part-0.parquet", [][]string{report("tuned")}},
		{"swept/sweep.json", [][]string{status, sweep, report("swept")}},
		{"swept/cells.jsonl", [][]string{status, sweep, gather}},
		{"swept/manifest.json", [][]string{gather, status}},
		{"swept/trials/part-0.parquet", [][]string{{"figures", "swept", "--out", "figures", "--only", "jct_mean_s"},
			verify, gather}},
		{"swept/jobs/part-0.parquet", [][]string{{"figures", "swept", "--out", "figures"}}},
		{cell + "STATUS", [][]string{status, gather, sweep}},
		{cell + "config.json", [][]string{verify, gather, sweep}},
		{cell + "manifest.json", [][]string{verify, gather}},
		{cell + "trials" + part, [][]string{verify, gather}},
		{cell + "jobs" + part, [][]string{gather, report("swept")}},
	}
}
