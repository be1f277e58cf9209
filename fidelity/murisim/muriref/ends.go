package muriref

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"tarry/fidelity/reference"
)

const (
	// muriEqual is the part of an instant within which that program takes two ends for one event,
	// at the time of the first. Its own sums of float64 are off by less, and by more than a
	// microsecond after some thousand events.
	muriEqual = 1e-9
	// muriMerged is by what part a mean may differ where ends were taken for one.
	muriMerged = 1e-4
	muriWhy    = "; ends within 1e-9 of the time are one event there and two here"
)

// muriSame is by how much a time there may differ from ours, in seconds.
func muriSame(s float64) float64 { return max(muriS, muriEqual*s) }

// muriEnds compares the ends of one file. Where the first that differs is one of several at one
// instant there, which came one after the other here, what follows is counted apart: the overheads
// that each event charges make all later ends others.
func (o *outcome) muriEnds(ctx context.Context, m *muriRuns, name, trace, schedule string) error {
	want, err := reference.ReadRows(filepath.Join(m.f.Dir, name), "job", "end_s")
	if err != nil {
		return err
	}
	c := muriCount{first: math.Inf(1)}
	defer func() { o.Many("ends", name, c.agree[0], len(want.Cells)-c.of[1]); c.after(o, name) }()
	got, err := m.run(ctx, trace, schedule)
	if err != nil {
		return err
	}
	ends, apart := make([]float64, len(want.Cells)), make([]float64, len(want.Cells))
	at := map[float64]int{}
	for i := range want.Cells {
		if ends[i], err = want.Number(i, "end_s"); err != nil {
			return err
		}
		g, ok := got[want.Text(i, "job")]
		if !ok || math.IsNaN(g.End) {
			g.End = math.Inf(1)
		}
		apart[i] = math.Abs(g.End - ends[i])
		if at[ends[i]]++; apart[i] > muriSame(ends[i]) && ends[i] < c.first {
			c.first, c.line = ends[i], fmt.Sprintf(", first job %s: end %.6f s, there %.6f s", want.Text(i, "job"),
				g.End, ends[i])
		}
	}
	merged := len(want.Cells) > muriLarge && at[c.first] > 1
	c.count(ends, apart, merged)
	if o.Worst = max(o.Worst, c.worst); c.agree[0]+c.of[1] == len(want.Cells) && len(got) == len(want.Cells) {
		if merged {
			o.Beyond = append(o.Beyond, fmt.Sprintf("%s: from %.6f s on%s: %d of %d later ends agree, worst %.3g s",
				name, c.first, muriWhy[1:], c.agree[1], c.of[1], c.late))
		}
		return nil
	}
	o.Short = append(o.Short, fmt.Sprintf("%s: %d of %d jobs agree (%d simulated), worst %.3g s%s", name,
		c.agree[0]+c.agree[1], len(want.Cells), len(got), c.worst, c.line))
	return nil
}

// muriCount counts ends: before the first that differs, and from there on where ends were merged.
type muriCount struct {
	agree, of          [2]int
	first, worst, late float64
	line               string
}

func (c *muriCount) count(ends, apart []float64, merged bool) {
	for i, end := range ends {
		part := 0
		if merged && end >= c.first {
			part, c.late = 1, max(c.late, apart[i])
		} else {
			c.worst = max(c.worst, apart[i])
		}
		if c.of[part]++; apart[i] <= muriSame(end) {
			c.agree[part]++
		}
	}
}

// after counts those behind a merged one.
func (c *muriCount) after(o *outcome, name string) {
	if c.of[1] > 0 {
		o.Many("ends after two taken for one", name, c.agree[1], c.of[1])
	}
}
