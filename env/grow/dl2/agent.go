package dl2

import "slices"

// Rows is how many numbers a state has per column: type, slots since arrival, part of the epochs left,
// dominant share, workers, servers.
const Rows = 6

// Kinds is how many actions a column has: a worker, a server, both.
const Kinds = 3

// Guard gives each job of an open slot, by id, a pair on the node with the fewest used units. A job
// whose pair does not fit there has none.
func (w *World) Guard() {
	for _, j := range w.ids {
		if !w.Give(j, 1, 1) {
			w.Tasks[j].Share = 0
		}
	}
}

// Window gives the jobs of the columns: by arrival and id the first that may have another task. It is
// valid until the next call.
func (w *World) Window() []int {
	w.window = w.window[:0]
	for _, j := range w.queue {
		if t := &w.Tasks[j]; t.Workers < w.set.Most || t.Servers < w.set.Most {
			if w.window = append(w.window, j); len(w.window) == w.set.Window {
				break
			}
		}
	}
	return w.window
}

// Column is the column of a job in the window; -1 = it is not in it.
func (w *World) Column(j int) int { return slices.Index(w.Window(), j) }

// State writes the Rows numbers of each column, one column after another, 0 where there is no job.
func (w *World) State(dst []float64) {
	clear(dst)
	for c, j := range w.Window() {
		t := &w.Tasks[j]
		copy(dst[c*Rows:], []float64{float64(1 + w.jobs[j].Type), float64(w.Slot - w.jobs[j].Slot), w.leftPart(j),
			t.Share, float64(t.Workers), float64(t.Servers)})
	}
}

// Mask writes which of the Kinds actions of each column are legal, one column after another, and
// reports whether any is.
func (w *World) Mask(dst []bool) (any bool) {
	clear(dst)
	for c, j := range w.Window() {
		t := &w.Tasks[j]
		worker, server := t.Workers < w.set.Most, t.Servers < w.set.Most
		dst[c*Kinds], dst[c*Kinds+1], dst[c*Kinds+2] = worker, server, worker && server
		any = any || worker || server
	}
	return any
}

// Prepare opens a slot for an agent.
func (w *World) Prepare() {
	if w.Open(); !w.set.Unguarded {
		w.Guard()
	}
}

// Act gives a column's job the tasks of a kind. A misfit closes the slot, as End does.
func (w *World) Act(column, kind int) (fits bool) {
	if fits = w.Task(column, kind); !fits {
		w.End()
	}
	return fits
}

// Task gives a column's job a worker (kind 0), a server (1) or both (2), and
// reports whether they fit on the node with the fewest used units.
func (w *World) Task(column, kind int) bool {
	return w.Give(w.Window()[column], 1-kind%2, min(kind, 1))
}

// End closes the slot and prepares the next one, unless all jobs have ended.
func (w *World) End() {
	if w.Close(); !w.Ended() {
		w.Prepare()
	}
}
