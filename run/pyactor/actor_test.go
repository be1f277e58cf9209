package pyactor

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tarry/env"
)

func config(t *testing.T, function string) Config {
	t.Helper()
	t.Setenv("PYACTOR_FAKE", "1")
	return Config{Function: function, Python: os.Args[0], Version: "v1", Env: "tarry/Some-v0:load=1.5,part=test",
		Spec: &env.Spec{Observation: env.NewBox(0, 1, 3), Action: env.Discrete{N: 4}, Masked: true}}
}

func masked(n int) []bool {
	mask := make([]bool, 4)
	mask[n] = true
	return mask
}

// Many ask at once, more than there are processes, and each gets the answer to its own question.
func TestActorServesMany(t *testing.T) {
	c := config(t, "m:first")
	c.Processes = 2
	a, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if a.SHA256() != "abc" || a.Fork() == nil {
		t.Errorf("sha256 %q", a.SHA256())
	}
	const workers = 3
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			p, action := a.Fork(), make([]float64, 1)
			for i := range 300 {
				if err := p.Act(action, []float64{1, 2, 3}, masked((w+i)%4), nil); err != nil ||
					action[0] != float64((w+i)%4) {
					t.Errorf("question %d of %d: %v, error %v", i, w, action, err)
					return
				}
			}
		})
	}
	group.Wait()
	if len(a.all) != 2 {
		t.Errorf("%d processes, expected 2", len(a.all))
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	for _, p := range a.all {
		if !p.Ended() {
			t.Error("a process is left")
		}
	}
}

// What goes wrong in the process is reported: what Python raised, or how it ended with its last
// words.
func TestActorFaults(t *testing.T) {
	for function, want := range map[string]string{
		"m:raises": "Python raised\nTraceback\n  File \"mine.py\"\nZeroDivisionError: division by zero",
		"m:dies":   "ended: exit status 3; its last output was\nkilled by somebody",
		"m:leaves": "ended: exit status 0",
		"m:prints": "expected",
		"m:long":   "an answer of 16 bytes, expected 1 numbers of 8",
		"m:early":  "Python raised\nTraceback\nValueError: too early",
		"m:missing": "No module named tarry\nexpected a Python with the package tarry and the module, named by " +
			"--python or TARRY_PYTHON",
		"m:version": "has version v2 and tarry/Some-v0 with 3, 4 and 1 numbers in observation, mask and action; " +
			"expected version v1 with 3, 4 and 1",
		"m:narrow": "with 2, 4 and 1",
	} {
		c := config(t, function)
		var said bytes.Buffer
		c.Stderr = &said
		a, err := Open(context.Background(), c)
		for i := 0; err == nil && i < 4; i++ {
			err = a.Act(make([]float64, 1), make([]float64, 3), masked(1), nil)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, expected %s", function, err, want)
		}
		if a != nil {
			_ = a.Close()
		}
		if function == "m:dies" && said.String() != "killed by somebody\n" {
			t.Errorf("standard error has %q", said.String())
		}
	}
	c := config(t, "m:first")
	c.Python = "/nonexistent/python3"
	if _, err := Open(context.Background(), c); err == nil ||
		!strings.Contains(err.Error(), "expected a Python with the package tarry, named by --python") {
		t.Errorf("no interpreter gives %v", err)
	}
}

// Two processes of one policy must hold the same.
func TestActorIsOnePolicy(t *testing.T) {
	c := config(t, "m:restless")
	c.Processes = 2
	if _, err := Open(context.Background(), c); err == nil ||
		!strings.Contains(err.Error(), "expected that m:restless makes the same each time") {
		t.Errorf("error %v", err)
	}
}

// When one process fails, all callers get its error, including callers that wait for a process.
func TestActorFailsForAll(t *testing.T) {
	a, err := Open(context.Background(), config(t, "m:raises"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var err error
			for err == nil {
				err = a.Act(make([]float64, 1), make([]float64, 3), masked(1), nil)
			}
			if !strings.Contains(err.Error(), "ZeroDivisionError") {
				t.Errorf("error %v", err)
			}
		})
	}
	group.Wait()
}

// A process that answers no more is killed when the context ends, and who asked gets the context's
// error.
func TestActorIsKilled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	a, err := Open(ctx, config(t, "m:hangs"))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		var err error
		for err == nil {
			err = a.Act(make([]float64, 1), make([]float64, 3), masked(1), nil)
		}
		ended <- err
	}()
	time.AfterFunc(100*time.Millisecond, cancel)
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := a.Close(); err != nil || !a.all[0].Ended() {
		t.Errorf("it is left, error %v", err)
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][2]string{
		"python:a.b:make":      {"a.b:make", "a.b:make"},
		"mine=python:a:make.x": {"mine", "a:make.x"},
		"mine=python:a:":       {}, "python:a": {}, "a:make": {}, "=python:a:b": {}, "": {}, "ruby:a:b": {},
	} {
		name, function, err := Split(text)
		if (err == nil) != (want[0] != "") || err == nil && (name != want[0] || function != want[1]) {
			t.Errorf("%q gives %q, %q, %v", text, name, function, err)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add([]byte("12345678"))
	f.Add([]byte("1234567"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := numbers(make([]float64, 1), data); (err == nil) != (len(data) == 8) {
			t.Errorf("%d bytes give %v", len(data), err)
		}
	})
}
