package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarry/internal/release"
)

// binary is where TestMain builds the command.
func binary() string { return filepath.Join(os.Getenv("TARRY_TEST_DIR"), "tarry") }

// TestMain builds the command once; the tests run it as a user does.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "tarry-test-")
	if err == nil {
		err = os.Setenv("TARRY_TEST_DIR", dir)
	}
	if err == nil {
		var out []byte
		if out, err = exec.Command("go", append(append([]string{"build"}, raceFlags()...), "-o", binary(),
			"tarry/cmd/tarry")...).CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot build the command:", err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// said is the output of a run of the command.
type said struct {
	code        int
	out, errors string
}

// tarry runs the command in the folder dir.
func tarry(t *testing.T, dir string, args ...string) said {
	t.Helper()
	cmd := exec.Command(binary(), args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return said{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// good runs the command and expects it to succeed.
func good(t *testing.T, dir string, args ...string) said {
	t.Helper()
	s := tarry(t, dir, args...)
	if s.code != exitOK {
		t.Fatalf("tarry %s: exit code %d\n%s", strings.Join(args, " "), s.code, s.errors)
	}
	return s
}

// inside runs a command in the test's own process: for what only prints, and is asked hundreds of
// times. A start of the command takes 50 ms of processor time.
func inside(t *testing.T, args ...string) said {
	t.Helper()
	var out, errs bytes.Buffer
	code := shipped().run(t.Context(), append([]string{"tarry"}, args...), &out, &errs)
	return said{code, out.String(), errs.String()}
}

// TestInside: a command that is run inside prints and ends as the command itself.
func TestInside(t *testing.T) {
	for _, args := range [][]string{{"list", "agents", "ppo"}, {"list", "agents", "pp"}, {"simulate", "--help"}} {
		if in, own := inside(t, args...), tarry(t, t.TempDir(), args...); in != own {
			t.Errorf("%v: inside %+v\nas a command %+v", args, in, own)
		}
	}
}

// TestHelp: every command has help that exits with 0 on standard output and shows how to call it.
func TestHelp(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"", "tarry compare --trace synth:demo"},
		{"simulate", "tarry simulate --trace synth:demo"},
		{"compare", "--replicates 5"},
		{"train", "tarry train --out runs/agent --resume"},
		{"tune", "tarry tune --out tuned --resume"},
		{"eval", "--baselines dally,tiresias,fifo"},
		{"report", "tarry report runs/demo"},
		{"reproduce", "tarry reproduce --stored"},
		{"watch", "tarry watch runs/demo"},
		{"export", "tensorboard"},
		{"export tensorboard", "tensorboard --logdir boards"},
		{"export weights", "ranked:weights=weights.txt"},
		{"trace", "convert"},
		{"trace info", "tarry trace info synth:demo"},
		{"trace convert", "--models paper"},
		{"trace split", "--shares 70/15/15"},
		{"trace generate", "tarry trace generate demo > jobs.csv"},
		{"list", "clusters"},
		{"list policies", "--format"},
		{"completion", "source <(tarry completion bash)"},
		{"version", "tarry version"},
	} {
		s := good(t, t.TempDir(), append(strings.Fields(c.command), "--help")...)
		if !strings.Contains(s.out, c.want) || s.errors != "" {
			t.Errorf("help of %q lacks %q:\n%s%s", c.command, c.want, s.out, s.errors)
		}
	}
}

// TestMistakes: what is mistyped is named, with what was expected, and nothing else happens.
func TestMistakes(t *testing.T) {
	run := []string{"simulate", "--trace", "synth:demo,jobs=5", "--policy", "fifo"}
	for _, c := range []struct {
		why  string
		args []string
		want string
	}{
		{"a command", []string{"simulat"}, `version; did you mean "simulate"?`},
		{"a command " +
			"below", []string{"list", "polcies"},
			`unknown command "polcies", expected one of policies, traces, columns, speeds, layers, predictors, operators, models, clusters, settings, efficiency, interference, hosts, elastic, quotas, deadlines, power, services, costs, presets, envs, agents, rewards, optimisers, questions, tables; did you mean "policies"?`},
		{"a trace command", []string{"trace", "inf"},
			`unknown command "inf", expected one of info, convert, split, generate, template, repair, slurm-command; did you mean "info"?`},
		{"a flag", []string{"simulate", "--sed", "3"},
			`unknown flag --sed; did you mean "seed"? (see tarry simulate --help)`},
		{"a flag of no command", []string{"--sed"}, `unknown flag --sed`},
		{"a number", append(run, "--seed", "x"),
			`--seed is "x", expected a whole number >= 0 (see tarry simulate --help)`},
		{"an argument", append(run, "extra"), `unexpected argument "extra": tarry simulate takes flags only`},
		{"a policy", []string{"simulate", "--trace", "synth:demo", "--policy", "dalli"}, `--policy: `},
		{"a parameter", []string{"simulate", "--trace", "synth:demo", "--policy", "dally:t_rak=6"},
			`did you mean "t_rack"?`},
		{"a trace", []string{"simulate", "--trace", "phily:x", "--policy", "fifo"}, `did you mean "philly"?`},
		{"a missing trace", []string{"simulate", "--trace", "philly:x.csv", "--policy", "fifo"}, `x.csv: no such file`},
		{"a preset", append(run, "--preset", "pape"), `did you mean "paper"?`},
		{"a cluster", append(run, "--cluster", "8x8"), `--cluster: unknown cluster "8x8"`},
		{"no GPUs", append(run, "--cluster", "1x1x0"),
			`--cluster: cluster "1x1x0": GPUs per machine is "0", expected a whole number >= 1`},
		{"a speed model", append(run, "--speed", "colective"), `speed model "colective"`},
		{"a cost", append(run, "--cost", "chekpoint_s=1"), `did you mean "checkpoint_s"?`},
		{"a negative cost", append(run, "--cost", "start_s=-1"), `start_s is "-1"`},
		{"a rule", append(run, "--placement", "bestfit"), `did you mean "best-fit"?`},
		{"a format", append(run, "--format", "jsn"),
			`--format: "jsn", expected table, json, csv; did you mean "json"?`},
		{"two policies", append(run, "--policy", "srtf"),
			`2 policies (fifo, srtf), expected one: tarry compare takes many`},
		{"no policy", []string{"compare", "--trace", "synth:demo"}, `no policy, expected at least one`},
		{"no trace", []string{"compare", "--policy", "fifo"}, `no trace, expected --trace FORMAT:PATH or synth:NAME`},
		{"no " +
			"replicates", append(run, "--replicates", "0"),
			`--replicates: replicates is 0, expected a whole number in 1..1000000`},
		{"a config file", append(run, "--config", "none.yaml"), `open none.yaml: no such file`},
		{"a shell", []string{"completion", "tcsh"}, `shell "tcsh", expected bash, zsh or fish`},
		{"an argument of version", []string{"version", "now"}, `unexpected argument "now"`},
		{"a format of version", []string{"version", "--format", "yaml"}, `--format: "yaml", expected text or json`},
		{"no target", []string{"trace", "convert", "synth:demo"}, `no --out (see tarry trace convert --help)`},
		{"a target", []string{"trace", "convert", "synth:demo", "jobs.txt"}, `cannot write "jobs.txt"`},
		{"shares", []string{"trace", "split", "--shares", "1/2", "synth:demo", "d"},
			`--shares: "1/2" has 2 parts, expected three such as 70/15/15`},
		{"a flag behind an argument", []string{"trace", "info", "synth:demo", "--seed", "1"},
			`unexpected argument "--seed": flags go before arguments`},
	} {
		dir := t.TempDir()
		s := tarry(t, dir, c.args...)
		wantCode := exitUsage
		if c.why == "a target" {
			wantCode = exitFailed
		}
		if s.code != wantCode || !strings.Contains(s.errors, c.want) || s.out != "" ||
			!strings.Contains("\n"+s.errors, "\ntarry: ") {
			t.Errorf("%s: exit code %d, output %q, errors\n%s\nexpected exit code %d and\n%s", c.why, s.code, s.out,
				s.errors, wantCode, c.want)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v", c.why, left)
		}
	}
}

// TestAllFaultsAtOnce: one run reports everything that is wrong.
func TestAllFaultsAtOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "r.yaml"), []byte("sede: 1\nreplicates: none\ntrace: synth:dem\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	s := tarry(t, dir, "compare", "--config", "r.yaml", "--policy", "nobody", "--cluster", "0x0x0", "--cost", "x=1")
	for _, want := range []string{"r.yaml:1:1: unknown field", "r.yaml:2:13: replicates",
		`r.yaml:3:1: synth: unknown preset "dem"`, "--cost: cost: unknown key", "--cluster: cluster", "--policy: "} {
		if !strings.Contains(s.errors, want) {
			t.Errorf("%q is not told:\n%s", want, s.errors)
		}
	}
	if s.code != exitUsage {
		t.Errorf("exit code %d, expected %d", s.code, exitUsage)
	}
}

func TestVersionAndLists(t *testing.T) {
	dir := t.TempDir()
	var b build
	if err := json.Unmarshal([]byte(good(t, dir, "version", "--format", "json").out), &b); err != nil {
		t.Fatal(err)
	}
	if b.Version != release.Version || b.Build == "" || b.Go != runtime.Version() || b.OS != runtime.GOOS ||
		b.Arch != runtime.GOARCH {
		t.Errorf("version as JSON is %+v", b)
	}
	if s := good(t, dir, "version"); s.out != b.String()+"\n" {
		t.Errorf("version is %q, as JSON it is %+v", s.out, b)
	}
	for list, names := range map[string][]string{
		"policies": {"dally", "tiresias", "gandiva", "fifo", "srtf"}, "traces": {"philly:", "swf:", "synth:demo"},
		"speeds": {"collective", "contended"}, "models": {"bert", "vgg"},
		"clusters": {"paper", "nvlink-512", "RxMxG"},
		"costs":    {"checkpoint_per_gpu_s"}, "efficiency": {"noise", "scaling"},
		"interference": {"none", "nway", "mig"}, "hosts": {"none", "catalogue", "profile"},
		"elastic": {"fraction", "limits"}, "deadlines": {"tightness", "fraction"}, "presets": {"paper"},
		"envs":   {"classic/cartpole-v1", "tarry/delaytimer-v0"},
		"agents": {"ppo"}, "optimisers": {"cmaes", "thompson"},
	} {
		for _, format := range []string{"table", "json"} {
			out := good(t, dir, "list", list, "--format", format).out
			for _, n := range names {
				if !strings.Contains(strings.ToLower(out), n) && !strings.Contains(out, n) {
					t.Errorf("list %s as %s lacks %q", list, format, n)
				}
			}
		}
	}
	for one, want := range map[string]string{"optimisers cmaes": "sigma", "envs tarry/DelayTimer-v0": "horizon",
		"interference mig": "spill", "speeds collective": "stands in for models", "hosts catalogue": "socket",
		"agents ppo": "learning_rate"} {
		if out := good(t, dir, append([]string{"list"}, strings.Split(one, " ")...)...).out; !strings.Contains(out, want) {
			t.Errorf("list %s lacks %q", one, want)
		}
	}
}
