package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tarry/experiments/sweep"
)

// longGrace is how long a stopped process may take to write its checkpoint.
const longGrace = 10 * time.Minute

// process runs a cell in a process of its own. What it prints goes to the cell's log; how it went
// is in STATUS. It dies with this process where the system can do that.
func (j *Job) process(ctx context.Context, i int, token string) error {
	dir := j.Folder.CellDir(i)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("%w: %w", sweep.ErrStorage, err)
	}
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return fmt.Errorf("%w: %w", sweep.ErrStorage, err)
	}
	defer log.Close()
	args := append([]string(nil), j.Worker[1:]...)
	args = append(args, "--out", j.Dir, "--index", strconv.Itoa(i), "--host", j.Host)
	if token != "" {
		args = append(args, "--lease", token)
	}
	cmd := exec.CommandContext(ctx, j.Worker[0], args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Cancel = func() error { return cmd.Process.Signal(stopSignal()) }
	cmd.WaitDelay = longGrace
	dieWithParent(cmd)
	before := j.Folder.Status(i)
	err = runOnThread(cmd)
	return j.believe(i, before, err)
}

// believe gives the error that a cell's STATUS stands for; before is what it was when the process
// started.
func (j *Job) believe(i int, before sweep.Status, ran error) error {
	st := j.Folder.Status(i)
	id := j.Folder.ID(i)
	var exit *exec.ExitError
	switch {
	case ran != nil && !errors.As(ran, &exit): // it did not start
		return fmt.Errorf("cell %s: %w", id, ran)
	case ran != nil && exit.ExitCode() == 1 && (st.State != sweep.Failed || st.Attempts == before.Attempts):
		// A failure that STATUS states nothing of: it could not be written.
		why := cmp.Or(st.Error, strings.Join(j.Folder.LogTail(i, 1), ""),
			"its process could write neither STATUS nor log")
		return fmt.Errorf("cell %s: %w: %s", id, sweep.ErrStorage,
			strings.TrimPrefix(why, sweep.ErrStorage.Error()+": "))
	case st.State == sweep.Running:
		why := "its process ended without a word"
		if ran != nil {
			why += ": " + ran.Error()
		}
		return errors.Join(fmt.Errorf("cell %s: %s", id, why), j.Folder.Crashed(i, why))
	case ran == nil:
		return nil
	}
	cause := st.Error
	if cause == "" {
		cause = ran.Error()
	}
	switch exit.ExitCode() {
	case 42:
		return fmt.Errorf("cell %s: %w: %s", id, sweep.ErrPermanent, cause)
	case 75:
		return fmt.Errorf("cell %s: %w", id, sweep.ErrRequeue)
	}
	return fmt.Errorf("cell %s: %s", id, cause)
}

// runOnThread runs the command from a thread that lives as long as it: the system ends a child with
// the thread that made it.
func runOnThread(cmd *exec.Cmd) error {
	done := make(chan error, 1)
	go func() {
		lockThread()
		defer unlockThread()
		done <- cmd.Run()
	}()
	return <-done
}
