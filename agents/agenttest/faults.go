package agenttest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/agents/learn"
	"tarry/env"
)

// fault is something wrong with an environment.
type fault struct {
	name string
	is   error  // what the error wraps; nil = nothing in particular
	text string // what it states
	set  func(f *tampered)
	all  bool // all environments have it, not the second one alone
	once bool // only at the start: later it may be reported in the middle of an episode, which then never ends
}

// broken is what a tampered environment fails with.
type broken struct{}

func (broken) Error() string { return "broken" }

// faults trains in environments that have something wrong from the start, or from the second update
// on.
func (s Suite[C, P, L]) faults(t *testing.T, r Run[C, L]) {
	where := s.Where
	if where == "" {
		where = "environment 1"
	}
	gives := func(set func(*env.Step)) func(*tampered) { return func(f *tampered) { f.after = set } }
	list := []fault{
		{name: "reward that is not a number", is: learn.ErrDiverged, text: "training diverged: loss NaN",
			set: gives(func(st *env.Step) { st.Reward = math.NaN() }), all: true},
		{name: "endless reward", is: learn.ErrDiverged, text: "training diverged: ",
			set: gives(func(st *env.Step) { st.Reward = math.Inf(1) }), all: true},
		{name: "observation that is not a number", is: learn.ErrDiverged, text: "training diverged: ",
			set: gives(func(st *env.Step) { st.Obs[0] = math.NaN() }), all: true},
		{name: "time that runs backwards", text: where + ": a step took -1 units of time, expected a finite " +
			"number >= 0", set: gives(func(st *env.Step) { st.Info.Elapsed = -1 })},
		{name: "time that is not a number", text: where + ": a step took NaN units of time",
			set: gives(func(st *env.Step) { st.Info.Elapsed = math.NaN() })},
		{name: "failing step", is: broken{}, text: where + ": broken", set: func(f *tampered) { f.step = broken{} }},
		{name: "failing reset", is: broken{}, text: where + ": broken", set: func(f *tampered) { f.reset = broken{} },
			once: true},
	}
	if _, ok := specOf(t, r.Env).Action.(env.Discrete); ok {
		list = append(list, fault{name: "mask that allows nothing", is: env.ErrNoLegalAction, text: where + ": ",
			set: func(f *tampered) { clear(f.mask) }})
	}
	for _, k := range list {
		for updates := range 2 {
			if updates == 0 || !k.once {
				t.Run(fmt.Sprintf("%s after %d updates", k.name, updates),
					func(t *testing.T) { s.fault(t, r, k, updates) })
			}
		}
	}
}

// fault makes so many updates, and then trains until the fault is reported.
func (s Suite[C, P, L]) fault(t *testing.T, r Run[C, L], k fault, updates int) {
	var w watch
	var envs []*tampered
	l, err := s.New(r.Config, 2, w.over(func(i int) (env.Env, error) {
		f, err := tamper(r.Env, i)
		if err != nil {
			return nil, err
		}
		if d, ok := f.spec.Action.(env.Discrete); ok && k.is == env.ErrNoLegalAction {
			f.spec.Masked, f.mask = true, slices.Repeat([]bool{true}, d.N)
		}
		envs = append(envs, f)
		return f, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	done, before := 0, []byte(nil)
	for ; err == nil && !l.Done(); done++ { // what is kept, to be learnt from later, is not reported at once
		if done == updates {
			for i, f := range envs {
				if k.all || i == 1 {
					k.set(f)
				}
			}
		}
		before = weights(t, s.save(t, l))
		_, err = l.Update()
	}
	prefix := fmt.Sprintf("%s: update %d: ", s.Name, done)
	if err == nil || k.is != nil && !errors.Is(err, k.is) || !strings.HasPrefix(err.Error(), prefix) ||
		!strings.Contains(err.Error(), k.text) {
		t.Fatalf("error is %v, expected %s ... %s", err, prefix, k.text)
	}
	dump := s.save(t, l)
	after := weights(t, dump)
	if updates == 0 && !bytes.Equal(after, before) { // later there are steps of the optimiser before the failing step
		t.Error("the weights moved")
	}
	for at := 0; at < len(after); at += 8 {
		if v := math.Float64frombits(binary.LittleEndian.Uint64(after[at:])); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("weight %d is %g", at/8, v)
		}
	}
	if _, again := l.Update(); again == nil || !strings.HasPrefix(again.Error(), s.Name+": a former update failed: ") {
		t.Errorf("a failed run was trained on: %v", again)
	}
	s.refused(t, "a failed run", "resume of a run that failed: "+prefix, r.Config, r.Env, dump)
	if s.close(t, l); w.open != 0 {
		t.Errorf("%d environments are left open", w.open)
	}
}

// unmade makes learners in environments that there are not, are not alike, or have other actions
// than the agent serves.
func (s Suite[C, P, L]) unmade(t *testing.T, r Run[C, L]) {
	check := func(why, want string, set func(i int, f *tampered) error) {
		t.Helper()
		var w watch
		l, err := s.New(r.Config, 1, w.over(func(i int) (env.Env, error) {
			f, err := tamper(r.Env, i)
			if err == nil {
				err = set(i, f)
			}
			return f, err
		}))
		if err == nil {
			t.Errorf("%s was accepted", why)
			s.close(t, l)
		} else if !strings.HasPrefix(err.Error(), s.Name+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, expected %s: ... %s", why, err, s.Name, want)
		}
		if w.open != 0 {
			t.Errorf("%s: %d environments are left open", why, w.open)
		}
	}
	check("an environment that cannot be made", "environment 1: broken", func(i int, _ *tampered) error {
		if i == 1 {
			return broken{}
		}
		return nil
	})
	check("an environment unlike the first", "environment 1 ", func(i int, f *tampered) error {
		if i == 1 {
			f.spec.ID = "other/Other-v0"
		}
		return nil
	})
	for want, space := range s.Refused {
		check(fmt.Sprintf("actions from %+v", space), want, func(_ int, f *tampered) error {
			f.spec.Action = space
			return nil
		})
	}
}

// withoutSnapshots saves a run in environments that have none.
func (s Suite[C, P, L]) withoutSnapshots(t *testing.T, r Run[C, L]) {
	l, err := s.New(r.Config, 1, func(i int) (env.Env, error) {
		f, err := tamper(r.Env, i)
		return bare{f}, err
	})
	if err == nil {
		_, err = l.Update()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.close(t, l)
	_, err = l.Save()
	if s.Stateless && err != nil {
		t.Errorf("saving needs snapshots: %v", err)
	}
	if !s.Stateless && (!errors.Is(err, errors.ErrUnsupported) || !strings.HasPrefix(err.Error(), s.Name+": save: ")) {
		t.Errorf("error is %v, expected one of missing snapshots", err)
	}
}
