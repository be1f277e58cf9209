package sharing

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	for _, p := range parts() {
		b, ok := where(all, p.x)
		if !ok {
			continue
		}
		for _, a := range b.Values("a") {
			here := b.Where(func(c *sweep.Cell) bool { return c.Axes["a"] == a })
			here.LogX = p.log
			here.Relative(p.name+"_"+a, "Mean completion time of the same jobs, interference a = "+a+".", p.x, "scheduler", "jct_mean_s", dally, p.label)
			here.Means(p.name+"_jct_"+a, "Mean completion time, interference a = "+a+".", p.x, "scheduler", "jct_mean_s", p.label)
		}
	}
	return all.Figures()
}

// part is a sweep, and the axis over which it is drawn.
type part struct {
	name, x, label string
	log            bool
}

func parts() []part {
	return []part{{"links", "gbps", "bandwidth between machines (Gb/s per GPU)", true}, {"load", "load", "load", false}, {"bound", "bound", "greatest loss of speed", false}}
}

// where is the part of a book whose cells have a value on an axis that one sweep alone has.
func where(all *digest.Book, axis string) (*digest.Book, bool) {
	b := all.Where(func(c *sweep.Cell) bool { return c.Axes[axis] != "" })
	return b, len(b.Values(axis)) > 0
}
