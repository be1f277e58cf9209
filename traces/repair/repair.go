// Package repair makes a cleaned copy of a trace and keeps an account of each change.
//
// Reading guide: Rules lists the rules. Rules of sim/account are a reader's, which sees the rows
// (traces/intake); Apply has the others, which need the jobs alone. A repaired copy that is read
// and repaired again does not change.
package repair

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/cluster"
	"tarry/sim/origin"
	"tarry/sim/param"
	"tarry/sim/tabular"
	"tarry/traces/quality"
)

// The names of the rules that Apply has.
const (
	clock    = "clock"
	censored = "censored"
	types    = "types"
	fits     = "fits"
	names    = "names"
)

// Rule is one rule.
type Rule struct {
	// Name is how it is chosen, Doc what it does.
	Name, Doc string
	// Safe states that it applies unless others are chosen.
	Safe bool
	// Needs is the flag without which the rule has nothing to go by: cluster, zone, or "".
	Needs string
}

// Rules lists the rules in the order in which they apply.
func Rules() []Rule {
	return []Rule{
		{account.WrongRows, "rows that cannot be read are left out; without this rule they are an error", true, ""},
		{account.Copies, "rows equal to an earlier one are left out", true, ""},
		{account.Ids, "a job that has the id of another one gets a number behind it", true, ""},
		{account.Order, "rows are put in the order of submits; without this rule another order is an error", true, ""},
		{clock, "submits without a zone are local times of --zone, whose summer time is taken out", true, "zone"},
		{censored, "jobs whose run was cut off at the end of the log are left out", false, ""},
		{types, "GPU types are spelled as the cluster's", true, "cluster"},
		{fits, "jobs that the cluster can never hold are left out", true, "cluster"},
		{names, "names that CSV reads in another way (None, 5.0, blanks at an end) are written as they are read", true, ""},
	}
}

// Options states what rules go by.
type Options struct {
	// Cluster is what the jobs are to run on; nil = not known.
	Cluster *cluster.Topology
	// Zone is where the clock of submits without a zone was; nil = not known.
	Zone *time.Location
}

func (o *Options) has(flag string) bool {
	return flag == "" || flag == "cluster" && o.Cluster != nil || flag == "zone" && o.Zone != nil
}

// Choose gives the names of the rules that apply: the rules in list, or the safe ones where it is empty.
// A rule that needs a flag is left out of the safe ones without it, and an error where it is named.
func Choose(list []string, opt Options) ([]string, error) {
	var out, all []string
	for _, r := range Rules() {
		all = append(all, r.Name)
		switch named := slices.Contains(list, r.Name); {
		case named && !opt.has(r.Needs):
			return nil, fmt.Errorf("rule %s without --%s", r.Name, r.Needs)
		case named || len(list) == 0 && r.Safe && opt.has(r.Needs):
			out = append(out, r.Name)
		}
	}
	for _, name := range list {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("unknown rule %q, expected some of %s%s", name, strings.Join(all, ","),
				param.Hint(name, all))
		}
	}
	return out, nil
}

// work is one repair.
type work struct {
	*account.Repair
	report *account.Report
	opt    Options
	jobs   []sim.Job
	// renamed has the ids that names changed, by what they were.
	renamed map[string]string
}

// Apply repairs what a reader with the same Repair has read, and completes its account. The
// workload stays as it is.
func Apply(w *sim.Workload, report *account.Report, r *account.Repair, opt Options) (*sim.Workload, error) {
	if !r.On(account.Order) && report.Late > 0 {
		return nil, fmt.Errorf("%s: %d rows are submitted before an earlier row, expected rows in the order of "+
			"submits, or the rule %s", report.LateAt, report.Late, account.Order)
	}
	k := &work{Repair: r, report: report, opt: opt, jobs: slices.Clone(w.Jobs), renamed: map[string]string{}}
	for _, step := range []struct {
		name string
		do   func() error
	}{{clock, k.clock}, {censored, k.censored}, {types, k.types}, {fits, k.fits}, {names, k.names}} {
		if r.On(step.name) {
			if err := step.do(); err != nil {
				return nil, err
			}
		}
	}
	if len(k.jobs) == 0 {
		return nil, errors.New("no job is left")
	}
	out, err := sim.NewWorkload(w.Name, k.jobs, append(slices.Clone(w.Origins), origin.Origin{Field: "id",
		Source: "repaired: " + strings.Join(r.Rules, ", ")})...)
	if err != nil {
		return nil, err
	}
	k.places(out)
	return out, nil
}

// note adds a change of a job.
func (k *work) note(j *sim.Job, field, before, after, rule, why string) {
	k.Add(account.Change{Row: k.Lines[j.ID], ID: j.ID, Field: field, Before: before, After: after, Rule: rule, Why: why})
}

// drop leaves out the jobs for which why gives a reason.
func (k *work) drop(rule string, why func(*sim.Job) string) {
	k.jobs = slices.DeleteFunc(k.jobs, func(j sim.Job) bool {
		text := why(&j)
		if text != "" {
			k.note(&j, "work_s", seconds(j.Work), account.Dropped, rule, text)
		}
		return text != ""
	})
}

func seconds(t sim.Time) string { return tabular.FormatMicros(int64(t)) }

func (k *work) censored() error {
	cut := map[string]bool{}
	for _, id := range k.report.Cut {
		cut[id] = true
	}
	k.drop(censored, func(j *sim.Job) string {
		if cut[j.ID] {
			return "the run was cut off at the end of the log"
		}
		return ""
	})
	return nil
}

func (k *work) types() error {
	for i := range k.jobs {
		j := &k.jobs[i]
		if j.GPUType == "" || k.opt.Cluster.OfType(j.GPUType) == 0 {
			continue
		}
		if name := k.opt.Cluster.Named(j.GPUType); name != j.GPUType {
			k.note(j, "gpu_type", j.GPUType, name, types, "the cluster's spelling")
			j.GPUType = name
		}
	}
	return nil
}

func (k *work) fits() error {
	k.drop(fits, func(j *sim.Job) string { return quality.Why(j, k.opt.Cluster) })
	return nil
}

// names writes names as CSV reads them.
func (k *work) names() error {
	taken := map[string]bool{}
	for i := range k.jobs {
		taken[k.jobs[i].ID] = true
	}
	const why = "CSV reads it so"
	for i := range k.jobs {
		j := &k.jobs[i]
		for _, f := range []struct {
			name string
			at   *string
		}{{"model", &j.Model}, {"user", &j.User}, {"group", &j.Group}, {"vc", &j.VC}, {"gpu_type", &j.GPUType},
			{"state", &j.State}} {
			if read := asRead(*f.at); read != *f.at {
				k.note(j, f.name, *f.at, read, names, why)
				*f.at = read
			}
		}
		id := asRead(j.ID)
		if id == j.ID {
			continue
		}
		for n := 1; id == "" || taken[id]; n++ {
			id = strings.TrimPrefix(asRead(j.ID)+"-"+strconv.Itoa(n), "-")
		}
		taken[id] = true
		k.note(j, "id", j.ID, id, names, why)
		k.renamed[j.ID] = id
		j.ID = id
	}
	return nil
}

// asRead is what the reader of CSV makes of a name.
func asRead(s string) string {
	s = strings.TrimSpace(s)
	if tabular.IsUnknown(s) {
		return ""
	}
	return tabular.PlainName(s)
}

// places completes the changes of the order: where a row came to stand. Rows that were left out since
// have none.
func (k *work) places(w *sim.Workload) {
	at := make(map[string]int, len(w.Jobs))
	for i := range w.Jobs {
		at[w.Jobs[i].ID] = i + 1
	}
	place := func(c *account.Change) int { return at[cmp.Or(k.renamed[c.ID], c.ID)] }
	k.Changes = slices.DeleteFunc(k.Changes, func(c account.Change) bool {
		return c.Rule == account.Order && place(&c) == 0
	})
	for i := range k.Changes {
		if c := &k.Changes[i]; c.Rule == account.Order {
			c.After = strconv.Itoa(place(c))
		}
	}
}
