package entry

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// Policy is one policy of the catalogue.
type Policy struct {
	// Name is what users write.
	Name string
	// Doc is one line on what it does.
	Doc string
	// Paper is where it was published; "textbook" for orders older than GPU clusters.
	Paper string
	// Decides states which decisions it makes, in a few words, names of settings in backquotes.
	Decides string
	// Params has one line per setting: key, meaning, unit. "" = it has none.
	Params string
	// New reads the settings and gives a fresh policy for one run; the error joins every fault.
	New func(s *param.Set, rule cluster.Rule) (sim.Policy, error)
	// Open takes New's place where what is behind the name is not key=value,... alone; nil = New does.
	Open func(text string, rule cluster.Rule) (sim.Policy, error)
	// Keys takes New's place where the settings of such a policy are listed; nil = it has none.
	Keys func(text string) []param.Setting
	// Source is the hash of what a policy of Open's is made of, beside the program; nil = nothing.
	Source func(text string) string
	// Cost states what the algorithm costs by nature.
	Cost Cost
	// Moved lists settings that the policy had and others have now.
	Moved []Moved
}

// Settings lists the settings that the policy reads, in the order of Params, with the ranges and
// defaults of the code that reads them.
func (e *Policy) Settings() []param.Setting {
	s := param.Parse("", "")
	if _, err := e.New(s, cluster.BestFit); err != nil { // defaults are no fault; tests hold it
		return nil
	}
	return param.Ordered(s.Settings(), e.Params)
}

// SettingsOf lists the settings that the policy reads where text, key=value,..., is given: some
// policies read the settings of a rule only where one of that rule is given.
func (e *Policy) SettingsOf(text string) []param.Setting {
	if e.Keys != nil {
		return e.Keys(text)
	}
	s := param.Parse("", text)
	_, _ = e.New(s, cluster.BestFit) // what it read counts, not whether the values are good
	return param.Ordered(s.Settings(), e.Params)
}

// Knows is what the policy may read about jobs beyond what they ask for, with its default settings.
// Settings may change it.
func (e *Policy) Knows() know.Set {
	p, err := e.New(param.Parse("", ""), cluster.BestFit)
	if err != nil { // defaults are no fault; tests hold it
		return know.Nothing
	}
	return p.Knows()
}

// Knows is what a policy, NAME or NAME:key=value,..., may read about jobs beyond what they ask for.
func (c Policies) Knows(spec string) (know.Set, error) {
	_, fresh, err := c.Parse(spec, cluster.BestFit)
	if err != nil {
		return know.Nothing, err
	}
	p, err := fresh()
	if err != nil {
		return know.Nothing, err
	}
	return p.Knows(), nil
}

// Policies lists policies in the order in which they are shown. catalogue/policies has what tarry
// ships; a program may append its own.
type Policies []Policy

// Parse finds a policy by NAME or NAME:key=value,... and makes it, which checks its settings. The
// factory gives a fresh policy at each call, one per run: at the first call the policy that was
// made.
func (c Policies) Parse(spec string, rule cluster.Rule) (Policy, func() (sim.Policy, error), error) {
	if several := c.splitNames(spec); len(several) > 1 {
		return Policy{}, nil, fmt.Errorf("policy %q: a comma separates the settings of one policy, expected each "+
			"policy by itself: --policy %s (in a file a list: [%s])",
			spec, strings.Join(several, " --policy "), strings.Join(several, ", "))
	}
	name, text, colon := strings.Cut(spec, ":")
	name = strings.TrimSpace(name)
	var names []string
	for _, e := range c {
		if e.Name != name {
			names = append(names, e.Name)
			continue
		}
		if colon && strings.TrimSpace(text) == "" {
			return Policy{}, nil, fmt.Errorf("policy %q: nothing after the colon, expected key=value,...", spec)
		}
		for i := range e.Moved {
			if err := e.Moved[i].respell(e.Name, text); err != nil {
				return Policy{}, nil, err
			}
		}
		build := func() (sim.Policy, error) {
			if e.Open != nil {
				return e.Open(param.Without(text, "label"), rule)
			}
			set := param.Parse("policy "+e.Name, text)
			set.Label() // for readers: no policy reads it
			p, err := e.New(set, rule)
			if err != nil {
				return nil, err
			}
			return p, nil
		}
		first, err := build()
		if err != nil {
			return Policy{}, nil, err
		}
		return e, Again(first, build), nil
	}
	return Policy{}, nil, fmt.Errorf("policy %q: unknown, expected one of %s%s", name, strings.Join(names, ", "),
		param.Hint(name, names))
}

// Source is the hash of what a policy, NAME or NAME:..., is made of beside the program; "" = nothing.
func (c Policies) Source(spec string) string {
	name, text, _ := strings.Cut(spec, ":")
	name = strings.TrimSpace(name)
	for i := range c {
		if e := &c[i]; e.Name == name && e.Source != nil {
			return e.Source(param.Without(text, "label"))
		}
	}
	return ""
}

// Build makes one policy of NAME or NAME:key=value,...
func (c Policies) Build(spec string, rule cluster.Rule) (sim.Policy, error) {
	_, fresh, err := c.Parse(spec, rule)
	if err != nil {
		return nil, err
	}
	return fresh()
}

// splitNames cuts "NAME,NAME:key=value" at the commas before names of the catalogue.
func (c Policies) splitNames(spec string) []string {
	var out []string
	for _, part := range param.Split(spec) {
		name, _, _ := strings.Cut(part, ":")
		known := slices.ContainsFunc(c, func(e Policy) bool { return e.Name == strings.TrimSpace(name) })
		if len(out) == 0 || known {
			out = append(out, strings.TrimSpace(part))
		} else {
			out[len(out)-1] += "," + part
		}
	}
	return out
}
