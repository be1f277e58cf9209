package quota

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tarry/sim/param"
	"tarry/sim/tenant"
)

// Forms states how the setting is written, Doc what its keys are: key, meaning, default.
const (
	Forms = "none, demand, equal, trace or FILE.csv, each with KEYS: demand,unit=machine"
	Doc   = `demand   GPUs of each virtual cluster in proportion to the GPU-time of its jobs
equal    the same for each virtual cluster of the jobs
trace    the trace's own: Helios' cluster_gpu_number.csv, or NAME.quotas.csv beside another trace
FILE.csv columns vc, user, gpus, weight, priority; a row with a user has no gpus
unit     gpu | machine: what demand and equal hand out (gpu)
part     of demand and equal: the part of the cluster that is handed out, 0..1 (1)
fit      true: quotas of a file or trace are scaled to the cluster's GPUs (false)`
)

const (
	none   = "none"
	demand = "demand"
	equal  = "equal"
	trace  = "trace"
)

// Rule states who owns what. Parse makes one; it does not change, and many runs may share it.
type Rule struct {
	text string
	kind string // demand, equal, or "" = rows
	rows []tenant.Tenant
	// machines: units are machines of the size of the largest.
	machines, fit bool
	part          float64
}

// Opener gives the quotas that come with the trace of a run, and the file that they are in; an
// error where there are none.
type Opener func() (rows []tenant.Tenant, err error)

// Parse reads a setting; the result is nil for "" and none. The error joins all faults, including
// the file's.
func Parse(text string, open Opener) (*Rule, error) {
	kind, keys, _ := strings.Cut(strings.TrimSpace(text), ",")
	if kind == "" || kind == none {
		if keys != "" {
			return nil, fmt.Errorf("quotas is %q, expected %s", text, Forms)
		}
		return nil, nil
	}
	s := param.Parse("quotas", keys)
	r := &Rule{text: text, part: 1}
	var err error
	switch kind {
	case demand, equal:
		r.kind = kind
		r.machines = s.Enum("unit", "gpu", "machine") == "machine"
		r.part = s.Float("part", 1, 1e-6, 1)
	case trace:
		r.fit = s.Bool("fit", false)
		r.rows, err = open()
	default:
		r.fit = s.Bool("fit", false)
		if r.rows, err = Read(kind); errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w%s", err, param.Hint(kind, []string{none, demand, equal, trace}))
		}
	}
	if err := errors.Join(s.Err(), err); err != nil {
		return nil, fmt.Errorf("quotas %q, expected %s: %w", text, Forms, err)
	}
	return r, nil
}

// Files lists the files that a setting names.
func Files(text string) []string {
	switch kind, _, _ := strings.Cut(strings.TrimSpace(text), ","); kind {
	case "", none, demand, equal, trace:
		return nil
	default:
		return []string{kind}
	}
}

// OfTrace reports whether a setting asks for the quotas that come with the trace.
func OfTrace(text string) bool {
	kind, _, _ := strings.Cut(strings.TrimSpace(text), ",")
	return kind == trace
}
