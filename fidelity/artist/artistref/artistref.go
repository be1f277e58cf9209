// Package artistref compares artist-dally and artist-tiresias with the simulator of Dally's authors.
// A folder holds
//
//	runs.csv         file, list, cluster, policy: a run each, in the words of tarry simulate --preset paper
//	FILE.jobs.csv    job_id, submit, start, end, ... of that run, in seconds
//	speed_table*.csv compute fractions; the one called exact goes before others
//
// The lists and the table may stand in the folder itself or where the shared data has its own.
// Every start and end must agree to 2 ms.
package artistref

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/run/config"
)

const (
	artistRuns  = "runs.csv"
	artistJobs  = ".jobs.csv"
	artistTable = "speed_table_exact.csv"
	artistS     = 2e-3
)

// Reader compares folders of results of that program.
func Reader() reference.Reader {
	return reference.Reader{Name: "artist-sim", Variants: []string{"artist-dally"}, Knows: isArtistSim,
		Compare: compareArtistSim}
}

func isArtistSim(f *reference.Folder) bool {
	return slices.Contains(f.Files, artistRuns) && slices.ContainsFunc(f.Files,
		func(s string) bool { return strings.HasSuffix(s, artistJobs) })
}

func compareArtistSim(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := reference.Outcome{Unit: "s"}
	runs, err := reference.ReadRows(filepath.Join(f.Dir, artistRuns), "file", "list", "cluster", "policy")
	if err != nil {
		return o, err
	}
	table, err := tableOf(f)
	if err != nil {
		return o, err
	}
	o.Reads(artistRuns, filepath.Base(table))
	listed := map[string]bool{}
	for i := range runs.Cells {
		listed[runs.Text(i, "file")+artistJobs] = true
		if err := compareRun(ctx, &o, f, runs, i, table); err != nil {
			o.Short = append(o.Short, fmt.Sprintf("run %s: %v", runs.Text(i, "file"), err))
		}
	}
	for _, name := range f.Files {
		if strings.HasSuffix(name, artistJobs) && !listed[name] {
			o.Short = append(o.Short, fmt.Sprintf("%s is not in %s: nothing states how it was run", name, artistRuns))
		}
	}
	nameOthers(&o, f, filepath.Base(table))
	return o, nil
}

// nameOthers names what else stands in a folder: tables that another goes before, and values of
// the model of links.
func nameOthers(o *reference.Outcome, f *reference.Folder, table string) {
	for _, name := range f.Files {
		switch {
		case name == table:
		case strings.HasPrefix(name, "speed_table") && strings.HasSuffix(name, ".csv"):
			o.Leave("rows", name, 0, "the runs read "+table)
		case strings.HasPrefix(name, "collective_grid"):
			o.Leave("values", name, 0, "they are of the network model alone, whose tests compare them")
		}
	}
}

// tableOf is the folder's own speed table, or the shared one.
func tableOf(f *reference.Folder) (string, error) {
	own := ""
	for _, name := range f.Files {
		if strings.HasPrefix(name, "speed_table") && strings.HasSuffix(name, ".csv") &&
			(own == "" || strings.Contains(name, "exact")) {
			own = name
		}
	}
	if strings.Contains(own, "exact") {
		return filepath.Join(f.Dir, own), nil
	}
	if path, err := f.Find(artistTable, "reference/artist-sim"); err == nil || own == "" {
		return path, err
	}
	return filepath.Join(f.Dir, own), nil
}

// compareRun runs one row of runs.csv and compares it with its jobs.
func compareRun(ctx context.Context, o *reference.Outcome, f *reference.Folder, runs *reference.Rows, i int,
	table string) error {
	file := filepath.Join(f.Dir, runs.Text(i, "file")+artistJobs)
	want, err := reference.ReadRows(file, "job_id", "submit", "start", "end")
	if err != nil {
		return err
	}
	agree, worst, apart := 0, 0.0, ""
	defer func() { o.Many("jobs", want.File, agree, len(want.Cells)) }()
	c, err := configOf(f, runs, i, table)
	if err != nil {
		return err
	}
	got, err := f.Simulate(ctx, c)
	if err != nil {
		return err
	}
	if agree, worst, apart, err = compareLives(want, got); err != nil {
		return err
	}
	o.Worst = max(o.Worst, worst)
	if agree < len(want.Cells) || len(got) != len(want.Cells) {
		o.Short = append(o.Short, fmt.Sprintf("%s: %d of %d jobs agree (%d simulated), worst %.3g s, %s",
			runs.Text(i, "file"), agree, len(want.Cells), len(got), worst, apart))
	}
	return nil
}

// configOf is the configuration of a row of runs.csv, as its README writes it on the command
// line.
func configOf(f *reference.Folder, runs *reference.Rows, i int, table string) (config.Config, error) {
	list, err := f.Find(runs.Text(i, "list"), "traces/artist-sim")
	if err != nil {
		return config.Config{}, err
	}
	c := config.Default()
	if err := c.ApplyPreset("paper"); err != nil {
		return config.Config{}, err
	}
	c.Placement, c.Speed, c.Trace = "first-found", "table:"+table+",fallback=collective", "artistsim:"+list
	c.Cluster, c.Policies = runs.Text(i, "cluster"), []string{runs.Text(i, "policy")}
	return c, nil
}

// compareLives counts the jobs whose start and end agree. apart names the first in time that does
// not.
func compareLives(want *reference.Rows, got map[string]reference.Life) (agree int, worst float64, apart string,
	err error) {
	first := math.Inf(1)
	for i := range want.Cells {
		start, err1 := want.Number(i, "start")
		end, err2 := want.Number(i, "end")
		if err := errors.Join(err1, err2); err != nil {
			return 0, 0, "", err
		}
		g, ok := got[want.Text(i, "job_id")]
		if !ok || math.IsNaN(g.End) {
			g = reference.Life{Start: math.Inf(1), End: math.Inf(1)}
		}
		d := max(math.Abs(g.Start-start), math.Abs(g.End-end))
		worst = max(worst, d)
		if d <= artistS {
			agree++
			continue
		}
		at := end
		if math.Abs(g.Start-start) > artistS {
			at = start
		}
		if at < first {
			first = at
			apart = fmt.Sprintf("first job %s: %.6f to %.6f s, there %.6f to %.6f s", want.Text(i, "job_id"), g.Start,
				g.End, start, end)
		}
	}
	return agree, worst, apart, nil
}
