package interference

import (
	"errors"
	"fmt"
	"strings"

	"tarry/sim/param"
)

// None is the setting of a run in which a share is a part of a GPU's time.
const None = "none"

// Rule is a law with its parameters. Parse makes one; it does not change, and many runs may share
// it.
type Rule struct {
	law   law
	spill float64
	text  string
}

// law states what a job keeps of its speed on one GPU. It does not change.
type law interface {
	// keep is in (0, 1] for a job beside others, which come in an order that does not depend on
	// their names; 1 beside none.
	keep(me *sharer, others []sharer) float64
}

// naming is a law that reads models by name.
type naming interface {
	// name gives a number >= 0 for a model, -1 for one that it does not have.
	name(model string) int32
}

// timing is a law that asks how long jobs compute and communicate.
type timing interface{ timed() }

// Kind is one law of the catalogue.
type Kind struct {
	// Name is what users write before the colon, Form the law with its options, Doc one line on
	// what it does, with its source.
	Name, Form, Doc string
	// Params has one line per option: key, meaning.
	Params string
	// First is the key of an option that stands first and without its key; "" = there is none.
	First string

	read  func(s *param.Set, open Opener) (law, error)
	files func(path string) []string // those behind the option First; nil = none
}

// Laws lists the laws in the order in which they are shown.
func Laws() []Kind {
	return []Kind{slicesKind(), mpsKind(), migKind(), nwayKind(), horusKind(), priorityKind(), crossoverKind(),
		stagesKind(), pairsKind(), gavelKind()}
}

// Forms reports how the setting is written.
func Forms() string {
	forms := []string{None}
	for _, k := range Laws() {
		forms = append(forms, k.Form)
	}
	return strings.Join(forms[:len(forms)-1], ", ") + " or " + forms[len(forms)-1]
}

// Files lists the files that a setting names, which may not be there.
func Files(spec string) []string {
	name, options, _ := strings.Cut(spec, ":")
	for _, k := range Laws() {
		if k.Name == name && k.First != "" {
			path := param.Parse("", k.spell(options)).Text(k.First, "")
			if k.files != nil && path != "" {
				return k.files(path)
			}
		}
	}
	return nil
}

// Options lists the options that a law reads, with their ranges and defaults.
func (k *Kind) Options() []param.Setting {
	s := param.Parse("", "")
	_, _ = k.read(s, nil)
	readSpill(s)
	return s.Settings()
}

// Opener reads a folder of Gavel's tables.
type Opener func(dir string) (Measured, error)

// Parse reads a setting: NAME or NAME:options. The result is nil for "" and none. The error joins
// all faults. open, which may be nil, is for the law gavel.
func Parse(spec string, open Opener) (*Rule, error) {
	if spec == "" || spec == None {
		return nil, nil
	}
	what := fmt.Sprintf("interference %q", spec)
	name, options, _ := strings.Cut(spec, ":")
	names := []string{None}
	for _, k := range Laws() {
		if names = append(names, k.Name); k.Name != name {
			continue
		}
		s := param.Parse(what, k.spell(options))
		l, err := k.read(s, open)
		r := &Rule{l, readSpill(s), spec}
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

// SpillDoc is the line of the option that all laws have.
const SpillDoc = "spill      how much longer a job takes whose memory is all in host memory, as a policy may limit " +
	"it; in part: in proportion"

// readSpill reads the option that all laws have.
func readSpill(s *param.Set) float64 { return s.Float("spill", 1, 0, 1e6) }

// spell gives the option that stands first its key.
func (k *Kind) spell(options string) string {
	if k.First == "" || options == "" {
		return options
	}
	return k.First + "=" + options
}

// String is the setting.
func (r *Rule) String() string { return r.text }

// busy is the busy part of a GPU, for jobs that do not state it.
type busy struct{ unknown float64 }

// busyDoc is the line of its option.
const busyDoc = "util       busy part of a GPU of jobs that do not state it, alone"

func readBusy(s *param.Set) busy { return busy{s.Float("util", 0.5, 0.01, 1)} }

// of returns a job's busy part.
func (b busy) of(j *sharer) float64 {
	if j.util > 0 {
		return j.util
	}
	return b.unknown
}

// sum returns the busy parts of a job and others together.
func (b busy) sum(me *sharer, others []sharer) float64 {
	all := b.of(me)
	for i := range others {
		all += b.of(&others[i])
	}
	return all
}
