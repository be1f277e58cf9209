package runs

import (
	"fmt"
	"os"
	"path/filepath"

	"tarry/run/lock"
)

// Status states how far a run is.
type Status string

// The states of a run.
const (
	// Finished has all its files; of a sweep, every cell is done or cancelled.
	Finished Status = "finished"
	// Running is written by another process now.
	Running Status = "running"
	// Interrupted was stopped or killed, or has cells left: the same command continues it.
	Interrupted Status = "interrupted"
	// Broken cannot be read, or is a sweep with cells that failed; Err states why.
	Broken Status = "broken"
)

// manifestName is the file that every run writes last.
const manifestName = "manifest.json"

// status gives how far a run is, which has been read.
func (r *Run) status() Status {
	_, missing := os.Stat(filepath.Join(r.Dir, manifestName))
	over := missing == nil
	if r.Kind == "sweep" {
		over = r.Headline.Cells == r.cells["done"]+r.cells["cancelled"]
	}
	switch {
	case over && r.Err == nil:
		return Finished
	case !over && lock.Held(r.Dir):
		return Running
	case r.Err != nil:
		return Broken
	case r.cells["failed"] > 0:
		r.Err = fmt.Errorf("%d of %d cells failed: tarry sweep status %s --failed lists them", r.cells["failed"],
			r.Headline.Cells, r.Dir)
		return Broken
	}
	return Interrupted
}
