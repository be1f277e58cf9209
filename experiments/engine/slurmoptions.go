package engine

import (
	"regexp"
	"slices"
	"strings"
	"time"
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
	// pack is how many cells an element runs, one after the other; 0 = one. packTime is how long those of an
	// element may take together by the estimate; 0 = pack says it.
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
const slurmOwn = " array output error open-mode requeue no-requeue signal parsable wrap wait test-only clusters cluster job-name input "

// optionKey is how sbatch spells its options.
var optionKey = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// parseSlurmOptions reads them; all faults come together.
func parseSlurmOptions(given map[string]string) (slurmOptions, error) {
	r := readOptions("slurm", given)
	o := slurmOptions{
		throttle: r.count("throttle", 0, 0),
		requeues: r.count("max-requeues", 0, 20),
		timeouts: r.count("max-timeouts", 0, 3),
		warning:  time.Duration(r.count("warning", 1, 60)) * time.Second,
		handOut:  r.flag("no-wait", false),
		poll:     time.Duration(r.count("poll", 1, 15)) * time.Second,
		name:     r.text("name", ""),
		modules:  r.lines("modules"),
		prologue: r.lines("prologue"),
	}
	o.pack, o.packTime = r.pack()
	if strings.ContainsAny(o.name, ", \"'\\%") {
		r.fault("name", o.name, "a name without space, comma, quote, backslash and %")
	}
	for _, key := range r.left() {
		value, _ := r.take(key)
		switch {
		case strings.Contains(slurmOwn, " "+key+" "):
			r.fault(key, value, "nothing: the engine sets it (see name, throttle, warning)")
		case !optionKey.MatchString(key):
			r.fault(key, value, "an option of sbatch without its dashes, as in partition=short")
		case strings.ContainsAny(value, "\n\r\"\\"):
			r.fault(key, value, "a text on one line without \" and \\")
		case value == "":
			o.pass = append(o.pass, "--"+key)
		case strings.ContainsAny(value, " \t#'"):
			o.pass = append(o.pass, "--"+key+`="`+value+`"`)
		default:
			o.pass = append(o.pass, "--"+key+"="+value)
		}
	}
	return o, r.set.Err()
}

// timed reports whether the user set a time limit.
func (o *slurmOptions) timed() bool {
	return slices.ContainsFunc(o.pass, func(p string) bool { return strings.HasPrefix(p, "--time=") })
}
