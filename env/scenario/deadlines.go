package scenario

import (
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/setting"
	"tarry/traces/deadline"
)

// deadlineRow is the setting of the deadlines.
func (c *Scenario) deadlineRow() setting.Row {
	return setting.Row{Key: "deadlines", Group: setting.Tenants,
		Page: "reference/measures.md", Flag: "deadlines", To: &c.Deadlines,
		Read: c.readDeadlines, Empty: "trace", Meta: "LAW",
		Doc: "deadlines of the jobs", Forms: deadline.Forms + ", or each as deadlines.KEY", See: "deadlines",
		Words: []string{"trace", "none"}, Choices: keysOf(deadline.Doc, deadline.Options),
		List: "deadlines", ListDoc: "the keys of --deadlines: the law of the jobs' deadlines",
		Save: func(put func(string, any)) {
			if l, err := deadline.Parse(c.Deadlines); err == nil && l != nil && l.String() != "" {
				put("deadlines", l.String()) // in one spelling
			}
		}}
}

// readDeadlines reads trace, none, key=value,... or a mapping of the same keys. A text or a mapping
// replaces the law; deadlines.KEY changes one of its numbers.
func (c *Scenario) readDeadlines(s *param.Set) {
	if !s.IsMapping("deadlines") && !s.Dotted("deadlines") {
		c.Deadlines = s.Text("deadlines", c.Deadlines)
		return
	}
	law := deadline.Default()
	if l, err := deadline.Parse(c.Deadlines); err == nil && l != nil && !l.None() && s.Dotted("deadlines") {
		law = *l
	}
	if law.Read(s.Child("deadlines")); s.Has("deadlines") {
		c.Deadlines = law.String()
	}
}

// buildDeadlines reads the law of deadlines.
func (s *Setup) buildDeadlines() (_ layerOf, err error) {
	if s.deadlines, err = deadline.Parse(s.Scenario.Deadlines); err != nil {
		return nil, wrong("deadlines", "%w", err)
	}
	return nil, nil
}

// Changed gives the jobs of a stream what they need of a GPU, the ranges and the deadlines that
// Prepare gives jobs of a workload.
func (s *Setup) Changed(in sim.Stream, draws rng.Source) sim.Stream {
	var all []func(*sim.Job)
	if s.needs != nil {
		all = append(all, s.needs.Changes())
	}
	if s.elastic != nil {
		all = append(all, s.elastic.Changes(draws))
	}
	if s.deadlines != nil {
		all = append(all, s.deadlines.Changes(draws))
	}
	if len(all) == 0 {
		return in
	}
	return &changed{in, all}
}

// changed changes each job of a stream.
type changed struct {
	sim.Stream
	changes []func(*sim.Job)
}

// Next implements sim.Stream.
func (c *changed) Next(j *sim.Job) bool {
	if !c.Stream.Next(j) {
		return false
	}
	for _, change := range c.changes {
		change(j)
	}
	return true
}
