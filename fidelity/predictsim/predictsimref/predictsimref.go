// Package predictsimref compares predictsim-easy with the program of Gaussier, Glesser, Reis and
// Trystram, SC 2015. A folder holds
//
//	predictsim.csv   log, run_times, fill, jobs, mean_completion_s, mean_bounded_slowdown
//
// with the means over all jobs of a log, LOG.swf, which may stand in the folder or where the shared
// data has it. run_times is known or requested, fill is arrival or shortest (EASY-SJBF). Every mean
// is to be equal to 1e-12 of it.
package predictsimref

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/fidelity/reference"
	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/trial"
)

const (
	table  = "predictsim.csv"
	within = 1e-12
)

// Reader compares folders of results of that program.
func Reader() reference.Reader {
	return reference.Reader{Name: "predictsim", Variants: []string{"predictsim-easy"},
		Knows:   func(f *reference.Folder) bool { return slices.Contains(f.Files, table) },
		Compare: compare}
}

func compare(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := reference.Outcome{Unit: "of a mean"}
	rows, err := reference.ReadRows(filepath.Join(f.Dir, table), "log", "run_times", "fill", "jobs",
		"mean_completion_s", "mean_bounded_slowdown")
	if err != nil {
		return o, err
	}
	for i := range rows.Cells {
		off, err := row(ctx, f, rows, i)
		if err == nil && !(off <= within) {
			err = fmt.Errorf("a mean differs by %.3g of it", off)
		}
		o.Worst = max(o.Worst, off)
		if o.One("rows", table, err == nil); err != nil {
			o.Short = append(o.Short, fmt.Sprintf("%s, row %d: %v", table, i+1, err))
		}
	}
	return o, ctx.Err()
}

// row runs a row and gives by how much of it a mean differs at most.
func row(ctx context.Context, f *reference.Folder, rows *reference.Rows, i int) (float64, error) {
	jobs, err1 := rows.Number(i, "jobs")
	completion, err2 := rows.Number(i, "mean_completion_s")
	slowdown, err3 := rows.Number(i, "mean_bounded_slowdown")
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return 0, err
		}
	}
	by, ok := map[string]string{"known": "estimate", "requested": "request"}[rows.Text(i, "run_times")]
	if !ok {
		return 0, fmt.Errorf("run_times is %q, expected known or requested", rows.Text(i, "run_times"))
	}
	log := rows.Text(i, "log")
	path, err := f.Find(log+".swf", "traces/"+log)
	if err != nil {
		return 0, err
	}
	got, err := Play(ctx, f, path, "predictsim-easy:by="+by+",fill="+rows.Text(i, "fill"))
	if err != nil {
		return 0, err
	}
	if float64(got.Jobs) != jobs {
		return 0, fmt.Errorf("%d jobs, there %v", got.Jobs, jobs)
	}
	return max(math.Abs(got.JCTMean/completion-1), math.Abs(got.BSLDMean/slowdown-1)), nil
}

// Play runs a log, read as that program reads it, under a policy.
func Play(ctx context.Context, f *reference.Folder, path, policy string) (results.Trial, error) {
	dir, err := os.MkdirTemp("", "predictsim")
	if err != nil {
		return results.Trial{}, err
	}
	defer os.RemoveAll(dir)
	read := filepath.Join(dir, "log.swf")
	if err := rewrite(path, read); err != nil {
		return results.Trial{}, err
	}
	c := config.Default()
	c.Trace, c.Cluster, c.Speed, c.Policies = "swf:"+read, "log", "counting", []string{policy}
	s, err := config.Build(c, f.From)
	if err != nil {
		return results.Trial{}, err
	}
	done, err := trial.Run(ctx, s.Trials(), trial.Options{Workers: 1})
	if err != nil {
		return results.Trial{}, err
	}
	return done[0].Row, nil
}

// rewrite writes a log as that program reads it: the processors are those requested, a job runs no
// longer than its request, and jobs without run time are left out.
func rewrite(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	var out strings.Builder
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		if strings.HasPrefix(lines.Text(), ";") || len(f) < 18 {
			out.WriteString(lines.Text() + "\n")
			continue
		}
		run, err1 := strconv.Atoi(f[3])
		asked, err2 := strconv.Atoi(f[8])
		if err1 != nil || err2 != nil {
			return fmt.Errorf("%s:%d: run time %q, requested time %q, expected whole seconds", from, n, f[3], f[8])
		}
		if run <= 0 {
			continue
		}
		if asked > 0 {
			f[3] = strconv.Itoa(min(run, asked))
		}
		if f[7] != "-1" {
			f[4] = f[7]
		}
		out.WriteString(strings.Join(f, " ") + "\n")
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, []byte(out.String()), 0o666)
}
