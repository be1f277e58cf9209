package lucidref

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
)

const (
	lucidSummary = "summary.csv"
	// lucidDigits is half a unit of the last digit of its means.
	lucidDigits = 0.5e-4
)

// lucidDone is what was run for one file.
type lucidDone struct {
	list, policy string
	got          map[string]reference.Life
}

// lucidMeans compares the rows of the summary, each as one, by the columns that it has. A row
// belongs to the file with its policy, and its trace where the summary names it; where several
// files may be meant it must agree with one of them. Without a file it is not compared.
func (o *outcome) lucidMeans(f *reference.Folder, done []lucidDone) error {
	s, err := reference.ReadRows(filepath.Join(f.Dir, lucidSummary), "policy")
	if err != nil {
		return err
	}
	_, named := s.At["trace"]
	for i := range s.Cells {
		policy := s.Text(i, "policy")
		best, apart, short, of := -1, 0.0, "", 0
		for _, d := range done {
			if d.policy != strings.ToLower(policy) || named && d.list != s.Text(i, "trace") {
				continue
			}
			n, worst, text, err := lucidRow(s, i, d)
			if err != nil {
				return err
			}
			if of++; best < 0 || n < best {
				best, apart, short = n, worst, text
			}
		}
		if of == 0 {
			o.Leave("rows", lucidSummary, 1, fmt.Sprintf("no file has policy %s", policy))
			continue
		}
		if o.One("rows of the summary", lucidSummary, best == 0); best == 0 {
			continue
		}
		o.Worst = max(o.Worst, apart)
		o.Short = append(o.Short, short)
	}
	return nil
}

// lucidRow counts the columns of a row of the summary that are not a run's; worst and text are of
// the column that is furthest off.
func lucidRow(s *reference.Rows, i int, d lucidDone) (n int, worst float64, text string, err error) {
	got := lucidFigures(d.got)
	for k, name := range [...]string{"jobs", "mean_jct_s", "mean_queue_s", "last_end_s", "p99_jct_s", "preemptions"} {
		if _, there := s.At[name]; !there {
			continue
		}
		want, err := s.Number(i, name)
		if err != nil {
			return 0, 0, "", err
		}
		if x := math.Abs(got[k] - want); !(x <= lucidDigits*1.001) { // the digits of the difference itself
			if n++; !(x <= worst) {
				worst, text = x, fmt.Sprintf("%s: %s of %s is %v, expected %v", s.File, name, d.policy, got[k], want)
			}
		}
	}
	return n, worst, text, nil
}

// lucidFigures are the columns of the summary. Of the sorted completion times p99 is that at
// floor(0.99 n).
func lucidFigures(got map[string]reference.Life) [6]float64 {
	var jcts []float64
	var x [6]float64
	for _, l := range got {
		jcts = append(jcts, l.End-l.Submit)
		x[3] = max(x[3], l.End)
		x[2] += l.Queue
		x[5] += float64(l.Preemptions)
	}
	slices.Sort(jcts) // sums of whole seconds do not depend on the order
	for _, j := range jcts {
		x[1] += j
	}
	n := len(jcts)
	x[0] = float64(n)
	if n > 0 {
		x[1], x[2], x[4] = x[1]/x[0], x[2]/x[0], jcts[99*n/100]
	}
	return x
}
