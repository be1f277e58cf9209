package traces

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// Find gives the format of FORMAT:PATH, with what stands after the colon; false when there is no colon or no such format.
func (c Catalogue) Find(spec string) (f Format, path string, ok bool) {
	name, path, colon := strings.Cut(spec, ":")
	for _, f := range c {
		if colon && f.Name == name {
			return f, path, true
		}
	}
	return Format{}, "", false
}

// Open opens FORMAT:PATH or synth:NAME. The report is not nil when the error is.
func (c Catalogue) Open(spec string, opt Options) (*sim.Workload, *Report, error) {
	name, path, found := strings.Cut(spec, ":")
	names := make([]string, 0, 10)
	for _, f := range c {
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
