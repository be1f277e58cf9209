package train

import (
	"fmt"
	"strings"

	"tarry/env/scenario"
	"tarry/sim/param"
)

// mixtureOf are the files that an environment's option mixture names; nil = none.
func mixtureOf(envText string) []string {
	_, options, _ := strings.Cut(envText, ":")
	return param.Parse("", options).Texts("mixture", nil)
}

// mixtureSums are the hashes of these files; "" where one cannot be read.
func mixtureSums(envText string) []string {
	var out []string
	for _, path := range mixtureOf(envText) {
		sum, _ := scenario.SumFile(path)
		out = append(out, sum.SHA256)
	}
	return out
}

// locateMixture is locate for the files of the option mixture, whose content must equal the run's.
func locateMixture(dir, envText string) (string, error) {
	files := mixtureOf(envText)
	if len(files) == 0 {
		return envText, nil
	}
	s, err := seenIn(dir)
	if err != nil || len(s.Mixture) != len(files) { // of a run that has not begun
		return envText, err
	}
	var at []string
	for i, path := range files {
		for _, place := range places(dir, path) {
			if sum, ok := scenario.SumFile(place); ok && sum.SHA256 == s.Mixture[i] {
				at = append(at, place)
				break
			}
		}
		if len(at) != i+1 {
			return envText, fmt.Errorf("scenario %s of the mixture with the content that the run had is neither in "+
				"the working directory nor in %s or above it", path, dir)
		}
	}
	id, options, _ := strings.Cut(envText, ":")
	return id + ":" + param.Override(options, "mixture="+param.Quote(strings.Join(at, "+"))), nil
}
