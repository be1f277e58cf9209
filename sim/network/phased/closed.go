package phased

import "math"

// solo is the time of an iteration without other jobs.
func (m *member) solo() float64 {
	t := m.compute
	if m.volume > 0 {
		t = max(t, m.release+m.volume/m.most)
	}
	if m.pace > 0 {
		t = float64(math.Ceil(t/m.pace-sliver) * m.pace)
	}
	return t
}

// alone is the result of a job that shares no link, at a time after the form's first offset.
func (f *form) alone(offset float64, job int, now float64) Result {
	t := f.all[job].solo()
	if math.IsInf(t, 1) {
		return Result{IterationS: t}
	}
	if f.n > 0 {
		offset -= f.first
	}
	if offset < now {
		offset += float64(math.Ceil((now-offset)/t-sliver) * t)
	}
	return Result{IterationS: t, NextS: max(0, offset-now)}
}

// twins solves two equal jobs on one link that share it fairly: a job that is ahead by d stays
// ahead by d, and an iteration takes c + 2v - min(d, v), where v <= c.
func (g *Group) twins() bool {
	f := &g.form
	a, b := &f.jobs[0], &f.jobs[1]
	if f.n != 2 || len(f.links) != 1 {
		return false
	}
	k := &f.links[0]
	v := a.volume / a.most
	if a.compute != b.compute || a.volume != b.volume || a.release != a.compute || b.release != b.compute ||
		a.weight != b.weight || a.level != b.level || a.pace != 0 || b.pace != 0 || a.most != b.most ||
		k.load[0] != k.load[1] || float64(a.most*k.load[0]) != k.capacity || v > a.compute {
		return false
	}
	ahead, behind := 0, 1
	if a.offset > b.offset {
		ahead, behind = 1, 0
	}
	d := math.Mod(math.Abs(a.offset-b.offset), a.compute+v)
	if d > a.compute { // the first one's next iteration begins within the transfer of the other
		ahead, behind, d = behind, ahead, a.compute+v-d
	}
	t := a.compute + float64(2*v) - min(d, v)
	g.got[ahead], g.got[behind] = Result{IterationS: t}, Result{IterationS: t, NextS: d}
	return true
}

// Closest moves offsets of jobs in a steady state by an iteration where that brings them together:
// a job that is within an iteration begins before the others, and not once more after them. offsets
// are in [0, period); every one becomes itself or itself less its period.
func Closest(offsets, periods []float64) {
	base, least := 0.0, math.Inf(1)
	for k := range offsets {
		from := offsets[k] - periods[k]
		far := from
		for i := range offsets {
			if at := offsets[i] - periods[i]; at >= from {
				far = max(far, at)
			} else {
				far = max(far, offsets[i])
			}
		}
		if far-from < least {
			base, least = from, far-from
		}
	}
	for i := range offsets {
		if at := offsets[i] - periods[i]; at >= base {
			offsets[i] = at
		}
	}
}
