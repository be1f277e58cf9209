package app

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tarry/output/results"
)

// tutorialPolicies writes mine.py with the classes of the tutorial into a folder.
func tutorialPolicies(t *testing.T, dir string) {
	t.Helper()
	page, err := os.ReadFile("../docs/tutorials/python-scheduler.md")
	if err != nil {
		t.Fatal(err)
	}
	text := "import math\nimport numpy as np\nimport tarry\n"
	for name, until := range map[string]string{"Shortest": "\n\nprint(", "Tiresias": "\n\nsetting ="} {
		_, after, ok := strings.Cut(string(page), "class "+name+"(")
		class, _, ends := strings.Cut(after, until)
		if !ok || !ends {
			t.Fatalf("the tutorial has no class %s", name)
		}
		text += "\nclass " + name + "(" + class + "\n"
	}
	text += "\nclass Wrong(tarry.Policy):\n    def decide(self, view):\n" +
		"        view.start(view.waiting.job[0], gpus=range(20))\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// intervals are the allocations of a policy of a folder, without its name.
func intervals(t *testing.T, dir, policy string) []results.Interval {
	t.Helper()
	all, err := results.ReadDir[results.Interval](t.Context(), filepath.Join(dir, "intervals"))
	if err != nil {
		t.Fatal(err)
	}
	var out []results.Interval
	for _, row := range all {
		if row.Policy == policy {
			row.Policy = ""
			out = append(out, row)
		}
	}
	return out
}

// Policies of the tutorial have the allocations of tarry's own through the command, by any number of
// workers with the same bytes; what they declare is in the tables.
func TestPolicyInPythonFromTheCommand(t *testing.T) {
	withPython(t)
	dir := t.TempDir()
	tutorialPolicies(t, dir)
	for _, jobs := range []string{"1", "2"} {
		s := good(t, dir, "compare", "--trace", "synth:demo,jobs=120", "--cluster", "ethernet:4x4x8", "--cost",
			"checkpoint_s=5", "--cost", "restore_s=10", "--policy", "python:mine:Tiresias,promote=8.0,label=mine",
			"--policy", "tiresias", "--policy", "python:mine:Shortest", "--policy", "sjf", "--replicates", "2",
			"--jobs", jobs, "--out", "out"+jobs)
		for _, want := range []string{" mine ", "python:mine:Shortest*"} {
			if !strings.Contains(s.out, want) {
				t.Errorf("the table lacks %q:\n%s", want, s.out)
			}
		}
	}
	one, two := filepath.Join(dir, "out1"), filepath.Join(dir, "out2")
	for mine, its := range map[string]string{"python:mine:Tiresias,promote=8.0": "tiresias",
		"python:mine:Shortest": "sjf"} {
		a, b := intervals(t, one, mine), intervals(t, one, its)
		if len(a) < 240 || !reflect.DeepEqual(a, b) {
			t.Errorf("%d allocations of %s are not the %d of %s", len(a), mine, len(b), its)
		}
	}
	sameFiles(t, "two workers", sums(t, one), sums(t, two))
}

// What is wrong with a policy, or with what it decides, is an error that names it.
func TestPolicyInPythonFaults(t *testing.T) {
	withPython(t)
	dir := t.TempDir()
	tutorialPolicies(t, dir)
	for policy, want := range map[string]string{
		"min:Shortest":           `no module min on the path of Python, expected it in the present folder or on PYTHONPATH; did you mean "mine"?`,
		"mine:Shortes":           `mine has no Shortes, expected one of `,
		"mine:Shortest,x=1":      `got an unexpected keyword argument 'x'; expected the arguments ()`,
		"mine:Tiresias,promot=1": `; did you mean "promote"?`,
		"mine:Wrong":             "",
	} {
		s := tarry(t, dir, "simulate", "--trace", "synth:demo,jobs=5", "--cluster", "1x4x8", "--policy", "python:"+policy)
		code := exitUsage
		if policy == "mine:Wrong" {
			code, want = exitFailed, "decision 0, start of job "
			if !strings.Contains(s.errors, "mine.py:") {
				t.Errorf("no line of the policy in\n%s", s.errors)
			}
		}
		if s.code != code || !strings.Contains(s.errors, want) {
			t.Errorf("%s gives code %d and\n%s\nexpected %s", policy, s.code, s.errors, want)
		}
	}
}

// A sweep, a search and a measurement take such policies, from lists with commas too, and a sweep is not
// continued with another source.
func TestPolicyInPythonElsewhere(t *testing.T) {
	python := withPython(t)
	dir := t.TempDir()
	tutorialPolicies(t, dir)
	spec := "name: few\nkind: simulate\nbase: {trace: \"synth:demo,jobs=10\", cluster: 2x2x4}\naxes:\n" +
		"  - {name: policy, values: [\"python:mine:Shortest\", sjf]}\nseeds: 1\n"
	if err := os.WriteFile(filepath.Join(dir, "few.yaml"), []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "sweep", "few.yaml", "--out", "few")
	if s := good(t, dir, "sweep", "few.yaml", "--out", "few"); !strings.Contains(s.errors, "nothing to do") {
		t.Errorf("the second call says\n%s", s.errors)
	}
	jobs, err := results.ReadDir[results.Job](t.Context(), filepath.Join(dir, "few", "jobs"))
	if err != nil || len(jobs) != 20 {
		t.Errorf("%d jobs, error %v", len(jobs), err)
	}
	good(t, dir, "tune", "--policy", "python:mine:Tiresias", "--param", "promote=1:9", "--budget", "1", "--windows", "1",
		"--validation", "1", "--env", "tarry/DelayTimer-v1:cluster=2x2x4,horizon=12", "--out", "tuned")
	t.Setenv("TARRY_PYTHON", "/nonexistent/python3")
	s := good(t, dir, "eval", "--tuned", "tuned", "--baselines", "python:mine:Tiresias,promote=8.0,fifo", "--count", "2",
		"--format", "csv", "--python", python)
	t.Setenv("TARRY_PYTHON", python)
	if strings.Count(s.out, "python:mine:Tiresias") < 2 || !strings.Contains(s.out, "\nfifo,") ||
		!strings.Contains(s.out, "\"python:mine:Tiresias,promote=8.0\",") {
		t.Errorf("the table is\n%s", s.out)
	}
	f, err := os.OpenFile(filepath.Join(dir, "mine.py"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteString("# changed\n"); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if s := tarry(t, dir, "sweep", "few.yaml", "--out", "few"); s.code != exitUsage ||
		!strings.Contains(s.errors, "the source of policy python:mine:Shortest changed") {
		t.Errorf("a changed source gives code %d and\n%s", s.code, s.errors)
	}
}
