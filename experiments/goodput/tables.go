package goodput

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// tables gives the tables of docs/goodput.md.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	fill := func(name, axis, x string, keep func(c *sweep.Cell) bool, make func(p *digest.Pages) (string, error)) {
		b, ok := where(all, axis, keep)
		if !ok || err != nil {
			return
		}
		out[name], err = make(&digest.Pages{Book: b, X: x, Series: "scheduler", Base: dally})
	}
	relative := func(p *digest.Pages) (string, error) { return p.Relative("jct_mean_s") }
	means := func(metric string, digits int) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Means(metric, digits) }
	}
	for _, network := range []string{"own", "shared"} {
		here := func(c *sweep.Cell) bool { return c.Axes["network"] == network }
		fill("links_"+network, "network", "gbps", here, relative)
		fill("jct_"+network, "network", "gbps", here, means("jct_mean_s", 2))
		fill("comm_"+network, "network", "gbps", here, means("comm_frac", 3))
	}
	own := func(c *sweep.Cell) bool { return c.Axes["network"] == "own" }
	fill("p99", "network", "gbps", own, func(p *digest.Pages) (string, error) { return p.Relative("jct_p99_s") })
	fill("held", "network", "gbps", own, func(p *digest.Pages) (string, error) { return p.Relative(held) })
	for _, axis := range []string{"load", "worth"} {
		b, _ := where(all, axis, nil)
		for _, gbps := range b.Values("gbps") {
			fill(axis+"_"+gbps, axis, axis, func(c *sweep.Cell) bool { return c.Axes["gbps"] == gbps }, relative)
		}
	}
	fill("paper", "slower", "slower", nil, relative)
	return out, err
}
