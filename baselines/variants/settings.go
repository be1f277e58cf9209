package variants

import (
	"math"
	"slices"
	"strings"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/baselines/rollout"
	"tarry/baselines/variants/elastic"
	"tarry/baselines/variants/linked"
	"tarry/baselines/variants/sharing"
	"tarry/baselines/variants/tenants"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan/victim"
	"tarry/sim/setting"
)

// beside reports whether a key is of a rule that the paper has not.
func beside(key string) bool {
	return slices.Contains([]string{"evict", "margin", "min_run", "victims", "wait_checkpoint", "weights", "weights_parts",
		"every", "backfill", "shrink", "yield", "before", "grow", "grow_to", "grow_over", "rest", "share", "share_at",
		"timers_by", "timers_of", "fair", "rollout", "samples", "draw_spread",
		"errors", "instants", "epoch", "draws", "exact"}, key)
}

// group is a set of settings beside the paper's.
type group uint8

// The groups; anything has all of them.
const (
	evictions group = 1 << iota
	sizes
	shares
	owners
	anything = evictions | sizes | shares | owners
)

// rules are Dally's settings and the settings of the rules beside them.
type rules struct {
	dally.Config
	takes   group           // whose settings are read
	plans   *rollout.Config // nil = no planner
	elastic elastic.Rules
	sharing sharing.Rules
	tenants tenants.Rules
}

// read reads all settings and makes the contest.
func (c *rules) read(s *param.Set) (sim.Policy, error) {
	c.Config.Read(s)
	if c.takes&evictions != 0 {
		c.readEvictions(s)
	}
	if c.takes&sizes != 0 {
		c.elastic.Read(s)
	}
	if c.elastic.On() && (c.Return || c.Evict || c.Backfill != contest.NoBackfill) {
		s.Fault("shrink, yield and grow are given with renew=return, evict or backfill, expected " +
			"none of these")
	}
	if c.takes&shares != 0 {
		c.sharing.Read(s)
	}
	if c.sharing.Loss > 0 && (c.Return || c.Evict || c.Backfill != contest.NoBackfill || c.elastic.On()) {
		s.FaultAt("share", "share is %v with renew=return, evict, backfill or elastic rules, "+
			"expected none of these", c.sharing.Loss)
	}
	if c.takes&owners != 0 {
		c.tenants.Read(s, c.Evict || c.elastic.On())
	}
	if c.plans != nil {
		return rollout.NewVictims(*c.plans, c.contest()), s.Err()
	}
	return c.contest(), s.Err()
}

// readEvictions reads the rules of evictions and of backfilling.
func (c *rules) readEvictions(s *param.Set) {
	evicts := []string{"none", "later"}
	if c.Evict {
		slices.Reverse(evicts)
	}
	evict := s.Enum("evict", evicts...)
	c.Evict = evict == "later"
	c.Margin = s.Float("margin", 0, 0, math.Inf(1))
	if c.Margin > 0 && (!c.Evict || !c.Order.Logs) {
		s.FaultAt("margin", "margin is %v with order=%s and evict=%s, expected 0: it is for predicted orders "+
			"(psrpt, psrsf, gittins) that evict", c.Margin, c.Order.Name, evict)
	}
	c.readVictims(s, evict)
	c.MinRun = s.Float("min_run", 0.25, 0, 1e4)
	c.EvictEvery = s.Float("every", 0, 0, 1e4)
	c.Backfill = contest.ReadBackfill(s, "")
	c.readPlanner(s, evict)
}

// readVictims reads the settings of who goes: a rule and its waits, or weights.
func (c *rules) readVictims(s *param.Set, evict string) {
	victims := s.Enum("victims", victim.Names()...)
	c.Victims = victim.Choice(slices.Index(victim.Names(), victims))
	if c.Victims > victim.OneByOne && !c.Evict {
		s.FaultAt("victims", "victims is %s with evict=%s, expected evict=later", victims, evict)
	}
	c.WaitCheckpoint = s.Float("wait_checkpoint", 0, 0, 1e4)
	path, parts := s.Text("weights", "none"), s.Text("weights_parts", strings.Join(victim.Parts(), "+"))
	if path == "none" {
		if c.WaitCheckpoint > 0 && c.Victims == victim.OneByOne {
			s.FaultAt("wait_checkpoint", "wait_checkpoint is %v with victims=%s, expected another choice of victims",
				c.WaitCheckpoint, victims)
		}
		if s.Has("weights_parts") {
			s.FaultAt("weights_parts", "weights_parts is %s without weights, expected a file of weights", parts)
		}
		return
	}
	c.readWeights(s, path, parts)
	if !c.Evict || c.Order.Name != "gittins" {
		s.FaultAt("weights", "weights is %s with order=%s and evict=%s, expected order=gittins and evict=later", path,
			c.Order.Name, evict)
	}
	if s.Has("victims") {
		s.FaultAt("victims", "victims is %s with weights, expected one of the two", victims)
	}
}

// readWeights reads weights; a group that is not read is the rule's, and so are its settings.
func (c *rules) readWeights(s *param.Set, path, text string) {
	w, err := victim.LoadWeights(path)
	if err != nil {
		s.FaultAt("weights", "%v", err)
		return
	}
	parts, err := victim.ReadParts(text)
	if err != nil {
		s.FaultAt("weights_parts", "weights_parts: %v", err)
		return
	}
	for _, k := range []struct{ key, part string }{{"margin", "gate"}, {"wait_checkpoint", "wait"}} {
		if s.Has(k.key) && slices.Contains(parts, k.part) {
			s.FaultAt(k.key, "%s is given with the weights of the %s, expected one of the two", k.key, k.part)
		}
	}
	c.Weights = w.Only(parts, victim.RuleWeights(c.Margin, c.WaitCheckpoint))
}

// readPlanner reads the settings of a planner over the victims.
func (c *rules) readPlanner(s *param.Set, evict string) {
	var plans rollout.Settings
	setting.Read(s, slices.DeleteFunc(plans.Rows(), func(r setting.Row) bool { return r.Key == "arrivals" }))
	plans.Exact = s.Bool("exact", false)
	if c.plans = plans.For(c.LeaseS); c.plans == nil {
		return
	}
	if !c.Evict {
		s.FaultAt("rollout", "rollout is %d with evict=%s, expected evict=later", c.plans.Variants, evict)
	}
	if len(c.Weights) > 0 || c.WaitCheckpoint > 0 {
		s.FaultAt("rollout", "rollout is %d with weights or wait_checkpoint, expected neither", c.plans.Variants)
	}
	if !c.plans.Exact {
		c.plans.Reads = know.Estimate
	}
}

// contest makes the contest.
func (c *rules) contest() *contest.Policy {
	if c.elastic.On() {
		c.Sizes, c.Order = elastic.New(c.elastic, c.LeaseS), c.byService(c.Order)
	}
	if c.elastic.Reads() {
		c.Reads |= know.Speed
	}
	if c.sharing.Loss > 0 {
		c.Sharing = sharing.New(c.sharing)
		c.Reads |= know.Speed | know.Profile
	}
	if c.tenants.On() {
		c.Owners = tenants.New(c.tenants, c.LeaseS, c.Config.Timers)
	}
	return dally.NewPolicy(c.Config, nil)
}

// byService has Dally's order go by the attained GPU-time of elastic jobs, whose mean width is not
// what they ask for.
func (c *rules) byService(o contest.Order) contest.Order {
	if o.Name != dally.Sensitive().Name {
		return o
	}
	rigid := o.Key
	o.Key = func(v *sim.View, j sim.JobID) float64 {
		if v.Run(j).Time() == 0 || !elastic.Elastic(v, j) {
			return rigid(v, j)
		}
		return math.Round(v.Run(j).Done() / float64(v.Run(j).Service()) * dally.Resolution)
	}
	return o
}

// EvictParams describes the settings of NewEvict for the catalogue.
func EvictParams() string {
	return evictParams + "\n" + rollout.Help("draw_spread", "samples", "instants", "errors", "epoch", "draws")
}

const evictParams = dally.Params + `
evict     later: while the first in order finds no place, jobs later in the order give their GPUs up, the last
          first, if there are enough of them; with preempt=false nothing else preempts
margin    with a predicted order, a job goes only if its value is above exp(margin) times the value of the first
victims   one-by-one: the last in order, and a contest before the next one; the others choose all that are needed at once:
          last | least-lost, the least GPU-time since the last checkpoint | least-lost-per-gpu, that over the GPUs needed |
          random: a placebo
wait_checkpoint  no job goes before the next checkpoint of the first that would, if that loses work and the checkpoint is at most
          so many leases away; 0: none waits
weights   a file of tarry export weights over tarry/Preempt-v2, with order=gittins: who may go, who goes first and who is
          waited for, in place of victims, margin and wait_checkpoint; none = no file
weights_parts  score+gate+wait: the groups of weights that are read, joined by +; the others are as in
          least-lost-per-gpu with margin and wait_checkpoint
rollout   choices that a planner compares per request for GPUs: sets of victims, and none for a while; 0 = no planner
exact     true: the planner plays with the true run times, which makes it clairvoyant
min_run   time that a job keeps its GPUs before it is evicted, leases
every     time between two instants of evictions, leases
backfill  request | predicted: EASY's rule: a job overtakes the first that lacks GPUs only if it ends before that can start, by what users
          asked for or by the predicted median, or leaves it enough GPUs; without either a job runs for ever. none: any that fits`

// ElasticParams, SharedParams, TenantsParams and LinksParams describe the settings of the makers for the
// catalogue.
const (
	ElasticParams = dally.Params + "\n" + elastic.Params
	SharedParams  = dally.Params + "\n" + sharing.Params
	TenantsParams = dally.Params + "\n" + tenants.Params
	LinksParams   = dally.Params + "\n" + linked.Params
)
