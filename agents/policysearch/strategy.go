package policysearch

import (
	"encoding"
	"fmt"
	"slices"

	"tarry/agents/search/cmaes"
	"tarry/agents/search/openaies"
	"tarry/internal/fixmath"
	"tarry/internal/pack"
	"tarry/sim/rng"
)

// Kind is a strategy.
type Kind int

// The strategies.
const (
	// CMAES adapts the covariance of the distribution that vectors are drawn from.
	CMAES Kind = iota
	// OpenES climbs the gradient of ranks from mirrored pairs.
	OpenES
	// Random draws around the start, and keeps the best so far until another one beats it on the
	// same windows.
	Random
)

// Name is the agent's name in the catalogue.
func (k Kind) Name() string {
	return [...]string{"cmaes-policy", "openai-es-policy", "random-search-policy"}[k]
}

// strategy moves through the space of vectors in units of the first deviations: it starts at 0 with
// deviations of 1.
type strategy interface {
	// draw fills the vectors of a generation.
	draw(z [][]float64, draws *rng.Stream)
	// learn takes their costs; a vector may have been moved to its bounds.
	learn(z [][]float64, costs []float64)
	// mean is what the policy is now, sigma the step size in first deviations.
	mean() []float64
	sigma() float64
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// strategy starts a strategy over d numbers.
func (k Kind) strategy(c *Config, d int) strategy {
	switch k {
	case OpenES:
		return &climber{openaies.NewClimber(make([]float64, d)), c}
	case Random:
		return &keeper{best: make([]float64, d)}
	}
	return &evolution{cmaes.NewDistribution(make([]float64, d), c.Population, 1), make([]float64, d)}
}

// evolution is CMA-ES. One that can no longer distinguish its points starts again from its mean.
type evolution struct {
	*cmaes.Distribution
	room []float64
}

func (e *evolution) draw(z [][]float64, draws *rng.Stream) {
	for _, x := range z {
		e.Sample(x, e.room, draws)
	}
}

func (e *evolution) learn(z [][]float64, costs []float64) {
	before := slices.Clone(e.Mean())
	if e.Update(z, costs); e.Degenerate() {
		e.Distribution = cmaes.NewDistribution(before, len(z), 1)
	}
}

func (e *evolution) mean() []float64 { return e.Mean() }
func (e *evolution) sigma() float64  { return e.Sigma() }

// climber is OpenAI-ES.
type climber struct {
	*openaies.Climber
	cfg *Config
}

// decay falls from 1 to 0.1 over the run.
func (c *climber) decay() float64 {
	if !c.cfg.Anneal {
		return 1
	}
	return fixmath.Pow(0.1, float64(c.Steps())/float64(c.cfg.Generations))
}

func (c *climber) draw(z [][]float64, draws *rng.Stream) { c.Sample(z, c.decay(), draws) }
func (c *climber) learn(_ [][]float64, costs []float64)  { c.Step(costs, c.cfg.LearningRate*c.decay()) }
func (c *climber) mean() []float64                       { return c.Mean() }
func (c *climber) sigma() float64                        { return c.decay() }

// keeper is random search. The best so far is the first vector of each generation, so that it is
// compared on the same windows.
type keeper struct{ best []float64 }

func (k *keeper) draw(z [][]float64, draws *rng.Stream) {
	copy(z[0], k.best)
	for _, x := range z[1:] {
		for i := range x {
			x[i] = draws.NormFloat64()
		}
	}
}

func (k *keeper) learn(z [][]float64, costs []float64) {
	copy(k.best, z[slices.Index(costs, slices.Min(costs))])
}

func (k *keeper) mean() []float64 { return k.best }
func (k *keeper) sigma() float64  { return 1 }

const keeperRecord = "tarry/randomsearch/1"

func (k *keeper) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(keeperRecord)
	w.Float64s(k.best)
	return w.Seal(), nil
}

func (k *keeper) UnmarshalBinary(data []byte) error {
	r, best := pack.NewReader(keeperRecord, data), make([]float64, len(k.best))
	r.Float64s(best)
	if err := r.Close(); err != nil {
		return fmt.Errorf("best vector: %w", err)
	}
	copy(k.best, best)
	return nil
}
