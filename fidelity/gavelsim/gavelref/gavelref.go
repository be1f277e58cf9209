// Package gavelref compares gavel-sim with Gavel's own simulator. A folder of its results holds
//
//	TRACE__POLICY.jobs.csv    job_id, jct_s: every completion time must agree within clockS, or half of the last decimal stored
//	TRACE__POLICY.rounds.csv  round_start_s, job_id, gpu_type: names the first round that differs; may be absent
//	...__SOLVER.jobs.csv      the same of a policy whose problem a solver solved: several optima, so that its times are not compared
//	summary.csv               trace, cluster_v100_p100_k80, policy, lp_solver, mean_jct_s, makespan_s: means must be near one of the solvers'
//	type_order*.csv           the order of types in each round, for policies that know no types
//
// Of the agnostic objectives the means are not compared either: see policyOf.
//
// The traces are TRACE.csv in the folder or where the shared data has them (traces/gavel),
// throughputs are from profiles/gavel. Optimal fractions are not unique, and two solvers differ in
// mean completion time by up to 10 %: hence the tolerances.
package gavelref

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/run/config"
)

const (
	summaryFile = "summary.csv"
	jobsSuffix  = ".jobs.csv"
	// clockS is by how much a completion time may differ, in seconds: the kernel's clock counts
	// microseconds. A submission is rounded to the nearest, and a job ends on the tick nearest to
	// the exact instant or on the next.
	clockS = 2e-6
)

// Reader compares folders of results of Gavel's simulator.
func Reader() reference.Reader {
	return reference.Reader{Name: "gavel", Variants: []string{"gavel-sim"}, Knows: knows, Compare: compare}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func knows(f *reference.Folder) bool {
	if slices.ContainsFunc(f.Files, func(n string) bool { _, _, _, ok := fileName(n); return ok }) &&
		slices.ContainsFunc(f.Files, func(n string) bool { return strings.HasSuffix(n, ".rounds.csv") }) {
		return true
	}
	_, err := reference.ReadRows(filepath.Join(f.Dir, summaryFile), "trace", "cluster_v100_p100_k80", "policy",
		"mean_jct_s", "makespan_s")
	return err == nil
}

// runsOf keeps the runs of a folder, by trace and policy.
type runsOf struct {
	folder   *reference.Folder
	clusters map[string]string // trace -> V100:P100:K80
	done     map[string]*runOf
}

type runOf struct {
	lives    map[string]reference.Life
	rounds   roundLog
	mean     float64
	makespan float64
}

func compare(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o, runs := outcome{reference.Outcome{Unit: "s"}}, &runsOf{f, map[string]string{}, map[string]*runOf{}}
	var summary *reference.Rows
	if slices.Contains(f.Files, summaryFile) {
		var err error
		if summary, err = reference.ReadRows(filepath.Join(f.Dir, summaryFile), "trace", "cluster_v100_p100_k80", "policy",
			"mean_jct_s", "makespan_s"); err != nil {
			return o.Outcome, err
		}
		for i := range summary.Cells {
			runs.clusters[summary.Text(i, "trace")] = summary.Text(i, "cluster_v100_p100_k80")
		}
	}
	for _, name := range f.Files {
		if trace, policy, solver, ok := fileName(name); ok {
			if err := o.jobs(ctx, runs, name, trace, policy, solver); err != nil {
				o.Short = append(o.Short, fmt.Sprintf("%s: %v", name, err))
			}
		}
		o.other(f, name)
	}
	if summary != nil {
		o.summary(ctx, runs, summary)
	}
	return o.Outcome, ctx.Err()
}

// other names what is not compared of the files beside the completion times.
func (o *outcome) other(f *reference.Folder, name string) {
	kind, why := "", ""
	switch {
	case strings.HasSuffix(name, ".rounds.csv"):
		kind, why = "rounds", "they are read to name the first round in which a run differs"
	case strings.HasSuffix(name, ".alloc.csv"):
		kind, why = "fractions", "of policies without a solver: completion times follow from them"
		if _, policy, solver, ok := fileName(strings.TrimSuffix(name, ".alloc.csv") + jobsSuffix); ok {
			if p, _ := policies(policy); p.solved || solver != "" {
				why = severalOptima
			}
		}
	case strings.HasPrefix(name, "type_order"):
		o.Reads(name)
		return
	default:
		return
	}
	n := 0
	if r, err := reference.ReadRows(filepath.Join(f.Dir, name)); err == nil {
		n = len(r.Cells)
	}
	o.Leave(kind, name, n, why)
}

// of gives the run of a trace under a policy.
func (g *runsOf) of(ctx context.Context, trace, policy string) (*runOf, error) {
	if r := g.done[trace+"/"+policy]; r != nil {
		return r, nil
	}
	p, ok := policies(policy)
	if !ok {
		return nil, fmt.Errorf("policy %q is not compared: %s", policy, whyNot(policy))
	}
	c := config.Default()
	file, err := g.folder.Find(trace+".csv", "traces/gavel")
	if err != nil {
		return nil, err
	}
	table, err := g.folder.Find("isolated.csv", "profiles/gavel")
	if err != nil {
		return nil, err
	}
	spec := "gavel-sim:table=" + filepath.Dir(table) + "," + p.settings
	if p.shuffled {
		i := slices.IndexFunc(g.folder.Files, func(n string) bool {
			return strings.HasPrefix(n, "type_order") &&
				strings.HasSuffix(n, ".csv")
		})
		if i < 0 {
			return nil, fmt.Errorf("no file type_order*.csv, which %s draws from", policy)
		}
		spec += ",type_order=" + filepath.Join(g.folder.Dir, g.folder.Files[i])
	}
	size := g.clusters[trace]
	if size == "" {
		size = clusterOf(trace)
	}
	n := strings.Split(size, ":")
	if len(n) != 3 {
		return nil, fmt.Errorf("cluster %q, expected V100:P100:K80", size)
	}
	c.Trace, c.Speed, c.Policies = "gavel:"+file, "gavel:"+filepath.Dir(table), []string{spec}
	c.Cluster = fmt.Sprintf("v100:%sx1x1+p100:%sx1x1+k80:%sx1x1", n[0], n[1], n[2])
	r := &runOf{}
	if r.lives, err = g.folder.Simulate(ctx, c, &r.rounds); err != nil {
		return nil, err
	}
	r.sum()
	g.done[trace+"/"+policy] = r
	return r, nil
}

// clusterOf is the cluster on which a trace was run, where no summary states it.
func clusterOf(trace string) string {
	switch {
	case strings.HasSuffix(trace, "_test"):
		return "4:4:4"
	case strings.HasPrefix(trace, "gen"):
		return "36:36:36"
	}
	return "8:16:24"
}

// sum takes the mean completion time of the jobs that were completed, and the makespan. Sums follow
// the names of the jobs.
func (r *runOf) sum() {
	names := make([]string, 0, len(r.lives))
	for name := range r.lives {
		names = append(names, name)
	}
	slices.Sort(names)
	total, n := 0.0, 0
	for _, name := range names {
		if l := r.lives[name]; !math.IsNaN(l.End) {
			total += l.End - l.Submit
			n++
			r.makespan = max(r.makespan, l.End)
		}
	}
	r.mean = total / float64(max(n, 1))
}

// jobs compares the completion times of one run.
func (o *outcome) jobs(ctx context.Context, runs *runsOf, name, trace, policy, solver string) error {
	want, err := reference.ReadRows(filepath.Join(runs.folder.Dir, name), "job_id", "jct_s")
	if err != nil {
		return err
	}
	if p, ok := policies(policy); !ok {
		o.Leave("completion times", name, len(want.Cells), policy+": "+whyNot(policy))
		return nil
	} else if p.solved || solver != "" {
		o.Leave("completion times", name, len(want.Cells), severalOptima)
		return nil
	}
	agree := 0
	defer func() { o.Many("completion times", name, agree, len(want.Cells)) }()
	got, err := runs.of(ctx, trace, policy)
	if err != nil {
		return err
	}
	bad, within := 0, within(want, "jct_s")
	for i := range want.Cells {
		l, d := got.lives[want.Text(i, "job_id")], 0.0
		// else the simulator dropped the job
		if text := want.Text(i, "jct_s"); text != "" && !strings.EqualFold(text, "nan") {
			jct, err := want.Number(i, "jct_s")
			if err != nil {
				return err
			}
			d = math.Abs(l.End - l.Submit - jct)
		} else if !math.IsNaN(l.End) {
			d = math.Inf(1)
		}
		if !(d <= within) {
			bad++
		} else {
			agree++
		}
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		o.Worst = max(o.Worst, d)
	}
	if bad > 0 {
		o.Short = append(o.Short, fmt.Sprintf("%s: %d of %d completion times differ by more than %.2g s; %s", name,
			bad, len(want.Cells), within,
			got.rounds.apart(filepath.Join(runs.folder.Dir, strings.Replace(name, ".jobs.csv", ".rounds.csv", 1)))))
	}
	return nil
}

// within is clockS, or where a column has fewer than six decimals in all its cells, what they
// were rounded by.
func within(r *reference.Rows, column string) float64 {
	most := 0
	for i := range r.Cells {
		if _, decimals, ok := strings.Cut(r.Text(i, column), "."); ok {
			most = max(most, len(decimals))
		}
	}
	if most == 0 || most >= 6 {
		return clockS
	}
	half := 0.5
	for range most {
		half /= 10
	}
	return half + clockS
}
