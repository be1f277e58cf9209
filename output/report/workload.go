package report

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/output/results"
	"tarry/sim/entry"
)

// maxReplayed is how many jobs the replays of a page have together; trials of the same jobs share
// them.
const maxReplayed = 200_000

// workload is the jobs of one or several trials, in the order in which they come.
type workload struct {
	Jobs []string `json:"jobs"`
	// Submit is in seconds; null = not known.
	Submit []second `json:"submit"`
	GPUs   []int64  `json:"gpus"`
	// JobModel and JobUser point into Models and Users, "" = unknown.
	Models   []string `json:"models"`
	JobModel []int    `json:"jobModel"`
	Users    []string `json:"users"`
	JobUser  []int    `json:"jobUser"`
	// Whole states that all jobs are here: else only the jobs that the timeline draws.
	Whole bool `json:"whole"`
}

// second is a time with ten significant digits in the page; what is not finite becomes null.
type second float64

// MarshalJSON writes the time.
func (s second) MarshalJSON() ([]byte, error) {
	v := float64(s)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, v, 'g', 10, 64), nil
}

// listed is the jobs of one trial: the part that other trials share, and when jobs left without
// finishing.
type listed struct {
	workload
	at    map[string]int // job -> its number
	gone  []departure
	until float64 // until when a job is known to have been there
}

// departure is a job that was refused or rejected.
type departure struct {
	job string
	at  float64
}

// list reads the jobs of a trial: all, or only drawn ones.
func (r *run) list(ctx context.Context, drawn []block, whole bool, left *int64) (*listed, error) {
	targets, err := files(r.dir, results.Job{}.Table())
	if err != nil {
		return nil, err
	}
	want := map[string]bool{} // drawn, and not met in the table of jobs
	for i := range drawn {
		want[drawn[i].job] = true
	}
	var rows []results.Job
	for _, target := range targets {
		if !target.Holds(r.row.Keys) {
			continue
		}
		_, err := scanFile(ctx, target, left, func(part []results.Job) error {
			for i := range part {
				if part[i].Keys == r.row.Keys && (whole || want[part[i].ID]) {
					rows = append(rows, part[i])
					delete(want, part[i].ID)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	complete := whole && len(want) == 0 && len(rows) > 0
	for id := range want {
		rows = append(rows, results.Job{ID: id, Submit: math.Inf(1), Queue: math.NaN()})
	}
	slices.SortFunc(rows, func(a, b results.Job) int {
		return cmp.Or(cmp.Compare(a.Submit, b.Submit), byNumber(a.ID, b.ID))
	})
	out := &listed{at: map[string]int{}, until: math.Inf(-1)}
	out.Whole = complete
	out.fill(rows)
	return out, nil
}

// byNumber orders names by length first: job-9 before job-10.
func byNumber(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// fill numbers the jobs.
func (l *listed) fill(rows []results.Job) {
	var models, users numbered
	models.of("")
	users.of("")
	l.Jobs, l.Submit, l.GPUs, l.JobModel, l.JobUser = []string{}, []second{}, []int64{}, []int{}, []int{}
	for i := range rows {
		j := &rows[i]
		l.at[j.ID] = i
		l.Jobs, l.Submit, l.GPUs = append(l.Jobs, j.ID), append(l.Submit, second(j.Submit)), append(l.GPUs, j.GPUs)
		l.JobModel, l.JobUser = append(l.JobModel, models.of(j.Model)), append(l.JobUser, users.of(j.User))
		there := float64(j.Queue + j.Run + j.Overhead) // how long it was in the system
		last := float64(j.Submit + there)
		switch {
		case j.Outcome == "refused" || j.Outcome == "rejected":
			if !(there >= 0) {
				last = j.Submit
			}
			l.gone = append(l.gone, departure{j.ID, last})
		case there > 0 && !math.IsInf(last, 0):
			l.until = max(l.until, last)
		}
	}
	l.Models, l.Users = models.list, users.list
}

// shared adds a trial's jobs to the page, unless it has them, and gives their number there.
func (f *folder) shared(w *workload, seen map[[sha256.Size]byte]int) (int, error) {
	data, err := json.Marshal(w)
	if err != nil {
		return 0, fmt.Errorf("report: %w", err)
	}
	sum := sha256.Sum256(data)
	at, ok := seen[sum]
	if !ok {
		at = len(f.page.Workloads)
		seen[sum] = at
		f.page.Workloads = append(f.page.Workloads, *w)
	}
	return at, nil
}

// replayed decides which trials have all their jobs on the page.
func replayed(runs []*run) []bool {
	out := make([]bool, len(runs))
	known, sum := map[string]bool{}, int64(0)
	for i, r := range runs {
		hash := r.row.WorkloadSHA256
		if hash != "" && known[hash] {
			out[i] = true
			continue
		}
		if sum+r.row.Jobs > maxReplayed {
			continue
		}
		sum += r.row.Jobs
		out[i], known[hash] = true, true
	}
	return out
}

// delays reports whether a policy, NAME or NAME:key=value,..., may decline GPUs to wait for closer
// ones: whether a setting that has such a wait is not 0.
func delays(policies entry.Policies, spec string) bool {
	name, text, _ := strings.Cut(spec, ":")
	given := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if k, v, ok := strings.Cut(part, "="); ok {
			given[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	at := slices.IndexFunc(policies, func(e entry.Policy) bool { return e.Name == name })
	if at < 0 || given["delay"] == "false" {
		return false
	}
	for _, s := range policies[at].SettingsOf(text) {
		switch s.Key {
		case "t_rack", "t_net", "wait_machine", "wait_rack", "tries_per_level", "finest":
			if v := cmp.Or(given[s.Key], s.Default); v != "0" && v != "" {
				return true
			}
		}
	}
	return false
}

// owned reports whether a trial's configuration has quotas.
func owned(config string) bool {
	var c struct {
		Quotas string `json:"quotas"`
	}
	return json.Unmarshal([]byte(config), &c) == nil && c.Quotas != "" && c.Quotas != "none"
}
