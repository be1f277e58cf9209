package main

import (
	"bytes"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/agents/search"
	"tarry/agents/search/searchtest"
	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/run/parts"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/stack"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const sampleTrace = "# submit gpus run\n0 1 60\n30 4 10.5\n30 8 100\n"

// The suites that parts of tarry pass are public: these are the same for parts of one's own.
func TestPolicy(t *testing.T) {
	simtest.Policy(t, func() sim.Policy {
		p, err := newAged(param.Parse("aged", "penalty_s=60"), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}, simtest.Options{})
}

func TestTrace(t *testing.T) {
	tracetest.TestWrong(t, parsePlain, []tracetest.Wrong{
		{"empty", "", `f: no job can be kept: it holds no rows`},
		{"only a comment", "# a\n", `f: no job can be kept: it holds no rows`},
		{"short line", "0 1\n", `f:1: 2 fields, expected 3`},
		{"long line", "# a\n0 1 2 3\n", `f:2: 4 fields, expected 3`},
		{"no GPU", "0 0 60\n", `f:1: column "gpus" is "0", expected a whole number from 1 to 1000000`},
		{"half a GPU", "0 0.5 60\n", `f:1: column "gpus" is "0.5", expected a whole number from 1 to 1000000`},
		{"too many GPUs", "0 9000000 60\n",
			`f:1: column "gpus" is "9000000", expected a whole number from 1 to 1000000`},
		{"no run time", "0 1 0\n", `f:1: column "run" is "0", expected seconds > 0`},
		{"run time in words", "0 1 long\n", `f:1: column "run" is "long", expected seconds > 0`},
		{"submit below zero", "-5 1 60\n", `f:1: column "submit" is "-5", expected seconds >= 0`},
	})
	w, _, err := parsePlain("f", strings.NewReader(sampleTrace), intake.Options{Strict: true})
	if err != nil || len(w.Jobs) != 3 || w.Jobs[1].Work != 42*sim.Second {
		t.Fatalf("%+v, error %v", w, err)
	}
}

// ownParts is what tarry ships with the environment and the learner.
func ownParts() *parts.Catalogues {
	c := shipped.All()
	c.Envs = append(c.Envs, turnEntry())
	c.Agents = append(c.Agents, arsEntry())
	return c
}

func makeTurn(int) (env.Env, error) {
	c := ownParts()
	return c.Envs.Make(c.Catalogues, turnID+":cluster=2x2x4,windows=10,warm=4,horizon=12,load=1.2")
}

func TestEnvironment(t *testing.T) {
	envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return makeTurn(0) }, Steps: 30, MaxAllocs: -1})
}

// A run that is saved and resumed after its first update ends in the bytes of one that was not.
func TestLearnerResumes(t *testing.T) {
	e := arsEntry()
	c, err := e.Configure(nil, 3, []registry.Setting{{Key: "total_steps", Value: "150"}, {Key: "directions", Value: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.New(1, makeTurn)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := first.Update(); err != nil || first.Done() {
		t.Fatalf("the run is over after an update: %v, error %v", first.Done(), err)
	}
	saved, err := first.Save()
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.Resume(1, makeTurn, saved)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	var last [2][]byte
	for i, l := range []registry.Learner{first, second} {
		for !l.Done() {
			if _, err := l.Update(); err != nil {
				t.Fatal(err)
			}
		}
		if last[i], err = l.Save(); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(last[0], last[1]) || bytes.Equal(saved, last[0]) {
		t.Error("the resumed run ends in other bytes, or nothing was learned")
	}
}

func TestOptimiser(t *testing.T) {
	searchtest.TestMethod(t, func(c search.Config) (search.Method,
		error) {
		return climbEntry().New(c, param.Parse("climb", ""))
	}, false)
}

// A job of 30 h of work from time 0 on, by hand: 3 h of it until 6 o'clock, 14 by day, 5 in the
// second night, and 8 of the second day's. On the other machine the night is not seen.
func TestLayer(t *testing.T) {
	const hour = 3600 * sim.Second
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 2, Work: 60 * hour}, {ID: "b", GPUs: 2, Work: 60 * hour}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	layers := entry.Layers{nightLayer()}
	l, err := layers.Parse("night:machine=0", entry.SpeedEnv{Topology: top})
	if err != nil {
		t.Fatal(err)
	}
	p, err := newAged(param.Parse("aged", ""), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: stack.New(simtest.Counting{}, l),
		Check: true}, p)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range []sim.Time{38 * hour, 30 * hour} {
		if got := e.Record(sim.JobID(id)).End; got < want || got > want+10 {
			t.Errorf("job %d ends at %v, expected %v", id, got, want)
		}
	}
	if _, err := layers.Parse("nihgt", entry.SpeedEnv{Topology: top}); err == nil ||
		!strings.Contains(err.Error(), `did you mean "night"?`) {
		t.Error(err)
	}
}
