package env

import (
	"strings"
	"testing"

	"tarry/env/layout"
)

// list is a spec of 2 numbers and 3 items of 4.
func list(acts layout.Acts, action Space) *Spec {
	return &Spec{ID: "test/List-v0", Observation: NewBox(0, 1, 14), Action: action,
		Layout: layout.Observation{Acts: acts,
			Segments: []layout.Segment{{Name: "all", Features: []layout.Feature{{Name: "a"}, {Name: "b"}}, Items: 1},
				{Name: "item", Features: []layout.Feature{{Name: "c"}, {Name: "d"}, {Name: "e"}, {Name: "f"}}, Items: 3}}}}
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		spec *Spec
		want *layout.List
	}{
		{&Spec{Observation: NewBox(0, 1, 14), Action: Discrete{N: 2}}, nil},
		{&Spec{Observation: NewBox(0, 1, 14), Action: Discrete{N: 2}, Layout: layout.Observation{Acts: layout.OnOne}},
			nil},
		{list(layout.OnAll, Discrete{N: 2}), nil},
		{list(layout.OnOne, Discrete{N: 3}), &layout.List{Global: 2, Features: 4}},
		{list(layout.OnOne, Discrete{N: 5}), &layout.List{Global: 2, Features: 4, Extra: 2}},
		{list(layout.OnEach, NewBox(-1, 1, 6)), &layout.List{Global: 2, Features: 4, Each: 2}},
	} {
		got, err := c.spec.List()
		if err != nil || (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%+v gives %+v, error %v, expected %+v", c.spec, got, err, c.want)
		}
	}
	one := list(layout.OnEach, Discrete{N: 7})
	one.Layout.Segments[1].Items, one.Observation = 1, NewBox(0, 1, 6)
	if got, err := one.List(); err != nil || *got != (layout.List{Global: 2, Features: 4, Each: 7}) {
		t.Errorf("a choice for the only item gives %+v, error %v", got, err)
	}
	several := list(layout.OnOne, Discrete{N: 14})
	several.Layout.Choices, several.Layout.Present = 4, true
	if got, err := several.List(); err != nil ||
		*got != (layout.List{Global: 2, Features: 4, Extra: 2, Choices: 4, Present: true}) {
		t.Errorf("several choices of each item give %+v, error %v", got, err)
	}
	ranks := list(layout.OnEach, NewBox(-1, 1, 3))
	ranks.Layout.Ranks = true
	if got, err := ranks.List(); err != nil || *got != (layout.List{Global: 2, Features: 4, Each: 1, Ranks: true}) {
		t.Errorf("numbers that put items in order give %+v, error %v", got, err)
	}
}

func TestListFaults(t *testing.T) {
	change := func(f func(s *Spec)) *Spec {
		s := list(layout.OnOne, Discrete{N: 4})
		f(s)
		return s
	}
	for want, s := range map[string]*Spec{
		`acts is "one" on 3 items with actions Discrete (2 choices)`:   list(layout.OnOne, Discrete{N: 2}),
		`acts is "one" on 3 items with actions Box (3 real numbers)`:   list(layout.OnOne, NewBox(0, 1, 3)),
		`acts is "each" on 3 items with actions Box (4 real numbers)`:  list(layout.OnEach, NewBox(0, 1, 4)),
		`acts is "each" on 3 items with actions Discrete (21 choices)`: list(layout.OnEach, Discrete{N: 21}),
		`acts is "both"`: list("both", Discrete{N: 4}),
		`acts is "one" on 3 items with actions Discrete (11 choices)`: change(func(s *Spec) {
			s.Action, s.Layout.Choices = Discrete{N: 11}, 4
		}),
		"segments of 14 numbers, expected the 15": change(func(s *Spec) { s.Observation = NewBox(0, 1, 15) }),
		`segment 1 has the name "all"`:            change(func(s *Spec) { s.Layout.Segments[1].Name = "all" }),
		"ranks is true with actions Box (6 real": change(func(s *Spec) {
			s.Layout.Acts, s.Layout.Ranks,
				s.Action = layout.OnEach, true, NewBox(0, 1, 6)
		}),
		"0 features": change(func(s *Spec) { s.Layout.Segments[0].Features = nil }),
	} {
		if _, err := s.List(); err == nil || !strings.Contains(err.Error(), "test/List-v0: layout: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %s", err, want)
		}
	}
}
