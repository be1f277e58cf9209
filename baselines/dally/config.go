package dally

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Config is a variant of Dally. Start from Default.
type Config struct {
	// LeaseS is the length of a lease in seconds; > 0. Infinite = no lease-based preemption.
	LeaseS float64
	// Auto tunes the timers per demand; else RackLeases and NetLeases hold for all jobs.
	Auto bool
	// RackLeases and NetLeases are the manual timers in leases; 0 = at once, +Inf = never.
	RackLeases, NetLeases float64
	// History is the auto-tuner's window H in leases; MinRack and MinNet its lower bounds in
	// leases.
	History, MinRack, MinNet float64
	// MaxNet is the auto-tuner's upper bound of T_net in leases, +Inf = none; 0 = History, as
	// published. MinNet goes before it.
	MaxNet float64
	// ForgetLate keeps waits that are out of the window until another is recorded, and some of them
	// longer: see tuner.
	ForgetLate bool
	// Order is who chooses first.
	Order Order
	// TiesBySubmit breaks ties of the order by submit; else the job that has waited longest goes
	// first. Jobs that the network does not slow all tie: then the former is first come, first
	// served among them, the latter processor sharing.
	TiesBySubmit bool
	// Rule is how a unit is chosen among those that fit.
	Rule cluster.Rule
	// Return gives the GPUs back at the end of every lease before they are contested, which costs a
	// checkpoint; else a holder that wins its own GPUs again renews at no cost.
	Return bool
	// Keep lets a holder renew when nobody else took its GPUs, although its timers would decline
	// them.
	Keep bool
	// ByEvents looks at the timers only when GPUs come free or a job arrives, and every PollS
	// seconds when nothing else is pending; else their ends are events.
	ByEvents bool
	// Chunk is the number of iterations per GPU between two points at which a lease can be given
	// up; 0 = at any time.
	Chunk float64
	// Early is when a lease that would end before Chunk more iterations of the whole gang are done
	// is given up.
	Early Early
	// Rounded rounds the float clock's network sensitivity to nine digits, so that jobs that are
	// equal on paper are equal.
	Rounded bool
	// Tiresias replaces the delay timers by the rule of the authors' Tiresias: see artist.go. Meant
	// relaxes to a rack only jobs larger than a machine, as that program means to; Sensitive takes
	// no model for insensitive by its name.
	Tiresias, Meant, Sensitive bool
	// SettleS is the time in seconds, per GPU that came free, before a contest is held for it; 0 =
	// at once.
	SettleS float64
	// NoLease switches lease-based preemption off; the timers still count in leases.
	NoLease bool
	// Evict takes GPUs from running jobs that come later in the order than the first that found no
	// place, although their leases are not up: see evict.go. Not with SettleS.
	Evict bool
	// MinRun is how long a job keeps its GPUs at least before it is evicted, EvictEvery the least
	// time between two instants of evictions, both in leases; 0 = no bound. With infinite leases
	// and MinRun > 0 nobody is evicted.
	MinRun, EvictEvery float64
	// Margin is by how much the key of a job must exceed that of the blocked job before it is
	// evicted; 0 = by anything. It is in the units of the order.
	Margin float64
	// Backfill lets jobs overtake the first that lacks GPUs only where they do not delay it: see
	// backfill.go. Not with SettleS or Tiresias.
	Backfill Backfill
	// Elastic changes the sizes of elastic jobs. Not with Return, Chunk, SettleS, Tiresias, Evict
	// or Backfill.
	Elastic rules
	// TimersBy has tenants with timers of their own: see tenants.go. TimersOf are those that are
	// fixed for some; a source of timers that is given to NewPolicy is everybody's.
	TimersBy whose
	TimersOf []tenantTimers
	// Fair has the tenant go first that holds least of what is due to it: see tenants.go. Not with
	// SettleS, Evict or Elastic.
	Fair whose
	// Share lets jobs share near GPUs: see share.go. Not with what Elastic does not go with, nor
	// with Elastic.
	Share sharing
}

// Early says what happens to a lease that ends soon after a point between two chunks.
type Early uint8

// The three ways.
const (
	// EarlyNow gives the GPUs back at that point, and they are contested at once, whatever SettleS.
	EarlyNow Early = iota
	// EarlySettle gives them back, and they are contested after SettleS as all others.
	EarlySettle
	// EarlyNever lets the job run to the end of the next chunk, over the end of its lease.
	EarlyNever
)

// PollS is the interval of the look at an otherwise idle cluster with ByEvents, in seconds.
const PollS = 60

// Default is Dally as published: auto-tuned timers, leases of an hour, a window of 12 leases.
func Default() Config {
	return Config{LeaseS: 3600, Auto: true, RackLeases: 6, NetLeases: 12, History: 12, MinRack: 6, MinNet: 12}
}

// New is Dally with auto-tuned timers, or manual ones when t_rack or t_net is given.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := Default()
	c.Auto = !s.Has("t_rack") && !s.Has("t_net")
	return fromParams(c, s, rule)
}

// NewManual has fixed timers, by default 6 and 12 leases.
func NewManual(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := Default()
	c.Auto = false
	return fromParams(c, s, rule)
}

// NewNoWait takes the best place there is at once.
func NewNoWait(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := Default()
	c.Auto, c.RackLeases, c.NetLeases = false, 0, 0
	return fromParams(c, s, rule)
}

// NewConsolidated waits for the finest unit that can hold the job, without end.
func NewConsolidated(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := Default()
	c.Auto, c.RackLeases, c.NetLeases = false, math.Inf(1), math.Inf(1)
	return fromParams(c, s, rule)
}

// NewPolicy is Dally with a Config and, if timers is not nil, another source of timers (an
// agent's).
func NewPolicy(c Config, timers TimerSource) *Policy {
	p := &Policy{cfg: c, timers: timers}
	if timers == nil {
		p.timers = c.Timers()
	} else {
		p.cfg.TimersBy = byNone
	}
	p.evicts.leaseS = c.LeaseS
	p.rest = leases(c.Elastic.Rest, c.LeaseS)
	p.evicts.minRun, p.evicts.every = leases(c.MinRun, c.LeaseS), leases(c.EvictEvery, c.LeaseS)
	if !c.Preempts() {
		p.cfg.LeaseS = math.Inf(1)
	}
	return p
}

// Timers is a fresh source of the timers that the Config names: the auto-tuner, or two constants.
func (c Config) Timers() TimerSource {
	if c.Auto {
		return &tuner{lease: sim.Seconds(c.LeaseS), history: c.History, minRack: c.MinRack, minNet: c.MinNet,
			maxNet: c.maxNet(), late: c.ForgetLate}
	}
	return fixed{leases(c.RackLeases, c.LeaseS), leases(c.NetLeases, c.LeaseS)}
}

// maxNet is the upper bound of a tuned T_net in leases. As published the window caps the lower
// bound too; a bound of its own does not.
func (c Config) maxNet() float64 {
	if c.MaxNet == 0 {
		return c.History
	}
	return math.Max(c.MaxNet, c.MinNet)
}

// Preempts reports whether grants are leases.
func (c Config) Preempts() bool { return !c.NoLease && !math.IsInf(c.LeaseS, 1) }

// leases converts a number of leases to a time; infinite = Never.
func leases(n, leaseS float64) sim.Time {
	if math.IsInf(n, 1) || math.IsInf(leaseS, 1) && n > 0 {
		return sim.Never
	}
	if n == 0 {
		return 0
	}
	return sim.Seconds(float64(n * leaseS))
}

func fromParams(c Config, s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	inf := math.Inf(1)
	c.Rule = rule
	if s.Enum("mode", "tarry", "artist") == "artist" {
		c.Return, c.ByEvents, c.Chunk, c.SettleS, c.ForgetLate = true, true, 1000, 1, true
	}
	c.LeaseS = s.Float("lease", c.LeaseS, 1e-3, 1e9)
	c.Auto = s.Enum("timers", choose(c.Auto, "auto", "manual"), "auto", "manual") == "auto"
	c.RackLeases = s.Float("t_rack", c.RackLeases, 0, inf)
	c.NetLeases = s.Float("t_net", c.NetLeases, 0, inf)
	c.History = s.Float("history", c.History, 1, 1e9)
	c.MinRack = s.Float("min_rack", c.MinRack, 0, 1e9)
	c.MinNet = s.Float("min_net", c.MinNet, 0, 1e9)
	c.MaxNet = s.Float("max_net", c.MaxNet, 0, inf)
	c.ForgetLate = s.Enum("forget", either(c.ForgetLate, "late", "age")...) == "late"
	if !s.Bool("delay", true) {
		c.Auto, c.RackLeases, c.NetLeases = false, 0, 0
	}
	c.NoLease = !s.Bool("preempt", true)
	c.Order = Order(slices.Index(Orders(), s.Enum("order", Orders()...)))
	c.TiesBySubmit = s.Enum("ties", "waited", "submit") == "submit"
	switch s.Enum("renew", choose(c.Return, "return", "win"), "win", "keep", "return") {
	case "win":
		c.Return = false
	case "keep":
		c.Return, c.Keep = false, true
	case "return":
		c.Return = true
	}
	c.ByEvents = s.Enum("wake", choose(c.ByEvents, "events", "timers"), "timers", "events") == "events"
	c.Chunk = s.Float("chunk", c.Chunk, 0, 1e12)
	c.SettleS = s.Float("settle", c.SettleS, 0, 1e9)
	if !c.Return && c.SettleS > 0 {
		s.Fault("settle is %v s with renew=win or keep, expected 0: only GPUs that were given back (renew=return) "+
			"wait to be contested", c.SettleS)
	}
	c.Early = Early(slices.Index(earlies(), s.Enum("early", earlies()...)))
	c.Rounded = s.Enum("digits", "all", "nine") == "nine"
	c.Evict = s.Enum("evict", "none", "later") == "later"
	c.Margin = s.Float("margin", 0, 0, inf)
	if c.Margin > 0 && (!c.Evict || c.Order < PredictedTime) {
		s.FaultAt("margin", "margin is %v with order=%s and evict=%s, expected 0: it is for predicted orders "+
			"(psrpt, psrsf, gittins) that evict", c.Margin, Orders()[c.Order], choose(c.Evict, "later", "none"))
	}
	c.MinRun = s.Float("min_run", 0.25, 0, 1e4)
	c.EvictEvery = s.Float("every", 0, 0, 1e4)
	c.Backfill = ReadBackfill(s, "")
	if !c.backfills() {
		s.FaultAt("backfill", "backfill is %s with settle or chunk, expected none: a reservation needs one contest "+
			"per instant", Backfills()[c.Backfill])
	}
	if c.Evict && c.SettleS > 0 {
		s.Fault("settle is %v s with evict=later, expected 0: evictions need one contest per instant", c.SettleS)
	}
	c.Elastic.read(s)
	if c.Elastic.on() && (c.Return || c.Chunk > 0 || c.SettleS > 0 || c.Evict || c.Backfill != NoBackfill) {
		s.Fault("shrink, yield and grow are given with renew=return, chunk, settle, evict or backfill, expected " +
			"none of these")
	}
	c.Share.read(s)
	if c.Share.Loss > 0 && (c.Return || c.Chunk > 0 || c.SettleS > 0 || c.Evict || c.Backfill != NoBackfill ||
		c.Elastic.on() || c.Tiresias) {
		s.FaultAt("share", "share is %v with renew=return, chunk, settle, evict, backfill or elastic rules, "+
			"expected none of these", c.Share.Loss)
	}
	c.readTenants(s)
	return NewPolicy(c, nil), s.Err()
}

// ReadBackfill reads the setting backfill; def is its default, as users write it, "" = none.
func ReadBackfill(s *param.Set, def string) Backfill {
	names := Backfills()
	if def != "" {
		names = append([]string{def}, slices.DeleteFunc(names, func(n string) bool { return n == def })...)
	}
	return Backfill(slices.Index(Backfills(), s.Enum("backfill", names...)))
}

// earlies are how users write them: earlies()[e] is Early e.
func earlies() []string { return []string{"now", "settle", "never"} }

// either gives two names, yes first if it is the default.
func either(yesFirst bool, yes, no string) []string {
	if yesFirst {
		return []string{yes, no}
	}
	return []string{no, yes}
}

func choose(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}

// Params describes the settings for the catalogue: key, meaning, default.
const Params = `lease     length of a lease, s
t_rack    manual timer before rack-level places, leases, inf allowed; tuned unless it or t_net is given
t_net     manual timer before any places, leases, inf allowed; tuned unless it or t_rack is given
timers    auto | manual; manual when a timer is given
history   window of the auto-tuner, leases
min_rack  floor of the auto-tuned T_rack, leases
min_net   floor of the auto-tuned T_net, leases
max_net   cap of the auto-tuned T_net, leases, inf allowed, floors kept; 0: the window, which caps the floor too
forget    age: a wait leaves the auto-tuner when it is older than the window; late: only when another is
          recorded, and every second of several that are too old stays
delay     false: no timers, take the best place at once
preempt   false: grants are not leases, jobs run to their end
order     who chooses first: network, slowed most by it so far | fifo | las, least GPU-time so far | srpt, least
          time left at full speed | srsf, least GPU-time left; these two know how long jobs run | psrpt, psrsf: the mean left
          that is predicted | gittins: the Gittins rank of the predicted law
ties      waited | submit: who goes first among equals
renew     win: renew in place if the contest is won; keep: also if nobody else took the GPUs;
          return: give back first and pay the checkpoint
wake      timers: ends of timers are events; events: looked at only at resource events
chunk     iterations per GPU between points at which a lease is given up, 0 = any time
settle    time per GPU that came free before it is contested, s
early     with chunk, a lease that would end within the next CHUNK iterations of the whole gang: now: its GPUs are given back
          and contested at once; settle: given back, and contested as all others; never: kept to the end of the chunk
digits    with settle and order=network: all: equal jobs are distinguished by rounding, as in the original; nine: they tie
evict     later: while the first in order finds no place, jobs later in the order give their GPUs up, the last
          first, if there are enough of them; with preempt=false nothing else preempts
margin    with a predicted order, a job goes only if its value is above exp(margin) times that of the first
min_run   time that a job keeps its GPUs before it is evicted, leases
every     time between two instants of evictions, leases
backfill  request | predicted: EASY's rule: a job overtakes the first that lacks GPUs only if it ends before that can start, by what users
          asked for or by the predicted median, or leaves it enough GPUs; without either a job runs for ever. none: any that fits
mode      tarry | artist, the authors' simulator: renew=return, wake=events, chunk=1000, settle=1,
          forget=late
` + elasticParams + shareParams + tenantParams
