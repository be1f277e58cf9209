package vodaref

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarry/baselines/voda/allocate"
	"tarry/fidelity/reference"
)

// AFSReader compares allocations by the tournament of AFS-L, made from the rule and not by its
// authors' program. A folder holds a file with the jobs of each instance, one with the GPUs that
// they get, in the same order. All are equal.
func AFSReader() reference.Reader {
	return reference.Reader{Name: "afs-l", Knows: isAFSL, Compare: compareAFSL}
}

func isAFSL(f *reference.Folder) bool {
	_, _, err := afslFiles(f)
	return err == nil
}

// afslFiles finds the two files by their columns.
func afslFiles(f *reference.Folder) (jobs, allocations *reference.Rows, err error) {
	for _, name := range f.Files {
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		path := filepath.Join(f.Dir, name)
		if r, err := reference.ReadRows(path, "instance", "gpus", "remaining_work", "max_gpus",
			"throughput_at_1_2_3"); err == nil {
			jobs = r
		} else if r, err := reference.ReadRows(path, "instance", "gpus", "allocation"); err == nil {
			allocations = r
		}
	}
	if jobs == nil || allocations == nil {
		return nil, nil, fmt.Errorf("%s has no files with jobs and allocations of AFS-L", f.Name)
	}
	return jobs, allocations, nil
}

func compareAFSL(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "GPUs"}}
	table, allocations, err := afslFiles(f)
	if err != nil {
		return o.Outcome, err
	}
	o.Reads(table.File)
	jobs := map[string][]allocate.Job{}
	for i := range table.Cells {
		j, err := afslJob(table, i)
		if err != nil {
			return o.Outcome, err
		}
		instance := table.Text(i, "instance")
		jobs[instance] = append(jobs[instance], j)
	}
	t := allocate.Tournament{Own: true, Earlier: true}
	for i := range allocations.Cells {
		instance := allocations.Text(i, "instance")
		gpus, err := allocations.Number(i, "gpus")
		if err != nil {
			return o.Outcome, err
		}
		want, err := reference.Numbers(allocations.Text(i, "allocation"))
		if err != nil {
			return o.Outcome, fmt.Errorf("%s: row %d: %w", allocations.File, i+1, err)
		}
		counts := make([]int, len(want))
		for n, x := range want {
			counts[n] = int(x)
		}
		o.allocation(allocations.File, t.Share(jobs[instance], int(gpus), nil), counts, "instance "+instance)
	}
	return o.Outcome, ctx.Err()
}

func afslJob(r *reference.Rows, i int) (allocate.Job, error) {
	j := allocate.Job{Min: 1}
	left, err1 := r.Number(i, "remaining_work")
	most, err2 := r.Number(i, "max_gpus")
	speeds, err3 := reference.Numbers(r.Text(i, "throughput_at_1_2_3"))
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return j, fmt.Errorf("%s: row %d: %w", r.File, i+1, err)
		}
	}
	j.Max, j.Remaining, j.Speedup = int(most), left, slices.Insert(speeds, 0, 0)
	return j, nil
}
