package pyentry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarry/baselines/queueing"
	"tarry/run/pychild"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policies is a catalogue with the fake, and starts what its processes wrote so far.
func policies(t *testing.T, stderr io.Writer) (all entry.Policies, starts func() []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "starts")
	t.Setenv("PYENTRY_FAKE", file)
	t.Setenv("PYTHONHASHSEED", "")
	if stderr == nil {
		stderr = io.Discard
	}
	return entry.Policies{Entry(Config{Python: os.Args[0], Stderr: stderr})}, func() []string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

// closing gives policies of a spec that the end of the test closes, and what it does for all made so
// far.
func closing(t *testing.T, all entry.Policies, spec string) (fresh func() sim.Policy, end func()) {
	t.Helper()
	_, build, err := all.Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	var open []io.Closer
	end = func() {
		for _, p := range open {
			_ = p.Close()
		}
		open = nil
	}
	t.Cleanup(end)
	return func() sim.Policy {
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, p.(io.Closer))
		return p
	}, end
}

// both is two policies that shall decide the same.
type both struct {
	sim.Policy
	twin sim.Policy
	t    *testing.T
}

// Decide implements sim.Policy.
func (b both) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	want := fmt.Sprint(b.twin.Decide(v, nil))
	out = b.Policy.Decide(v, out)
	if got := fmt.Sprint(out); got != want {
		b.t.Errorf("at %v: %v\nexpected %v", v.Now(), got, want)
	}
	return out
}

// veiled hides the memory of a policy, whose copies ask one process.
type veiled struct{ of func() sim.Policy }

func (v veiled) Knows() know.Set { return v.of().Knows() }

func (v veiled) Decide(view *sim.View, out []sim.Decision) []sim.Decision {
	return v.of().Decide(view, out)
}

// Clone copies the policy.
func (v veiled) Clone() sim.Policy {
	c := v.of().(interface{ Clone() sim.Policy }).Clone()
	return veiled{func() sim.Policy { return c }}
}

// What comes through the pipes decides as its twin of the catalogue does, and as simtest asks of each
// policy: runs repeat, and so do runs from a snapshot. Each run has a process of its own; the process
// that stated what the class declares serves the first run.
func TestTwin(t *testing.T) {
	all, starts := policies(t, nil)
	fresh, end := closing(t, all, "python:m:Fifo,x=1")
	if k := fresh().Knows(); k != know.Work {
		t.Errorf("it knows %v", k)
	}
	runs := 0
	for seed := range uint64(4) {
		err := simtest.Try(func() sim.Policy {
			p, err := queueing.NewFIFO(param.Parse("policy fifo", ""), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			runs++
			return both{fresh(), p, t}
		}, seed, simtest.Options{Alone: true})
		if err == nil {
			err = simtest.Try(func() sim.Policy {
				p := fresh()
				return veiled{func() sim.Policy { return p }}
			}, seed, simtest.Options{Allocates: true})
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		end()
	}
	got := starts()
	if len(got) < runs {
		t.Errorf("%d processes for %d runs and more", len(got), runs)
	}
	for _, line := range got {
		if line != "m:Fifo,x=1 true" {
			t.Errorf("a process has %q, expected its text and the seed of hashes", line)
		}
	}
	for spec, want := range map[string]string{"python:m:Fifo,x=1,label=mine": "abc", "fifo": "", "python:m:Early": ""} {
		if got := all.Source(spec); got != want {
			t.Errorf("the source of %s is %q, expected %q", spec, got, want)
		}
	}
}

// What goes wrong is an error with what Python raised, or how the process ended.
func TestFaults(t *testing.T) {
	for class, want := range map[string]string{
		"m:Version":  "policy python:m:Version: the package tarry of " + os.Args[0] + " has version v0, expected ",
		"m:Asks":     "policy python:m:Asks: permission \"all\", expected some of ",
		"m:Missing":  "policy 'python:m:Missing': m has no Missing",
		"m:Early":    "policy python:m:Early: Python raised\nTraceback\nValueError: too early",
		"m:Raises":   "the policy cannot decide: Python raised\nTraceback\n  File \"mine.py\"\nZeroDivisionError: division",
		"m:Dies":     "ended: exit status 3; its last output was\nkilled by somebody",
		"m:Odd":      "a request of 3 bytes, expected whole words",
		"m:Stranger": "a frame of kind 'q', expected an operation",
		"m:Changes":  "its source changed while it runs, expected the same file in all trials",
		"m":          "policy python:m: expected python:MODULE:CLASS or python:MODULE:CLASS,key=value",
	} {
		var said bytes.Buffer
		all, _ := policies(t, pychild.Shared(&said))
		_, build, err := all.Parse("python:"+class, cluster.BestFit)
		for i := 0; err == nil && i < 2; i++ {
			var p sim.Policy
			if p, err = build(); err == nil {
				err = simtest.Try(func() sim.Policy { return p }, 2, simtest.Options{Alone: true, Allocates: true})
				_ = p.(io.Closer).Close()
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v\nexpected %s", class, err, want)
		}
		if class == "m:Dies" && said.String() != "killed by somebody\n" {
			t.Errorf("standard error has %q", said.String())
		}
	}
	all := entry.Policies{Entry(Config{Python: "/nonexistent/python3"})}
	if _, _, err := all.Parse("python:m:C", cluster.BestFit); err == nil ||
		!strings.Contains(err.Error(), "expected a Python with the package tarry, named by TARRY_PYTHON") {
		t.Errorf("no interpreter gives %v", err)
	}
	if _, _, err := all.Parse("python", cluster.BestFit); err == nil || !strings.Contains(err.Error(), entry.PythonForm) {
		t.Errorf("no class gives %v", err)
	}
}

// Many classes that are asked and not run leave few processes.
func TestFewWait(t *testing.T) {
	c := &classes{cfg: Config{Python: os.Args[0], Stderr: io.Discard}, known: map[string]*class{}}
	policies(t, nil)
	for i := range 3 * mostIdle {
		if _, err := c.find(fmt.Sprint("m:Fifo,x=", i)); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, one := range c.known {
		if p := c.waiting(one); p != nil {
			p.End()
			n++
		}
	}
	if n != mostIdle || len(c.idle) != 0 {
		t.Errorf("%d processes wait, expected %d; %d after that", n, mostIdle, len(c.idle))
	}
}

// The keyword arguments are the settings of a class, which a search looks along.
func TestKeys(t *testing.T) {
	all, _ := policies(t, nil)
	for text, want := range map[string]string{"m:Fifo": "x y", "m:Fifo,z=1": "x y", "m:Needs,x=1": "x y",
		"m:Missing": ""} {
		var got []string
		for _, s := range all[0].SettingsOf(text) {
			got = append(got, s.Key)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has %v, expected %s", text, got, want)
		}
	}
}

// A source that differs in each process, and states so, is no fault.
func TestNeverTheSame(t *testing.T) {
	all, _ := policies(t, nil)
	fresh, _ := closing(t, all, "python:m:Never")
	for range 2 {
		if err := run(t, t.Context(), fresh()); err != nil {
			t.Error(err)
		}
	}
}

// run plays five jobs.
func run(t *testing.T, ctx context.Context, p sim.Policy) error {
	t.Helper()
	p.(interface{ Until(context.Context) }).Until(ctx)
	jobs := make([]sim.Job, 5)
	for i := range jobs {
		jobs[i] = sim.Job{Submit: sim.Time(i), GPUs: 1, Work: sim.Second}
	}
	w, top := simtest.OneRack(t, jobs, 1, 2, 0)
	_, err := sim.Run(ctx, sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}, p)
	return err
}

// A policy that hangs is killed when the context ends, whose error the run has.
func TestKilled(t *testing.T) {
	all, _ := policies(t, nil)
	fresh, end := closing(t, all, "python:m:Hangs")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	p := fresh()
	if err := run(t, ctx, p); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	end()
}

// The line of the policy is added to the error of a decision, and to no other.
func TestExplain(t *testing.T) {
	all, _ := policies(t, nil)
	fresh, _ := closing(t, all, "python:m:Fifo")
	p := fresh()
	if err := run(t, t.Context(), p); err != nil {
		t.Fatal(err)
	}
	explain := p.(interface{ Explain(error) error }).Explain
	refused := errors.New("at 2s: decision 0, start of job \"1\": 1 GPUs, expected 2")
	if got := explain(refused); !errors.Is(got, refused) || !strings.HasSuffix(got.Error(), "; decided at mine.py:7") {
		t.Errorf("%v", got)
	}
	if other := io.EOF; explain(other) != other {
		t.Errorf("%v", explain(other))
	}
}

func FuzzRequest(f *testing.F) {
	f.Add(make([]byte, 16))
	f.Add([]byte("123"))
	f.Fuzz(func(t *testing.T, body []byte) {
		w := make([]int64, 40)
		if _, err := request(w, body); err == nil && (len(body)%8 != 0 || len(body) < 8 || len(body) > 8*40) {
			t.Errorf("%d bytes are read", len(body))
		}
	})
}
