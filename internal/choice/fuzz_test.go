package choice

import (
	"math/rand/v2"
	"testing"
)

// FuzzSolve proves the answers of problems of all sorts, each solved after another one.
func FuzzSolve(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(3), uint8(3), uint8(2), uint8(1), false, false)
	f.Add(uint64(9), uint8(60), uint8(8), uint8(6), uint8(0), uint8(2), true, true)
	f.Fuzz(func(t *testing.T, seed uint64, groups, rows, options, grain, tight uint8, twins, signed bool) {
		r := rand.New(rand.NewPCG(seed, 3))
		var s Solver
		for range 2 {
			p := random(r, sketch{groups: 1 + int(groups)%100, rows: 1 + int(rows)%MaxRows, options: 1 +
				int(options)%10,
				grain: float64(grain%4) / 4, tight: 0.05 + float64(tight%8)/3, twins: twins, signed: signed})
			if _, err := certify(&s, p); err != nil {
				t.Fatal(err)
			}
		}
	})
}
