package learn

import "fmt"

// Run counts what a learner has done so far, and stops it at its first fault. Set Agent; the rest
// starts at zero.
type Run struct {
	// Agent is the agent's name: errors begin with it, and checkpoints carry it.
	Agent string
	// Updates is the number of updates made, Steps the number of environment steps, including a
	// warm start's.
	Updates, Steps int
	// Tally has the last episodes.
	Tally Tally
	// Failed is the error of the update that was not finished; "" = none failed.
	Failed string
}

// Do makes one update: once does the work and gives the figures that are its own. After an error a
// learner can still be saved, to look into it, but no longer be trained or resumed.
func (r *Run) Do(once func() (Row, error)) (Row, error) {
	if r.Failed != "" {
		return Row{}, fmt.Errorf("%s: a former update failed: %s", r.Agent, r.Failed)
	}
	row, err := once()
	if err != nil {
		return row, r.Fail(fmt.Errorf("update %d: %w", r.Updates+1, err))
	}
	r.Updates++
	row.Update, row.Steps = r.Updates, r.Steps
	r.Tally.Tell(&row)
	return row, nil
}

// Fail keeps the error that ended the run, and returns it with the agent's name.
func (r *Run) Fail(err error) error {
	err = fmt.Errorf("%s: %w", r.Agent, err)
	r.Failed = err.Error()
	return err
}

// Updater is the part of a learner that makes updates.
type Updater interface {
	Update() (Row, error)
	Done() bool
}

// Train makes the updates that are left. watch receives the row of each; an error from watch ends
// training, between two updates.
func Train(l Updater, watch func(Row) error) error {
	for !l.Done() {
		row, err := l.Update()
		if err != nil {
			return err
		}
		if err := watch(row); err != nil {
			return err
		}
	}
	return nil
}
