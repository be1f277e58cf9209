//go:build !unix

package cost

import (
	"errors"
	"runtime"
)

// limitProcessor reports that this system has no such limit.
func limitProcessor(int) error {
	return errors.New("no limit of processor time on " + runtime.GOOS + ", expected a Unix system")
}
