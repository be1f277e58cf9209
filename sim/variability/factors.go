package variability

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Factors are the speeds of GPUs by class. They do not change, and many runs may share them.
type Factors struct {
	classes []string
	of      [][]float64    // class -> GPU -> factor
	byModel map[string]int // lower-case name -> class
}

// Forms states how the setting is written, Doc what its options are.
const (
	Forms = "FILE.csv[,classes=FILE] or drawn:sigma=S[,seed=N,of=gpu|machine,classes=FILE]"
	Doc   = "file     CSV with gpu or machine (its number), factor and perhaps class; it stands first, without " +
		"file= ()\n" +
		"sigma    drawn: standard deviation of the log of iteration time, S or CLASS:S joined by + ()\n" +
		"seed     drawn: root of the random numbers (0)\n" +
		"of       drawn: gpu | machine, whose GPUs are then equal (gpu)\n" +
		"classes  CSV with model and class; models without one are of the first class ()"
)

// Parse reads a setting for a cluster. The error joins all faults.
func Parse(spec string, t *cluster.Topology) (*Factors, error) {
	what := fmt.Sprintf("variability %q", spec)
	kind, text, _ := strings.Cut(spec, ":")
	law := kind == "drawn"
	if !law {
		text = "file=" + spec
	}
	s := param.Parse(what, text)
	f := &Factors{byModel: map[string]int{}}
	var err error
	if law {
		err = f.draw(s, t)
	} else {
		err = f.read(s.Text("file", ""), t)
	}
	classes := s.Text("classes", "")
	if err == nil && s.Err() == nil && classes != "" {
		err = f.readClasses(classes)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	if err = errors.Join(s.Err(), err); err != nil {
		return nil, err
	}
	return f, nil
}

// Files lists the files that a setting names.
func Files(spec string) []string {
	kind, text, _ := strings.Cut(spec, ":")
	var out []string
	if kind != "drawn" {
		text = "file=" + spec
	}
	s := param.Parse("", text)
	for _, key := range [...]string{"file", "classes"} {
		if name := s.Text(key, ""); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// class gives the index of a class, which is made if it is new.
func (f *Factors) class(name string, t *cluster.Topology) int {
	if i := slices.Index(f.classes, name); i >= 0 {
		return i
	}
	f.classes = append(f.classes, name)
	f.of = append(f.of, slices.Repeat([]float64{1}, t.GPUs()))
	return len(f.classes) - 1
}

// Classes lists the classes; one without a name where none is named.
func (f *Factors) Classes() []string { return f.classes }

// Class is the class of a model.
func (f *Factors) Class(model string) int {
	name := strings.ToLower(model)
	if c, ok := f.byModel[name]; ok {
		return c
	}
	base, _, _ := strings.Cut(name, " (batch size ")
	return f.byModel[base] // the first where there is none
}

// Factors gives the speed of each GPU for jobs of a class, relative to its type's; > 0. It must not
// be changed.
func (f *Factors) Factors(class int) []float64 { return f.of[class] }
