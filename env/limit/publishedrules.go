package limit

import (
	"fmt"
	"slices"

	"tarry/env/limit/spark"
	"tarry/env/model"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// powers are the exponents of the work in weighted fair shares.
func powers() []float64 { return []float64{-2, -1.5, -1, -0.5, 0.5, 1} }

// publishedRules are the rules of the simulator in the agent's own actions, and fair shares that weigh
// the work of jobs.
func publishedRules() []model.Rule[*published] {
	var out []model.Rule[*published]
	add := func(name, doc string, fresh func() func(*spark.Sim) (int, int)) {
		out = append(out, model.Rule[*published]{Name: name, Doc: doc,
			Fresh: func(*rng.Stream) func(*published, []float64) {
				answer := fresh()
				return func(p *published, action []float64) { action[0] = float64(p.action(answer(p.sim))) }
			}})
	}
	for _, r := range spark.Rules() {
		add(r.Name, r.Doc, r.Fresh)
	}
	for _, power := range powers() {
		doc := fmt.Sprintf("shares in proportion to the work of jobs to the power of %v", power)
		add(fmt.Sprintf("work%+.1f", power), doc,
			func() func(*spark.Sim) (int, int) {
				return func(s *spark.Sim) (int, int) { return weighted(s, power) }
			})
	}
	for _, tasks := range []int{2, 3} {
		doc := fmt.Sprintf("executors stay in their job; else the job with the least unbegun work, one executor for each %d "+
			"of a stage's tasks", tasks)
		add(fmt.Sprintf("short%d", tasks), doc, func() func(*spark.Sim) (int, int) {
			return func(s *spark.Sim) (int, int) { return short(s, tasks) }
		})
	}
	add("fair-short", "fair, but of the jobs with fewer than their share the job with the least unbegun work first",
		func() func(*spark.Sim) (int, int) { return fairShort })
	return out
}

// fairShort is fair with the shortest job first.
func fairShort(s *spark.Sim) (stage, limit int) {
	if k := stays(s); k != spark.None {
		return k, s.Free()
	}
	share, best, least := s.Share(), spark.None, 0.0
	for _, j := range s.In() {
		if s.Held(j) >= share {
			continue
		}
		if k := s.Next(j); k != spark.None && (best == spark.None || s.Work(j) < least) {
			best, least = k, s.Work(j)
		}
	}
	if best == spark.None {
		return spark.None, s.Free()
	}
	return best, share - s.Held(s.Job(best))
}

// stays answers for executors whose job has a stage to choose.
func stays(s *spark.Sim) (stage int) {
	if s.Source() != spark.None && slices.Contains(s.In(), s.Source()) {
		return s.Next(s.Source())
	}
	return spark.None
}

// short gives executors to the job with the least work, one for so many tasks of a stage.
func short(s *spark.Sim, tasks int) (stage, limit int) {
	if k := stays(s); k != spark.None {
		return k, s.Free()
	}
	best, least := spark.None, 0.0
	for _, j := range s.In() {
		if k := s.Next(j); k != spark.None && (best == spark.None || s.Work(j) < least) {
			best, least = k, s.Work(j)
		}
	}
	if best == spark.None {
		return spark.None, s.Free()
	}
	return best, (s.Open(best) + tasks - 1) / tasks
}

// action is the action that does what a rule answers. Where it would leave executors idle, or its stage
// is not in the list, the first legal one with one executor more.
func (p *published) action(k, limit int) int {
	first := -1
	for i, row := range p.rows {
		if p.least[i] > p.o.executors {
			continue
		}
		if row == k {
			j := p.sim.Job(k)
			limit = min(max(p.sim.Held(j)-p.own(j)+min(limit, p.sim.Free()), p.least[i]), p.o.executors)
			return i*p.o.executors + limit - 1
		}
		if first < 0 {
			first = i*p.o.executors + p.least[i] - 1
		}
	}
	return first
}

// weighted is fair with shares in proportion to a power of the work that has not begun: executors stay
// in their job while it has a stage to choose; others go to the job that lacks most of its share.
func weighted(s *spark.Sim, power float64) (stage, limit int) {
	if k := stays(s); k != spark.None {
		return k, s.Free()
	}
	weight := func(j int) float64 { return fixmath.Pow(max(1, s.Work(j)), power) }
	sum := 0.0
	for _, j := range s.In() {
		if s.Left(j) {
			sum += weight(j)
		}
	}
	best, lacks := spark.None, 0.0
	for _, j := range s.In() {
		k := s.Next(j)
		if k == spark.None {
			continue
		}
		if x := weight(j)/sum*float64(s.Executors()) - float64(s.Held(j)); best == spark.None || x > lacks {
			best, lacks = k, x
		}
	}
	if best == spark.None {
		return spark.None, s.Free()
	}
	return best, max(1, int(lacks+0.5))
}
