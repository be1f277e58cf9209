package placement

import (
	"context"
	"slices"

	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
)

// group is what one table and figure shows: Dally and its parts, or the forms of some orders.
type group struct {
	name, says string
	schedulers []string
	families   [][]string
}

func groups() []group {
	return []group{
		{"parts", "Dally with one part removed", removed(), nil},
		{"lasting", "orders that do not preempt, by their rule of places", forms.Names(lasting()), lasting()},
		{"preempting", "orders that preempt, by their rule of places", forms.Names(preempting()), preempting()},
	}
}

// part is the part of a book with the schedulers of a group, and Dally; forms are marked as
// validation chose them, setting by setting.
func (g *group) part(all *digest.Book) (*digest.Book, error) {
	b := all.Where(func(c *sweep.Cell) bool {
		return c.Axes["scheduler"] == dally || slices.Contains(g.schedulers, c.Axes["scheduler"])
	})
	return b.ChosenAt("setting", "scheduler", "jct_mean_s", g.families, forms.Validates)
}

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	for _, g := range groups() {
		b, err := g.part(all)
		if err != nil {
			return nil, err
		}
		b.Relative(g.name, "Mean completion time of the same jobs against Dally: "+g.says+".", "setting", "scheduler",
			"jct_mean_s", dally, "setting")
		b.Means(g.name+"_queue_p99", "99th percentile of the queueing delay: "+g.says+".", "setting", "scheduler",
			"queue_p99_s", "setting")
	}
	return all.Figures()
}

// tables gives the tables of docs/results/placement.md.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, g := range groups() {
		b, err := g.part(all)
		if err != nil {
			return nil, err
		}
		p := digest.Pages{Book: b, X: "setting", Series: "scheduler", Base: dally,
			Keep: func(name string) bool { return slices.Contains(g.schedulers, name) }}
		if out[g.name], err = p.Relative("jct_mean_s"); err != nil {
			return nil, err
		}
		if out[g.name+"_queue_p99"], err = p.Means("queue_p99_s", 1); err != nil {
			return nil, err
		}
	}
	return out, nil
}
