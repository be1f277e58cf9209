package goodput

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// held is a metric of ours.
const held = "held_h"

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	const x = "bandwidth between machines (Gb/s per GPU)"
	for _, network := range []string{"own", "shared"} {
		b, ok, err := networked(all, network)
		if err != nil {
			return nil, err
		}
		if ok {
			b.LogX = true
			b.Means("jct_"+network, "Mean completion time as the network slows, "+network+" links.", "gbps", "scheduler", "jct_mean_s", x)
			b.Relative("relative_"+network, "Mean completion time of the same jobs, "+network+" links.", "gbps", "scheduler", "jct_mean_s", dally, x)
			b.Means("comm_"+network, "Share of communication, "+network+" links.", "gbps", "scheduler", "comm_frac", x)
			b.Means("held_"+network, "GPU-time held for the same work, "+network+" links.", "gbps", "scheduler", held, x)
		}
	}
	if b, ok := where(all, "load", nil); ok {
		for _, gbps := range b.Values("gbps") {
			b.Where(func(c *sweep.Cell) bool { return c.Axes["gbps"] == gbps }).
				Relative("load_"+gbps, "Mean completion time of the same jobs by load, "+gbps+" Gb/s per GPU between machines.", "load", "scheduler", "jct_mean_s", dally, "load")
		}
	}
	if b, ok := where(all, "slower", nil); ok {
		b.LogX = true
		b.Relative("paper", "Mean completion time of the same jobs on the network of Dally's authors.", "slower", "scheduler", "jct_mean_s", dally, "network slower by")
	}
	if b, ok := where(all, "worth", nil); ok {
		for _, gbps := range b.Values("gbps") {
			b.Where(func(c *sweep.Cell) bool { return c.Axes["gbps"] == gbps }).
				Relative("worth_"+gbps, "Mean completion time of the same jobs by what samples are worth, "+gbps+" Gb/s per GPU between machines.", "worth", "scheduler", "jct_mean_s", dally, "samples of larger batches")
		}
	}
	return all.Figures()
}

// where is the part of a book whose cells have a value on an axis that one sweep alone has.
func where(all *digest.Book, axis string, keep func(c *sweep.Cell) bool) (*digest.Book, bool) {
	b := all.Where(func(c *sweep.Cell) bool { return c.Axes[axis] != "" && (keep == nil || keep(c)) })
	return b, len(b.Values(axis)) > 0
}

// networked is the part over one kind of links, with forms as validation chose them there.
func networked(all *digest.Book, network string) (*digest.Book, bool, error) {
	b, ok := where(all, "network", func(c *sweep.Cell) bool { return c.Axes["network"] == network })
	if !ok {
		return b, ok, nil
	}
	b, err := b.Chosen("gbps", "scheduler", "jct_mean_s", families(), rivals.Validates)
	return b, ok, err
}

// open is a book with the metric of ours.
func open(ctx context.Context, d *sweep.Data) (*digest.Book, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	hours := map[rows.Keys]float64{}
	err = sweep.Scan(ctx, d, func(part []rows.Trial) error {
		for i := range part {
			t := &part[i]
			hours[t.Keys] = t.GPUUtil * t.Makespan / 3600
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.Adding(held, "GPU-time held (h of all GPUs)", func(k rows.Keys) float64 { return hours[k] }), nil
}
