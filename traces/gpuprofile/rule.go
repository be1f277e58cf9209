package gpuprofile

import (
	"fmt"
	"strings"

	"tarry/sim/models"
)

// None, and what is not given, gives nothing; Catalogue takes the built-in numbers.
const (
	None      = "none"
	Catalogue = "catalogue"
)

// Forms states how the setting is written.
const Forms = "none, catalogue or FILE.csv with model, gpus, gpu_util_frac and gpu_mem_mib"

// Rule states what models need. Parse makes one; it does not change, and many runs may share it.
type Rule struct {
	text string
	rows map[key]need // nil = the catalogue
	set  *models.Set
}

// key is a model in lower case and a number of GPUs, 0 = any.
type key struct {
	model string
	gpus  int32
}

// need is what a job needs of each of its GPUs; 0 = not known.
type need struct {
	mib  int32
	util float64
}

// Parse reads a setting; the result is nil for "" and none. set has the profiles of the catalogue;
// nil = the built-in ones. The error joins all faults of the file.
func Parse(spec string, set *models.Set) (*Rule, error) {
	if set == nil {
		set = models.NewSet(models.Catalogue()...)
	}
	r := &Rule{text: spec, set: set}
	switch spec {
	case "", None:
		return nil, nil
	case Catalogue:
		return r, nil
	}
	rows, err := read(spec)
	if err != nil {
		return nil, fmt.Errorf("gpu_profile %q, expected %s: %w", spec, Forms, err)
	}
	r.rows = rows
	return r, nil
}

// Files lists the files that a setting names.
func Files(spec string) []string {
	if spec == "" || spec == None || spec == Catalogue {
		return nil
	}
	return []string{spec}
}

// of is what a job of a model needs.
func (r *Rule) of(model string, gpus int32) need {
	p, err := r.set.Lookup(model)
	if err != nil {
		p = nil
	}
	if r.rows == nil {
		return ofProfile(p, gpus)
	}
	name := strings.ToLower(model)
	base, _, _ := strings.Cut(name, " (batch size ")
	names := []string{name, base}
	if p != nil {
		names = append(names, strings.ToLower(p.Name))
	}
	for _, name := range append(names, "*") {
		if n, ok := r.row(name, gpus); ok {
			return n
		}
	}
	return need{}
}

// row is the row of a name, for the number of GPUs or for any.
func (r *Rule) row(name string, gpus int32) (need, bool) {
	n, ok := r.rows[key{name, gpus}]
	if !ok {
		n, ok = r.rows[key{name, 0}]
	}
	return n, ok
}
