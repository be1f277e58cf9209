package victim

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tarry/internal/weights"
)

// Weights are a linear score of the jobs that may go, one value for each of WeightNames: the score
// of who goes first, the gate of who may go, and whether its checkpoint is waited for. Weighing
// applies them.
type Weights []float64

const (
	numScore, numGate, numWait = 10, 7, 3
	// MostWeight bounds a weight on either side, and the margin, a difference of logarithms.
	MostWeight = 16
	// magic begins the text of weights.
	magic = "tarry-victims 1"
)

// The groups of the weights, as Only takes them.
const (
	partScore = "score"
	partGate  = "gate"
	partWait  = "wait"
)

// Parts are the groups of the weights, in their order: margin is the first of the gate, wait the
// first of the wait.
func Parts() []string { return []string{partScore, partGate, partWait} }

// WeightNames are the names of the weights, in their order.
func WeightNames() []string {
	return []string{"score_lost", "score_unsaved", "score_at_risk", "score_until", "score_gpus", "score_left",
		"score_later", "score_spread", "score_machine", "score_preempted",
		"margin", "gate_unsaved", "gate_at_risk", "gate_until", "gate_left", "gate_spread", "gate_preempted",
		"gate_demand",
		"wait", "wait_unsaved", "wait_at_risk", "wait_until"}
}

// of is the part of the weights that a group has.
func (w Weights) of(part string) Weights {
	switch part {
	case partScore:
		return w[:numScore]
	case partGate:
		return w[numScore : numScore+1+numGate]
	}
	return w[numScore+1+numGate:]
}

// RuleWeights are the rule least-lost-per-gpu with a margin and a wait in leases, as in Waits, as
// weights. With a wait they are the rule where checkpoints are at least so far apart.
func RuleWeights(margin, wait float64) Weights {
	w := make(Weights, len(WeightNames()))
	w.of(partScore)[0], w.of(partGate)[0] = 1, min(MostWeight, margin)
	until := w.of(partWait)
	if until[0] = -1; wait > 0 {
		until[0], until[numWait] = squash(wait), -1
	}
	return w
}

// Only is w with the groups that are not named as in other.
func (w Weights) Only(parts []string, other Weights) Weights {
	out := slices.Clone(w)
	for _, p := range Parts() {
		if !slices.Contains(parts, p) {
			copy(out.of(p), other.of(p))
		}
	}
	return out
}

// Check reports whether there are as many weights as names.
func (w Weights) Check() error {
	if n := len(WeightNames()); len(w) != n {
		return fmt.Errorf("%d parameters, expected %d", len(w), n)
	}
	return nil
}

// Export writes the weights as text, "name = value" in each line after the first.
func (w Weights) Export(to io.Writer) error {
	if err := w.Check(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "%s\n\n%s", magic, weights.Lines(WeightNames(), w))
	return err
}

// ParseWeights reads what Export wrote; name stands in errors.
func ParseWeights(name string, in io.Reader) (Weights, error) {
	r, names := weights.New(name, in), WeightNames()
	out := make(Weights, len(names))
	if r.First(magic) {
		r.Pairs(names, func(i int, text string) {
			lo := -float64(MostWeight)
			if names[i] == "margin" {
				lo = 0
			}
			out[i] = r.Number(names[i], text, lo, MostWeight)
		})
		r.Require(names, "every weight")
	}
	return out, r.Err()
}

// LoadWeights reads a file.
func LoadWeights(path string) (Weights, error) { return weights.Load(path, ParseWeights) }

// ReadParts reads names of groups joined by +.
func ReadParts(text string) ([]string, error) {
	parts := strings.Split(text, "+")
	for i, p := range parts {
		switch {
		case !slices.Contains(Parts(), p):
			return nil, fmt.Errorf("%q, expected some of %s, joined by +", p, strings.Join(Parts(), ", "))
		case slices.Contains(parts[:i], p):
			return nil, fmt.Errorf("%s is named twice, expected once", p)
		}
	}
	return parts, nil
}

// near is the difference below which two numbers that went through an observation are equal.
const near = 1e-9

// leastLost is what is added to lost leases, so that their logarithm is finite.
const leastLost = 1e-3

// squash maps a ratio of 0 to infinity to 0 to 1, unsquash back, finite for 1 too.
func squash(x float64) float64 { return x / (1 + x) }

func unsquash(y float64) float64 { return y / max(1e-12, 1-y) }

// lnRank is the logarithm of a squashed rank.
func lnRank(y float64) float64 { return math.Log(max(1e-12, unsquash(y))) }
