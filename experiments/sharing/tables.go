package sharing

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// tables gives the tables of docs/sharing.md.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, p := range parts() {
		b, ok := where(all, p.x)
		if !ok {
			continue
		}
		for _, a := range b.Values("a") {
			pages := &digest.Pages{Book: b.Where(func(c *sweep.Cell) bool { return c.Axes["a"] == a }), X: p.x, Series: "scheduler", Base: dally}
			if out[p.name+"_"+a], err = pages.Relative("jct_mean_s"); err != nil {
				return nil, err
			}
			if p.name != "links" {
				continue
			}
			if out["p99_"+a], err = pages.Relative("jct_p99_s"); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
