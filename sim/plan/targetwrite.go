package plan

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// write appends the decisions after the preemptions, in an order in which each finds its GPUs:
// first all that gives something up, then the moves, then all else that takes something. What is
// given out only grows towards the state wanted, in which all fits.
func (t *Target) write(v *sim.View, out []sim.Decision) []sim.Decision {
	out = t.lifts(v, out)
	for i := range t.steps {
		if s := &t.steps[i]; s.act == tunes {
			out = tune(out, s, s.less())
		}
	}
	for i := range t.steps {
		if s := &t.steps[i]; s.act == moves {
			kind := sim.Migrate
			if len(s.held) != len(s.want.GPUs) {
				kind = sim.Resize
			}
			out = append(out, s.grant(kind))
		}
	}
	for i := range t.steps {
		switch s := &t.steps[i]; s.act {
		case tunes:
			if out = tune(out, s, s.more()); s.want.Lease > 0 {
				out = append(out, s.renew())
			}
		case starts:
			out = append(out, s.grant(sim.Start))
		case stays:
			if s.want.Lease > 0 {
				out = append(out, s.renew())
			}
		}
	}
	return out
}

// lifts appends a Lift for each job that moves away from GPUs to which another job moves, or of
// which it keeps more. Where CPU or memory may bind every job that moves is lifted.
func (t *Target) lifts(v *sim.View, out []sim.Decision) []sim.Decision {
	t.gpu.open(v.Topology().GPUs()) // anew: how many moves gain a GPU
	hosted := false
	for i := range t.steps {
		s := &t.steps[i]
		if s.act != moves {
			continue
		}
		hosted = hosted || s.has.CPUMilli|s.has.MemMiB != 0
		h := 0
		for _, g := range s.want.GPUs {
			for h < len(s.held) && s.held[h] < g {
				h++
			}
			if (h == len(s.held) || s.held[h] != g || s.has.ShareMilli > s.had.ShareMilli) && g >= 0 &&
				int(g) < v.Topology().GPUs() {
				t.gpu.add(g, 0, 1)
			}
		}
	}
	for i := range t.steps {
		s := &t.steps[i]
		if s.act == moves && (hosted || slices.ContainsFunc(s.held,
			func(g cluster.GPU) bool { return t.gpu.at(g, 0) > 0 })) {
			out = append(out, sim.Decision{Kind: sim.Lift, Job: s.want.Job})
		}
	}
	return out
}

func (s *step) grant(kind sim.DecisionKind) sim.Decision {
	return sim.Decision{Kind: kind, Job: s.want.Job, GPUs: s.want.GPUs, Lease: s.want.Lease, Knobs: s.want.Knobs}
}

func (s *step) renew() sim.Decision {
	return sim.Decision{Kind: sim.Renew, Job: s.want.Job, Lease: s.want.Lease}
}

// less are the knobs by which a job gives up something that others may need.
func (s *step) less() sim.Knobs {
	return sim.Knobs{ShareMilli: fewer(s.had.ShareMilli, s.has.ShareMilli),
		CPUMilli: fewer(s.had.CPUMilli, s.has.CPUMilli),
		MemMiB:   fewer(s.had.MemMiB, s.has.MemMiB)}
}

// more are the others that change.
func (s *step) more() sim.Knobs {
	k := sim.Knobs{ShareMilli: fewer(-s.had.ShareMilli, -s.has.ShareMilli),
		CPUMilli: fewer(-s.had.CPUMilli, -s.has.CPUMilli),
		MemMiB:   fewer(-s.had.MemMiB, -s.has.MemMiB)}
	k.ShareMilli, k.CPUMilli, k.MemMiB = -k.ShareMilli, -k.CPUMilli, -k.MemMiB
	if s.has.FreqFrac != s.had.FreqFrac {
		k.FreqFrac = s.has.FreqFrac
	}
	if s.has.Batch != s.had.Batch {
		k.Batch = s.has.Batch
	}
	if s.has.GPUMiB != s.had.GPUMiB {
		k.GPUMiB = s.has.GPUMiB
	}
	if s.has.LinkWeight != s.had.LinkWeight {
		k.LinkWeight = s.has.LinkWeight
	}
	if s.has.LinkLevel != s.had.LinkLevel {
		k.LinkLevel = s.has.LinkLevel
	}
	if s.has.Path != s.had.Path {
		k.Path = s.has.Path
	}
	if s.has.Pace != s.had.Pace {
		k.Pace = s.has.Pace
	}
	if s.has.AccumSteps != s.had.AccumSteps {
		k.AccumSteps = s.has.AccumSteps
	}
	if s.has.CopyFrac != s.had.CopyFrac {
		k.CopyFrac = s.has.CopyFrac
	}
	return k
}

// fewer is the new value where it is less, else 0.
func fewer(had, has int32) int32 {
	if has < had {
		return has
	}
	return 0
}

// tune appends a Tune, unless it changes nothing.
func tune(out []sim.Decision, s *step, k sim.Knobs) []sim.Decision {
	if k == (sim.Knobs{}) {
		return out
	}
	return append(out, sim.Decision{Kind: sim.Tune, Job: s.want.Job, Knobs: k})
}
