package engine

import (
	"fmt"
	"strings"
)

// slurmScript is a batch script: an array whose element i runs the cell i + Offset.
type slurmScript struct {
	// sweep, name: of the sweep and of the job.
	sweep, name string
	// cells are ascending; the numbers of the elements are theirs less offset, because a cluster
	// bounds them (MaxArraySize).
	cells  []int
	offset int
	// dir is the sweep's folder, work where the script runs; both absolute.
	dir, work string
	// worker is the start of the worker's command line.
	worker []string
	opt    *slurmOptions
}

// text writes the script. The worker takes the shell's place (exec), so that Slurm's signals reach
// it: USR2 before the time limit or a preemption, TERM at it.
func (s *slurmScript) text() (string, error) {
	for _, path := range []string{s.dir, s.work} {
		if strings.ContainsAny(path, "\n\r\"\\") {
			return "", fmt.Errorf("slurm: folder %q has a quote, a backslash or a line break in its name, which sbatch cannot take", path)
		}
	}
	elements := make([]int, len(s.cells))
	for i, c := range s.cells {
		elements[i] = c - s.offset
	}
	array := formatRanges(elements)
	if s.opt.throttle > 0 {
		array += fmt.Sprintf("%%%d", s.opt.throttle)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/bash\n# Cells %s of the sweep %s: element i is cell i + %d.\n", formatRanges(s.cells), s.sweep, s.offset)
	option := func(format string, args ...any) { fmt.Fprintf(&b, "#SBATCH "+format+"\n", args...) }
	option("--job-name=%s", s.name)
	option("--array=%s", array)
	option(`--output="%s/slurm/%%A_%%a.log"`, strings.ReplaceAll(s.dir, "%", "%%"))
	option("--open-mode=append")
	option("--requeue")
	option("--signal=B:USR2@%d", int(s.opt.warning.Seconds()))
	option(`--chdir="%s"`, s.work)
	for _, p := range s.opt.pass {
		option("%s", p)
	}
	if len(s.opt.modules)+len(s.opt.prologue) > 0 {
		b.WriteString("set -e\n") // without its module a cell would fail in a less telling way
	}
	for _, m := range s.opt.modules {
		fmt.Fprintf(&b, "module load %s\n", m)
	}
	for _, line := range s.opt.prologue {
		b.WriteString(line + "\n")
	}
	command := quoteWords(append(s.worker[:len(s.worker):len(s.worker)], "--out", s.dir, "--index"))
	fmt.Fprintf(&b, "exec %s \"$((SLURM_ARRAY_TASK_ID + %d))\"\n", command, s.offset)
	return b.String(), nil
}

// chunks cuts ascending cells into arrays whose elements have numbers below size.
func chunks(cells []int, size int) [][]int {
	var out [][]int
	for len(cells) > 0 {
		end := (cells[0]/size + 1) * size
		n := 0
		for n < len(cells) && cells[n] < end {
			n++
		}
		out = append(out, cells[:n])
		cells = cells[n:]
	}
	return out
}
