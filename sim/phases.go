package sim

// phasing is a Coupled model in which jobs have phases: its speeds do not follow from who runs alone.
type phasing interface {
	// Keep lets the next Place of a job continue its phase; otherwise an iteration of the job begins
	// at the Now of the Query.
	Keep(id JobID)
	// Phases appends the phases of the placed jobs; SetPhases takes them back, after the same jobs
	// were placed.
	Phases(dst []float64) []float64
	SetPhases(from []float64)
}

// replug gives a coupled model a running job again of which it may price what has changed. A job that
// is not held back continues its phase.
func (e *Engine) replug(q *Query, held Time) error {
	if p, ok := e.coupled.(phasing); ok && held == 0 {
		p.Keep(q.ID)
	}
	e.coupled.Remove(q.ID)
	return e.connect(q)
}

// savePhases copies what the speed model has beside the engine's state.
func (e *Engine) savePhases(dst []float64) []float64 {
	if p, ok := e.coupled.(phasing); ok {
		return p.Phases(dst)
	}
	return dst
}

// loadPhases gives it back.
func (e *Engine) loadPhases() {
	if p, ok := e.coupled.(phasing); ok {
		p.SetPhases(e.phases)
	}
}
