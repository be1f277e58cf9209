package muriref

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tarry/fidelity/reference"
)

const (
	muriAuthors = "authors_committed.csv"
	// muriLarge is the number of jobs from which on a trace is run with those schedules alone of
	// which the summary has a row.
	muriLarge = 1500
)

// muriOrder holds the published order on each trace of the summary: Muri-S before SRSF before SRTF,
// Muri-L before 2D-LAS.
func (o *outcome) muriOrder(ctx context.Context, m *muriRuns) error {
	s, err := reference.ReadRows(filepath.Join(m.f.Dir, muriSummary), "trace", "schedule", "jobs")
	if err != nil {
		return err
	}
	var traces []string
	large := map[string]bool{}
	for i := range s.Cells {
		if t := s.Text(i, "trace"); !slices.Contains(traces, t) {
			traces = append(traces, t)
		}
		n, err := s.Number(i, "jobs")
		if err != nil {
			return err
		}
		large[s.Text(i, "trace")] = n > muriLarge
	}
	for _, t := range traces {
		if large[t] {
			o.Leave("orders", muriSummary, 2, fmt.Sprintf("traces of more than %d jobs are run with the schedules "+
				"of their rows alone", muriLarge))
			continue
		}
		if !slices.ContainsFunc(s.Cells, func(c []string) bool {
			return c[s.At["trace"]] == t &&
				muriShares(c[s.At["schedule"]]) != ""
		}) && !m.staged(t) {
			o.Leave("orders", muriSummary, 2, "no row is of Muri's own schedules, and the stages of the jobs are "+
				"not known")
			continue
		}
		for _, order := range [][]string{{"multi-resource-blossom-same-gpu", "shortest-gpu", "shortest"},
			{"multi-resource-blossom-same-gpu-unaware", "dlas-gpu"}} {
			line, last, ok := t+":", 0.0, true
			for _, schedule := range order {
				got, err := m.run(ctx, t, schedule)
				if err != nil {
					return err
				}
				mean := muriFigures(got)["mean_jct_s"]
				ok, last, line = ok && mean >= last, mean, line+fmt.Sprintf(" %s %.0f s", schedule, mean)
			}
			if o.One("orders", muriSummary, ok); ok {
				o.Beyond = append(o.Beyond, line)
			} else {
				o.Short = append(o.Short, line+": expected none less than the one before")
			}
		}
	}
	return nil
}

// staged reports whether stages are known of all jobs of a trace.
func (m *muriRuns) staged(trace string) bool {
	base, _ := strings.CutSuffix(trace, "_pr")
	path, err := m.f.Find(base+".csv", "traces/muri")
	if err != nil {
		return false
	}
	_, err1 := reference.ReadRows(path, "resource_time_0")
	_, err2 := reference.ReadRows(m.stages, "resource_time_0_ms", "iteration_time_ms")
	return err1 == nil && err2 == nil
}

// muriPolicy names the policies of the authors' plots. Their program dissolves groups; of their
// figures only figures of Fig. 13 are met so, the others without. Figures of job_type_1 are met to
// the digit, by greedy matching, and Muri-L's by the queues of discretised 2D-LAS.
func muriPolicy(policy, trace string) (schedule string, exact bool) {
	schedule, exact = muriDrawn(policy)
	if trace == "job_type_1" && schedule != "" && !exact {
		if schedule += muriGreedy; policy == "Fig13_Muri_L" {
			schedule += muriQueues
		}
		return schedule, true
	}
	if schedule != "" && !exact && !strings.HasPrefix(policy, "Fig13_") {
		schedule += muriWhole
	}
	return schedule, exact
}

// muriFigure is the figure that a policy of the plots is named after.
var muriFigure = regexp.MustCompile(`^Fig[0-9]+_`)

func muriDrawn(policy string) (schedule string, exact bool) {
	policy = muriFigure.ReplaceAllString(policy, "")
	switch policy {
	case "SRTF":
		return "shortest", true
	case "SRSF":
		return "shortest-gpu", true
	case "Tiresias_L", "Tiresias":
		return "dlas-gpu", true
	case "Muri_S":
		return "multi-resource-blossom-same-gpu", false
	case "Muri_L":
		return "multi-resource-blossom-same-gpu-unaware", false
	case "Muri_L_w_worstordering":
		return "multi-resource-blossom-same-gpu-unaware-worstordering", false
	case "Muri_L_wo_blossom":
		return "multi-resource-gpu-unaware", false
	case "Muri_L_2", "Muri_L_3", "Muri_L_4":
		return "multi-resource-blossom-same-gpu-unaware-yarn-" + policy[len(policy)-1:], false
	}
	return "", false
}

// muriNot reports why a figure of the authors' plots is not compared.
func muriNot(policy, metric string, known bool) string {
	if !known {
		return "the measure " + metric + " is not computed"
	}
	return "the schedule of " + muriFigure.ReplaceAllString(policy, "") + " is not among the baselines"
}

// muriCommitted compares the figures of the authors' plots, given to ten digits: figures of SRTF,
// SRSF, 2D-LAS and of job_type_1 count; the others of Muri's own schedules are reported as they
// are.
func (o *outcome) muriCommitted(ctx context.Context, m *muriRuns) error {
	r, err := reference.ReadRows(filepath.Join(m.f.Dir, muriAuthors), "policy", "metric", "trace", "seconds")
	if err != nil {
		return err
	}
	columns := map[string]string{"JCT": "mean_jct_s", "Makespan": "makespan_s", "99JCT": "p99_jct_s"}
	near, of := 0, 0
	for i := range r.Cells {
		policy, metric, trace := r.Text(i, "policy"), r.Text(i, "metric"), r.Text(i, "trace")
		schedule, exact := muriPolicy(policy, trace)
		column := columns[metric]
		if schedule == "" || column == "" {
			o.Leave("figures", muriAuthors, 1, muriNot(policy, metric, column != ""))
			continue
		}
		want, err := r.Number(i, "seconds")
		if err != nil {
			return err
		}
		got, err := m.run(ctx, trace, schedule)
		if err != nil {
			return err
		}
		x := muriFigures(got)[column]
		line := fmt.Sprintf("%s, %s of %s on %s: %.2f s, there %.2f s: %+.2f %%", muriAuthors, metric, policy, trace,
			x, want, 100*(x/want-1))
		if !exact {
			o.Leave("figures", muriAuthors, 1, "of Muri's own schedules: they hang on the matching and on whether "+
				"groups are dissolved")
			if of++; math.Abs(x/want-1) <= muriWithin {
				near++
			} else {
				o.Beyond = append(o.Beyond, line)
			}
			continue
		}
		good := math.Abs(x/want-1) <= 1e-9
		if o.One("figures", muriAuthors, good); !good {
			o.Short = append(o.Short, line)
		}
	}
	o.Beyond = append(o.Beyond, fmt.Sprintf("%s: %d of %d figures of Muri's own schedules are within 3 %%; the "+
		"others are above", muriAuthors, near, of))
	return nil
}
