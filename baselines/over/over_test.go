package over

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// fixed is a policy without a clone.
type fixed struct{ asked *[]string }

func (fixed) Knows() know.Set { return know.Estimate }

func (f fixed) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	*f.asked = append(*f.asked, fmt.Sprint(v.Events()))
	return append(out, sim.Decision{Kind: sim.Cordon, Machine: int32(len(*f.asked))})
}

// copied is one with a clone.
type copied struct{ fixed }

func (c copied) Clone() sim.Policy { return copied{fixed{new([]string)}} }

func parse(spec string, _ cluster.Rule) (sim.Policy, error) {
	switch name, _, _ := strings.Cut(spec, ":"); name {
	case "copied", " copied ":
		return copied{fixed{new([]string)}}, nil
	case "fixed":
		return fixed{}, nil
	}
	return nil, errors.New("no such policy")
}

// The setting names the host, with or without settings; what is wrong is stated with the key.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		text, want string
		names      []string
	}{
		{"", "", nil}, {"", "", []string{"fixed", "copied"}}, {`of="copied:a=1,b=2"`, "", []string{"copied"}},
		{`of=" copied "`, "", []string{"copied"}},
		{"of=other", "of: no such policy", nil},
		{"of=fixed", "of is fixed: it cannot be cloned, expected a policy that can", nil},
		{"of=other", `of is "other", expected one of copied, fixed, with its settings or without`,
			[]string{"copied", "fixed"}},
	} {
		s := param.Parse("one", c.text)
		h := Parser(parse).Read(s, cluster.BestFit, "of", "copied", 3, c.names...)
		err := s.Err()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, expected %q", c.text, err, c.want)
		}
		if err == nil && h.Reads(know.Speed) != know.Estimate|know.Speed {
			t.Errorf("%q: reads %v", c.text, h.Reads(know.Speed))
		}
	}
}

// A host gets every event but the timer of the policy over it, and is asked only where it gets some;
// a copy is independent.
func TestAsk(t *testing.T) {
	asked := []string{}
	h := New(copied{fixed{&asked}}, 3)
	view := func(events ...sim.Event) *sim.View {
		v := new(sim.View).With(events)
		return &v
	}
	own, other := sim.Event{Kind: sim.Timer, Key: 3}, sim.Event{Kind: sim.Timer, Key: 4}
	if out := h.Ask(view(own), nil); len(out)+len(asked) != 0 {
		t.Errorf("its own timer: asked %v, decided %v", asked, out)
	}
	come := sim.Event{Kind: sim.Arrive, Key: 3}
	out := h.Ask(view(own, other, come), make([]sim.Decision, 1))
	if want := fmt.Sprint([]sim.Event{other, come}); len(out) != 2 || len(asked) != 1 || asked[0] != want {
		t.Errorf("asked of %v, decided %v, expected %s", asked, out, want)
	}
	c := h.Copy()
	if c.Ask(view(own, come), nil); len(asked) != 1 || c.timer != 3 {
		t.Errorf("a copy asked the host itself: %v", asked)
	}
	events := h.Events(view(own, come))
	events[0].Kind = sim.Repair
	if h.AskOf(view(), events, nil); asked[1] != fmt.Sprint([]sim.Event{{Kind: sim.Repair, Key: 3}}) {
		t.Errorf("asked of %v", asked[1])
	}
}
