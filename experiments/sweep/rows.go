package sweep

import (
	"slices"
	"sync"

	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/trial"
)

// cellRows are the rows of a cell that this process ran, for gathering: it need not read what it has
// written, which costs as much as the cell where the cell is small.
type cellRows struct {
	manifest    string // the hash of the cell's manifest
	trials      []results.Trial
	jobs        []results.Job
	predictions []results.Prediction
	measures    []results.Measure
}

const (
	// smallCell is up to how many jobs a cell has whose rows are kept.
	smallCell = 1 << 10
	// mostRows is how many jobs the kept rows have together, about 30 MB.
	mostRows = 1 << 16
)

// rowKeeper has the rows of small cells. It is safe for many goroutines.
type rowKeeper struct {
	mu    sync.Mutex
	jobs  int
	cells map[int]*cellRows
}

// wants reports whether the rows of trials are kept. Of several trials the files have an order of
// their own; such cells are read.
func (k *rowKeeper) wants(s *config.Setup, trials []trial.Trial) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(trials) == 1 && len(s.Runs[0].Workload.Jobs) <= smallCell && k.jobs < mostRows
}

// keptTables names the tables whose rows a trial must hand over; the rows of trials are there anyway.
func keptTables() []string {
	return []string{results.Job{}.Table(), results.Prediction{}.Table(), results.Measure{}.Table()}
}

// rowsOf takes the rows of a trial.
func rowsOf(r *trial.Result) *cellRows {
	return &cellRows{trials: []results.Trial{r.Row}, jobs: r.Jobs, predictions: r.Predictions, measures: r.Measures}
}

// keep takes the rows of a cell that is done.
func (k *rowKeeper) keep(cell int, manifest string, rows *cellRows) {
	if rows == nil {
		return
	}
	rows.manifest = manifest
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cells == nil {
		k.cells = map[int]*cellRows{}
	}
	if old := k.cells[cell]; old != nil {
		k.jobs -= len(old.jobs)
	}
	k.jobs += len(rows.jobs)
	k.cells[cell] = rows
}

// of gives the rows of a cell whose manifest has a hash; nil = they must be read.
func (k *rowKeeper) of(cell int, manifest string) *cellRows {
	k.mu.Lock()
	defer k.mu.Unlock()
	if rows := k.cells[cell]; rows != nil && rows.manifest == manifest {
		return rows
	}
	return nil
}

// tableOf gives a copy of the rows of a table; false for tables that are not kept.
func tableOf[T results.Row](rows *cellRows) ([]T, bool) {
	if rows == nil {
		return nil, false
	}
	for _, table := range [...]any{rows.trials, rows.jobs, rows.predictions, rows.measures} {
		if of, ok := table.([]T); ok {
			return slices.Clone(of), true
		}
	}
	return nil, false
}
