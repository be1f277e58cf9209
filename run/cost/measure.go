package cost

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Measure starts a command that calls Child and gives what it cost. The processor time is what the
// system counted for the process.
func Measure(ctx context.Context, scheduler string, limit int, command string, args ...string) (Run, error) {
	cmd := exec.CommandContext(ctx, command, args...)
	var said, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &wrong
	err := cmd.Run()
	r := Run{Scheduler: scheduler}
	if cmd.ProcessState != nil {
		r.Seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	killed := cmd.ProcessState != nil && cmd.ProcessState.ExitCode() < 0 && wrong.Len() == 0
	if err != nil && !killed {
		return r, fmt.Errorf("cost: %s: %w: %s", scheduler, err, strings.TrimSpace(wrong.String()))
	}
	// A line is whole only with its end: the process may be killed while it writes.
	lines := strings.Split(said.String(), "\n")
	if len(lines) < 2 {
		return r, fmt.Errorf("cost: %s used %.1f s before its jobs were read, expected a limit above %d s", scheduler,
			r.Seconds, limit)
	}
	last := lines[len(lines)-2]
	if _, err := fmt.Sscan(last, &r.GPUs, &r.Jobs, &r.Done); err != nil {
		return r, fmt.Errorf("cost: %s: line %q: %w", scheduler, last, err)
	}
	return r, nil
}
