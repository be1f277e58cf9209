package goodput

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// held is a metric of ours.
const held = "held_h"

func (a answer) figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	const x = "bandwidth between machines (Gb/s per GPU)"
	for _, network := range []string{"own", "shared"} {
		b, ok, err := a.networked(all, network)
		if err != nil {
			return nil, err
		}
		if ok {
			b.LogX = true
			b.Means("jct_"+network, "Mean completion time as the network slows, "+network+" links.", "gbps",
				"scheduler", "jct_mean_s", x)
			b.Relative("relative_"+network, "Mean completion time of the same jobs, "+network+" links.", "gbps",
				"scheduler", "jct_mean_s", dally, x)
			b.Means("comm_"+network, "Share of communication, "+network+" links.", "gbps", "scheduler", "comm_frac", x)
			b.Means("held_"+network, "GPU-time held for the same work, "+network+" links.", "gbps", "scheduler", held,
				x)
		}
	}
	for _, at := range []struct{ axis, says, x string }{{"load", "load", "load"},
		{"worth", "progress of samples", "samples of larger batches"}} {
		for _, gbps := range all.Values("gbps") {
			b, ok, err := a.by(all, at.axis, gbps)
			if err != nil {
				return nil, err
			}
			if ok {
				b.Relative(at.axis+"_"+gbps,
					"Mean completion time of the same jobs by "+at.says+", "+gbps+" Gb/s per GPU between machines.",
					at.axis, "scheduler", "jct_mean_s", dally, at.x)
			}
		}
	}
	b, ok, err := a.by(all, "slower", "")
	if err != nil {
		return nil, err
	}
	if ok {
		b.LogX = true
		b.Relative("paper", "Mean completion time of the same jobs on the network of Dally's authors.", "slower",
			"scheduler", "jct_mean_s", dally, "network slower by")
	}
	return all.Figures()
}

// part is the part of a book whose cells keep chooses, with forms as validation chose them there;
// false = it has no rows.
func (a answer) part(all *digest.Book, x string, keep func(c *sweep.Cell) bool) (*digest.Book, bool, error) {
	b := all.Where(keep)
	if len(b.Values(x)) == 0 {
		return b, false, nil
	}
	b, err := b.Chosen(x, "scheduler", "jct_mean_s", a.forms, forms.Validates)
	return b, err == nil, err
}

// networked is the part over one kind of links.
func (a answer) networked(all *digest.Book, network string) (*digest.Book, bool, error) {
	return a.part(all, "gbps", func(c *sweep.Cell) bool { return c.Axes["network"] == network })
}

// by is the part of a sweep that alone has an axis, at one bandwidth; "" = the sweep has no axis of
// it.
func (a answer) by(all *digest.Book, axis, gbps string) (*digest.Book, bool, error) {
	return a.part(all, axis, func(c *sweep.Cell) bool { return c.Axes[axis] != "" && c.Axes["gbps"] == gbps })
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
