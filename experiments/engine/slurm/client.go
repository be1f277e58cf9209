package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// defaultMaxArraySize is Slurm's own.
const defaultMaxArraySize = 1001

// element is one element of an array: the job's number as Slurm gave it, and the task.
type element struct {
	job  string
	task int
}

// String is how Slurm's commands take it. The number of the job alone would mean the whole array.
func (e element) String() string { return e.job + "_" + strconv.Itoa(e.task) }

// queued is what the queue states about an element.
type queued struct {
	// name is the job's, state Slurm's word (RUNNING, TIMEOUT), reason why it waits or ended.
	name, state, reason string
	// used is how long it ran since its last start, limit how long it may; 0 = not known, no limit.
	used, limit time.Duration
}

// warned reports whether Slurm had warned the element of its time limit: so long before it as was
// asked for, or up to a minute earlier, as sbatch's manual states of --signal.
func (q queued) warned(before time.Duration) bool {
	return q.limit > 0 && q.used > 0 && q.used >= q.limit-before-time.Minute
}

// cutShort reports whether the element ended well before its time limit. Slurm calls that TIMEOUT,
// too, when the element is preempted and ends in its grace time.
func (q queued) cutShort() bool { return q.limit > 0 && q.used < q.limit-10*time.Second }

// slurmTime reads days-hours:minutes:seconds, of which Slurm leaves out what is zero on the left;
// 0 for words (UNLIMITED, INVALID).
func slurmTime(text string) time.Duration {
	days, clock, ok := strings.Cut(text, "-")
	if !ok {
		days, clock = "0", text
	}
	total, err := strconv.Atoi(days)
	total *= 24
	parts := strings.Split(clock, ":")
	for len(parts) < 3 {
		parts = append([]string{"0"}, parts...)
	}
	for i, p := range parts {
		n, bad := strconv.Atoi(p)
		if i > 0 {
			total *= 60
		}
		total += n
		err = errors.Join(err, bad)
	}
	if err != nil || len(parts) > 3 {
		return 0
	}
	return time.Duration(total) * time.Second
}

// over reports whether the element neither runs nor waits. A word that is not known counts as
// waiting: nothing is done about it.
func (q queued) over() bool {
	switch q.state {
	case "COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL",
		"DEADLINE", "PREEMPTED", "REVOKED", "LAUNCH_FAILED", "RECONFIG_FAIL":
		return true
	}
	return false
}

// slurmClient calls Slurm's commands.
type slurmClient struct {
	// run starts a command and gives what it printed; its error has its output.
	run func(ctx context.Context, name string, args ...string) (string, error)
}

// missingCommands lists the commands that are not in PATH.
func missingCommands() []string {
	var missing []string
	for _, name := range []string{"sbatch", "squeue", "scontrol", "scancel"} {
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, name)
		}
	}
	return missing
}

// sbatchVariables would change what the script states.
const sbatchVariables = " SBATCH_ARRAY_INX SBATCH_JOB_NAME SBATCH_OUTPUT SBATCH_ERROR SBATCH_OPEN_MODE " +
	"SBATCH_NO_REQUEUE SBATCH_REQUEUE SBATCH_SIGNAL SBATCH_WAIT SBATCH_INPUT "

// runCommand is slurmClient.run for real.
func runCommand(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		key, _, _ := strings.Cut(v, "=")
		return strings.Contains(sbatchVariables, " "+key+" ")
	})
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return out.String(), nil
	}
	text := strings.TrimSpace(said.String())
	if text == "" {
		text = err.Error()
	}
	return "", fmt.Errorf("%s: %s", name, strings.Join(strings.Fields(text), " "))
}

// submit hands a batch script in and gives the number of the job.
func (c *slurmClient) submit(ctx context.Context, script string) (string, error) {
	out, err := c.run(ctx, "sbatch", "--parsable", script)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // number;cluster
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch printed %q, expected the number of a job", out)
	}
	return id, nil
}

// queue asks for the elements of the jobs with these names, including elements that are over and
// not yet forgotten.
func (c *slurmClient) queue(ctx context.Context, names []string) (map[element]queued, error) {
	found := map[element]queued{}
	if len(names) == 0 {
		return found, nil
	}
	out, err := c.run(ctx, "squeue", "--noheader", "--array", "--states=all", "--name="+strings.Join(names, ","),
		"--format=%F|%K|%j|%T|%M|%l|%r")
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(out, "\n") {
		f := strings.SplitN(strings.TrimSpace(line), "|", 7)
		if len(f) < 7 {
			continue
		}
		task, err := strconv.Atoi(f[1])
		if err != nil {
			continue // a job of the same name that is no array
		}
		found[element{f[0], task}] = queued{name: f[2], state: f[3], used: slurmTime(f[4]), limit: slurmTime(f[5]),
			reason: f[6]}
	}
	return found, nil
}

// requeue puts one element back. The error notes it when Slurm has forgotten it.
func (c *slurmClient) requeue(ctx context.Context, e element) error {
	_, err := c.run(ctx, "scontrol", "requeue", e.String())
	return err
}

// cancel ends jobs with all their elements.
func (c *slurmClient) cancel(ctx context.Context, jobs []string) error {
	_, err := c.run(ctx, "scancel", jobs...)
	return err
}

// maxArraySize asks for the bound of the numbers of elements: they are below it.
func (c *slurmClient) maxArraySize(ctx context.Context) (int, error) {
	out, err := c.run(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(out, "\n") {
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "MaxArraySize" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 2 {
			return 0, errors.New("slurm: this cluster runs no arrays (MaxArraySize is " + strings.TrimSpace(value) +
				")")
		}
		return n, nil
	}
	return defaultMaxArraySize, nil
}
