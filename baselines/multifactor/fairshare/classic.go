package fairshare

import (
	"math"

	"tarry/internal/fixmath"
)

// Classic sets the factors by the classic formula: F = 2^(-(UE/S)/d). S are a user's normalised
// shares, the product of its part among its siblings and its accounts'. UE is its effective
// usage: UE = UA + (UE of the account - UA) x its part among its siblings, where UA is its actual
// usage as a part of all; below the root UE = UA. dampening is d, FairShareDampeningFactor, > 0.
func (t *Tree) Classic(dampening float64) {
	all := t.nodes[Root].usage
	t.nodes[Root].norm, t.nodes[Root].fair = 1, 1
	for i := 1; i < len(t.nodes); i++ { // accounts come before what is below them
		n := &t.nodes[i]
		p := &t.nodes[n.parent]
		part, actual := n.shares/p.level, 0.0
		if all > 0 {
			actual = min(1, n.usage/all)
		}
		n.norm, n.fair = float64(part*p.norm), actual
		if n.parent != Root {
			n.fair += float64((p.fair - actual) * part)
		}
		n.factor = fixmath.Exp(float64(-n.fair/n.norm/dampening) * math.Ln2)
	}
}
