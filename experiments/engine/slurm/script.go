package slurm

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tarry/experiments/engine"
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
	// packs is how many elements there are where each runs the cells of a line of the file list; 0
	// = an element is a cell. retries is how often a cell that failed is started again.
	packs, retries int
	list           string
	opt            *slurmOptions
}

// text writes the script. The worker takes the shell's place (exec), so that Slurm's signals reach
// it: USR2 before the time limit or a preemption, TERM at it.
func (s *slurmScript) text() (string, error) {
	for _, path := range []string{s.dir, s.work} {
		if strings.ContainsAny(path, "\n\r\"\\") {
			return "", fmt.Errorf("slurm: folder %q has a quote, a backslash or a line break in its name, which "+
				"sbatch cannot take", path)
		}
	}
	elements := make([]int, len(s.cells))
	for i, c := range s.cells {
		elements[i] = c - s.offset
	}
	if s.packs > 0 {
		elements = elements[:s.packs]
		for i := range elements {
			elements[i] = i
		}
	}
	array := engine.FormatRanges(elements)
	if s.opt.throttle > 0 {
		array += fmt.Sprintf("%%%d", s.opt.throttle)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/bash\n# Cells %s of the sweep %s: %s.\n", engine.FormatRanges(s.cells), s.sweep,
		s.elementsAre())
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
		b.WriteString("set -e\n") // without its module a cell would fail in a less clear way
	}
	for _, m := range s.opt.modules {
		fmt.Fprintf(&b, "module load %s\n", m)
	}
	for _, line := range s.opt.prologue {
		b.WriteString(line + "\n")
	}
	words := append(s.worker[:len(s.worker):len(s.worker)], "--out", s.dir)
	if s.packs > 0 {
		words = append(words, "--pack", s.list, "--retries", strconv.Itoa(s.retries))
	}
	command := engine.QuoteWords(append(words, "--index"))
	fmt.Fprintf(&b, "exec %s \"$((SLURM_ARRAY_TASK_ID + %d))\"\n", command, s.offset)
	return b.String(), nil
}

// elementsAre reports which cells an element runs.
func (s *slurmScript) elementsAre() string {
	if s.packs > 0 {
		return "element i runs the cells of line i of " + filepath.Base(s.list) + ", from 0, one after the other"
	}
	return fmt.Sprintf("element i is cell i + %d", s.offset)
}

// packed puts ascending cells together: n to a pack, or as many as take the time together by the
// estimate, at least one.
func packed(cells []int, n int, together time.Duration, seconds func(cell int) float64) [][]int {
	var out [][]int
	sum := 0.0
	for _, c := range cells {
		last := len(out) - 1
		full := last < 0 || together == 0 && len(out[last]) >= max(n, 1)
		if together > 0 {
			one := seconds(c)
			sum += one
			if full = full || sum > together.Seconds() || len(out[last]) >= maxPack; full {
				sum = one
			}
		}
		if full {
			out = append(out, nil)
			last++
		}
		out[last] = append(out[last], c)
	}
	return out
}

// Packs reports how the option pack (N, or a time such as 10m) puts n cells together.
func Packs(option string, n int, seconds func(cell int) float64) ([][]int, error) {
	r := engine.ReadOptions("slurm", map[string]string{"pack": option}, nil)
	size, together := readPack(r)
	cells := make([]int, n)
	for i := range cells {
		cells[i] = i
	}
	return packed(cells, size, together, seconds), r.Err()
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
