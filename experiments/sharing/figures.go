package sharing

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
)

func figures(ctx context.Context, d *sweep.Data, families [][]string) ([]sweep.Figure, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	err = each(all, families, func(p part, a string, here *digest.Book) error {
		here.LogX = p.log
		here.Relative(p.name+"_"+a, "Mean completion time of the same jobs, interference a = "+a+".", p.x, "scheduler",
			"jct_mean_s", dally, p.label)
		here.Means(p.name+"_jct_"+a, "Mean completion time, interference a = "+a+".", p.x, "scheduler", "jct_mean_s",
			p.label)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all.Figures()
}

// part is a sweep, and the axis over which it is drawn.
type part struct {
	name, x, label string
	log            bool
}

func parts() []part {
	return []part{{"links", "gbps", "bandwidth between machines (Gb/s per GPU)", true},
		{"load", "load", "load", false}, {"bound", "bound", "greatest loss of speed", false}}
}

// each goes through the parts that have rows and strengths of interference, with families as
// validation chose them there.
func each(all *digest.Book, families [][]string, do func(p part, a string, b *digest.Book) error) error {
	for _, p := range parts() {
		b := all.Where(func(c *sweep.Cell) bool { return c.Axes[p.x] != "" })
		for _, a := range b.Values("a") {
			here, err := b.Where(func(c *sweep.Cell) bool { return c.Axes["a"] == a }).Chosen(p.x, "scheduler",
				"jct_mean_s", families, forms.Validates)
			if err != nil {
				return err
			}
			if err := do(p, a, here); err != nil {
				return err
			}
		}
	}
	return nil
}
