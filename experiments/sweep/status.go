package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"tarry/internal/rundir"
	"tarry/output/results"
)

// State is how far a cell is.
type State string

// The states of a cell. A cell without a STATUS file is waiting.
const (
	Waiting   State = "waiting"
	Running   State = "running" // or its process was killed
	Done      State = "done"
	Failed    State = "failed"
	Requeue   State = "requeue" // stopped by a signal, it continues from what it kept
	Cancelled State = "cancelled"
)

// Status is the STATUS file of a cell.
type Status struct {
	State State `json:"state"`
	// Attempts counts how often the cell was started.
	Attempts int `json:"attempts"`
	// Failures counts how often it failed with code 1.
	Failures int `json:"failures,omitempty"`
	// Exit is the worker's exit code: 0, 1, 42 or 75.
	Exit int `json:"exit"`
	// Host ran the last attempt.
	Host string `json:"host"`
	// Error is why it failed; "" = it did not.
	Error string `json:"error"`
	// ConfigSHA256 is the cell's; a STATUS with another one belongs to another cell.
	ConfigSHA256 string `json:"config_sha256"`
	// ManifestSHA256 is the hash of the manifest of a cell that is done, which has the hashes of
	// its files; "" = it is not.
	ManifestSHA256 string `json:"manifest_sha256,omitempty"`
	// PeakRSS is the resident memory in bytes that a process of its own reached; 0 = not measured.
	PeakRSS int64 `json:"peak_rss_bytes,omitempty"`
}

// Over reports whether no engine should start the cell again: it is done, cancelled, failed for
// good (exit code 42), or failed more often than it may be retried.
func (s *Status) Over(retries int) bool {
	return s.State == Done || s.State == Cancelled || s.State == Failed &&
		(s.Exit == exitPermanent || s.Failures > retries)
}

// statusName is the file's name.
const statusName = "STATUS"

// readStatus reads a cell's STATUS; one that is not there is waiting.
func readStatus(dir string) (Status, error) {
	path := filepath.Join(dir, statusName)
	data, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Status{State: Waiting}, nil
	}
	if err != nil {
		return Status{}, err
	}
	var s Status
	if err := json.Unmarshal(data, &s); err != nil {
		return Status{}, fmt.Errorf("%s: %w", path, err)
	}
	switch s.State {
	case Running, Done, Failed, Requeue, Cancelled:
		return s, nil
	}
	return Status{}, fmt.Errorf("%s: state is %q, expected running, done, failed, requeue or cancelled", path, s.State)
}

// json is the file's line.
func (s *Status) json() []byte {
	data, err := json.Marshal(s)
	if err != nil {
		return nil // it holds numbers and text alone
	}
	return append(data, '\n')
}

// writeStatus replaces it, whole and durable.
func writeStatus(dir string, s Status) error {
	return results.WriteFile(filepath.Join(dir, statusName), s.json())
}
