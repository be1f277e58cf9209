package abi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/know"
	"tarry/sim/param"
)

const measuring = `{"actors": [{"name": "first", "sha256": "abc", "env": "tarry/Preempt-v0:cluster=2x2x4,warm=2,horizon=12,load=1.2", "obs": %, "mask": 17, "action": 1,
	"seen": [{"env": "tarry/Preempt-v0:cluster=2x2x4,warm=2,horizon=12,load=1.2", "validation": false}]}],
	"checkpoints": [], "tuned": [], "which": "best", "baselines": ["fifo"], "bounds": false, "part": "test", "count": 2, "options": [], "trace": "", "tables": ["evals", "jobs"],
	"workers": 2, "out": "", "force": false}`

// preemptObs is how many numbers the environment observes.
func preemptObs(t *testing.T) string {
	t.Helper()
	r := Request{ID: "tarry/Preempt-v0", Count: 1, Autoreset: Disabled}
	g, err := Open(shipped.All().Envs, shipped.All().Catalogues, r)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	text, err := json.Marshal(g.spec.Observation.Len())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func measurement(t *testing.T, replace ...string) Measurement {
	t.Helper()
	text := strings.NewReplacer(append(replace, "%", preemptObs(t))...).Replace(measuring)
	m, err := ParseMeasurement([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// caller answers with the first legal action.
func caller() *Caller {
	return &Caller{Version: "v1", Clock: func() time.Duration { return 0 },
		Wait: func(done <-chan struct{}) bool { <-done; return true },
		Ask: func(_ int, _ []float64, mask []bool, action []float64) bool {
			action[0] = float64(slices.Index(mask, true))
			return true
		}}
}

// A scheduler that panics beside the caller's is an error of this call: the caller's process lives
// on.
func TestMeasureKeepsTheProcess(t *testing.T) {
	from := shipped.All()
	from.Policies = append(from.Policies, entry.Policy{Name: "broken", Doc: "panics", Paper: "none",
		New: func(*param.Set, cluster.Rule) (sim.Policy, error) { return broken{}, nil }})
	for _, workers := range []string{"1", "2"} {
		m := measurement(t, `"workers": 2`, `"workers": `+workers, `"fifo"`, `"broken"`)
		found, s, err := Measure(from, &m, caller())
		if s != Failed || found != nil || err == nil || !strings.Contains(err.Error(),
			"a fault of tarry, please report it: oops") {
			t.Errorf("%s workers: %v, %v", workers, s, err)
		}
	}
}

// broken is a scheduler with a fault.
type broken struct{}

func (broken) Knows() know.Set                                 { return know.Nothing }
func (broken) Decide(*sim.View, []sim.Decision) []sim.Decision { panic("oops") }

// What was measured comes as text, rows and tables, the same with one worker and with two.
func TestMeasure(t *testing.T) {
	var said []string
	for _, workers := range []string{"1", "2"} {
		m := measurement(t, `"workers": 2`, `"workers": `+workers)
		found, s, err := Measure(shipped.All(), &m, caller())
		if err != nil || s != OK {
			t.Fatal(s, err)
		}
		is, err := found.Found()
		if err != nil {
			t.Fatal(err)
		}
		if is.Tables["evals"] != 4 || is.Tables["jobs"] == 0 || len(is.Tables) != 2 || len(is.Rows) != 2 ||
			is.Latency["first"].Decisions == 0 || !slices.Contains(is.Texts, "policy") {
			t.Errorf("%+v", is)
		}
		if _, err := found.Table("trials"); err == nil || err.Error() != `table "trials", expected one of evals, jobs` {
			t.Errorf("a table that nobody asked for gives %v", err)
		}
		text, err := json.Marshal(is)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, string(text))
	}
	if said[0] != said[1] {
		t.Errorf("one worker gives %s, two give %s", said[0], said[1])
	}
}

// The caller may stop when it is asked, while trials are made, and while it waits for others'
// trials.
func TestMeasureIsStopped(t *testing.T) {
	asked := 0
	unwilling := caller()
	unwilling.Ask = func(int, []float64, []bool, []float64) bool { asked++; return asked < 3 }
	m := measurement(t)
	if _, s, err := Measure(shipped.All(), &m, unwilling); s != Stopped || err == nil || asked != 3 {
		t.Errorf("status %d, error %v after %d questions", s, err, asked)
	}
	for leave := 1; leave <= 2; leave++ {
		waits := 0
		gone := caller()
		gone.Wait = func(done <-chan struct{}) bool {
			if waits++; waits == leave {
				return false
			}
			<-done
			return true
		}
		if _, s, err := Measure(shipped.All(), &m, gone); s != Stopped || err == nil {
			t.Errorf("who leaves at wait %d gets status %d, error %v", leave, s, err)
		}
	}
}

func TestMeasureIsRefused(t *testing.T) {
	for _, c := range []struct {
		from, to string
		status   Status
		want     string
	}{
		{`"obs": %`, `"obs": 3`, Refused, "first: observation, mask and action have"},
		{`"part": "test"`, `"part": "train"`, Refused, "window 0 of part train is training window 0 of first"},
		{`"baselines": ["fifo"]`, `"baselines": ["fofi"]`, Refused, "fofi"},
		{`"out": ""`, `"out": "/dev/null"`, Refused, "/dev/null"},
	} {
		m := measurement(t, c.from, c.to)
		if _, s, err := Measure(shipped.All(), &m, caller()); s != c.status || err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s gives status %d, error %v", c.to, s, err)
		}
	}
	illegal := caller()
	illegal.Ask = func(_ int, _ []float64, mask []bool, action []float64) bool {
		action[0] = float64(slices.Index(mask, false))
		return true
	}
	m := measurement(t)
	if _, s, err := Measure(shipped.All(), &m, illegal); s != InvalidAction ||
		!strings.Contains(err.Error(), "first: tarry/Preempt-v0: invalid action") {
		t.Errorf("status %d, error %v", s, err)
	}
	for from, to := range map[string]string{`"workers"`: `"workres"`, `"part": "test"`: `"part": "tset"`,
		`"tables": ["evals", "jobs"]`: `"tables": ["evals", "cluster"]`, `"options": []`: `"options": ["part=test"]`} {
		text := strings.NewReplacer(from, to, "%", "1").Replace(measuring)
		if _, err := ParseMeasurement([]byte(text)); err == nil {
			t.Errorf("%s is taken", to)
		}
	}
}

// Outside the simulator there is the table evals alone, with a row for each policy and window.
func TestMeasureOutside(t *testing.T) {
	g := opened(t, Request{ID: "classic/DeepRM-v0", Count: 1, Autoreset: Disabled})
	const over = "tarry/Preempt-v0:cluster=2x2x4,warm=2,horizon=12,load=1.2"
	replace := []string{over, "classic/DeepRM-v0", `"fifo"`, `"sjf"`, `"mask": 17`,
		fmt.Sprintf(`"mask": %d`, env.MaskLen(g.spec.Action)), "%", fmt.Sprint(g.spec.Observation.Len())}
	m := measurement(t, replace...)
	found, s, err := Measure(shipped.All(), &m, caller())
	if err != nil || s != OK {
		t.Fatal(s, err)
	}
	is, err := found.Found()
	if err != nil || len(is.Tables) != 1 || is.Tables["evals"] != 4 {
		t.Fatalf("tables %v, error %v", is.Tables, err)
	}
	if f, err := found.Table("evals"); err != nil || f.Rows != 4 {
		t.Errorf("the table evals: %v", err)
	}
	if _, err := found.Table("jobs"); err == nil || err.Error() != `table "jobs", expected one of evals` {
		t.Errorf("the table jobs gives %v", err)
	}
	m = measurement(t, append(replace, `["evals", "jobs"]`, `["jobs"]`)...)
	if found, _, err = Measure(shipped.All(), &m, caller()); err != nil {
		t.Fatal(err)
	}
	if _, err := found.Table("evals"); err == nil || !strings.Contains(err.Error(), "expected none") {
		t.Errorf("the table evals, not asked for, gives %v", err)
	}
}
