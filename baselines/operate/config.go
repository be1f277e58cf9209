package operate

import (
	"math"

	"tarry/baselines/operate/reclaim"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// config is what operators have in common.
type config struct {
	lends   bool
	spreads bool
	rule    reclaim.Rule
	notice  sim.Time
	seed    uint64
}

const (
	lendParams = `
lend      none | all: machines of the services' own that hold no replica are lent to training`
	placeParams = `
place     pack: replicas on few machines | spread: on many`
	reclaimParams = `
reclaim   which lent machines are taken back, after empty ones and ones whose jobs can do with fewer GPUs: cost: least sum of
          1 / machines of the job over its jobs | count: fewest jobs | random | best: fewest jobs preempted | latest: the latest
          estimated end | idle: no others
seed      of reclaim=random`
	noticeParams = `
notice_s  how long ahead a return is announced, s; from the loads to come`
)

// The parameters of each operator, for the catalogue.
const (
	NoneParams  = `lend      none | all: the services' own machines are lent to training`
	FixedParams = `replicas  of each service, 0 = as many as it may have` + lendParams + placeParams + reclaimParams +
		noticeParams
	scaledParams = `headroom  replicas for so many times the load
drain_s   time in which a backlog is to be served, s
least     replicas of each service at least
ahead_s   replicas for the highest load from now until then, s; from the loads to come`
	LeastParams = scaledParams + `
down_s    replicas are stopped when they were not needed for so long, s` + lendParams + placeParams + reclaimParams +
		noticeParams
	podParams = `
protect_s time for which a replica that is not needed keeps its GPUs, s
reuse_s   more of it for each time in a row that it was reused before its end, s
most_s    of it at most, s`
	LifecycleParams = scaledParams + podParams + lendParams + placeParams + reclaimParams + noticeParams
	LoansParams     = `list      loans as AT_S:MACHINES/AT_S:MACHINES/...: so many machines are lent from then on
file      a table of loans with the columns at_s and machines
notice_s  how long ahead a return is announced, s; the machine lent last is announced first` + reclaimParams
)

// read takes the settings that have to do with machines. def is the default of reclaim.
func (c *config) read(s *param.Set, def string) {
	c.readRule(s, def)
	c.notice = sim.Seconds(s.Float("notice_s", 0, 0, 1e9))
}

// readRule takes the rule by which machines are taken back.
func (c *config) readRule(s *param.Set, def string) {
	names := []string{def}
	for _, n := range reclaim.Names() {
		if n != def {
			names = append(names, n)
		}
	}
	rule := s.Enum("reclaim", names...)
	for i, n := range reclaim.Names() {
		if n == rule {
			c.rule = reclaim.Rule(i)
		}
	}
	c.seed = uint64(s.Int64("seed", 1, 0, math.MaxInt64))
}

// readLoans takes the settings of operators with replicas, but for notices.
func (c *config) readLoans(s *param.Set) {
	c.lends = s.Enum("lend", "none", "all") == "all"
	c.spreads = s.Enum("place", "pack", "spread") == "spread"
	c.readRule(s, "cost")
}

// readPlaces takes the settings of operators with replicas.
func (c *config) readPlaces(s *param.Set) {
	c.readLoans(s)
	c.notice = sim.Seconds(s.Float("notice_s", 0, 0, 1e9))
	if c.notice > 0 && !c.lends {
		s.FaultAt("notice_s", "notice_s without lend=all, expected lend=all: nothing is returned")
	}
}

// knows is what the settings need.
func (c *config) knows() know.Set {
	if c.rule == reclaim.Latest {
		return know.Estimate | know.Done
	}
	return know.Nothing
}

// draws are the draws of reclaim=random.
func (c *config) draws() *rng.Stream { return rng.Source{Seed: c.seed}.Stream("reclaim") }
