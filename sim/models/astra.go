package models

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"tarry/sim/tabular"
)

// maxFaults bounds how many faults a reader reports, maxLine the length of a line.
const (
	maxFaults = 20
	maxLine   = 1 << 16
)

// ReadASTRA reads ASTRA-sim 1.0's workload text: a line DATA, the number of layers, then per layer
// twelve fields: name, dependency, forward compute, type and bytes; input-gradient compute,
// type and bytes; weight-gradient compute, type and bytes; update time. Compute (ns)
// is multiplied by scale (> 0) and cut to whole nanoseconds, as ASTRA-sim does; update
// times are not scaled. Only data-parallel workloads are read: forward and input
// gradient communicate nothing, the weight gradient ALLREDUCE or NONE.
//
// Digits glued to the front of a name, a lone number at the end and a declared layer count that
// differs from the layers found are accepted, with a warning in the profile. All
// other faults are errors, up to 20 at once, as file:line.
func ReadASTRA(r io.Reader, file string, scale float64) (*Profile, error) {
	if !(scale > 0) || math.IsInf(scale, 0) {
		return nil, fmt.Errorf("%s: compute scale is %v, expected a number > 0", file, scale)
	}
	a := astra{file: file, scale: scale, declared: -1}
	a.p.Reference = fmt.Sprintf("the workload file's, compute scaled by %v", scale)
	a.p.Name = strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	a.p.Sources = []string{"ASTRA-sim workload file " + filepath.Base(file)}
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 4096), maxLine)
	for sc.Scan() && len(a.errs) < maxFaults {
		a.line++
		if f := strings.Fields(sc.Text()); len(f) > 0 {
			a.read(f)
		}
	}
	if err := sc.Err(); err != nil {
		a.bad("%v, expected lines of at most %d bytes", err, maxLine)
	}
	return a.finish()
}

// astra is the state of one reading; stage counts the header lines seen.
type astra struct {
	file     string
	scale    float64
	line     int
	stage    int
	declared int
	glued    int
	junk     string
	lone     bool
	p        Profile
	errs     []error
}

func (a *astra) bad(format string, args ...any) {
	a.errs = append(a.errs, fmt.Errorf("%s:%d: %s", a.file, max(a.line, 1), fmt.Sprintf(format, args...)))
}

func (a *astra) read(f []string) {
	switch {
	case a.stage == 0:
		a.stage = 1
		if len(f) != 1 || f[0] != "DATA" {
			a.bad("header is %q, expected DATA (a data-parallel workload)", strings.Join(f, " "))
		}
	case a.stage == 1:
		a.stage = 2
		n, err := strconv.Atoi(f[0])
		if len(f) != 1 || err != nil || n < 1 {
			a.bad("number of layers is %q, expected a whole number >= 1", strings.Join(f, " "))
			return
		}
		a.declared = n
	case len(f) == 1 && digitPrefix(f[0]) == len(f[0]):
		a.lone = true
	case len(f) != 12:
		a.bad("%d fields, expected 12 (name, dependency, three times compute, type and bytes, update)", len(f))
	default:
		a.layer(f)
	}
}

func (a *astra) layer(f []string) {
	l := Layer{Name: f[0]}
	if n := digitPrefix(f[0]); n >= 4 && n < len(f[0]) {
		a.junk, l.Name = f[0][:n], f[0][n:]
		a.glued++
	}
	l.ForwardNS = a.compute("forward compute", f[2])
	l.InputGradNS = a.compute("input-gradient compute", f[5])
	l.WeightGradNS = a.compute("weight-gradient compute", f[8])
	l.UpdateNS = a.number("update time", f[11])
	a.silent("forward", f[3], f[4])
	a.silent("input-gradient", f[6], f[7])
	switch f[9] {
	case "ALLREDUCE":
		l.Bytes = a.bytes("weight-gradient bytes", f[10])
	case "NONE":
	default:
		a.bad("weight-gradient communication is %q, expected ALLREDUCE or NONE", f[9])
	}
	a.p.Layers = append(a.p.Layers, l)
}

func (a *astra) silent(pass, kind, bytes string) {
	if kind != "NONE" {
		a.bad("%s communication is %q, expected NONE (data parallelism reduces weight gradients only)", pass, kind)
	}
	a.bytes(pass+" bytes", bytes)
}

func (a *astra) number(field, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0) || v > 1e15 {
		a.bad("%s is %q, expected nanoseconds, 0..1e15", field, s)
		return 0
	}
	return v
}

func (a *astra) compute(field, s string) float64 {
	return math.Floor(float64(a.number(field, s) * a.scale))
}

func (a *astra) bytes(field, s string) int64 {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v < 0 || v > 1<<50 {
		a.bad("%s is %q, expected a whole number, 0..2^50", field, s)
		return 0
	}
	return v
}

func (a *astra) finish() (*Profile, error) {
	if a.stage < 2 && len(a.errs) == 0 {
		a.bad("file ends, expected DATA, the number of layers and the layers")
	}
	if len(a.errs) == 0 {
		if err := a.p.Validate(); err != nil {
			a.bad("%v", err)
		}
	}
	if len(a.errs) > 0 {
		return nil, errors.Join(a.errs...)
	}
	warn := func(format string, args ...any) {
		a.p.Warnings = append(a.p.Warnings, a.file+": "+fmt.Sprintf(format, args...))
	}
	if a.declared != len(a.p.Layers) {
		warn("declares %d layers and holds %d; the %d were read", a.declared, len(a.p.Layers), len(a.p.Layers))
	}
	if a.glued > 0 {
		warn("digits (%q) are glued to %d names; they were cut off", a.junk, a.glued)
	}
	if a.lone {
		warn("a lone number stands among the layers; it was skipped")
	}
	for _, l := range a.p.Layers {
		a.p.Params += l.Bytes / 4
	}
	return &a.p, nil
}

// digitPrefix counts the leading digits.
func digitPrefix(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// paperFiles are the workloads of the Dally paper's simulator with the compute scales it applies.
func paperFiles() []struct {
	name, file string
	scale      float64
	aliases    []string
} {
	return []struct {
		name, file string
		scale      float64
		aliases    []string
	}{
		{"alexnet", "alexnet_B512_astra-sim.csv", .0199, nil},
		{"bert", "BERT-large_B256_astra-sim2.csv", .0001121, []string{"bert-large"}},
		{"mobilenetv3", "mobilenet_v3_B512_astra-sim.csv", .00639, []string{"mobilenetv3-small"}},
		{"resnet18", "resnet18_B512_astra-sim.csv", .001223, nil},
		{"resnet50", "resnet50_B512_astra-sim.csv", .033950, nil},
		{"vgg", "vgg11_B256_astra-sim.csv", .01549, []string{"vgg11"}},
	}
}

// LoadPaper reads the six workloads of the Dally paper's simulator
// (github.com/aakash-sharma/cluster-sim, astra-sim/workload) from a folder, with the compute scales
// that it applies. All faults are reported at once.
func LoadPaper(dir string) ([]*Profile, error) {
	var ps []*Profile
	var errs []error
	for _, f := range paperFiles() {
		p, err := readFile(filepath.Join(dir, f.file), func(r io.Reader, file string) (*Profile, error) {
			return ReadASTRA(r, file, f.scale)
		})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p.Name, p.Aliases = f.name, f.aliases
		ps = append(ps, p)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return ps, nil
}

func readFile(file string, read func(io.Reader, string) (*Profile, error)) (*Profile, error) {
	r, err := tabular.OpenTable(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return read(r, file)
}
