package polluxref

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/sim/cluster"
)

// polluxSeeds is how many runs of Pollux a mean is taken of; PolluxSpread takes more.
const polluxSeeds = 2

// polluxSummary compares the rows of the summary with the runs that were made.
func (o *outcome) polluxSummary(f *reference.Folder, done map[string]map[string]polluxLife) error {
	columns := []string{"mean_jct_s", "last_end_s", "p99_jct_s", "restarts", "attained_gpu_seconds"}
	s, err := reference.ReadRows(filepath.Join(f.Dir, "summary.csv"), append(columns, "workload", "load", "policy")...)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range s.Cells {
		trace := polluxTraceOf(s.Text(i, "load"), s.Text(i, "workload"))
		got, ok := done[s.Text(i, "policy")+" "+trace]
		if !ok {
			o.Leave("rows", "summary.csv", 1, "no job of the run of "+s.Text(i, "policy")+" on the workload is stored")
			continue
		}
		for k, v := range polluxSums(got) {
			want, err := s.Number(i, columns[k])
			if err != nil {
				return err
			}
			o.polluxNumber("summary.csv", fmt.Sprintf("summary.csv: %s on %s: %s", s.Text(i, "policy"), trace,
				columns[k]), v, want, polluxClose)
		}
	}
	return nil
}

// polluxSums are the columns of the summary: mean, last end, element floor(0.99 n) of the sorted
// completion times, restarts and GPU-seconds.
func polluxSums(of map[string]polluxLife) [5]float64 {
	var times []float64
	var s [5]float64
	for _, job := range slices.Sorted(maps.Keys(of)) {
		l := of[job]
		times = append(times, l.jct)
		s[0], s[1], s[3], s[4] = s[0]+l.jct, max(s[1], l.end), s[3]+l.restarts, s[4]+l.service
	}
	slices.Sort(times)
	s[0] /= float64(len(times))
	s[2] = times[len(times)*99/100]
	return s
}

// polluxMeans compares published means: means of runs that were made, and of Pollux at load 1.0.
func (o *outcome) polluxMeans(ctx context.Context, f *reference.Folder, done map[string]map[string]polluxLife) error {
	m, err := reference.ReadRows(filepath.Join(f.Dir, polluxMeans), "policy", "setting", "workload", "mean_jct_s")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := range m.Cells {
		policy, setting := m.Text(i, "policy"), m.Text(i, "setting")
		load, ok := strings.CutPrefix(setting, "load")
		want, err := m.Number(i, "mean_jct_s")
		if err != nil {
			return err
		}
		trace := polluxTraceOf(load, m.Text(i, "workload"))
		what := fmt.Sprintf("%s: %s, %s, workload %s", polluxMeans, policy, setting, m.Text(i, "workload"))
		switch got := done[policy+" "+trace]; {
		case ok && got != nil:
			o.polluxNumber(polluxMeans, what, polluxSums(got)[0], want, polluxClose)
		case policy != "pollux" || setting != "load1.0" || !drawsPollux(f):
			o.Leave("means", polluxMeans, 1, fmt.Sprintf("%s at the setting %s has no stored run, and is not run anew",
				policy, setting))
		default:
			mean, err := polluxMean(ctx, f, trace)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				o.One("means", polluxMeans, false)
				o.Short = append(o.Short, fmt.Sprintf("%s: %v", what, err))
				continue
			}
			o.polluxNumber(polluxMeans, what, mean, want, polluxWithin*want)
			if err := o.polluxOrder(m, i, mean, want); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawsPollux reports whether the policy pollux is among the baselines.
func drawsPollux(f *reference.Folder) bool {
	_, _, err := f.From.Policies.Parse("pollux", cluster.BestFit)
	return err == nil
}

// polluxDrawn compares the mean of a stored run of Pollux.
func (o *outcome) polluxDrawn(ctx context.Context, f *reference.Folder, r *polluxRun,
	_ map[string]map[string]polluxLife) error {
	mean, err := polluxMean(ctx, f, r.trace)
	if err != nil {
		o.One("means", r.from, false)
		return err
	}
	want := 0.0
	for _, job := range slices.Sorted(maps.Keys(r.jct)) {
		want += r.jct[job] / float64(len(r.jct))
	}
	o.Leave("jobs", r.from, len(r.jct), "Pollux draws, and no seeds are published: means are compared")
	o.polluxNumber(r.from, r.from+": mean jct_s", mean, want, polluxWithin*want)
	return nil
}

// polluxOrder compares whether Pollux is before each other policy of the same setting and workload.
func (o *outcome) polluxOrder(m *reference.Rows, row int, got, want float64) error {
	for i := range m.Cells {
		if m.Text(i, "policy") == m.Text(row, "policy") || m.Text(i, "setting") != m.Text(row, "setting") ||
			m.Text(i, "workload") != m.Text(row, "workload") {
			continue
		}
		other, err := m.Number(i, "mean_jct_s")
		if err != nil {
			return err
		}
		good := (got < other) == (want < other)
		if o.One("orders", polluxMeans, good); !good {
			o.Short = append(o.Short, fmt.Sprintf("%s: workload %s: Pollux has %.6g, there %.6g, and %s %.6g: not "+
				"in their order", polluxMeans, m.Text(row, "workload"), got, want,
				m.Text(i, "policy"), other))
		}
	}
	return nil
}

// polluxMean is the mean completion time of Pollux over seeds.
func polluxMean(ctx context.Context, f *reference.Folder, trace string) (float64, error) {
	sum := 0.0
	for seed := 1; seed <= polluxSeeds; seed++ {
		mean, err := polluxOnce(ctx, f, "", trace, seed)
		if err != nil {
			return 0, err
		}
		sum += mean
	}
	return sum / polluxSeeds, nil
}

// polluxNumber compares one number.
func (o *outcome) polluxNumber(file, what string, got, want, within float64) {
	good := math.Abs(got-want) <= within
	if o.One("means", file, good); !good {
		o.Short = append(o.Short, fmt.Sprintf("%s is %.9g, there %.9g", what, got, want))
	}
}
