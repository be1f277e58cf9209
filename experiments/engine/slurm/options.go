package slurm

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarry/experiments/engine"
	"tarry/sim/param"
)

// slurmOptions are the options of the slurm engine. Keys that are not listed here go to sbatch as
// they are: partition, account, time, mem, cpus-per-task, gres, constraint, qos and all others.
type slurmOptions struct {
	// throttle is the number of elements of an array that run at once; 0 = no bound.
	throttle int
	// requeues, timeouts: how often a cell is put back after it was stopped, and after its time
	// limit ended it, before it is given up.
	requeues, timeouts int
	// warning is how long before the time limit a cell gets a signal, in whole seconds.
	warning time.Duration
	// handOut submits and does not watch.
	handOut bool
	// poll is the longest time between two looks at the queue.
	poll time.Duration
	// pack is how many cells an element runs, one after the other; 0 = one. packTime is how long
	// the cells of an element may take together by the estimate; 0 = pack states it.
	pack     int
	packTime time.Duration
	// name is the start of the jobs' names; "" = the sweep's.
	name string
	// modules are loaded, and the lines of prologue run, before the worker.
	modules, prologue []string
	// pass are the lines for sbatch, "--key=value", sorted by key.
	pass []string
}

// slurmOwn are the options of sbatch that the engine sets itself.
const slurmOwn = " array output error open-mode requeue no-requeue signal parsable wrap wait test-only clusters " +
	"cluster job-name input "

// optionKey is how sbatch spells its options.
var optionKey = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// parseSlurmOptions reads them; all faults come together.
func parseSlurmOptions(given map[string]string, at map[string]param.Place) (slurmOptions, error) {
	r := engine.ReadOptions("slurm", given, at)
	o := slurmOptions{
		throttle: r.Count("throttle", 0, 0),
		requeues: r.Count("max-requeues", 0, 20),
		timeouts: r.Count("max-timeouts", 0, 3),
		warning:  time.Duration(r.Count("warning", 1, 60)) * time.Second,
		handOut:  r.Flag("no-wait", false),
		poll:     time.Duration(r.Count("poll", 1, 15)) * time.Second,
		name:     r.Text("name", ""),
		modules:  r.Lines("modules"),
		prologue: r.Lines("prologue"),
	}
	o.pack, o.packTime = readPack(r)
	if strings.ContainsAny(o.name, ", \"'\\%") {
		r.Fault("name", o.name, "a name without space, comma, quote, backslash and %")
	}
	for _, key := range r.Left() {
		value, _ := r.Take(key)
		switch {
		case strings.Contains(slurmOwn, " "+key+" "):
			r.Fault(key, value, "nothing: the engine sets it (see name, throttle, warning)")
		case !optionKey.MatchString(key):
			r.Fault(key, value, "an option of sbatch without its dashes, as in partition=short")
		case strings.ContainsAny(value, "\n\r\"\\"):
			r.Fault(key, value, "a text on one line without \" and \\")
		case value == "":
			o.pass = append(o.pass, "--"+key)
		case strings.ContainsAny(value, " \t#'"):
			o.pass = append(o.pass, "--"+key+`="`+value+`"`)
		default:
			o.pass = append(o.pass, "--"+key+"="+value)
		}
	}
	return o, r.Err()
}

// timed reports whether the user set a time limit.
func (o *slurmOptions) timed() bool {
	return slices.ContainsFunc(o.pass, func(p string) bool { return strings.HasPrefix(p, "--time=") })
}

// readPack reads the option pack: a number of cells, or a time that cells take together.
func readPack(r *engine.Options) (cells int, together time.Duration) {
	v, ok := r.Take("pack")
	if !ok {
		return 0, 0
	}
	if n, err := strconv.Atoi(v); err == nil && n >= 1 && n <= maxPack {
		return n, 0
	}
	if d, err := time.ParseDuration(v); err == nil && d >= time.Second {
		return 0, d
	}
	r.Fault("pack", v, fmt.Sprintf("a number of cells in 1..%d, or the time that they take together, such as 10m",
		maxPack))
	return 0, 0
}

// maxPack bounds the cells of an element.
const maxPack = 10_000
