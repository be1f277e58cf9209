package scenario

import (
	"math"

	"tarry/sim"
	"tarry/sim/param"
)

// The laws of resizes and moves. Elastic frameworks that keep the workers that stay (auto-fast elastic
// training of DeepBoot) restart only what is new.
const (
	resizeOwn   = "own"   // by their own costs, as ""
	resizeStart = "start" // as a first start on the new GPUs
	resizeAFE   = "afe"   // shrink: rescale; growth: rescale + floor((start - rescale) added/new) s; a move: start
)

// readResize reads the law.
func (c *Scenario) readResize(s *param.Set) {
	if law := s.Enum("resize", resizeOwn, resizeStart, resizeAFE); s.Has("resize") {
		if c.CostResize = law; law == resizeOwn {
			c.CostResize = ""
		}
	}
}

// prices gives the times of changes: a table before the formulas, and a law of resizes before both.
type prices struct {
	table    *costTable // nil = none
	formulas sim.Costs
	bytes    func(model string) int64
	resize   string
}

// of implements sim.Costs.Of.
func (p *prices) of(c *sim.Change) sim.Time {
	if p.resize == "" || c.Kind != sim.Resize && c.Kind != sim.Migrate {
		return p.as(c.Kind, c)
	}
	was, now := len(c.From), len(c.To)
	switch {
	case p.resize == resizeStart || was == now:
		return p.as(sim.Start, c)
	case now < was:
		return p.as(sim.Resize, c)
	}
	first, short := p.as(sim.Start, c), p.as(sim.Resize, c)
	return short + sim.Seconds(math.Floor((first-short).Seconds()*float64(now-was)/float64(now)))
}

// as is the time of a change if it is of a kind, the first start where that is Start.
func (p *prices) as(kind sim.DecisionKind, c *sim.Change) sim.Time {
	one := *c
	one.Kind, one.Again = kind, c.Again && kind == c.Kind
	if p.table != nil {
		name, gpus := kindOf(&one)
		if s, ok := p.table.seconds(c.Job.Model, name, gpus); ok {
			return sim.Seconds(s)
		}
	}
	size := int64(0)
	if p.bytes != nil {
		size = p.bytes(c.Job.Model)
	}
	return p.formulas.Formula(&one, size)
}
