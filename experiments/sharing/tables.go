package sharing

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// tables gives the tables of docs/results/sharing.md.
func tables(ctx context.Context, d *sweep.Data, forms [][]string) (map[string]string, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	return out, each(all, forms, func(p part, a string, b *digest.Book) error {
		pages := &digest.Pages{Book: b, X: p.x, Series: "scheduler", Base: dally}
		if out[p.name+"_"+a], err = pages.Relative("jct_mean_s"); err != nil || p.name != "links" {
			return err
		}
		out["p99_"+a], err = pages.Relative("jct_p99_s")
		return err
	})
}
