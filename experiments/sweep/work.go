package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tarry/env/scenario"
	"tarry/output/durable"
	"tarry/output/results"
	"tarry/run/lock"
	"tarry/run/parts"
	"tarry/run/train"
)

// The exit codes of a worker. They are part of the interface: batch systems act on them.
const (
	exitDone      = 0
	exitFailed    = 1
	exitPermanent = 42
	exitRequeue   = 75
)

// What Work's errors wrap.
var (
	// ErrRequeue: the cell received a signal to stop, or another process has it; start it again.
	ErrRequeue = errors.New("the cell is not done: start it again")
	// ErrPermanent: the cell will fail again however often it is started.
	ErrPermanent = errors.New("the cell cannot be run")
	// ErrStorage: the folder cannot be written, which is no fault of the cell; it continues once it
	// can.
	ErrStorage = errors.New("the sweep's folder cannot be written")
)

// ExitCode is the exit code that stands for an error of Work: 0 done, 75 start it again, 42 it will
// fail again, 1 it failed.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, ErrRequeue):
		return exitRequeue
	case errors.Is(err, ErrPermanent):
		return exitPermanent
	}
	return exitFailed
}

// permanent marks an error.
func permanent(err error) error {
	if isStorage(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrPermanent, err)
}

// WorkOptions set how to run a cell. None of them changes its tables.
type WorkOptions struct {
	// Version is the program's, for the metadata.
	Version string
	// Host stands in STATUS.
	Host string
	// Workers is the number of goroutines inside the cell; < 1 means 1.
	Workers int
	// Clock gives the time since some start, for the log; nil = 0.
	Clock func() time.Duration
	// PeakRSS gives the resident memory that the process reached, for STATUS; nil = the process
	// runs other cells, too.
	PeakRSS func() int64
	// Commit is asked before STATUS states how the cell ended; an error (the lease is lost) leaves
	// STATUS to the process that holds the cell now. nil = always, and the cell is locked on this
	// machine.
	Commit func() error
	// Unsynced makes the files of the cell durable together with the files of other cells, after
	// this one is done; nil = before.
	Unsynced *durable.Unsynced
	// Progress receives, now and then, how many jobs ended in the cell; nil = no listener.
	Progress func(ended int)
}

// WorkAll runs cells one after the other. Cells that are over, by so many retries, are left alone;
// a cell that fails does not keep those after it from running. When ctx ends the rest is left for
// another start. The error is of the gravest kind to start again for: ErrRequeue, then a failure
// that may be retried, then ErrPermanent.
func (f *Folder) WorkAll(ctx context.Context, cells []int, retries int, opt WorkOptions) error {
	var again, failed, permanent error
	for _, cell := range cells {
		if cell < 0 || cell >= f.Len() {
			permanent = cmp.Or(permanent, fmt.Errorf("cell %d: %w, expected 0..%d", cell, ErrPermanent, f.Len()-1))
			continue
		}
		if st := f.Status(cell); st.Over(retries) {
			continue
		}
		err := f.Work(ctx, cell, opt)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return err
		case errors.Is(err, ErrRequeue), errors.Is(err, ErrStorage): // another process has it, or the disk is full
			again = cmp.Or(again, err)
		case ExitCode(err) == exitPermanent:
			permanent = cmp.Or(permanent, err)
		default:
			failed = cmp.Or(failed, err)
		}
	}
	return cmp.Or(again, failed, permanent)
}

// attempt is one start of a cell.
type attempt struct {
	from   *parts.Catalogues
	kept   *scenario.Kept
	dir    string
	sweep  string
	cell   Cell
	opt    WorkOptions
	status Status
	files  results.Batch // what takes its name when the cell is done: STATUS last
	log    *os.File
	heard  bool // of a first update

	counted string // what the log states of the trials once they are kept
	keeper  *rowKeeper
	rows    *cellRows // for gathering; nil = they are read
}

// Work runs a cell of the sweep: the one entry point of all engines, safe for many goroutines and
// different cells. A cell that is done already is left as it is. When ctx ends, the cell stops at
// its next checkpoint and the error wraps ErrRequeue. The STATUS of the cell states how it ended.
func (f *Folder) Work(ctx context.Context, index int, opt WorkOptions) error {
	cell, err := f.Cell(index)
	if err != nil {
		return permanent(err)
	}
	a := &attempt{from: f.from, kept: f.kept, dir: f.CellDir(index), sweep: f.Spec.Name, cell: cell, opt: opt,
		keeper: &f.rows, files: results.Batch{Hashed: true}}
	if a.opt.Clock == nil {
		a.opt.Clock = func() time.Duration { return 0 }
	}
	if over, err := a.over(); over || err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("cell %s: %w", cell.ID, ErrRequeue)
	}
	if err := a.begin(); err != nil {
		return storage(fmt.Errorf("cell %s: %w", cell.ID, err))
	}
	defer a.log.Close()
	if over, err := a.over(); over || err != nil { // the process that had the lock may have ended it
		return err
	}
	return a.attend(ctx)
}

// over reads STATUS and reports whether there is nothing to do. A cell that was run with other
// settings is an error, and is left as it is.
func (a *attempt) over() (bool, error) {
	s, err := readStatus(a.dir)
	if err != nil {
		s = Status{State: Waiting} // it is looked at again
	}
	a.status = s
	if s.ConfigSHA256 != "" && s.ConfigSHA256 != a.cell.ConfigSHA256 {
		return false, fmt.Errorf("cell %s: %w: %s is of other settings (SHA-256 %.12s, the sweep's are %.12s); move "+
			"the folder of the cell away",
			a.cell.ID, ErrPermanent, filepath.Join(a.dir, statusName), s.ConfigSHA256, a.cell.ConfigSHA256)
	}
	switch s.State {
	case Done:
		return true, nil
	case Cancelled:
		return false, fmt.Errorf("cell %s: %w: it was cancelled; tarry sweep retry takes that back", a.cell.ID,
			ErrPermanent)
	}
	return false, nil
}

// begin opens the log, which is also the cell's lock.
func (a *attempt) begin() (err error) {
	if err := os.MkdirAll(a.dir, 0o777); err != nil {
		return err
	}
	if a.log, err = os.OpenFile(filepath.Join(a.dir, logName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return err
	}
	err = lock.File(a.log, false)
	switch {
	case err == nil, errors.Is(err, lock.ErrHeld) && a.opt.Commit != nil: // the lease decides
		return nil
	case errors.Is(err, lock.ErrHeld):
		err = fmt.Errorf("%w: another process on this machine runs it now", ErrRequeue)
	}
	a.log.Close()
	return err
}

// attend runs the cell and states how it ended.
func (a *attempt) attend(ctx context.Context) error {
	a.status = Status{State: Running, Attempts: a.status.Attempts + 1, Failures: a.status.Failures, Host: a.opt.Host,
		ConfigSHA256: a.cell.ConfigSHA256}
	a.say("starts on %s", a.opt.Host)
	files, err := a.run(ctx)
	if err == nil {
		files, err = a.keptFiles(files)
	}
	if err == nil {
		meta := results.NewMeta(string(a.configJSON()), "", a.opt.Version)
		meta.Codec = codecOf(a.cell.Settings)
		a.status.ManifestSHA256, err = a.files.WriteManifest(context.WithoutCancel(ctx), a.dir, meta, files)
	}
	defer a.files.Abort()
	if a.opt.Commit != nil {
		if lost := a.opt.Commit(); lost != nil {
			a.say("gives the cell up: %v", lost)
			return fmt.Errorf("cell %s: %w: %w", a.cell.ID, ErrRequeue, lost)
		}
	}
	return a.end(ctx, err)
}

// run makes the folder ready and lets the kind run.
func (a *attempt) run(ctx context.Context) ([]string, error) {
	k, err := findKind(a.cell.Kind)
	if err != nil {
		return nil, permanent(err)
	}
	if err := discard(a.dir); err != nil {
		return nil, err
	}
	// Neither of the two is synced: without them the cell is only looked at again.
	if err := errors.Join(writeQuick(filepath.Join(a.dir, configName), a.configJSON()),
		writeQuick(filepath.Join(a.dir, statusName), a.status.json())); err != nil {
		return nil, err
	}
	return k.run(ctx, a)
}

// keptFiles adds to the tables of a cell what else is its own: its configuration, and all that a
// training or a tuning keeps.
func (a *attempt) keptFiles(tables []string) ([]string, error) {
	files := []string{configName}
	for _, f := range tables {
		files = append(files, filepath.ToSlash(filepath.Clean(f)))
	}
	err := filepath.WalkDir(filepath.Join(a.dir, runFolder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(a.dir, path)
		files = append(files, filepath.ToSlash(rel))
		return err
	})
	slices.Sort(files)
	return slices.Compact(files), ignoreMissing(err)
}

// configJSON is the cell as it stands in config.json: without its index, which moves when a sweep
// is extended.
func (a *attempt) configJSON() []byte {
	data, err := json.MarshalIndent(struct {
		Cell
		Index *int `json:"index,omitempty"`
	}{Cell: a.cell}, "", "  ")
	if err != nil {
		return nil // it was read from JSON
	}
	return append(data, '\n')
}

// end writes STATUS and gives the error that stands for it.
func (a *attempt) end(ctx context.Context, err error) error {
	s := &a.status
	if a.opt.PeakRSS != nil {
		s.PeakRSS = a.opt.PeakRSS()
	}
	if err == nil {
		if err = a.done(); err == nil {
			if a.counted != "" {
				a.say("%s", a.counted)
			}
			a.keeper.keep(a.cell.Index, s.ManifestSHA256, a.rows)
			a.say("%s", Done)
			return nil
		}
		s.ManifestSHA256 = ""
	}
	switch {
	case isStorage(err), denied(err, a.dir):
		s.State, s.Exit, s.Error = Requeue, exitRequeue, err.Error()
		err = storage(err)
	case errors.Is(err, ErrRequeue), ctx.Err() != nil && errors.Is(err, ctx.Err()):
		s.State, s.Exit = Requeue, exitRequeue
		if !errors.Is(err, ErrRequeue) {
			err = fmt.Errorf("%w: %w", ErrRequeue, err)
		}
	default:
		s.State, s.Exit, s.Error = Failed, ExitCode(err), err.Error()
		s.Failures++
	}
	if bad := writeStatus(a.dir, *s); bad != nil {
		a.say("%s, but STATUS cannot be written: %v", s.State, bad)
		return fmt.Errorf("cell %s: %w", a.cell.ID, errors.Join(err, storage(bad)))
	}
	a.say("%s: %v", s.State, err)
	return fmt.Errorf("cell %s: %w", a.cell.ID, err)
}

// done gives the files of the cell their names, STATUS last, which states that the cell is done.
func (a *attempt) done() error {
	s := a.status
	s.State, s.Exit = Done, exitDone
	if err := a.files.WriteFile(filepath.Join(a.dir, statusName), s.json()); err != nil {
		return err
	}
	return a.files.CommitTo(a.opt.Unsynced)
}

// said writes the updates of a training to the log: the first, the last, and updates with a
// validation.
func (a *attempt) said(p train.Progress) {
	if !a.heard || p.Row.Steps >= p.Steps || p.Validation == p.Validation {
		a.heard = true
		at := fmt.Sprintf("update %d of %d", p.Row.Update, p.Updates)
		if p.Updates == 0 { // episodes are as long as they are
			at = fmt.Sprintf("update %d, %d of %d steps", p.Row.Update, p.Row.Steps, p.Steps)
		}
		a.say("%s, return %.6g, validation %.6g", at, p.Row.Return, p.Validation)
	}
	a.ended(p.Row.Steps)
}
