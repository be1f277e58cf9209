package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
)

// A job has up to two marks, the first 64 bits of SHA-256 each, so that it is known again when it
// was cut in another way, shifted in time, or written to another file:
//
//   - its name, GPUs and work, which any cut, filter, sample, scale and conversion keeps; with it
//     stands when it was submitted (identity.go);
//   - its GPUs and work, the GPUs and work of the job submitted next, and the time between the two
//     if that is more than 0, which an excerpt keeps whose jobs have other names (some formats
//     count rows).
//
// Jobs that are equal need not be the same job: arrays have many of the same GPUs and work. So the
// second mark is kept of places that are unlike all others, and not looked at in the trace itself,
// where names identify jobs. Users, models and the like are no part of a mark: conversions fill
// them in.

// byName is a job's first mark under a name.
func byName(name string, j *sim.Job) uint64 {
	return mark(fmt.Sprintf("name %q %d %d", name, j.GPUs, j.Work))
}

// chain is how many jobs in a row a second mark is of.
const chain = 4

// byNext is the second mark of the first of some jobs; false when it has none: too few follow, or
// all come at once.
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

// alike reports whether the first jobs of a chain are an array: of the same GPUs and work, and at
// the same distances.
func alike(jobs []sim.Job) bool {
	for i := 1; i < chain; i++ {
		a, b := &jobs[0], &jobs[i]
		if a.GPUs != b.GPUs || a.Work != b.Work || b.Submit-jobs[i-1].Submit != jobs[1].Submit-a.Submit {
			return false
		}
	}
	return true
}

func mark(text string) uint64 {
	s := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(s[:])
}

// marks are what is known of many jobs.
type marks struct {
	// trace is the hash of all jobs of the trace that they are of; "" = it is not known.
	trace string
	// names has the first marks of each part, with the submits on the clock of the part.
	names []map[uint64]sim.Time
	// chains has the second marks: how often each occurs.
	chains map[uint64]int
	// plain has both kinds of marks as earlier versions left them, without submits.
	plain map[uint64]bool
}

// add takes in the jobs of a part.
func (m *marks) add(w *sim.Workload) {
	part := make(map[uint64]sim.Time, len(w.Jobs))
	if m.chains == nil {
		m.chains = map[uint64]int{}
	}
	for i := range w.Jobs {
		part[byName(w.Jobs[i].ID, &w.Jobs[i])] = w.Jobs[i].Submit
		if x, ok := byNext(w.Jobs[i:]); ok && !alike(w.Jobs[i:]) {
			m.chains[x]++
		}
	}
	m.names = append(m.names, part)
}

// known counts the jobs of a window that are among them. trace is the hash of all jobs of the trace
// that the window is of, "" = it is of none.
func (m *marks) known(w *sim.Workload, trace string) int {
	same := make([]bool, len(w.Jobs))
	if trace != "" && trace == m.trace && len(m.names) > 0 {
		m.byNames(w, same)
	} else {
		m.byTimes(w, same)
		left := 0
		for i := range w.Jobs {
			left--
			if x, ok := byNext(w.Jobs[i:]); ok && (m.chains[x] == 1 || m.plain[x]) {
				left = chain
			}
			same[i] = same[i] || left > 0 || m.plain[byName(w.Jobs[i].ID, &w.Jobs[i])]
		}
	}
	n := 0
	for _, s := range same {
		if s {
			n++
		}
	}
	return n
}

// text gives what JSON has: names of each part and chains that are of one place, in base64, sorted:
// 16 bytes of a name with its submit, 8 of a chain.
func (m *marks) text() (names []string, chains string) {
	for _, part := range m.names {
		all := make([][]byte, 0, len(part))
		for x, at := range part {
			all = append(all, binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, x), uint64(at)))
		}
		names = append(names, packed(all))
	}
	var all [][]byte
	for x, n := range m.chains {
		if n == 1 {
			all = append(all, binary.BigEndian.AppendUint64(nil, x))
		}
	}
	return names, packed(all)
}

func packed(all [][]byte) string {
	slices.SortFunc(all, bytes.Compare)
	return base64.StdEncoding.EncodeToString(bytes.Join(all, nil))
}

// readMarks reads what a windows.json has of jobs.
func readMarks(s *seen) (m marks, err error) {
	m = marks{trace: s.Trace, chains: map[uint64]int{}, plain: map[uint64]bool{}}
	each := func(text string, size int, do func(b []byte)) {
		b, e := base64.StdEncoding.DecodeString(text)
		if e != nil || len(b)%size != 0 {
			err = fmt.Errorf("jobs are no base64 of %d bytes each: %d bytes, %w", size, len(b), e)
			return
		}
		for ; len(b) > 0; b = b[size:] {
			do(b)
		}
	}
	for _, text := range s.Names {
		part := map[uint64]sim.Time{}
		each(text, 16, func(b []byte) { part[binary.BigEndian.Uint64(b)] = sim.Time(binary.BigEndian.Uint64(b[8:])) })
		m.names = append(m.names, part)
	}
	each(s.Chains, 8, func(b []byte) { m.chains[binary.BigEndian.Uint64(b)] = 1 })
	each(s.Jobs, 8, func(b []byte) { m.plain[binary.BigEndian.Uint64(b)] = true })
	return m, err
}

// original is the name of the job that a job is a copy of, as scenario.Batch names copies.
func original(name string) string { return name[:max(0, strings.LastIndexByte(name, '#'))] }
