package abi

import (
	"strings"
	"testing"
	"time"

	"tarry/catalogue/shipped"
)

// over waits for a run.
func over(t *testing.T, w *Work) Status {
	t.Helper()
	s := w.Wait(time.After(time.Minute))
	if s == Running {
		t.Fatal("the run does not end")
	}
	return s
}

func TestRunGivesTables(t *testing.T) {
	r,
		err := ParseRun(
		[]byte(
			`{"command": "compare", "tables": ["trials", "cluster"], "settings": {"trace": "synth:demo,jobs=20", "policies": ["fifo", "las"], "replicates": "2", "machine_mtbf": "100000", "faults": {"gpu_mtbf_s": "1e6"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	w := Start(shipped.All(), r, nil, nil)
	if s := over(t, w); s != OK {
		t.Fatalf("status %d: %s", s, w.Fault())
	}
	f, err := w.Table("trials")
	if err != nil || f.Rows != 4 || f.Table != "trials" {
		t.Fatalf("table %+v, error %v", f, err)
	}
	if _, err := w.Table("jobs"); err == nil || !strings.Contains(err.Error(),
		`table "jobs" was not kept, expected one of trials, cluster`) {
		t.Errorf("error %v", err)
	}
	if rows := w.Report().Summary; len(rows) != 2 || rows[1]["policy"] != "las" ||
		rows[1]["diff_over"] != "replicates" || rows[0]["jct_mean_diff_s"] != nil {
		t.Errorf("summary %v", rows)
	}
}

func TestRunFaultsAreSaidAtOnce(t *testing.T) {
	r := RunRequest{Command: "simulate", Settings: map[string]any{"policies": []any{"fifo", "dalli"}, "seed": "-1",
		"clutser": "1x1x1", "until": "1", "until_s": "2",
		"faults": "machine_mtbf_s=3", "gpu_mtbf": "1"}, Config: "none.yaml", Scenario: 3.0}
	w := Start(shipped.All(), r, nil, nil)
	if s := over(t, w); s != Refused {
		t.Fatalf("status %d: %s", s, w.Fault())
	}
	for _, want := range []string{"none.yaml", "scenario is 3", "expected one: tarry.compare takes many",
		`unknown field "clutser"`, `did you mean "cluster"`, `seed is "-1"`, "until and until_s are both given",
		"gpu_mtbf and faults=machine_mtbf_s=3 are both given"} {
		if !strings.Contains(w.Fault(), want) {
			t.Errorf("%q is not said: %s", want, w.Fault())
		}
	}
	for _, text := range []string{"{", `{"command": "sweep"}`, `{"command": "simulate", "colour": 1}`,
		`{"command": "simulate", "tables": ["job"]}`} {
		if _, err := ParseRun([]byte(text)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func TestRunIsCancelled(t *testing.T) {
	r := RunRequest{Command: "simulate", Settings: map[string]any{"trace": "synth:million", "policy": "fifo"}}
	w := Start(shipped.All(), r, nil, nil)
	if s := w.Wait(time.After(time.Millisecond)); s != Running {
		t.Fatalf("status %d, expected it to run", s)
	}
	if _, err := w.Table("trials"); err == nil {
		t.Error("a run that is not over gives tables")
	}
	w.Cancel()
	if s := over(t, w); s != Stopped || !strings.HasPrefix(w.Fault(), "interrupted") {
		t.Errorf("status %d: %s", s, w.Fault())
	}
}
