package goodput

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// tables gives the tables of docs/results/elasticity.md.
func (a answer) tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	fill := func(name, x string, b *digest.Book, make func(p *digest.Pages) (string, error)) {
		if err == nil {
			out[name], err = make(&digest.Pages{Book: b, X: x, Series: "scheduler", Base: dally})
		}
	}
	relative := func(metric string) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Relative(metric) }
	}
	means := func(metric string, digits int) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Means(metric, digits) }
	}
	for _, network := range []string{"own", "shared"} {
		b, ok, err := a.networked(all, network)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		fill("links_"+network, "gbps", b, relative("jct_mean_s"))
		fill("jct_"+network, "gbps", b, means("jct_mean_s", 2))
		fill("comm_"+network, "gbps", b, means("comm_frac", 3))
		if network == "own" {
			fill("p99", "gbps", b, relative("jct_p99_s"))
			fill("held", "gbps", b, relative(held))
		}
	}
	for _, axis := range []string{"load", "worth"} {
		for _, gbps := range all.Values("gbps") {
			b, ok, err := a.by(all, axis, gbps)
			if err != nil {
				return nil, err
			}
			if ok {
				fill(axis+"_"+gbps, axis, b, relative("jct_mean_s"))
			}
		}
	}
	b, ok, failed := a.by(all, "slower", "")
	if failed != nil {
		return nil, failed
	}
	if ok {
		fill("paper", "slower", b, relative("jct_mean_s"))
	}
	return out, err
}
