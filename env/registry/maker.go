package registry

import (
	"strings"
	"sync"

	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/entry"
	"tarry/sim/param"
)

// Maker makes environments as Make does, but environments that are trait.Divided share what never
// changes where their options differ in nothing but the part (part=train, validation or test): jobs
// are read and cut once, for the first of them. What it has opened stays open, so that a trace that
// is written anew is read again by another Maker only.It serves any number of goroutines, and so
// may the environments that it gives, each in one.
type Maker struct {
	envs Catalogue
	from entry.Catalogues

	mu   sync.Mutex
	kept map[string]trait.Divided // by id and options without the part; never reset
}

// NewMaker gives a Maker of the environments of a catalogue, whose options name entries of from.
func NewMaker(envs Catalogue, from entry.Catalogues) *Maker { return &Maker{envs: envs, from: from} }

// Make is Catalogue.Make.
func (m *Maker) Make(text string) (env.Env, error) {
	_, options, _ := strings.Cut(text, ":")
	return m.MakeAs(text, options)
}

// MakeAs is Make, but the Spec has other options than text: a trace that was found in
// another place does not make another environment.
func (m *Maker) MakeAs(text, said string) (env.Env, error) {
	e, options, err := m.envs.entryOf(text)
	if err != nil {
		return nil, err
	}
	inner, err := m.bare(&e, options)
	if err != nil {
		return nil, err
	}
	return wrapped(&e, inner, said)
}

// Take gives all that was opened to a Maker of its own and forgets it.
func (m *Maker) Take() *Maker {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := &Maker{envs: m.envs, from: m.from, kept: m.kept}
	m.kept = nil
	return out
}

// bare makes an environment without wrappers.
func (m *Maker) bare(e *Entry, options string) (env.Env, error) {
	rest, part, ok := apart(options)
	if !ok {
		return e.New(m.from, options)
	}
	m.mu.Lock() // while it is opened too: the others would open it again meanwhile
	defer m.mu.Unlock()
	key := e.ID + ":" + rest
	if first := m.kept[key]; first != nil {
		return first.Another(part)
	}
	made, err := e.New(m.from, rest)
	if err != nil {
		return e.New(m.from, options) // its error, in the words that were given
	}
	first, ok := made.(trait.Divided)
	if !ok {
		if err := made.Close(); err != nil {
			return nil, err
		}
		return e.New(m.from, options) // which may have a part of its own
	}
	if m.kept == nil {
		m.kept = map[string]trait.Divided{}
	}
	m.kept[key] = first
	return first.Another(part)
}

// apart splits the part from the other options, whose text stays as it is; false where the part is
// malformed or there more than once.
func apart(options string) (rest string, part trait.Part, ok bool) {
	part, ok = trait.Train, true
	var others []string
	given := false
	for _, one := range param.Split(options) {
		key, value, _ := strings.Cut(one, "=")
		if strings.TrimSpace(key) != "part" {
			others = append(others, one)
			continue
		}
		part, ok = trait.Part(strings.TrimSpace(value)), ok && !given
		given = true
	}
	known := part == trait.Train || part == trait.Validation || part == trait.Test
	return strings.Join(others, ","), part, ok && known
}
