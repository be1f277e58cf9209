package hosts

import (
	"errors"
	"fmt"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/param"
)

// None is the setting of a run in which CPU and memory are room alone.
const None = "none"

// Rule is a law with its parameters. Parse makes one; it does not change, and many runs may share
// it.
type Rule struct {
	law    law
	cpus   float64 // per GPU of machines that state none; 0 = plenty
	memGiB float64
	socket float64
	text   string
}

// law states what hosts deliver. It does not change.
type law interface {
	// name gives a number >= 0 for a model, -1 for one that hosts never hold up.
	name(model string) int32
	// feed is the work per second, in seconds of a reference GPU, that a machine delivers for each
	// GPU of a job, > 0. cores and memGiB are those per GPU, gpus is how many GPUs the job has on
	// the machine; +Inf cores or memory are plenty.
	feed(name int32, cores, memGiB float64, gpus int) float64
}

// Kind is one law of the catalogue.
type Kind struct {
	// Name is what users write before the colon, Form the law with its options, Doc one line on
	// what it does, with its source.
	Name, Form, Doc string
	// Params has one line per option: key, meaning.
	Params string
	// First is the key of an option that stands first and without its key; "" = there is none.
	First string

	read func(s *param.Set) (law, error)
}

// Laws lists the laws in the order in which they are shown.
func Laws() []Kind { return []Kind{catalogueKind(), profileKind()} }

// Forms reports how the setting is written.
func Forms() string { return "none, " + Laws()[0].Form + " or " + Laws()[1].Form }

// CommonDoc has the lines of the options that all laws have.
const CommonDoc = `cpus       CPU cores per GPU of machines of which the cluster states none; 0 = plenty
mem_gib    host memory per GPU, GiB, of such machines; 0 = plenty
socket     what a job keeps whose GPUs on a machine span sockets (slots), and how much cores of other sockets count; 1 = all`

// readCommon reads the options that all laws have.
func (r *Rule) readCommon(s *param.Set) {
	r.cpus = s.Float("cpus", 3, 0, 1e6)
	r.memGiB = s.Float("mem_gib", 62.5, 0, 1e6)
	r.socket = s.Float("socket", 1, 0.01, 1)
}

// Files lists the files that a setting names, which may not be there.
func Files(spec string) []string {
	name, options, _ := strings.Cut(spec, ":")
	for _, k := range Laws() {
		if k.Name == name && k.First != "" {
			if path := param.Parse("", k.spell(options)).Text(k.First, ""); path != "" {
				return []string{path}
			}
		}
	}
	return nil
}

// Options lists the options that a law reads, with their ranges and defaults.
func (k *Kind) Options() []param.Setting {
	s := param.Parse("", "")
	_, _ = k.read(s)
	(&Rule{}).readCommon(s)
	return s.Settings()
}

// Parse reads a setting: NAME or NAME:options. The result is nil for "" and none. The error joins
// all faults.
func Parse(spec string) (*Rule, error) {
	if spec == "" || spec == None {
		return nil, nil
	}
	what := fmt.Sprintf("hosts %q", spec)
	name, options, _ := strings.Cut(spec, ":")
	names := []string{None}
	for _, k := range Laws() {
		if names = append(names, k.Name); k.Name != name {
			continue
		}
		s := param.Parse(what, k.spell(options))
		l, err := k.read(s)
		r := &Rule{law: l, text: spec}
		r.readCommon(s)
		if err != nil {
			err = fmt.Errorf("%s: %w", what, err)
		}
		if err = errors.Join(s.Err(), err); err != nil {
			return nil, err
		}
		return r, nil
	}
	return nil, fmt.Errorf("%s: unknown law %q, expected one of %s%s", what, name, strings.Join(names, ", "),
		param.Hint(name, names))
}

// spell gives the option that stands first its key.
func (k *Kind) spell(options string) string {
	if k.First == "" || options == "" {
		return options
	}
	return k.First + "=" + options
}

// String is the setting.
func (r *Rule) String() string { return r.text }

// Equip gives machines that state no CPU or no memory what the rule states; nil changes nothing.
// Racks are copied where they change.
func (r *Rule) Equip(spec cluster.Spec) cluster.Spec {
	if r == nil {
		return spec
	}
	racks := make([][]cluster.Machines, len(spec.Racks))
	for i, rack := range spec.Racks {
		racks[i] = append([]cluster.Machines(nil), rack...)
		for k := range racks[i] {
			m := &racks[i][k]
			if m.CPUMilli == 0 {
				m.CPUMilli = int64(float64(m.GPUs) * r.cpus * 1000)
			}
			if m.MemMiB == 0 {
				m.MemMiB = int64(float64(m.GPUs) * r.memGiB * 1024)
			}
		}
	}
	spec.Racks = racks
	return spec
}
