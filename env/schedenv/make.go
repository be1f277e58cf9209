package schedenv

import (
	"tarry/env"
	"tarry/env/scenario"
	"tarry/sim/param"
)

// Make makes the environment of an id from settings, "key=value,...": read makes its configuration
// of them, and build the environment; a fault of a setting is an error. options is what its Spec
// states it was made from.
func Make[C any, E env.Env](from scenario.Catalogues, id, options string,
	read func(*param.Set, scenario.Catalogues, string) C,
	build func(c C, options string) (E, error)) (env.Env, error) {
	s := param.Parse(id, options)
	c := read(s, from, id)
	if err := s.Err(); err != nil {
		return nil, err
	}
	e, err := build(c, options)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// ReadAs is Read for the environment of an id; readV0 where that is of version 0 and keeps older
// defaults.
func ReadAs(s *param.Set, known scenario.Catalogues, id string, v0 bool) Config {
	read := Read
	if v0 {
		read = readV0
	}
	c := read(s, known)
	c.ID = id
	return c
}
