package logs

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/internal/stats"
	rows "tarry/output/results"
)

// bounded is what a run time counts as at least in a bounded slowdown, s.
const bounded = 10

// sum adds bounded slowdowns of a user's jobs.
type sum struct {
	total float64
	jobs  int
}

// windowUsers has the users of each trial whose jobs' rows are kept, by the trial's keys.
type windowUsers map[rows.Keys]map[string]*sum

// readUsers counts the table jobs, which has too many rows to be held at once. Jobs without a user
// and jobs that did not finish are left out.
func readUsers(ctx context.Context, d *sweep.Data) (windowUsers, error) {
	w := windowUsers{}
	err := sweep.Scan(ctx, d, func(part []rows.Job) error {
		for i := range part {
			w.add(&part[i])
		}
		return nil
	})
	return w, err
}

func (w windowUsers) add(j *rows.Job) {
	if j.User == "" || math.IsNaN(j.JCT) {
		return
	}
	users := w[j.Keys]
	if users == nil {
		users = map[string]*sum{}
		w[j.Keys] = users
	}
	s := users[j.User]
	if s == nil {
		s = &sum{}
		users[j.User] = s
	}
	s.total += max(1, j.JCT/max(j.Run, bounded))
	s.jobs++
}

// means are the users' mean bounded slowdowns in a trial, the largest first; empty = no rows were
// kept.
func (w windowUsers) means(k rows.Keys) []float64 {
	var out []float64
	for _, s := range w[k] {
		out = append(out, s.mean())
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}

func (s *sum) mean() float64 { return s.total / float64(s.jobs) }

// mean is that over a trial's users; NaN = no rows were kept.
func (w windowUsers) mean(k rows.Keys) float64 { return stats.Mean(w.means(k)) }

// worst is the mean of the worst tenth of a trial's users, at least one; NaN = no rows were kept.
func (w windowUsers) worst(k rows.Keys) float64 {
	all := w.means(k)
	return stats.Mean(all[:(len(all)+9)/10])
}

// worse is the share of a trial's users whose mean is above theirs in the trial of the same window
// under the base, in per cent; NaN = the rows of one of them were not kept.
func (w windowUsers) worse(k, of rows.Keys) float64 {
	mine, theirs := w[k], w[of]
	n, worse := 0, 0
	for _, user := range slices.Sorted(maps.Keys(mine)) {
		with := theirs[user]
		if with == nil {
			continue
		}
		n++
		if a, b := mine[user].mean(), with.mean(); a > b && !stats.Equal(a, b) {
			worse++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return 100 * float64(worse) / float64(n)
}

// window names a window of a setting.
type window struct {
	setting string
	number  int64
}

// usersBook is a book that has the users' numbers as well; false where no jobs' rows were kept.
func usersBook(ctx context.Context, d *sweep.Data, book *digest.Book) (*digest.Book, bool, error) {
	w, err := readUsers(ctx, d)
	if err != nil || len(w) == 0 {
		return nil, false, err
	}
	bases := map[window]rows.Keys{}
	of := func(k rows.Keys) window { return window{d.Axis(k, "setting"), k.Replicate} }
	for k := range w {
		if k.Policy == base {
			bases[of(k)] = k
		}
	}
	b := book.Adding("users_mean", "users' bounded slowdown", w.mean).Adding("users_worst", "mean of the worst tenth",
		w.worst)
	b = b.Adding("users_worse", "users worse off (%)", func(k rows.Keys) float64 {
		if k.Policy == base {
			return math.NaN()
		}
		with, ok := bases[of(k)]
		if !ok {
			return math.NaN()
		}
		return w.worse(k, with)
	})
	return b, true, nil
}

// drawUsers adds the figures of which users lose, for the settings whose jobs' rows were kept.
func drawUsers(ctx context.Context, d *sweep.Data, book *digest.Book) error {
	b, ok, err := usersBook(ctx, d, book.Only(func(series string) bool { return series != mark }))
	if err != nil || !ok {
		return err
	}
	b.Means("users_mean", "Mean over a window's users of their mean bounded slowdown.", "setting", "learner",
		"users_mean", "log")
	b.Means("users_worst", "Mean bounded slowdown of the worst tenth of a window's users.", "setting", "learner",
		"users_worst", "log")
	b.Means("users_worse", "Users whose mean bounded slowdown is above that under EASY by requests.", "setting",
		"learner", "users_worse", "log")
	return nil
}
