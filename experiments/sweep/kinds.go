package sweep

import (
	"context"
	"fmt"
	"strings"

	"tarry/run/parts"
	"tarry/sim/param"
)

// kind is what cells of a kind do.
type kind struct {
	name string
	// known lists the settings; an axis of such a name sets it.
	known func(from *parts.Catalogues) []string
	// check makes what the settings stand for, without running it, and gives the cost. where states
	// the place of a setting.
	check func(from *parts.Catalogues, c *Cell, name string, where func(key string) string) (Cost, error)
	// run runs a cell in its folder and lists the files that it wrote, relative to it. What its
	// settings make impossible wraps ErrPermanent.
	run func(ctx context.Context, a *attempt) (files []string, err error)
}

// tuneKind is the only kind that axes can be optimised in.
const tuneKind = "tune"

// kinds lists them.
func kinds() []kind {
	return []kind{
		{"simulate", simulateFields, checkSimulate, runSimulate},
		{"learn", learnFields, checkLearn, runLearn},
		{tuneKind, tuneFields, checkTune, runTune},
	}
}

func findKind(name string) (kind, error) {
	var names []string
	for _, k := range kinds() {
		if k.name == name {
			return k, nil
		}
		names = append(names, k.name)
	}
	return kind{known: func(*parts.Catalogues) []string { return nil }},
		fmt.Errorf("kind is %q, expected one of %s%s", name, strings.Join(names, ", "), param.Hint(name, names))
}
