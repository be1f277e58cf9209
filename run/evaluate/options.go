package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// workloadOptions are those of an environment that decide its windows' jobs, the cluster, speeds and costs, with the default
// of each. The others are between an agent and its environment: what it sees, when it is asked, what it is paid for.
func workloadOptions() [][2]string {
	return [][2]string{{"cluster", "4x4x8"}, {"workload", "poisson"}, {"load", "0.9"}, {"data_seed", "0"}, {"trace", ""}, {"shares", "70:15:15"}, {"gap", "24"},
		{"rate", "1"}, {"thin", "1"}, {"batch_jobs", "0"}, {"copies", "1"}, {"window_jobs", "0"}, {"test_starts", ""}, {"test_jobs", "0"}, {"part", "train"}, {"speed", "tiers"}, {"models", "ResNet50"}, {"profiles", ""}, {"scenario", ""}, {"mixture", ""}, {"predict", "none"}, {"costs", ""}, {"variability", ""}, {"efficiency", ""}, {"interference", ""}, {"hosts", ""}, {"gpu_profile", ""}, {"elastic", ""}, {"deadlines", ""}, {"quotas", ""}, {"priorities", ""}, {"faults", ""}, {"cuts", ""}, {"chunk_iterations", "0"}, {"mark_every_s", "0"}, {"gpu_mem_mib", "0"}, {"strict", "false"}, {"max_jobs", "0"},
		{"checkpoint_s", "0"}, {"restore_s", "0"}, {"lease_s", "3600"}, {"warm", "24"}, {"horizon", "72"}, {"warmup", "agent"}}
}

// defaults gives what an environment, ID:key=value,..., takes where an option is not given: versions differ.
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
		if _, there := out[one.Key]; there {
			out[one.Key] = one.Default
		}
	}
	if out["predict"] == "" { // the reader's own spelling of none
		out["predict"] = "none"
	}
	if s := param.Parse("", options); s.Text("scenario", "")+s.Text("mixture", "") != "" { // all versions have the same scenario of a file
		out["speed"], out["models"] = "", ""
	}
	return out
}

// jobsOf is those of an environment's options that change what a scheduler gets, in one order and one spelling, over the defaults of the
// environment: options with the same text give the same windows on the same cluster.
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
