package dl2

// Chooser is a rule in the agent's own actions: it sees the jobs of the window alone, and a task that
// does not fit on the node with the fewest used units closes the slot.
type Chooser struct {
	// Name is unique, Doc states what it does.
	Name, Doc string
	// Choose gives a column and a kind for Act; column -1 = End.
	Choose func(w *World) (column, kind int)
}

// Choosers are the rules in the agent's own actions. Where the window holds all jobs and Guard is not
// called each allocates as the Rule of its name does, but for drf-turns.
func Choosers() []Chooser {
	capped := func(name, doc string, pairs int) Chooser {
		return Chooser{name, doc, func(w *World) (int, int) {
			return w.least(w.SlotsLeft, pairs)
		}}
	}
	return []Chooser{
		capped("time", "pairs by the slots left with all workers, up to the cap", 1<<30),
		capped("time8", "the same, at most 8 a job", 8),
		capped("time4", "the same, at most 4 a job", 4),
		capped("time2", "the same, at most 2 a job", 2),
		{"gain", "a pair by the part of the epochs left that it does, for its units, if it fits", (*World).chooseGain},
		{"drf", "a pair to the job with the least dominant share",
			func(w *World) (int, int) { return w.least(w.share, 1<<30) }},
		{"drf-turns", "the same, a worker and then a server", (*World).chooseTurns},
		{"fifo", "pairs up to the cap in order of arrival",
			func(w *World) (int, int) { return w.least(func(int) float64 { return 0 }, 1<<30) }},
		{"srtf", "as fifo, by the part of the epochs that is left",
			func(w *World) (int, int) { return w.least(w.leftPart, 1<<30) }},
		{"optimus", "a task by the gain in slots left", (*World).chooseOptimus},
	}
}

// both is the kind of a pair.
const both = 2

// least gives a pair to the job of the window with the least key that has fewer pairs than the cap.
func (w *World) least(key func(j int) float64, pairs int) (column, kind int) {
	best, least := -1, 0.0
	for c, j := range w.Window() {
		if t := &w.Tasks[j]; max(t.Workers, t.Servers) >= min(pairs, w.set.Most) {
			continue
		}
		if k := key(j); best < 0 || k < least {
			best, least = c, k
		}
	}
	return best, both
}

func (w *World) chooseGain() (column, kind int) {
	best, most := -1, 0.0
	for c, j := range w.Window() {
		if g := w.Gain(j); g > most && w.Room(j, 1, 1) {
			best, most = c, g
		}
	}
	return best, both
}

func (w *World) chooseTurns() (column, kind int) {
	for c, j := range w.Window() {
		if w.Tasks[j].Workers > w.Tasks[j].Servers {
			return c, 1
		}
	}
	column, _ = w.least(w.share, w.set.Most)
	return column, 0
}

func (w *World) chooseOptimus() (column, kind int) {
	best, least := -1, bid{}
	for c, j := range w.Window() {
		b, t := w.bid(j), &w.Tasks[j]
		full := t.Workers >= w.set.Most && !b.server || t.Servers >= w.set.Most && b.server
		if !full && (b.key < least.key || best >= 0 && b.key == least.key && w.byID(j, w.window[best]) < 0) {
			best, least = c, b
		}
	}
	if least.server {
		return best, 1
	}
	return best, 0
}
