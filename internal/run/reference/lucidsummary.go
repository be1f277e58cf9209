package reference

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

const (
	lucidSummary = "summary.csv"
	// lucidDigits is half a unit of the last digit of its means.
	lucidDigits = 0.5e-4
)

// lucidDone is what was run for one file.
type lucidDone struct {
	list, policy string
	got          map[string]life
}

// lucidMeans compares the rows of the summary, each as one. A row is that of the one file with its policy, in a folder of several lists of
// the one with its trace as well.
func (o *Outcome) lucidMeans(f *Folder, done []lucidDone) error {
	names := [...]string{"jobs", "mean_jct_s", "mean_queue_s", "last_end_s", "p99_jct_s", "preemptions"}
	s, err := readRows(filepath.Join(f.Dir, lucidSummary), append([]string{"policy"}, names[:]...)...)
	if err != nil {
		return err
	}
	_, named := s.at["trace"]
	for i := range s.cells {
		o.Of++
		policy := s.text(i, "policy")
		var of []lucidDone
		for _, d := range done {
			if d.policy == strings.ToLower(policy) && (!named || d.list == s.text(i, "trace")) {
				of = append(of, d)
			}
		}
		if len(of) != 1 {
			o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %d files of policy %s, expected one", s.file, i+1, len(of), policy))
			continue
		}
		good := true
		for k, x := range lucidFigures(of[0].got) {
			want, err := s.number(i, names[k])
			if err != nil {
				return err
			}
			if d := math.Abs(x - want); !(d <= lucidDigits*1.001) { // the digits of the difference itself
				good = false
				o.Worst = max(o.Worst, d)
				o.Short = append(o.Short, fmt.Sprintf("%s: %s of %s is %v, expected %v", s.file, names[k], policy, x, want))
			}
		}
		if good {
			o.Agree++
		}
	}
	return nil
}

// lucidFigures are the columns of the summary. Of the sorted completion times p99 is that at floor(0.99 n).
func lucidFigures(got map[string]life) [6]float64 {
	var jcts []float64
	var x [6]float64
	for _, l := range got {
		jcts = append(jcts, l.end-l.submit)
		x[3] = max(x[3], l.end)
		x[2] += l.queue
		x[5] += float64(l.preemptions)
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
