package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tarry/output/results"
	"tarry/run/parts"
	"tarry/sim/param"
)

// Cell is one settings map with a seed.
type Cell struct {
	// Index counts from 0 in the order of the axes; ID is the path of key=value folders, axes in
	// order and the seed last: "load=0.9/policy=dally/seed=1".
	Index int    `json:"index"`
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Seed  uint64 `json:"seed"`
	// ConfigSHA256 is the hash of kind, settings and sources.
	ConfigSHA256 string `json:"config_sha256"`
	// Sources has the hashes of what policies of the settings are made of beside the program, by
	// policy; nil = there are none.
	Sources map[string]string `json:"sources,omitempty"`
	// Axes gives the value of each axis as text.
	Axes map[string]string `json:"axes"`
	// Settings are resolved: nothing is left to fill in.
	Settings Settings `json:"settings"`
}

// longestSegment is the longest name of a folder on the usual file systems.
const longestSegment = 255

// speller spells cells out.
type speller struct {
	s      *Spec
	from   *parts.Catalogues
	kind   kind
	known  []string // names of settings
	base   Settings
	values [][]string
	cases  [][]Settings // normal, per axis and value; nil where an axis has none
	used   map[string]bool
	errs   faultList
}

// faultList keeps errors once, in the order in which they came.
type faultList struct {
	seen map[string]bool
	errs []error
}

func (l *faultList) add(where string, err error) {
	if err == nil {
		return
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok && strings.Contains(err.Error(), "\n") {
		for _, e := range many.Unwrap() {
			l.add(where, e)
		}
		return
	}
	if where != "" {
		err = fmt.Errorf("%s: %w", where, err)
	}
	if l.seen[err.Error()] {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[err.Error()] = true
	l.errs = append(l.errs, err)
}

func (l *faultList) err() error { return errors.Join(l.errs...) }

// at gives the place of a field of the spec, its name where there is no file.
func (s *Spec) at(field string) string {
	if p := s.where[field]; p != "" {
		return p
	}
	return field
}

// Cells spells the cells out, in order: the first axis is the slowest, the seed the fastest. The
// error joins every fault. Settings are put together here and tried by Check.
func (s *Spec) Cells(from *parts.Catalogues) ([]Cell, error) {
	sp := &speller{s: s, from: from, used: map[string]bool{}}
	n := sp.prepare()
	if len(sp.errs.errs) > 0 {
		return nil, sp.allFaults(n)
	}
	cells := make([]Cell, 0, n)
	for i := range n {
		cells = append(cells, sp.cell(i))
		if len(sp.errs.errs) > 0 && i >= len(s.seeds())-1 {
			break // the others repeat it
		}
	}
	if len(sp.errs.errs) == 0 {
		sp.unused()
	}
	if len(sp.errs.errs) > 0 {
		return nil, sp.allFaults(n)
	}
	return cells, nil
}

// unused reports axes that no setting has.
func (sp *speller) unused() {
	for i, a := range sp.s.Axes {
		if !sp.used[a.Name] {
			sp.errs.add(sp.s.at(fmt.Sprintf("axes[%d].name", i)), fmt.Errorf("axis %s is used nowhere: it is no "+
				"setting of kind %s and no {%s} stands in a setting%s",
				a.Name, sp.s.Kind, a.Name, param.Hint(a.Name, sp.known)))
		}
	}
}

// seeds gives the seeds, 1 by default.
func (s *Spec) seeds() []uint64 {
	if s.Seeds == nil {
		return []uint64{1}
	}
	return s.Seeds
}

// prepare checks the spec as a whole and gives the number of cells.
func (sp *speller) prepare() int {
	s := sp.s
	var err error
	sp.errs.add(s.at("name"), checkName(s.Name))
	sp.kind, err = findKind(s.Kind)
	sp.errs.add(s.at("kind"), err)
	sp.known = sp.kind.known(sp.from)
	base, err := normal(s.Base)
	sp.errs.add(s.at("base"), err)
	sp.base, _ = base.(map[string]any)
	if _, there := sp.base[seedAxis]; there {
		sp.errs.add(s.at("base.seed"), errors.New("seed is given, expected seeds beside base"))
	}
	n := sp.checkSeeds()
	names := map[string]bool{}
	for i := range s.Axes {
		a := &s.Axes[i]
		at := s.at(fmt.Sprintf("axes[%d].name", i))
		sp.errs.add(at, a.checkName())
		if names[a.Name] {
			sp.errs.add(at, fmt.Errorf("two axes are called %s", a.Name))
		}
		names[a.Name] = true
		if a.Optimise != "" && s.Kind != tuneKind {
			sp.errs.add(at, fmt.Errorf("axis %s is optimised and kind is %q, expected kind %s", a.Name, s.Kind,
				tuneKind))
		}
		values, err := a.names()
		sp.errs.add(at, err)
		sp.values, sp.cases = append(sp.values, values), append(sp.cases, sp.caseSettings(i))
		if n *= max(1, len(values)); n > mostCells {
			sp.errs.add(at, fmt.Errorf("the sweep has more than %d cells", mostCells))
			n = mostCells
		}
	}
	if most := s.Budget.Cells; most > 0 && n > most {
		sp.errs.add(s.at("budget.cells"), fmt.Errorf("the sweep has %d cells, the budget allows %d", n, most))
	}
	return n
}

func (sp *speller) checkSeeds() int {
	seen := map[uint64]bool{}
	if sp.s.Seeds != nil && len(sp.s.Seeds) == 0 {
		sp.errs.add(sp.s.at("seeds"), errors.New("no seed, expected at least one"))
	}
	for _, v := range sp.s.Seeds {
		if seen[v] {
			sp.errs.add(sp.s.at("seeds"), fmt.Errorf("seed %d is given twice", v))
		}
		seen[v] = true
	}
	return len(sp.s.seeds())
}

// checkName holds the names of sweeps.
func checkName(name string) error {
	ok := name != "" && len(name) <= 100
	for _, c := range name {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("_.-", c))
	}
	if !ok {
		return fmt.Errorf("the sweep's name is %q, expected 1..100 letters, digits, \"_\", \".\" and \"-\"", name)
	}
	return nil
}

// caseSettings gives the settings of the cases of an axis.
func (sp *speller) caseSettings(i int) []Settings {
	var out []Settings
	for k, c := range sp.s.Axes[i].Cases {
		v, err := normal(c.Set)
		sp.errs.add(sp.s.at(fmt.Sprintf("axes[%d].cases[%d].set", i, k)), err)
		m, _ := v.(map[string]any)
		if _, there := m[seedAxis]; there {
			sp.errs.add(sp.s.at(fmt.Sprintf("axes[%d].cases[%d].set.seed", i, k)),
				errors.New("seed is given, expected seeds beside base"))
		}
		out = append(out, m)
	}
	return out
}

// places gives the position of each axis and of the seed in a cell.
func (sp *speller) places(index int) (at []int, seed int) {
	seeds := len(sp.s.seeds())
	seed, index = index%seeds, index/seeds
	at = make([]int, len(sp.values))
	for i := len(at) - 1; i >= 0; i-- {
		n := max(1, len(sp.values[i])) // what is optimised has no values
		at[i], index = index%n, index/n
	}
	return at, seed
}

// cell spells one cell out.
func (sp *speller) cell(index int) Cell {
	s := sp.s
	at, seed := sp.places(index)
	c := Cell{Index: index, Kind: s.Kind, Seed: s.seeds()[seed], Axes: make(map[string]string, len(at))}
	vars := map[string]string{seedAxis: strconv.FormatUint(c.Seed, 10)}
	settings := maps.Clone(sp.base)
	var id results.Partition
	for i, a := range s.Axes {
		if a.Optimise != "" {
			continue
		}
		v := sp.values[i][at[i]]
		c.Axes[a.Name], vars[a.Name] = v, v
		id = append(id, results.Part{Key: a.Name, Value: v})
		where := s.at(fmt.Sprintf("axes[%d].name", i))
		top, _, _ := strings.Cut(a.Name, ".")
		switch {
		case sp.cases[i] != nil:
			sp.used[a.Name] = true
			own := sp.cases[i][at[i]]
			for _, k := range slices.Sorted(maps.Keys(own)) {
				sp.errs.add(where, set(settings, k, own[k]))
			}
		case slices.Contains(sp.known, top):
			sp.used[a.Name] = true
			sp.errs.add(where, set(settings, a.Name, v))
		}
	}
	id = append(id, results.Part{Key: seedAxis, Value: vars[seedAxis]})
	sp.optimised(settings)
	if c.Settings = sp.filled(settings, vars); seed > 0 {
		baselinesOnce(c.Settings)
	}
	if c.ID = id.Dir(); slices.ContainsFunc(strings.Split(c.ID, "/"),
		func(seg string) bool { return len(seg) > longestSegment }) {
		sp.errs.add("", fmt.Errorf("cell %s: a part of its id has more than %d bytes, which no folder can have: use "+
			"cases, which have short names", c.ID, longestSegment))
	}
	var err error
	c.Sources = sp.sources(c.Settings)
	c.ConfigSHA256, err = configSum(c.Kind, c.Settings, c.Sources)
	sp.errs.add("cell "+c.ID, err)
	return c
}

// optimised makes parameters of the axes that an optimiser looks along.
func (sp *speller) optimised(settings Settings) {
	for i, a := range sp.s.Axes {
		if a.Optimise == "" {
			continue
		}
		sp.used[a.Name] = true
		have, ok := settings[paramsField].(map[string]any)
		_, twice := have[a.Name]
		var err error
		switch {
		case !ok && settings[paramsField] != nil:
			err = fmt.Errorf("params is %s, expected name: range for axis %s", describe(settings[paramsField]), a.Name)
		case twice:
			err = fmt.Errorf("axis %s is optimised and params has %s, expected it in one place", a.Name, a.Name)
		}
		sp.errs.add(sp.s.at(fmt.Sprintf("axes[%d].name", i)), err)
		have = maps.Clone(have)
		if have == nil {
			have = map[string]any{}
		}
		have[a.Name] = a.Optimise
		settings[paramsField] = have
	}
}

// filled replaces the {names} in settings.
func (sp *speller) filled(settings Settings, vars map[string]string) Settings {
	out := make(Settings, len(settings))
	for _, k := range slices.Sorted(maps.Keys(settings)) {
		v, err := fill(settings[k], vars, sp.used)
		sp.errs.add(sp.s.at("base."+k), err)
		out[k] = v
	}
	return out
}

// configSum is the hash of what decides a cell's numbers beside its seed.
func configSum(kind string, settings Settings, sources map[string]string) (string, error) {
	text, err := json.Marshal(struct {
		Kind     string            `json:"kind"`
		Settings Settings          `json:"settings"`
		Sources  map[string]string `json:"sources,omitempty"`
	}{kind, settings, sources})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
