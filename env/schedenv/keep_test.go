package schedenv

import (
	"fmt"
	"testing"

	"tarry/sim"
)

// counted counts how often windows are made.
type counted struct {
	Source
	made *int
}

func (c counted) Window(p Part, i int) (*sim.Workload, error) {
	*c.made++
	return c.Source.Window(p, i)
}

// However many windows are kept, episodes are the same; kept ones are made and warmed up once.
func TestKeep(t *testing.T) {
	var first []float64
	for _, c := range []struct{ keep, made int }{{0, 15}, {2, 15}, {5, 5}, {64, 5}, {-1, 15}} {
		e, made := timidEnv(t, brief+"horizon=12,warm=6"), 0
		e.cfg.Source = counted{e.cfg.Source, &made}
		e.Keep(c.keep)
		var returns []float64
		for range 3 {
			for i := range 5 {
				sum, err := Play(e, 1, fmt.Sprintf("window=%d", i), some())
				if err != nil {
					t.Fatal(err)
				}
				returns = append(returns, sum.Return)
			}
		}
		if made != c.made {
			t.Errorf("%d kept: windows were made %d times, expected %d", c.keep, made, c.made)
		}
		if first == nil {
			first = returns
		}
		for i, r := range returns {
			if r != first[i] || r == 0 {
				t.Errorf("%d kept: episode %d returns %v, expected %v", c.keep, i, r, first[i])
			}
		}
	}
}
