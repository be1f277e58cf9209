package envs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/registry"
	"tarry/env/schedenv"
	"tarry/env/trait"
)

// onTrace writes a trace and gives the options of environments over it.
func onTrace(t *testing.T) (path, options string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "jobs.csv")
	text := "id,submit_s,gpus,work_s\n"
	for i := range 300 {
		text += fmt.Sprintf("%d,%d,%d,%d\n", i, 400*i, 1+i%8, 6000)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path, "cluster=2x2x4,warm=1,horizon=4,lease_s=1800,gap=0,thin=2,trace=" + path
}

// played steps through an episode and returns all that was observed, also that the agent is never
// asked.
func played(e env.Env, window int) (string, error) {
	obs, info, err := e.Reset(nil, fmt.Sprintf("window=%d", window))
	out := fmt.Sprint(*e.Spec(), obs, info)
	action := make([]float64, e.Spec().Action.Len())
	for done := false; err == nil && !done; {
		if info.Mask != nil {
			for action[0] = 0; !info.Mask[int(action[0])]; action[0]++ {
			}
		}
		var s env.Step
		s, err = e.Step(action)
		info, done = s.Info, s.Done()
		out += fmt.Sprint(s)
	}
	if errors.Is(err, trait.ErrNoQuestion) { // as in some windows
		return out + err.Error(), nil
	}
	return out, err
}

// source gives where the windows of an environment come from.
func source(t *testing.T, e env.Env) schedenv.Source {
	t.Helper()
	on, ok := env.Find[*schedenv.Env](e)
	if !ok {
		t.Fatal("no cluster")
	}
	return on.Config().Source
}

// What a Maker gives is what Make gives, in every part, though the trace is read once and may be
// gone after that; and several goroutines may use it.
func TestMaker(t *testing.T) {
	path, options := onTrace(t)
	ids := []string{"tarry/DelayTimer-v0", "tarry/DelayTimerDiscrete-v0", "tarry/Preempt-v0", "tarry/Offer-v0"}
	want, m := map[string]string{}, registry.NewMaker(All(), simulation.All())
	for _, id := range ids {
		for _, part := range []string{"", ",part=train", ",part=validation", ",part=test"} {
			text := id + ":" + options + part
			e, err := All().Make(simulation.All(), text)
			if err != nil {
				t.Fatal(err)
			}
			if want[text], err = played(e, 1); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := m.Make(id + ":" + options); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for text, what := range want {
		for range 2 {
			all.Go(func() {
				e, err := m.Make(text)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := played(e, 1); err != nil || got != what {
					t.Errorf("%s: error %v, or another episode", text, err)
				}
			})
		}
	}
	all.Wait()
	a, _ := m.Make(ids[0] + ":" + options)
	b, _ := m.MakeAs(ids[0]+":part=test,"+options, "other words")
	if source(t, a) != source(t, b) || b.Spec().Options != "other words" || a.Spec().Options != options {
		t.Errorf("one says %q, the other %q, or they share no source", a.Spec().Options, b.Spec().Options)
	}
	taken := m.Take()
	if _, err := taken.Make(ids[0] + ":" + options); err != nil {
		t.Error(err)
	}
	for _, other := range []*registry.Maker{m, m.Take()} {
		if _, err := other.Make(ids[0] + ":" + options); err == nil || !strings.Contains(err.Error(), "jobs.csv") {
			t.Errorf("a Maker that keeps nothing read a trace that is gone: %v", err)
		}
	}
}

// A fault is reported in every order of makes, and an environment's options do not change another
// one.
func TestMakerFaults(t *testing.T) {
	_, options := onTrace(t)
	m, id := registry.NewMaker(All(), simulation.All()), "tarry/DelayTimer-v0:"
	first, err := m.Make(id + options)
	if err != nil {
		t.Fatal(err)
	}
	on, _ := env.Find[*schedenv.Env](first)
	on.Keep(9)
	if err := on.Follow("dally"); err != nil {
		t.Fatal(err)
	}
	second, err := m.Make(id + options)
	if err != nil {
		t.Fatal(err)
	}
	if on, _ := env.Find[*schedenv.Env](second); on.Config().Keep != 0 || on.Demonstrate(nil) == nil {
		t.Errorf("the next environment keeps %d windows, or follows somebody", on.Config().Keep)
	}
	for _, text := range []string{"", ":", "tarry/None-v0", id, id + options + ",part=tests", id + options +
		",part=test,part=test", id + "part=train,part=test," + options,
		id + options + ",", id + options + ",,part=test", id + options + ",load", id + options + ",part", id +
			options + ",part=", id + options + `,part="test`, "classic/CartPole-v1:part=test"} {
		_, want := All().Make(simulation.All(), text)
		if _, err := m.Make(text); want == nil || fmt.Sprint(err) != want.Error() {
			t.Errorf("%s: error %v, want %v", text, err, want)
		}
	}
}
