package variability

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/fixmath"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// maxSigma bounds the spread: with it the factors of a million GPUs stay far from 0 and infinity.
const maxSigma = 10

// draw draws the factors: the log of a GPU's iteration time, relative to the median's, is normal
// with standard deviation sigma of the class. All classes share one normal number per GPU (or
// machine), so that a slow GPU is slow for all of them, by as much as each is sensitive. Numbers
// come in the order of the GPUs from the stream "variability" of the seed: a larger cluster has the
// same first GPUs.
func (f *Factors) draw(s *param.Set, t *cluster.Topology) error {
	sigmas := s.Texts("sigma", nil)
	if len(sigmas) == 0 {
		s.Missing("sigma", "S or CLASS:S joined by +")
	}
	seed := s.Int64("seed", 0, 0, math.MaxInt64)
	byMachine := s.Enum("of", "gpu", "machine") == "machine"
	normal := f.normals(rng.Source{Seed: uint64(seed)}.Stream("variability"), byMachine, t)
	for _, text := range sigmas {
		name, number, named := strings.Cut(text, ":")
		if !named {
			name, number = "", text
		}
		sigma, err := strconv.ParseFloat(number, 64)
		if err != nil || !(sigma >= 0 && sigma <= maxSigma) || named && name == "" || !named && len(sigmas) > 1 {
			s.Wrong("sigma", "one number in 0..10, or CLASS:NUMBER joined by +")
			return nil
		}
		if slices.Contains(f.classes, name) {
			s.Wrong("sigma", "each class once")
			return nil
		}
		of := f.of[f.class(name, t)]
		for g, z := range normal {
			of[g] = fixmath.Exp(-float64(sigma * z))
		}
	}
	return nil
}

// normals draws a number for each GPU.
func (f *Factors) normals(r *rng.Stream, byMachine bool, t *cluster.Topology) []float64 {
	out := make([]float64, t.GPUs())
	for g := range out {
		if byMachine && g > 0 && t.Machine(cluster.GPU(g)) == t.Machine(cluster.GPU(g-1)) {
			out[g] = out[g-1]
			continue
		}
		out[g] = r.NormFloat64()
	}
	return out
}
