package pypolicy

import (
	"slices"
	"unsafe"

	"tarry/sim"
)

// table is the jobs in one state, ascending, and the columns of them in memory of the caller that
// are kept from one decision to the next.
type table struct {
	jobs []sim.JobID
	// steady states that most columns stay as they are while a job is in the table: those are kept.
	steady bool
	kept   []kept // by column
}

// kept is a column in memory of the caller's: as many words as the run has jobs.
type kept struct {
	words []int64 // nil = the caller gave none
	good  bool    // the first words have the numbers of the table's jobs
	idle  int     // decisions since it was asked for
}

// patience is after how many decisions without a question a column is no longer kept.
const patience = 16

// add and drop put a job into the table and take it out, with the columns that are kept.
func (t *table) add(s *Session, j sim.JobID) {
	i, there := slices.BinarySearch(t.jobs, j)
	if there {
		return
	}
	t.jobs = slices.Insert(t.jobs, i, j)
	n := len(t.jobs)
	for c := range t.kept {
		if k := &t.kept[c]; k.good {
			copy(k.words[i+1:n], k.words[i:n-1])
			k.words[i] = s.columns[c].bits(s, j)
		}
	}
}

func (t *table) drop(j sim.JobID) {
	i, there := slices.BinarySearch(t.jobs, j)
	if !there {
		return
	}
	n := len(t.jobs)
	t.jobs = slices.Delete(t.jobs, i, i+1)
	for c := range t.kept {
		if k := &t.kept[c]; k.good {
			copy(k.words[i:n-1], k.words[i+1:n])
		}
	}
}

// age forgets the columns that were not asked for of late.
func (t *table) age() {
	for c := range t.kept {
		k := &t.kept[c]
		if k.idle++; k.idle > patience {
			k.good = false
		}
	}
}

// fill writes a column into the caller's memory, unless it is there.
func (t *table) fill(s *Session, c int, memory unsafe.Pointer, room int) {
	if t.kept == nil {
		t.kept = make([]kept, len(s.columns))
	}
	k := &t.kept[c]
	if k.words == nil || unsafe.Pointer(unsafe.SliceData(k.words)) != memory {
		*k = kept{words: unsafe.Slice((*int64)(memory), room)}
	}
	k.idle = 0
	if k.good {
		return
	}
	for i, j := range t.jobs {
		k.words[i] = s.columns[c].bits(s, j)
	}
	k.good = t.steady && !s.columns[c].Moves
}
