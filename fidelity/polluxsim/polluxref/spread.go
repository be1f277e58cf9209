package polluxref

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
)

// polluxSetting gives the settings of policy pollux and the load of a published mean; ok is false
// where it is not modelled, or the same run as another.
func polluxSetting(setting string) (settings, load string, ok bool) {
	if load, ok := strings.CutPrefix(setting, "load"); ok {
		return "", load, true
	}
	of := map[string]string{"noavoid": "avoid=false", "pollux-30s": "interval=30", "pollux-2m": "interval=120",
		"pollux-4m": "interval=240", "pollux-8m": "interval=480"}
	settings, ok = of[setting]
	return settings, "1.0", ok
}

// spread is the mean of some numbers, their standard deviation, the least and the largest.
func spread(x []float64) (mean, deviation, least, most float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		deviation += float64((v - mean) * (v - mean))
	}
	if len(x) > 1 {
		deviation = math.Sqrt(deviation / float64(len(x)-1))
	}
	return mean, deviation, slices.Min(x), slices.Max(x)
}

// Spread writes a table of the published means of Pollux beside ours over seeds 1, 2, ...:
// their mean, standard deviation and range, and how far the mean is from the published one. dir is
// a folder of results of its simulator. only lists the
// settings, such as load1.0 or pollux-2m; none = all.
func Spread(ctx context.Context, with reference.Setup, dir string, seeds int, only []string, out io.Writer) error {
	f, err := with.Folder(dir)
	if err != nil {
		return err
	}
	m, err := reference.ReadRows(filepath.Join(dir, polluxMeans), "policy", "setting", "workload", "mean_jct_s")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| setting | workload | published, s | ours, s | of the published | deviation, s | range, s "+
		"|\n|---|---|---:|---:|---:|---:|---|\n")
	for i := range m.Cells {
		setting, workload := m.Text(i, "setting"), m.Text(i, "workload")
		settings, load, ok := polluxSetting(setting)
		if m.Text(i, "policy") != "pollux" || !ok || len(only) > 0 && !slices.Contains(only, setting) {
			continue
		}
		want, err := m.Number(i, "mean_jct_s")
		if err != nil {
			return err
		}
		var means []float64
		for seed := 1; seed <= seeds; seed++ {
			mean, err := polluxOnce(ctx, f, settings, polluxTraceOf(load, workload), seed)
			if err != nil {
				return err
			}
			means = append(means, mean)
		}
		mean, deviation, least, most := spread(means)
		fmt.Fprintf(out, "| %s | %s | %.1f | %.1f | %+.1f %% | %.1f | %.0f to %.0f |\n", setting, workload, want, mean,
			100*(mean/want-1), deviation, least, most)
	}
	return nil
}

// polluxOnce is the mean completion time of one run of Pollux.
func polluxOnce(ctx context.Context, f *reference.Folder, settings, trace string, seed int) (float64, error) {
	c, err := polluxConfig(f, strings.TrimSuffix(fmt.Sprintf("pollux:seed=%d,%s", seed, settings), ","), trace)
	if err != nil {
		return 0, err
	}
	got, err := polluxSimulate(ctx, f, c)
	if err != nil {
		return 0, err
	}
	return polluxSums(got)[0], nil
}
