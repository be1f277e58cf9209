package train

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"

	"tarry/sim"
)

// A job has up to two marks, the first 64 bits of SHA-256 each, so that it is known again when it was cut
// in another way, shifted in time, or written to another file:
//
//   - its name, GPUs and work, which any cut, filter, sample, scale and conversion keeps;
//   - its GPUs and work, those of the job submitted next, and the time between the two if that is
//     more than 0, which an excerpt keeps whose jobs have other names (some formats count rows).
//
// Users, models and the like are no part of a mark: conversions fill them in.

// byName is a job's first mark.
func byName(j *sim.Job) uint64 {
	return mark(fmt.Sprintf("name %q %d %d", j.ID, j.GPUs, j.Work))
}

// chain is how many jobs in a row a second mark is of.
const chain = 4

// byNext is the second mark of the first of some jobs; false when it has none.
func byNext(jobs []sim.Job) (uint64, bool) {
	if len(jobs) < chain || jobs[0].Submit == jobs[chain-1].Submit {
		return 0, false
	}
	text := []byte("next")
	for i := range chain {
		text = fmt.Appendf(text, " %d %d %d", jobs[i].Submit-jobs[0].Submit, jobs[i].GPUs, jobs[i].Work)
	}
	return mark(string(text)), true
}

func mark(text string) uint64 {
	s := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(s[:])
}

// marks are the marks of many jobs; in JSON they are sorted, 8 bytes each, in base64.
type marks map[uint64]bool

// add takes in jobs.
func (m marks) add(w *sim.Workload) {
	for i := range w.Jobs {
		m[byName(&w.Jobs[i])] = true
		if x, ok := byNext(w.Jobs[i:]); ok {
			m[x] = true
		}
	}
}

// known counts the jobs of a window that have a mark among them: all jobs of a chain.
func (m marks) known(w *sim.Workload) int {
	n, left := 0, 0
	for i := range w.Jobs {
		left--
		if x, ok := byNext(w.Jobs[i:]); ok && m[x] {
			left = chain
		}
		if left > 0 || m[byName(&w.Jobs[i])] {
			n++
		}
	}
	return n
}

func (m marks) text() string {
	all := make([]uint64, 0, len(m))
	for x := range m {
		all = append(all, x)
	}
	slices.Sort(all)
	b := make([]byte, 0, 8*len(all))
	for _, x := range all {
		b = binary.BigEndian.AppendUint64(b, x)
	}
	return base64.StdEncoding.EncodeToString(b)
}

func readMarks(text string) (marks, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b)%8 != 0 {
		return nil, fmt.Errorf("jobs are no base64 of 8 bytes each: %d bytes, %w", len(b), err)
	}
	m := marks{}
	for ; len(b) > 0; b = b[8:] {
		m[binary.BigEndian.Uint64(b)] = true
	}
	return m, nil
}
