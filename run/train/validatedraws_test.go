package train

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/agents/registry"
	"tarry/env/classic"
)

// drawing is a policy that draws, and notes which episodes begin.
type drawing struct{ begun *[]uint64 }

func (d drawing) Begin(episode uint64) { *d.begun = append(*d.begun, episode) }

func (d drawing) Inner() any { return d }

func (d drawing) Fork() registry.Policy { return d }

func (drawing) Act(dst, _ []float64, _ []bool, _ *rand.Rand) error {
	dst[0] = 0
	return nil
}

// A policy that draws has the draws of each validation episode from a stream of its own, the same
// ones each time.
func TestValidationBeginsEachEpisode(t *testing.T) {
	v, p := &validator{env: classic.CartPole(), episodes: 3, action: make([]float64, 1)}, drawing{new([]uint64)}
	for range 2 {
		if _, err := v.mean(p); err != nil {
			t.Fatal(err)
		}
	}
	if want := []uint64{0, 1, 2, 0, 1, 2}; !slices.Equal(*p.begun, want) {
		t.Errorf("episodes %v begin, expected %v", *p.begun, want)
	}
}
