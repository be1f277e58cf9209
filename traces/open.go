package traces

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// Open opens FORMAT:PATH or synth:NAME. The report is not nil when the error is.
func Open(spec string, opt Options) (*sim.Workload, *Report, error) {
	name, path, found := strings.Cut(spec, ":")
	names := make([]string, 0, 10)
	for _, f := range Formats() {
		if f.Name != name {
			names = append(names, f.Name)
			continue
		}
		if path == "" {
			return nil, nil, fmt.Errorf("trace %q: nothing after %q, expected %s", spec, name, f.Doc)
		}
		w, report, err := f.Open(path, opt)
		if f.Paper != "" && errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w; docs/data.md says where to get a %s trace and where to put it", err, name)
		}
		return w, report, err
	}
	if !found {
		return nil, nil, fmt.Errorf("trace %q: expected FORMAT:PATH with FORMAT one of %s", spec, strings.Join(names, ", "))
	}
	return nil, nil, fmt.Errorf("trace %q: unknown format %q, expected one of %s%s", spec, name, strings.Join(names, ", "), param.Hint(name, names))
}

func errTooMany(spec string, jobs, limit int) error {
	return fmt.Errorf("synth:%s: %d jobs, more than the limit of %d that keeps memory bounded: generate fewer or raise the limit", spec, jobs, limit)
}
