package operate

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/tabular"
)

// Loans lends as many machines as a list states. Build it with NewLoans.
type Loans struct {
	config
	list   []loan
	ground ground
	taker  taker
	lent   []int32 // machines, in the order in which they were lent
	began  bool
	wake   plan.Alarm
}

// loan is so many machines that are lent from an instant on.
type loan struct {
	at       sim.Time
	machines int
}

// NewLoans makes an operator that lends by a list.
func NewLoans(s *param.Set) (sim.Operator, error) {
	l := &Loans{}
	l.read(s, "latest")
	list, file := s.Text("list", ""), s.Text("file", "")
	switch {
	case (list == "") == (file == ""):
		s.Fault("list %q and file %q, expected one of the two", list, file)
	case list != "":
		l.parse(s, list)
	default:
		l.load(s, file)
	}
	slices.SortStableFunc(l.list, func(a, b loan) int { return cmp.Compare(a.at, b.at) })
	return l, s.Err()
}

// parse takes AT:MACHINES/AT:MACHINES.
func (l *Loans) parse(s *param.Set, text string) {
	for part := range strings.SplitSeq(text, "/") {
		at, n, _ := strings.Cut(strings.TrimSpace(part), ":")
		sec, err := param.ParseFloat(at)
		machines, err2 := strconv.Atoi(n)
		if err != nil || err2 != nil || !(sec >= 0 && sec <= 1e12) || machines < 0 {
			s.Wrong("list", "AT_S:MACHINES/AT_S:MACHINES/..., times of 0..1e12 s and numbers of machines >= 0")
			return
		}
		l.list = append(l.list, loan{sim.Seconds(sec), machines})
	}
}

// load takes a table.
func (l *Loans) load(s *param.Set, file string) {
	err := tabular.Each(file, nil, func(r *tabular.Row) {
		l.list = append(l.list, loan{sim.Time(r.Micros("at_s")), int(r.Count("machines", 0, 1<<20))})
	}, "at_s", "machines")
	if err != nil {
		s.FaultAt("file", "file: %w", err)
	}
}

// Knows is what the settings need.
func (l *Loans) Knows() know.Set { return l.config.knows() }

// Decide lends and takes back.
func (l *Loans) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if l.began {
		l.ground.open(v)
	} else if out = l.begin(v, out); len(l.ground.own) == 0 {
		return out
	}
	l.taker.open()
	n := l.at(v.Now())
	for len(l.lent) < n {
		m := l.idle()
		if m < 0 {
			break
		}
		l.ground.held[m] = false
		l.lent = append(l.lent, m)
		out = append(out, sim.Decision{Kind: sim.Uncordon, Machine: m})
	}
	out = l.shrink(v, n, out)
	out = l.announce(v, out)
	return l.wake.Set(v.Now(), l.next(v.Now()), out)
}

// begin takes all machines of the services.
func (l *Loans) begin(v *sim.View, out []sim.Decision) []sim.Decision {
	l.began = true
	l.ground.begin(v)
	l.taker.draws = l.draws()
	if len(l.ground.own) == 0 {
		v.Fail(errors.New("no machine belongs to the services, expected own machines of the services to lend"))
	}
	for _, m := range l.ground.own {
		l.ground.held[m] = true
		out = append(out, sim.Decision{Kind: sim.Cordon, Machine: m})
	}
	return out
}

// at is how many machines are lent at an instant.
func (l *Loans) at(now sim.Time) (n int) {
	for _, x := range l.list {
		if x.at > now {
			break
		}
		n = x.machines
	}
	return n
}

// idle is the first machine that is not lent; -1 without one.
func (l *Loans) idle() int32 {
	for _, m := range l.ground.own {
		if l.ground.held[m] {
			return m
		}
	}
	return -1
}

// shrink takes back the machines beyond n that the rule gives.
func (l *Loans) shrink(v *sim.View, n int, out []sim.Decision) []sim.Decision {
	k := len(l.lent) - n
	if k <= 0 {
		return out
	}
	t := &l.taker
	t.load(v, func(m int) bool { return v.Services().Own(m) && !l.ground.held[m] })
	t.took = t.chooser.Free(k, t.took[:0])
	t.took = t.chooser.Choose(l.rule, k-len(t.took), t.draws, t.took)
	t.clear(v, &l.ground, t.took)
	l.lent = slices.DeleteFunc(l.lent, func(m int32) bool { return l.ground.held[m] })
	return t.write(out)
}

// announce states when machines will be taken back, as far as that is within the notice: the one at a
// place of those lent, in the order in which they were, when fewer are lent than the place.
func (l *Loans) announce(v *sim.View, out []sim.Decision) []sim.Decision {
	if l.notice == 0 {
		return out
	}
	for place, m := range l.lent {
		at := sim.Never
		for _, x := range l.list {
			if x.at > v.Now() && x.machines <= place {
				at = x.at
				break
			}
		}
		if at > v.Now()+l.notice {
			at = sim.Never
		}
		if v.Services().ReturnAt(int(m)) != at {
			out = append(out, sim.Decision{Kind: sim.Cordon, Machine: m, At: at})
		}
	}
	return out
}

// next is when the list changes, or a change comes within the notice.
func (l *Loans) next(now sim.Time) sim.Time {
	at := sim.Never
	for _, x := range l.list {
		if x.at > now {
			at = min(at, x.at)
		}
		if x.at-l.notice > now {
			at = min(at, x.at-l.notice)
		}
	}
	return at
}

// Clone gives an independent copy. It is taken between decisions.
func (l *Loans) Clone() sim.Policy {
	c := *l
	c.ground, c.taker = l.ground.clone(), taker{draws: l.taker.draws.Clone()}
	c.lent = slices.Clone(l.lent)
	return &c
}
