package roster

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim/param"
	"tarry/sim/series/table"
	"tarry/sim/service"
	"tarry/sim/service/curves"
	"tarry/sim/tabular"
)

// columns lists the columns of a table of services.
func columns() []string {
	out := []string{"name", "load"}
	for line := range strings.SplitSeq(Params, "\n") {
		key, _, _ := strings.Cut(line, " ")
		out = append(out, key)
	}
	return out
}

// readFile reads a table with a service in each row; loads stand in files beside it.
func readFile(path string) ([]row, error) {
	var rows []row
	var names []string
	var errs []error
	known := columns()
	err := tabular.Each(path, func(has []string) error {
		for _, n := range has {
			if !slices.Contains(known, n) {
				return fmt.Errorf("%s:1: unknown column %q, expected some of %s%s", path, n, strings.Join(known, ", "),
					param.Hint(n, known))
			}
			names = append(names, strings.Clone(n))
		}
		return nil
	}, func(r *tabular.Row) {
		values := map[string]any{}
		for _, n := range names {
			if text := strings.Clone(r.Text(n)); n != "name" && n != "load" && text != "" {
				values[n] = text
			}
		}
		at := fmt.Sprintf("%s:%d", path, r.Line)
		s := param.FromTree(at, values, func(string) string { return "" })
		s.Noun("column")
		one := row{spec: service.Spec{Name: strings.Clone(r.Text("name"))}}
		if one.read(s); one.spec.Name == "" {
			s.Fault("name is empty, expected the name of a service")
		}
		if !s.Has("rate_per_s") {
			s.Missing("rate_per_s", "requests per second of one replica")
		}
		var err error
		if one.spec.Load, err = curves.Parse(one.spec.Name, beside(path, r.Text("load"))); err != nil {
			s.Fault("%w", err)
		}
		errs = append(errs, s.Err())
		rows = append(rows, one)
	}, "name", "rate_per_s")
	return rows, errors.Join(append(errs, err)...)
}

// beside gives a load whose file, if it is one, is found from the folder of the services' file.
func beside(path, load string) string {
	if file := table.Files(load); file != nil && !filepath.IsAbs(load) {
		return filepath.Join(filepath.Dir(path), load)
	}
	return strings.Clone(load)
}

// Files lists the files that a setting names, which may not be there: the services and their loads.
func Files(text string) []string {
	out := table.Files(text)
	if out == nil {
		return nil
	}
	_ = tabular.Each(out[0], nil, func(r *tabular.Row) { // Parse reports what is wrong
		out = append(out, table.Files(beside(out[0], r.Text("load")))...)
	})
	slices.Sort(out[1:])
	return append(out[:1], slices.Compact(out[1:])...)
}
