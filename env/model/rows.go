package model

import (
	"math"

	"tarry/env/trait"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Defaults are the settings where none is given.
func Defaults() Settings { return Settings{Part: trait.Train, Windows: 1000, DataSeed: 1} }

// Rows are the options that all share, with their defaults.
func Rows() []setting.Row {
	s := Defaults()
	return s.rows()
}

// ReadSettings makes Settings of a set.
func ReadSettings(s *param.Set) Settings {
	out := Defaults()
	setting.Read(s, out.rows())
	return out
}

// parts are the parts, the default first.
func parts() []string {
	return []string{string(trait.Train), string(trait.Validation), string(trait.Test)}
}

func (s *Settings) rows() []setting.Row {
	return []setting.Row{
		{Key: "part", Read: func(set *param.Set) {
			s.Part = trait.Part(set.Enum("part", parts()...))
		}, Show: func() string { return string(s.Part) }, Names: parts(),
			Doc: "train | validation | test: from which instances an episode is drawn"},
		{Key: "windows", To: &s.Windows, Low: 1, High: 1 << 30, Doc: "instances in each part"},
		{Key: "data_seed", To: &s.DataSeed, High: math.MaxInt64, Doc: "root of the instances' seeds"},
	}
}

// Make makes an environment from settings, "key=value,...": read makes its configuration of them; a
// fault of a setting is an error.
func Make[M Model](id, options string, read func(*param.Set) Config[M]) (*Env[M], error) {
	s := param.Parse(id, options)
	c := read(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	return New(c, options)
}
