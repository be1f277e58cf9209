package elastic

import (
	"slices"
	"strings"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// Names of schedulers that figures and tables refer to.
const (
	dally  = "dally"
	nowait = "dally-nowait"
	bare   = "nowait-" // what the names of rules without timers begin with
)

// scheduler is a policy under the name that figures give it.
type scheduler struct{ name, policy string }

// rules are the rules of baselines/variants/elastic: each alone, and together. The empty name is
// none.
func rules() []scheduler {
	return []scheduler{
		{"", ""},
		{"shrink", "shrink=most"}, {"shrink-least", "shrink=least"},
		{"grow", "grow=idle,grow_to=max"}, {"grow-first", "grow=before-spread,grow_to=max"},
		{"grow-over", "grow=idle,grow_to=max,grow_over=any"},
		{"yield", "yield=largest"}, {"yield-loss", "yield=loss"},
		{"all", "shrink=most,yield=grown,grow=idle,grow_to=max"},
		{"all-deep", "shrink=most,yield=largest,grow=idle,grow_to=max"},
		{"all-over", "shrink=most,yield=grown,grow=idle,grow_to=max,grow_over=any"},
	}
}

// with puts rules behind a policy.
func with(policy, rules string) string {
	if rules == "" {
		return policy
	}
	return policy + ":" + rules
}

// ruled are Dally with its auto-tuned timers and without timers, with each of the rules. Without
// timers rules come before a spread start, too.
func ruled() []scheduler {
	var timed, bared []scheduler
	for _, r := range rules() {
		if r.name == "" {
			timed, bared = append(timed, scheduler{dally, dally}), append(bared, scheduler{nowait, nowait})
			continue
		}
		timed = append(timed, scheduler{r.name, with(dally, r.policy)})
		bared = append(bared, scheduler{bare + r.name, with(nowait, r.policy+",before=spread")})
	}
	return append(timed, bared...)
}

// few are the schedulers of the sweeps with many other values.
func few() []scheduler {
	var out []scheduler
	for _, s := range ruled() {
		switch s.name {
		case dally, nowait, "shrink", "grow", "yield", "all", "grow-over", "all-over", bare + "shrink", bare + "grow",
			bare + "yield", bare + "all", bare + "grow-over", bare + "all-over":
			out = append(out, s)
		}
	}
	return out
}

// bases are Dally without rules, with and without timers, and with all rules: schedulers that
// others are compared with.
func bases() []scheduler { return basesOf(dally, nowait, "all", "all-over") }

// basesOf are some of Dally's sets of rules, by their names.
func basesOf(names ...string) []scheduler {
	return slices.DeleteFunc(ruled(), func(s scheduler) bool { return !slices.Contains(names, s.name) })
}

// others are schedulers of other kinds: rigid, then elastic.
func others() []scheduler {
	return slices.Concat([]scheduler{{"themis", "themis"}}, forms(),
		[]scheduler{{"heet", "heet-like"}, {"nonintrusive", "nonintrusive-like"}})
}

// near stands behind the names of elastic schedulers that give jobs GPUs near the GPUs that they
// have, in place of packing all anew.
const near = ":place=near"

// resizing are elastic schedulers that have both rules of places.
func resizing() []scheduler {
	return []scheduler{
		{"elastic-fifo", "voda"}, {"elastic-srjf", "voda:algorithm=elastic-srjf"},
		{"ffdl", "voda:algorithm=ffdl-optimizer"},
		{"afs-l", "afs-l"}, {"afs-p", "afs-p"}, {"edl", "edl"}, {"slaq", "slaq"},
	}
}

// families are schedulers of several forms of placement, of which validation chooses one.
func families() [][]string {
	out := append([][]string{{"tiresias", "tiresias:place=skew"}}, rivals.Placed("las")...)
	for _, s := range resizing() {
		out = append(out, []string{s.name, s.name + near})
	}
	return out
}

// forms are all forms: the orders under the names of their policies, then the elastic ones.
func forms() []scheduler {
	var out []scheduler
	for _, form := range rivals.Names(families()[:2]) {
		out = append(out, scheduler{form, form})
	}
	for _, s := range resizing() {
		policy := s.policy + near
		if strings.Contains(s.policy, ":") {
			policy = s.policy + "," + near[1:]
		}
		out = append(out, s, scheduler{s.name + near, policy})
	}
	return out
}

// axisOf makes schedulers an axis.
func axisOf(who ...[]scheduler) sweep.Axis {
	a := sweep.Axis{Name: "scheduler"}
	for _, list := range who {
		for _, s := range list {
			a.Cases = append(a.Cases, sweep.Case{Name: s.name, Set: sweep.Settings{"policy": s.policy}})
		}
	}
	return a
}
