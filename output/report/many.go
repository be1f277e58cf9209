package report

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tarry/internal/rundir"
)

// shownConfigs bounds the configurations shown of a folder of several.
const shownConfigs = 50

// many reads a folder that holds folders of trials, trainings or tunings. Trainings and tunings
// that differ in their seed alone are seeds of one line; trials of different folders are never
// pooled: the folder is an axis.
func (r *Reader) many(ctx context.Context, f *folder) error {
	held := map[string]*held{}
	counts := map[rundir.Kind]int{}
	folders := map[rundir.Kind]int{} // of each kind
	for _, m := range f.members {
		folders[m.Kind]++
	}
	for _, m := range f.members {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.member(ctx, m, folders[rundir.Trials] > 1); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if counts[m.Kind]++; len(f.page.Config) < shownConfigs && m.Kind != rundir.Sweep {
			if err := f.config(m.Dir, m.Name+"/config.json"); err != nil {
				return err
			}
		}
	}
	for _, one := range f.runs {
		if held[one.id] == nil {
			held[one.id] = heldOf(f.runs, one.id)
		}
	}
	r.held = held
	f.settle()
	labelRuns(f.learn, func(l *learned) (*string, *request, string, uint64) {
		return &l.label, &l.asked, l.name,
			l.seed
	})
	labelRuns(f.tuned, func(t *tuned) (*string, *request, string, uint64) { return &t.label, &t.asked, t.name, t.seed })
	f.titleOfMany(counts)
	return nil
}

// kind reports what the folders are: several are of kindMany, and their members have the names by
// which the folders differ.
func (r *Reader) kind() (rundir.Kind, []rundir.Member, error) {
	if r.dirs == nil {
		return kindOf(r.dir)
	}
	var all []rundir.Member
	for i, name := range rundir.Names(r.dirs) {
		dir := r.dirs[i]
		if slices.ContainsFunc(all, func(m rundir.Member) bool { return m.Name == name }) {
			return "", nil, asked("%s is given twice, expected different folders", dir)
		}
		kind, list, err := kindOf(dir)
		if err != nil {
			return "", nil, err
		}
		if kind != kindMany {
			all = append(all, rundir.Member{Name: name, Dir: dir, Kind: kind})
			continue
		}
		for _, m := range list {
			m.Name = name + "/" + m.Name
			all = append(all, m)
		}
	}
	return kindMany, all, nil
}

// stamps are the stamps of all folders.
func (r *Reader) stamps() (stamp, error) {
	if r.dirs == nil {
		return stampOf(r.dir)
	}
	var all stamp
	for _, dir := range r.dirs {
		s, err := stampOf(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, s...)
	}
	return all, nil
}

// labels are the labels of the folder, or else of its members.
func (r *Reader) labels(members []rundir.Member) (map[string]string, error) {
	all := map[string]string{}
	for _, m := range members {
		labels, err := rundir.Labels(m.Dir)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, labels)
	}
	if r.dirs != nil {
		return all, nil
	}
	own, err := rundir.Labels(r.dir)
	maps.Copy(all, own)
	return all, err
}

func heldOf(runs []*run, id string) *held {
	h := &held{}
	for _, one := range runs {
		if one.id == id {
			h.runs = append(h.runs, one)
		}
	}
	return h
}

// member reads one of the folders; axis reports whether its name is an axis of its trials.
func (f *folder) member(ctx context.Context, m rundir.Member, axis bool) error {
	switch m.Kind {
	case rundir.Trials:
		runs, err := loadRuns(ctx, m.Dir, false, &f.left.trials)
		if err != nil {
			return err
		}
		order, _, err := givenConfig(m.Dir, runs)
		if err != nil {
			return err
		}
		f.order = merged(f.order, order)
		for _, one := range runs {
			one.id = m.Name
			if axis {
				one.axes = append(one.axes, axisValue{"folder", m.Name})
			}
		}
		f.take(runs)
	case rundir.Train:
		one, err := loadLearned(ctx, m.Dir, &f.left.curves)
		if err != nil {
			return err
		}
		if one.name = m.Name; len(one.rows) > 0 {
			f.learn = append(f.learn, one)
		} else {
			f.note("%s: the run has no curves yet", m.Name)
		}
	case rundir.Tune:
		one, err := loadTuned(ctx, m.Dir, &f.left.tune)
		if err != nil {
			return err
		}
		if one.name = m.Name; len(one.rows) > 0 {
			f.tuned = append(f.tuned, one)
		}
	default:
		f.note("%s is the folder of a sweep, which has a page of its own: tarry report %s", m.Name,
			filepath.Base(m.Name))
	}
	return nil
}

// merged adds names to an order: each before the first that follows it among the names and is in the
// order, so that agents of a later folder come before the rules of an earlier one.
func merged(order, names []string) []string {
	for i, name := range names {
		if slices.Contains(order, name) {
			continue
		}
		at := slices.IndexFunc(order, func(o string) bool { return slices.Contains(names[i+1:], o) })
		if at < 0 {
			at = len(order)
		}
		order = slices.Insert(order, at, name)
	}
	return order
}

// labelRuns names runs after what they run and after the settings in which they differ, but for the
// seed: runs with one label are seeds of one line. Two with the same label and seed are
// distinguished by their folders.
func labelRuns[T any](all []T, of func(*T) (label *string, asked *request, name string, seed uint64)) {
	differ := map[string]bool{}
	first := map[string]string{}
	seed := func(key string) bool { return key == "seed" || strings.HasSuffix(key, ".seed") }
	for i := range all {
		_, asked, _, _ := of(&all[i])
		if i == 0 {
			first = asked.all
		}
		for k, v := range asked.all {
			differ[k] = differ[k] || first[k] != v
		}
		for k := range first {
			_, there := asked.all[k]
			differ[k] = differ[k] || !there
		}
	}
	var keys []string
	for k, yes := range differ {
		if yes && !seed(k) && k != "agent" && k != "policy" && k != "optimiser" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	taken := map[string]int{}
	key := func(label string, seed uint64) string { return fmt.Sprintf("%s %d", label, seed) }
	for i := range all {
		label, asked, _, n := of(&all[i])
		what := []string{asked.Agent}
		if asked.Agent == "" {
			what = []string{asked.Policy, "tuned by " + asked.Optimiser}
		}
		for _, k := range keys {
			name := k[strings.LastIndexByte(k, '.')+1:]
			if v, there := asked.all[k]; there {
				what = append(what, name+"="+v)
			} else {
				what = append(what, "no "+name)
			}
		}
		*label = strings.Join(what, ", ")
		taken[key(*label, n)]++
	}
	for i := range all {
		label, _, name, n := of(&all[i])
		if taken[key(*label, n)] > 1 {
			*label += " (" + name + ")"
		}
	}
}

// titleOfMany reports what is in the folder.
func (f *folder) titleOfMany(counts map[rundir.Kind]int) {
	var what []string
	for _, k := range [...]struct {
		kind      rundir.Kind
		one, more string
	}{
		{rundir.Trials, "comparison", "comparisons"}, {rundir.Train, "training run", "training runs"},
		{rundir.Tune, "tuning run", "tuning runs"}, {rundir.Sweep, "sweep", "sweeps"},
	} {
		switch n := counts[k.kind]; {
		case n == 1:
			what = append(what, "1 "+k.one)
		case n > 1:
			what = append(what, fmt.Sprintf("%d %s", n, k.more))
		}
	}
	f.page.Title = strings.Join(what, ", ")
	var labels, envs []string
	for _, l := range f.learn {
		if !slices.Contains(labels, l.label) {
			labels = append(labels, l.label)
		}
		if e := l.asked.Env; e != "" && !slices.Contains(envs, e) {
			envs = append(envs, e)
		}
	}
	f.ask("training of", strings.Join(labels, "\n"))
	var tunings []string
	for _, t := range f.tuned {
		if !slices.Contains(tunings, t.label) {
			tunings = append(tunings, t.label)
		}
		if e := t.asked.Env; e != "" && !slices.Contains(envs, e) {
			envs = append(envs, e)
		}
	}
	f.ask("tuning", strings.Join(tunings, "\n"))
	f.ask("environment", strings.Join(envs, "\n"))
}
