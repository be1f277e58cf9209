// Package tpe is the tree-structured Parzen estimator: it models where good points lie (l) and
// where the others do (g), draws from the first and asks where l/g is largest.
//
// Bergstra, Bardenet, Bengio and Kegl, Algorithms for Hyper-Parameter Optimization, NIPS 2011,
// section 4. The kernels are products over all parameters (Falkner, Klein and Hutter, BOHB, ICML
// 2018, section 3.2), so that l models two timers together, with Scott's bandwidth.
//
// We differ: the first points are of a random design, a point that was measured is not asked for
// again, and each mixture has a broad kernel in the middle with the weight of one point, which
// keeps a search from closing too early.
package tpe

import (
	"cmp"
	"math"
	"slices"

	"tarry/agents/search"
	"tarry/internal/fixmath"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `startup     random points before there is a model
candidates  draws of which the best is asked
gamma       part of the points that count as good, at most 25 points
bandwidth   kernel width at one point, of the cube's side
batch       points at a time`

type method struct {
	cfg                        search.Config
	startup, candidates, batch int
	gamma, bandwidth           float64
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	return &method{cfg: c, startup: s.Int("startup", 10, 1, 1_000_000), candidates: s.Int("candidates", 48, 1, 100_000),
		gamma: s.Float("gamma", 0.15, 1e-3, 0.9), bandwidth: s.Float("bandwidth", 0.2, 1e-3, 10),
		batch: s.Int("batch", 1, 1, 10_000)}, s.Err()
}

// mixture is a Parzen density over the cube: one product kernel per point and a broad one.
type mixture struct {
	space  search.Space
	points [][]float64
	width  float64
	norms  [][]float64 // of each kernel, the broad one last: the logarithm of what divides it, by parameter
}

// broad is the standard deviation of the kernel in the middle.
const broad = 1.0

func (m *method) Propose(known []search.Observation, draws *rng.Stream) []search.Ask {
	var out [][]float64
	if len(known) < m.startup {
		for range min(m.batch, m.startup-len(known)) {
			out = append(out, m.cfg.Uniform(draws))
		}
		return m.cfg.Full(out...)
	}
	order := make([]int, len(known))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(known[a].Mean, known[b].Mean) })
	n := min(int(math.Ceil(m.gamma*float64(len(known)))), 25)
	good, rest := m.mixture(known, order[:n]), m.mixture(known, order[n:])
	seen := search.Seen(known)
	for range m.batch {
		var best, spare []float64
		most := math.Inf(-1)
		for range m.candidates {
			x := m.cfg.Space.Snap(good.draw(draws))
			if seen[search.Key(x)] { // on the same windows its value is the same
				spare = x
				continue
			}
			if score := good.log(x) - rest.log(x); score > most || best == nil {
				best, most = x, score
			}
		}
		if best == nil { // every draw was measured before
			best = spare
		}
		out = append(out, best)
	}
	return m.cfg.Full(out...)
}

// mixture is the density around some of the points; its width shrinks as n^(-1/(d+4)).
func (m *method) mixture(known []search.Observation, which []int) *mixture {
	out := &mixture{space: m.cfg.Space}
	for _, i := range which {
		out.points = append(out.points, known[i].X)
	}
	out.width = float64(m.bandwidth * fixmath.Pow(float64(max(1, len(which))), -1/float64(len(m.cfg.Space)+4)))
	out.normalise()
	return out
}

// normalise computes what makes each kernel integrate to 1 over [0, 1].
func (k *mixture) normalise() {
	k.norms = make([][]float64, len(k.points)+1)
	for i := range k.norms {
		k.norms[i] = make([]float64, len(k.space))
		for d := range k.space {
			centre, width := k.kernel(i, d)
			inside := fixmath.NormalCDF((1-centre)/width) - fixmath.NormalCDF(-centre/width)
			k.norms[i][d] = math.Log(width * inside * math.Sqrt(2*math.Pi))
		}
	}
}

// kernel gives the centre and the width of one: of a point, or of the broad one.
func (k *mixture) kernel(i, d int) (centre, width float64) {
	if i < len(k.points) {
		return k.points[i][d], k.width
	}
	return 0.5, broad
}

// draw takes a point from the mixture.
func (k *mixture) draw(draws *rng.Stream) []float64 {
	i := draws.IntN(len(k.points) + 1)
	x := make([]float64, len(k.space))
	for d, p := range k.space {
		centre, width := k.kernel(i, d)
		switch {
		case p.Kind == search.Choice && (i == len(k.points) || draws.Float64() < elsewhere):
			x[d] = draws.Float64()
		case p.Kind == search.Choice:
			x[d] = centre
		default:
			x[d] = truncated(draws, centre, width)
		}
	}
	return x
}

// elsewhere is how often a kernel over choices takes any choice.
const elsewhere = 0.25

// truncated draws from a normal distribution that is cut to [0, 1].
func truncated(draws *rng.Stream, centre, width float64) float64 {
	for {
		if u := centre + float64(width*draws.NormFloat64()); u >= 0 && u <= 1 {
			return u
		}
	}
}

// log is the logarithm of the density.
func (k *mixture) log(x []float64) float64 {
	logs := make([]float64, 0, len(k.points)+1)
	for i := range len(k.points) + 1 {
		sum := 0.0
		for d, p := range k.space {
			centre, width := k.kernel(i, d)
			if p.Kind != search.Choice {
				z := (x[d] - centre) / width
				sum -= float64(0.5*z*z) + k.norms[i][d]
				continue
			}
			any := 1 / float64(len(p.Choices))
			switch {
			case i == len(k.points):
				sum += math.Log(any)
			case p.Value(x[d]) == p.Value(centre):
				sum += math.Log(1 - elsewhere + float64(elsewhere*any))
			default:
				sum += math.Log(elsewhere * any)
			}
		}
		logs = append(logs, sum)
	}
	most := slices.Max(logs)
	sum := 0.0
	for _, l := range logs {
		sum += fixmath.Exp(l - most)
	}
	return most + math.Log(sum/float64(len(logs)))
}

// phi is the normal distribution function.
