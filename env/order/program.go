package order

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarry/baselines/rltune"
	"tarry/baselines/score"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// The settings of places.
const (
	byContest = "dally"
	byProgram = "program"
)

// Mapping has who starts where with places=program: nothing is preempted, and the integer program of
// baselines/rltune maps the jobs at the front of the order to machines.
type Mapping struct {
	rltune.Settings
	// Rule is the order before an agent is asked, and without an answer.
	Rule rltune.Ruled
	// Place is how GPUs of a machine are chosen; the zero value = best fit.
	Place cluster.Rule
}

// mappingRows are the settings of places=program.
func mappingRows(m *Mapping) []setting.Row {
	m.Settings, m.Rule.Rule = rltune.DefaultSettings(), rltune.Rules()[0]
	return append(m.Rows(), setting.Row{Key: "rule", To: &m.Rule.Rule, Names: rltune.Rules(),
		Doc: "with places=program the order before the agent is asked: " + strings.Join(rltune.Rules(), " | ") +
			"; see list policies rltune-like"})
}

// readMapping reads them, where the places are the program's.
func (c *Config) readMapping(s *param.Set, places string) {
	var m Mapping
	rows := mappingRows(&m)
	if places != byProgram {
		for i := range rows {
			if s.Has(rows[i].Key) {
				s.FaultAt(rows[i].Key, "%s belongs to places=program", rows[i].Key)
			}
		}
		setting.Read(s, rows)
		return
	}
	if setting.Read(s, rows); c.Globals && s.Has("globals") {
		s.FaultAt("globals", "globals is true with places=program, expected false: there are no timers")
	}
	c.Globals, c.Mapping, c.BaseName = false, &m, policyName+":rule="+m.Rule.Rule
}

// Mapped is the environment with places=program. It is trait.Itemised.
type Mapped struct {
	protocol.Inner
	cfg *Config
}

// NewMapped makes it.
func NewMapped(c Config, options string) (*Mapped, error) {
	inner, err := c.protocol().Env(options)
	if err != nil {
		return nil, err
	}
	return &Mapped{protocol.Inner{Env: inner}, &c}, nil
}

// Another makes a fresh environment on a part; see schedenv.Env.
func (e *Mapped) Another(p schedenv.Part) (env.Env, error) {
	inner, err := e.On(p)
	if err != nil {
		return nil, err
	}
	cfg := *e.cfg
	cfg.Part = p
	return &Mapped{inner, &cfg}, nil
}

// Items implements trait.Itemised: the jobs in the list, by their place in the window.
func (e *Mapped) Items(dst []int) []int {
	m, ok := e.Scheduler().(*mapper)
	for i := range e.cfg.Jobs {
		job := -1
		if ok && i < len(m.list) {
			job = int(m.list[i])
		}
		dst = append(dst, job)
	}
	return dst
}

// shown chooses the jobs that are listed: all that wait, or the jobs with the least rank, by arrival.
func (m *mapper) shown() bool {
	m.list = append(m.list[:0], m.policy.Waiting()...)
	if len(m.list) < 2 || !m.policy.May(m.view) {
		return false
	}
	if len(m.list) <= m.cfg.Jobs {
		return true
	}
	m.all = m.all[:0]
	var x score.Inputs
	for _, j := range m.list {
		m.read.Read(m.view, j, nil, &x)
		m.all = append(m.all, listed{j, x[score.Rank]})
	}
	slices.SortFunc(m.all, func(a, b listed) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.job, b.job)) })
	m.list = m.list[:0]
	for _, x := range m.all[:m.cfg.Jobs] {
		m.list = append(m.list, x.job)
	}
	slices.Sort(m.list)
	return true
}

// Follow names the order that is demonstrated: rltune-like with a rule.
func (m *mapper) Follow(baseline string) error {
	name, settings, _ := strings.Cut(baseline, ":")
	if name != policyName {
		return fmt.Errorf("%s cannot be followed with places=program, expected %s:rule=...", baseline, policyName)
	}
	s := param.Parse(name, settings)
	all := rltune.DefaultSettings()
	r := rltune.Read(s, &all)
	if err := s.Err(); err != nil {
		return err
	}
	m.demo = rltune.NewPolicy(all, r, m.cfg.Mapping.Place)
	return nil
}
