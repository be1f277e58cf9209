package env

import (
	"fmt"

	"tarry/sim/rng"
)

// HashSeed gives the seed of one use of randomness below a user's seed: purpose states which
// ("train", "eval", ...), indices number it (environment, episode, ...). Seeds of different uses
// are unrelated; root+i, root+i+1, ... would make neighbouring runs share theirs.
func HashSeed(root uint64, purpose string, indices ...uint64) uint64 {
	cell := fmt.Sprintf("%s%v", purpose, indices)
	return rng.Source{Seed: root, Experiment: "env", Cell: cell}.Stream("seed").Uint64()
}
