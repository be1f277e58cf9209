package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/env/schedenv"
	"tarry/sim/param"
)

// workloadOptions are the options of an environment that decide its windows' jobs, the cluster,
// speeds and costs, with the default of each. The others are how many windows there are, and
// between an agent and its environment: what it sees, when it is asked, what it is paid for.
func workloadOptions() [][2]string {
	var files []string
	out := [][2]string{}
	for _, r := range append(schedenv.RowsV0(), schedenv.MixtureRow(&files)) {
		switch r.Key {
		case "windows", "hide_work", "reward", "gamma", "average":
		default:
			out = append(out, [2]string{r.Key, r.Default()})
		}
	}
	return out
}

// defaults gives what an environment, ID:key=value,..., takes where an option is not given:
// versions differ.
func (s *Setup) defaults(text string) map[string]string {
	out := map[string]string{}
	for _, f := range workloadOptions() {
		out[f[0]] = f[1]
	}
	id, options, _ := strings.Cut(text, ":")
	e, err := s.from.Envs.Find(id)
	if err != nil { // its maker reports it
		return out
	}
	for _, one := range e.Settings(s.from.Catalogues) {
		if _, there := out[one.Key]; there && one.Default != "" { // "" = the reader's own spelling of none
			out[one.Key] = one.Default
		}
	}
	// all versions have the same scenario of a file
	if s := param.Parse("", options); s.Text("scenario", "")+s.Text("mixture", "") != "" {
		out["speed"], out["models"] = "", ""
	}
	return out
}

// jobsOf returns the environment's options that change what a scheduler gets, in one order and
// one spelling, over the defaults of the environment: options with the same text give the same
// windows on the same cluster.
func jobsOf(defaults map[string]string, options string) string {
	s := param.Parse("", options)
	text := ""
	for _, f := range workloadOptions() {
		text += fmt.Sprintf("%s=%q ", f[0], plain(s.Text(f[0], defaults[f[0]])))
	}
	for _, key := range slices.Sorted(slices.Values(s.Keys())) {
		if strings.Contains(key, ".") { // costs.restore_s and the like
			text += fmt.Sprintf("%s=%q ", key, plain(s.Text(key, "")))
		}
	}
	return text
}

// plain writes numbers in one way. Whole ones, seeds among them, have more digits than a float64.
func plain(v string) string {
	if n, err := strconv.ParseInt(v, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	if x, err := strconv.ParseFloat(v, 64); err == nil {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return v
}
