package interference

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tarry/sim/param"
)

// Measured is Gavel's tables, as package sim/speed/measured reads them: steps per second by model,
// number of GPUs and GPU type, alone and of two jobs on the same GPUs. ok is false for what was not
// measured, and 0 states that it does not run.
type Measured interface {
	Models() []string
	GPUs() []int
	Types() []string
	Pairs() bool
	StepsPerS(model string, gpus int, typ string) (perS float64, ok bool)
	PairStepsPerS(a, b string, gpus int, typ string) (ofA, ofB float64, ok bool)
}

// gavelKind is pairs from Gavel's measurements (Narayanan et al., OSDI 2020): steps per second of
// two jobs on the same GPUs over those alone, at most 1. The speed model gavel:DIR has them itself
// and refuses this; here they are a law over other models.
func gavelKind() Kind {
	return Kind{Name: "gavel", Form: "gavel:DIR[,type=TYPE,unfit=0.01" + pairsForm + "]",
		Doc: "measured pairs of models from Gavel's colocated.csv (OSDI 2020), over any speed model", First: "dir",
		Params: "dir        the folder with isolated.csv, colocated.csv and perhaps job_types.csv; it stands first, " +
			"without dir=\n" +
			"type       the GPU type whose measurements count\n" +
			"unfit      what both keep of a pair that does not run, so that nothing stands still for ever\n" +
			pairsDoc, read: readGavel,
		files: func(path string) (all []string) {
			for _, name := range [...]string{"isolated.csv", "colocated.csv", "job_types.csv"} {
				all = append(all, filepath.Join(path, name))
			}
			return all
		}}
}

func readGavel(s *param.Set, open Opener) (law, error) {
	dir, typ, unfit := s.Text("dir", ""), s.Text("type", "v100"), s.Float("unfit", 0.01, leastKeep, 1)
	l := readPairs(s)
	if dir == "" {
		s.Missing("dir", "gavel:DIR")
		return l, nil
	}
	if open == nil {
		return l, errors.New(dir + ": nothing reads Gavel's tables here")
	}
	t, err := open(dir)
	switch {
	case err != nil:
		return l, err
	case !t.Pairs():
		return l, errors.New(dir + ": no colocated.csv, expected measured pairs")
	}
	known := false
	for _, one := range t.Types() {
		known = known || strings.EqualFold(one, typ)
	}
	if !known {
		return l, fmt.Errorf("%s: no GPU type %q, expected type=TYPE of %s", dir, typ, strings.Join(t.Types(), ", "))
	}
	l.table = ofGavel(t, typ, unfit)
	return l, nil
}

// ofGavel makes the table of one GPU type.
func ofGavel(t Measured, typ string, unfit float64) *table {
	out := newTable()
	for _, name := range t.Models() {
		out.model(name)
	}
	for _, gpus := range t.GPUs() {
		for i, a := range t.Models() {
			alone, ok := t.StepsPerS(a, gpus, typ)
			for j, b := range t.Models() {
				ofA, ofB, pairs := t.PairStepsPerS(a, b, gpus, typ)
				if !ok || !pairs || alone == 0 {
					continue
				}
				keep := unfit
				if ofA > 0 && ofB > 0 {
					keep = min(1, max(unfit, ofA/alone))
				}
				out.rows[pair{int32(i), int32(j), int32(gpus)}] = keep
			}
		}
	}
	return out
}
