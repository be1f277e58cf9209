package config

import (
	"slices"

	"tarry/sim/param"
	"tarry/sim/setting"
)

// File is a run's YAML file. Apply it after the preset that it names.
//
// Its fields are the settings of Config.Settings. cluster may be a mapping, as in a cluster's file,
// and costs a mapping, none or key=value,...; policy is another name of policies.
type File struct {
	set func() (*param.Set, error)
}

// ReadFile loads a file; Apply reads it.
func ReadFile(path string) (*File, error) {
	text, err := param.LoadYAML(path)
	if err != nil {
		return nil, err
	}
	return &File{func() (*param.Set, error) { return param.ParseYAML(path, text) }}, nil
}

// FromSettings gives settings the form of a run's YAML file. A value is text, a list or a mapping.
// where gives the place of a setting for errors; name stands where it states "".
func FromSettings(name string, settings map[string]any, where func(key string) string) *File {
	return &File{func() (*param.Set, error) { return param.FromTree(name, settings, where), nil }}
}

// fileItself marks where the run's file is, for what it lacks.
const fileItself = "the run's file"

// Preset is the preset that the file names, "" when there is none or the file is broken.
func (f *File) Preset() string {
	s, err := f.set()
	if err != nil {
		return ""
	}
	return s.Text("preset", "")
}

// Apply sets the fields of c that the file names. The error joins all its faults.
func (f *File) Apply(c *Config) error {
	s, err := f.set()
	if err != nil {
		return err
	}
	c.read(s)
	if !s.Has("trace") || !s.Has("policy") && !s.Has("policies") {
		c.Mark(fileItself, s.Place("").String())
	}
	if s.Has("policy") {
		c.Mark("policies", s.Place("policy").String())
	}
	return s.Err()
}

// read asks for every field.
func (c *Config) read(s *param.Set) {
	c.Scenario.Read(s)
	for _, g := range c.own() {
		setting.Read(s, g.rows)
	}
}

// Fields lists the settings of a run's YAML file.
func Fields() []string {
	s := param.FromTree("", nil, nil)
	c := Default()
	c.read(s)
	var out []string
	for _, a := range s.Settings() {
		out = append(out, a.Key)
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}
