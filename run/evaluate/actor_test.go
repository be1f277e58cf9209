package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	agents "tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/schedenv"
	"tarry/run/trial"
)

// answering is a policy from elsewhere: a function.
type answering func(dst, obs []float64, mask []bool) error

func (a answering) Act(dst, obs []float64, mask []bool, _ *rand.Rand) error { return a(dst, obs, mask) }
func (a answering) Fork() agents.Policy                                     { return a }

// firstLegal takes the first action that the mask allows.
func firstLegal(dst, _ []float64, mask []bool) error {
	dst[0] = float64(max(0, slices.Index(mask, true)))
	return nil
}

func actor(name, envText string, a answering) Actor {
	return Actor{Name: name, What: "a function", Env: envText,
		Policy: func(string, *env.Spec) (agents.Policy, string, error) { return a, "", nil }}
}

// measure runs a request and gives its rows.
func measure(t *testing.T, r Request, workers int) ([]Row, error) {
	t.Helper()
	s, err := Build(shipped.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials, trial.Options{Workers: workers})
	if err := errors.Join(s.Err(), err); err != nil {
		return nil, err
	}
	rows, err := s.Summarise(done)
	if err != nil {
		t.Fatal(err)
	}
	return rows, nil
}

// In tarry/Preempt-v0 the first legal action is to leave running jobs alone. Its rows equal the
// rows of the environment's own base rule without an agent, for any number of workers.
func TestActorIsMeasured(t *testing.T) {
	const on = "tarry/Preempt-v0:" + busy
	asked := 0
	r := Request{Actors: []Actor{actor("keep", on, func(dst, obs []float64,
		mask []bool) error {
		asked++
		return firstLegal(dst, obs, mask)
	})},
		Baselines: []string{"dally", "fifo"}, Part: schedenv.Test, Windows: 3}
	rows, err := measure(t, r, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[0].Agent != "keep, a function in tarry/Preempt-v0" || asked == 0 || rows[1].Diff.N != 3 {
		t.Fatalf("%d decisions, rows %+v", asked, rows)
	}
	r.Actors[0] = actor("keep", on, firstLegal)
	again, err := measure(t, r, 3)
	if err != nil || fmt.Sprint(Evals(rows)) != fmt.Sprint(Evals(again)) { // NaN is unequal to itself
		t.Errorf("three workers give %v, error %v; one gives %v", Evals(again), err, Evals(rows))
	}
	other := actor("evict", on, func(dst, _ []float64, mask []bool) error {
		for i, legal := range mask {
			if legal {
				dst[0] = float64(i)
			}
		}
		return nil
	})
	r.Actors = append(r.Actors, other)
	both, err := measure(t, r, 2)
	if err != nil || len(both) != 4 || both[1].Runs[0].Row.Preemptions <= both[0].Runs[0].Row.Preemptions {
		t.Errorf("an actor that evicts beside one that does not: error %v, rows %+v", err, both)
	}
}

// A checkpoint and an actor that asks the same policy have the same rows.
func TestActorBesideCheckpoint(t *testing.T) {
	r := request(trained(t, "tarry/Preempt-v0", busy))
	s, err := Build(shipped.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Agents[0].policy
	same := actor("same", "tarry/Preempt-v0:"+busy, nil)
	same.Policy = func(at string, spec *env.Spec) (agents.Policy, string, error) {
		if at != "tarry/Preempt-v0:"+busy+",part=test" || spec.Action.Len() != 1 {
			return nil, "", fmt.Errorf("asked for %s", at)
		}
		return p.Fork(), "abc", nil
	}
	r.Actors = []Actor{same}
	rows, err := measure(t, r, 2)
	if err != nil {
		t.Fatal(err)
	}
	if rows[1].SHA256 != "abc" || !strings.HasSuffix(rows[1].Agent, ", sha256 abc") || rows[1].Diff.Point != 0 ||
		!reflect.DeepEqual(rows[0].JCT, rows[1].JCT) {
		t.Errorf("rows %+v\n%+v", rows[0], rows[1])
	}
}

// Actors of one name are one agent with several seeds, and each of them.
func TestActorsOfSeveralSeeds(t *testing.T) {
	const on = "tarry/Preempt-v0:" + busy
	last := func(dst, _ []float64, mask []bool) error {
		for i, legal := range mask {
			if legal {
				dst[0] = float64(i)
			}
		}
		return nil
	}
	all := []Actor{actor("a", on, firstLegal), actor("b", on, firstLegal), actor("a", on, last)}
	Seeds(all)
	rows, err := measure(t, Request{Actors: all, Baselines: []string{"fifo"}, Part: schedenv.Test, Windows: 3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.Policy)
	}
	if want := []string{"a (2 seeds)", "a-1", "a-2", "b", "fifo"}; !slices.Equal(names, want) || rows[0].Seeds != 2 ||
		!rows[1].Member || rows[3].Member || rows[4].Diff.N == 0 {
		t.Errorf("rows %v, expected %v: %+v", names, want, rows)
	}
}

// What an actor answers is looked at, and the first fault stops all.
func TestActorFaults(t *testing.T) {
	for want, a := range map[string]answering{
		"is masked out": func(dst, _ []float64, mask []bool) error {
			dst[0] = float64(slices.Index(mask,
				false))
			return nil
		},
		"99, expected a whole number from 0 to 16": func(dst, _ []float64, _ []bool) error { dst[0] = 99; return nil },
		"fault: it is broken": func(_, _ []float64,
			_ []bool) error {
			return errors.New("it is broken")
		},
		"fault: tarry/Preempt-v0: ": func(dst, _ []float64, _ []bool) error { dst[0] = 0.5; return nil },
	} {
		ctx, stop := context.WithCancel(context.Background())
		s, err := Build(shipped.All(), Request{Actors: []Actor{actor("fault", "tarry/Preempt-v0:"+busy, a)},
			Baselines: []string{"dally"}, Part: schedenv.Test, Windows: 3, Stop: stop})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trial.Run(ctx, s.Trials, trial.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the trials end with %v, expected that they were stopped", want, err)
		}
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}

// Windows that an actor was trained on are refused by their jobs, in an environment with any other
// options too.
func TestActorHasSeen(t *testing.T) {
	for _, c := range []struct {
		part       schedenv.Part
		option     string
		env        string
		validation bool
		want       string
	}{
		{schedenv.Test, "", delaytimer.ID + ":" + options, false, ""},
		{schedenv.Train, "", delaytimer.ID + ":" + options, false, "window 0 of part train is training window 0 of " +
			"mine: expected windows that training has not seen"},
		{schedenv.Train, "candidates=3", "tarry/Preempt-v0:" + options, false, "is training window 0 of mine"},
		{schedenv.Train, "lease_s=900", delaytimer.ID + ":" + options, false, "cut into windows in another way"},
		{schedenv.Train, "", "tarry/Preempt-v0:" + options, false, "is training window 0 of mine"},
		{schedenv.Train, "load=0.5", delaytimer.ID + ":" + options, false, "cut into windows in another way"},
		{schedenv.Train, "data_seed=8", delaytimer.ID + ":" + options, false, ""},
		{schedenv.Validation, "", delaytimer.ID + ":" + options, false, ""},
		{schedenv.Validation, "", delaytimer.ID + ":" + options, true, "is validation window 0 of mine"},
		{schedenv.Validation, "load=0.5", delaytimer.ID + ":" + options, true, "cut into windows in another way"},
		{schedenv.Test, "", delaytimer.ID + ":" + options + ",part=test", false, "trained on " + delaytimer.ID + ":" +
			options + ",part=test: environment"},
	} {
		a := actor("mine", delaytimer.ID+":"+options, firstLegal)
		if c.option == "candidates=3" {
			a.Env = "tarry/Preempt-v0:" + options
		}
		a.Seen = []Seen{{c.env, c.validation}}
		r := Request{Actors: []Actor{a}, Part: c.part, Windows: 3}
		if c.option != "" {
			r.Options = []string{c.option}
		}
		_, err := Build(shipped.All(), r)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// Jobs of a trace are known again; jobs of its validation part only where it was used.
func TestActorHasSeenTrace(t *testing.T) {
	path := kept(t, t.TempDir()+"/jobs.csv", long(t))
	for part, seen := range map[schedenv.Part][2]bool{schedenv.Train: {true, true}, schedenv.Validation: {false, true},
		schedenv.Test: {false, false}} {
		for i, want := range seen {
			a := actor("mine", delaytimer.ID+":"+onTrace+path, firstLegal)
			a.Seen = []Seen{{a.Env, i == 1}}
			_, err := Build(shipped.All(), Request{Actors: []Actor{a}, Part: part, Windows: 2,
				Options: []string{"horizon=5"}})
			if (err != nil) != want {
				t.Errorf("part %s, validation seen: %v: error %v", part, i == 1, err)
			}
		}
	}
}

// All faults of actors come at once.
func TestActorsAreRefused(t *testing.T) {
	good := actor("good", delaytimer.ID+":"+options, firstLegal)
	_, err := Build(shipped.All(), Request{Actors: []Actor{good, good, actor("fifo", good.Env, nil),
		actor("other", good.Env+",load=0.5", nil), actor("pole", "classic/CartPole-v1", nil)},
		Baselines: []string{"fifo"}, Part: schedenv.Test, Windows: 3})
	for _, want := range []string{`an actor has the name "good", expected one that no other policy has`,
		`the name "fifo"`, "other acts on other jobs or another cluster than good: name cluster",
		"classic/CartPole-v1 has no cluster"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
	if _, err := Build(shipped.All(), Request{Part: schedenv.Test, Windows: 3}); err == nil ||
		!strings.Contains(err.Error(), "or an actor") {
		t.Errorf("nothing to measure gives %v", err)
	}
}

// TestActorRows writes what python/tests/test_measure.py has to find, where TARRY_ACTOR_ROWS names
// a folder for it.
func TestActorRows(t *testing.T) {
	dir := os.Getenv("TARRY_ACTOR_ROWS")
	if dir == "" {
		t.Skip("TARRY_ACTOR_ROWS is not set (make pytest)")
	}
	a := actor("first", "tarry/Preempt-v0:cluster=2x2x4,warm=12,horizon=12,load=1.2", firstLegal)
	a.What = Python
	s, err := Build(shipped.All(), Request{Actors: []Actor{a}, Baselines: []string{"dally", "fifo"},
		Part: schedenv.Test, Windows: 3})
	if err != nil {
		t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials, trial.Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Summarise(done)
	if err != nil {
		t.Fatal(err)
	}
	if err := Keep(context.Background(), dir, "", "", s, rows, done); err != nil {
		t.Fatal(err)
	}
}
