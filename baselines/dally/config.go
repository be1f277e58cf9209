package dally

import (
	"math"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Config is a contest with Dally's timers. Start from Default. An Order without a Key is Sensitive.
type Config struct {
	contest.Config
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
}

// Default is Dally as published: auto-tuned timers, leases of an hour, a window of 12 leases.
func Default() Config {
	return Config{Config: contest.Config{LeaseS: 3600, Order: Sensitive()},
		Auto: true, RackLeases: 6, NetLeases: 12, History: 12, MinRack: 6, MinNet: 12}
}

// Variant is one of the published variants, which differ in their timers.
type Variant uint8

// The variants.
const (
	// Auto tunes the timers, unless one is given.
	Auto Variant = iota
	// Manual has fixed timers, by default 6 and 12 leases.
	Manual
	// NoWait takes the best place there is at once.
	NoWait
	// Consolidated waits for the finest unit that can hold the job, without end.
	Consolidated
)

// Config is a variant before its settings are read.
func (k Variant) Config(s *param.Set) Config {
	c := Default()
	switch k {
	case Auto:
		c.Auto = !s.Has("t_rack") && !s.Has("t_net")
	case Manual:
		c.Auto = false
	case NoWait:
		c.Auto, c.RackLeases, c.NetLeases = false, 0, 0
	case Consolidated:
		c.Auto, c.RackLeases, c.NetLeases = false, math.Inf(1), math.Inf(1)
	}
	return c
}

// New gives the maker of a variant.
func New(k Variant) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		c := k.Config(s)
		c.Rule = rule
		c.Read(s)
		return NewPolicy(c, nil), s.Err()
	}
}

// NewPolicy is Dally with a Config and, if timers is not nil, another source of timers (an
// agent's).
func NewPolicy(c Config, timers plan.TimerSource) *contest.Policy {
	if c.Order.Key == nil {
		c.Order = Sensitive()
	}
	if timers == nil {
		timers = c.Timers()
	}
	return contest.New(c.Config, timers)
}

// Timers is a fresh source of the timers that the Config names: the auto-tuner, or two constants.
func (c Config) Timers() plan.TimerSource {
	if c.Auto {
		return &tuner{lease: sim.Seconds(c.LeaseS), Bounds: c.Bounds()}
	}
	return contest.NewFixed(c.RackLeases, c.NetLeases, c.LeaseS)
}

// Tuned is the published auto-tuner for leases of leaseS seconds.
func Tuned(leaseS float64) plan.TimerSource {
	c := Default()
	c.LeaseS = leaseS
	return c.Timers()
}

// Bounds are the window and the bounds of tuned timers. As published the window caps the lower bound
// of T_net too; a bound of its own does not.
func (c Config) Bounds() Bounds {
	b := Bounds{history: c.History, minRack: c.MinRack, minNet: c.MinNet, maxNet: c.History}
	if c.MaxNet != 0 {
		b.maxNet = math.Max(c.MaxNet, c.MinNet)
	}
	return b
}

// Read reads the settings of Params; the values of c are the defaults.
func (c *Config) Read(s *param.Set) {
	inf := math.Inf(1)
	c.LeaseS = s.Float("lease", c.LeaseS, 1e-3, 1e9)
	c.Auto = s.Enum("timers", choose(c.Auto, "auto", "manual"), "auto", "manual") == "auto"
	c.RackLeases = s.Float("t_rack", c.RackLeases, 0, inf)
	c.NetLeases = s.Float("t_net", c.NetLeases, 0, inf)
	c.History = s.Float("history", c.History, 1, 1e9)
	c.MinRack = s.Float("min_rack", c.MinRack, 0, 1e9)
	c.MinNet = s.Float("min_net", c.MinNet, 0, 1e9)
	c.MaxNet = s.Float("max_net", c.MaxNet, 0, inf)
	if !s.Bool("delay", true) {
		c.Auto, c.RackLeases, c.NetLeases = false, 0, 0
	}
	c.NoLease = !s.Bool("preempt", true)
	c.Order = OrderNamed(s.Enum("order", OrderNames()...))
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
delay     false: no timers, take the best place at once
preempt   false: grants are not leases, jobs run to their end
order     who chooses first: network, slowed most by it so far | fifo | las, least GPU-time so far | srpt, least
          time left at full speed | srsf, least GPU-time left; these two know how long jobs run | psrpt, psrsf: the mean left
          that is predicted | gittins: the Gittins rank of the predicted law
ties      waited | submit: who goes first among equals
renew     win: renew in place if the contest is won; keep: also if no other job took the GPUs;
          return: give back first at the cost of a checkpoint
wake      timers: ends of timers are events; events: looked at only at resource events`
