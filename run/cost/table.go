package cost

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Table gives the Markdown table of runs on one list, the cheapest first: processor seconds, times
// the run of base, and the jobs that ended where not all did. Those at the limit stand last, by jobs
// that ended.
func Table(runs []Run, base string) string {
	var unit float64
	for _, r := range runs {
		if r.Scheduler == base {
			unit = r.Seconds
		}
	}
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b Run) int {
		switch {
		case a.Ended() != b.Ended():
			if a.Ended() {
				return -1
			}
			return 1
		case a.Ended():
			return cmp.Compare(a.Seconds, b.Seconds)
		}
		return b.Done - a.Done
	})
	var b strings.Builder
	fmt.Fprintf(&b, "| scheduler | CPU-s | x `%s` | jobs done |\n|---|---|---|---|\n", base)
	for _, r := range runs {
		done, more := "all", ""
		if !r.Ended() {
			done, more = fmt.Sprintf("%d of %d", r.Done, r.Jobs), "> "
		}
		fmt.Fprintf(&b, "| `%s` | %s%.2f | %s%.1f | %s |\n", r.Scheduler, more, r.Seconds, more, r.Seconds/unit, done)
	}
	return b.String()
}

// GrowthTable gives the Markdown table of runs on clusters of several sizes: microseconds per job on
// each, the power of the number of GPUs from the least to the greatest, and the seconds of the run
// on the greatest. A run at its limit counts by the jobs that ended, and has a >.
func GrowthTable(runs []Run) string {
	var sizes []int
	var names []string
	at := map[string]map[int]Run{}
	for _, r := range runs {
		if at[r.Scheduler] == nil {
			at[r.Scheduler] = map[int]Run{}
			names = append(names, r.Scheduler)
		}
		if !slices.Contains(sizes, r.GPUs) {
			sizes = append(sizes, r.GPUs)
		}
		at[r.Scheduler][r.GPUs] = r
	}
	slices.Sort(sizes)
	var b strings.Builder
	b.WriteString("| scheduler |")
	for _, n := range sizes {
		fmt.Fprintf(&b, " us per job, %d GPUs |", n)
	}
	b.WriteString(" power of GPUs | CPU-s on the largest | jobs done |\n" + strings.Repeat("|---", len(sizes)+4) + "|\n")
	for _, name := range names {
		fmt.Fprintf(&b, "| `%s` |", name)
		for _, n := range sizes {
			fmt.Fprintf(&b, " %s |", at[name][n].perJob())
		}
		first, last := at[name][sizes[0]], at[name][sizes[len(sizes)-1]]
		done, more := "all", ""
		if !last.Ended() {
			done, more = fmt.Sprintf("%d of %d", last.Done, last.Jobs), "> "
		}
		power := math.Log(last.PerJob()/first.PerJob()) / math.Log(float64(last.GPUs)/float64(first.GPUs))
		fmt.Fprintf(&b, " %.2f | %s%.1f | %s |\n", power, more, last.Seconds, done)
	}
	return b.String()
}

// perJob is a cell of the table of growth.
func (r Run) perJob() string {
	switch {
	case r.Jobs == 0:
		return ""
	case !r.Ended():
		return fmt.Sprintf("> %.1f", r.PerJob())
	}
	return fmt.Sprintf("%.1f", r.PerJob())
}
