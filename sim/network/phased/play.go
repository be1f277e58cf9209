package phased

import "math"

const (
	// sliver is the part of a time or a link that rounding may make of nothing.
	sliver = 1e-11
	// cells is the number of cells of the longest iteration alone.
	cells = 64
	// leastEvents is the number of events after which a state may recur in its cell alone.
	leastEvents = 512
)

// Stages of an iteration; a transfer runs beside the last two.
const (
	waits    = iota // for the first iteration or a slot
	computes        // before the release
	follows         // computes after the release
	sends           // the compute is done
)

// play runs the form's members until their state recurs or the events are spent.
func (g *Group) play() Outcome {
	limit := g.Events
	if limit <= 0 {
		limit = mostEvents
	}
	g.open()
	v := &g.seen
	now, set := 0.0, uint(0)
	for n := 1; n <= limit; n++ {
		next := g.next(now, set)
		if math.IsInf(next, 1) { // all transfers are starved
			for i := range g.form.n {
				g.got[i] = Result{IterationS: next}
			}
			return Outcome{Settled: true, Events: n, BeginS: now}
		}
		first := len(g.begins)
		set = g.pass(now, next, set)
		if now = next; len(g.begins) == first {
			continue
		}
		at := v.add(&g.form, visit{at: now, event: n, begins: first})
		from, same := v.last(at)
		if from >= 0 && (same || !g.Exact && n >= leastEvents && 2*v.list[from].event <= n) {
			g.means(from, at)
			g.phases(from)
			return Outcome{Settled: true, Events: n, BeginS: v.list[from].at, PeriodS: now - v.list[from].at}
		}
	}
	if at := len(v.list) - 1; at > 0 {
		g.means(v.after(limit/2), at)
	}
	return Outcome{Events: limit}
}

// open puts the members before their first iterations.
func (g *Group) open() {
	f := &g.form
	clear(g.known[:])
	g.begins = g.begins[:0]
	for i := range f.n {
		m := &f.jobs[i]
		m.stage, m.at, m.start, m.send, m.count = waits, m.offset, 0, 0, 0
		g.got[i] = Result{IterationS: math.NaN()}
	}
	g.seen.reset(f.n, f.scale/cells, f.scale/(1<<20))
	if g.Exact {
		g.seen.reset(f.n, f.scale/(1<<30), f.scale/(1<<30))
	}
}

// next gives the time of the next event; +Inf = there is none.
func (g *Group) next(now float64, set uint) float64 {
	rate, next := g.share(set), math.Inf(1)
	for i := range g.form.n {
		m := &g.form.jobs[i]
		next = min(next, m.at)
		if set>>i&1 != 0 && rate[i] > 0 {
			next = min(next, now+m.send/rate[i])
		}
	}
	return next
}

// pass lets the time to next pass and starts the stages that are due then. It gives the transfers
// of the time after it.
func (g *Group) pass(now, next float64, set uint) uint {
	rate, least := g.share(set), float64(g.form.scale*sliver)
	for i := range g.form.n {
		m := &g.form.jobs[i]
		if set>>i&1 != 0 {
			if m.send -= float64(rate[i] * (next - now)); m.send <= least {
				m.send = 0
				set &^= 1 << i
			}
		}
		for m.at <= next+least || m.stage == sends && set>>i&1 == 0 {
			set = g.turn(i, next, set)
		}
	}
	return set
}

// turn ends the stage of a member.
func (g *Group) turn(i int, now float64, set uint) uint {
	m := &g.form.jobs[i]
	switch m.stage {
	case waits:
		m.start, m.stage = m.at, computes
		m.at = m.start + m.release
		m.count++
		g.begins = append(g.begins, begin{i, m.start})
	case computes:
		m.at, m.stage = m.start+m.compute, follows
		m.send = m.volume
		set |= 1 << i
	case follows:
		m.at, m.stage = math.Inf(1), sends
	default:
		m.at, m.stage = m.slot(now), waits
	}
	return set
}

// slot is the time of the next iteration, which may begin from now on.
func (m *member) slot(now float64) float64 {
	if m.pace <= 0 {
		return now
	}
	k := math.Ceil((now-m.offset)/m.pace - 1e-9)
	return max(now, m.offset+float64(k*m.pace))
}

// state gives what the future depends on: the compute left, with the wait before it, the transfer
// left, and the time since a slot.
func (m *member) state(now float64) (compute, send, slot float64) {
	if m.stage == waits {
		return m.compute + m.at - now, m.volume, 0
	}
	if m.pace > 0 {
		slot = math.Mod(now-m.offset, m.pace)
	}
	send = m.send
	if m.stage == computes {
		send = m.volume
	}
	return max(0, m.start+m.compute-now), send, slot
}

// means gives the mean iterations between two visits, of unfinished iterations the parts done.
func (g *Group) means(from, to int) {
	v := &g.seen
	for i := range g.form.n {
		m := &g.form.jobs[i]
		n := v.row(to)[i].done - v.row(from)[i].done
		t := (v.list[to].at - v.list[from].at) / n
		if n <= sliver {
			g.got[i] = Result{IterationS: math.Inf(1)}
			continue
		}
		g.got[i] = Result{IterationS: t, NextS: max(0, m.start+t-v.list[to].at)}
		if v.list[to].at-m.start < g.form.scale*sliver {
			g.got[i].NextS = 0
		}
	}
}

// phases takes the times to the next begins from the visit that recurs.
func (g *Group) phases(from int) {
	v, found := &g.seen.list[from], uint(0)
	for _, b := range g.begins[v.begins:] {
		if found>>b.member&1 == 0 {
			found |= 1 << b.member
			g.got[b.member].NextS = max(0, b.at-v.at)
		}
	}
}
