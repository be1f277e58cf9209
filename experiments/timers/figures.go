package timers

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	for i, cluster := range b.Values("cluster") {
		name := []string{"jct_slow_network", "jct_fast_network"}[min(i, 1)]
		one := b.Where(func(c *sweep.Cell) bool { return c.Axes["cluster"] == cluster })
		one.HeatAbove(name, "Mean completion time over both timers, against the best, "+cluster+".", "t_rack", "t_net",
			"jct_mean_s", "T_rack (leases)", "T_net (leases)", 20)
	}
	same := b.Where(func(c *sweep.Cell) bool { return c.Axes["t_rack"] == c.Axes["t_net"] })
	same.Means("jct_diagonal", "Mean completion time where both timers are equal.", "t_rack", "cluster", "jct_mean_s",
		"both timers (leases)")
	return b.Figures()
}
