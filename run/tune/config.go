package tune

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/output/results"
	"tarry/sim/param"
)

// Config is everything that decides the bytes of a run.
type Config struct {
	// Env is ID or ID:key=value,... of an environment over the simulator; its jobs, cluster, speeds
	// and costs count, and its windows of training are the windows that an agent sees.
	Env string `json:"env"`
	// Policy is NAME or NAME:key=value,... with settings that are not tuned.
	Policy string `json:"policy"`
	// Params are the parameters as search.ParseParam reads them. NAME/0, NAME/1, ... are the
	// members of a list.
	Params []string `json:"params"`
	// Optimiser is NAME or NAME:key=value,...
	Optimiser string `json:"optimiser"`
	// Metric is one of Metrics, to be made small.
	Metric string `json:"metric"`
	// Cost is one of Costs: how the windows' metrics are put together; "" = mean, as in folders of
	// an earlier version.
	Cost string `json:"cost,omitempty"`
	// Against, NAME or NAME:key=value,..., is what ratios are relative to on the same window; ""
	// without ratios.
	Against string `json:"against,omitempty"`
	// Budget is how many points are measured on Windows windows each: Budget x Windows simulations
	// at most, beside the reference and validation.
	Budget  int `json:"budget"`
	Windows int `json:"windows"`
	// Validation is how many windows of validation choose between the Candidates best points and
	// the reference.
	Validation int `json:"validation_windows"`
	Candidates int `json:"candidates"`
	// Seed names all random streams.
	Seed uint64 `json:"seed"`
	// Codec compresses the files of the table: one of results.Codecs; "" = the first of them.
	Codec string `json:"parquet_codec,omitempty"`
}

// Default is a Config without environment, policy and parameters.
func Default() Config {
	return Config{Optimiser: "cmaes", Metric: "jct_mean", Cost: "ratio", Against: "dally", Budget: 100, Windows: 8,
		Validation: 8, Candidates: 5, Seed: 1}
}

// Metrics lists what can be made small; each is a column of the table trials, but for jct_bsld: the
// root of jct_mean x bsld_mean.
func Metrics() []string {
	return []string{"jct_mean", "jct_p95", "jct_p99", "queue_mean", "queue_p99", "slowdown_mean", "bsld_mean",
		"makespan", "jct_bsld"}
}

// Costs lists what is made small, of the metric x of each window: the mean of x over
// Config.Against's on the same window, which is the cost of a policy search; the mean of ln(x), as
// a search has it with cost=log; and the mean of x itself, in which long windows count more.
func Costs() []string { return []string{ratioCost, logCost, meanCost} }

const (
	ratioCost = "ratio"
	logCost   = "log"
	meanCost  = "mean"
)

// metric picks one out of a summary.
func metric(name string, s *results.Summary) float64 {
	switch name {
	case "jct_p95":
		return s.JCTP95
	case "jct_p99":
		return s.JCTP99
	case "queue_mean":
		return s.QueueMean
	case "queue_p99":
		return s.QueueP99
	case "slowdown_mean":
		return s.SlowdownMean
	case "bsld_mean":
		return s.BSLDMean
	case "makespan":
		return s.Makespan
	case "jct_bsld":
		return math.Sqrt(float64(s.JCTMean * s.BSLDMean))
	}
	return s.JCTMean
}

// validate reports the faults that can be seen without making anything.
func (c *Config) validate() error {
	var errs []error
	for _, f := range []struct {
		field, name string
		got, most   int
	}{{"budget", "budget", c.Budget, 1_000_000}, {"windows", "windows", c.Windows, 10_000},
		{"validation_windows", "validation windows", c.Validation, 10_000},
		{"candidates", "candidates", c.Candidates, 1000}} {
		if f.got < 1 || f.got > f.most {
			errs = append(errs, at(f.field, fmt.Errorf("%s: %d, expected 1..%d", f.name, f.got, f.most)))
		}
	}
	if codec, err := results.ParseCodec(c.Codec); err != nil {
		errs = append(errs, at("parquet_codec", err))
	} else {
		c.Codec = string(codec)
	}
	if !slices.Contains(Metrics(), c.Metric) {
		errs = append(errs, at("metric", fmt.Errorf("metric %q, expected one of %s%s", c.Metric,
			strings.Join(Metrics(), ", "), param.Hint(c.Metric, Metrics()))))
	}
	c.Cost = cmp.Or(c.Cost, meanCost)
	if !slices.Contains(Costs(), c.Cost) {
		errs = append(errs, at("cost", fmt.Errorf("cost %q, expected one of %s%s", c.Cost, strings.Join(Costs(), ", "),
			param.Hint(c.Cost, Costs()))))
	}
	switch c.Cost {
	case ratioCost:
		c.Against = cmp.Or(c.Against, Default().Against)
	case meanCost:
		c.Cost, c.Against = "", "" // as an earlier version wrote it
	default:
		c.Against = ""
	}
	return errors.Join(errs...)
}

// JSON is what config.json holds.
func (c *Config) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(c, "", "  ")
	return append(text, '\n'), err
}

// Recorded gives the configuration of the run in a folder; an error that wraps os.ErrNotExist
// states that there is none.
func Recorded(dir string) (Config, error) {
	path := filepath.Join(dir, configName)
	text, err := os.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	var c Config
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if c.Policy == "" || len(c.Params) == 0 {
		return c, fmt.Errorf("%s is not of a run of tarry tune", path)
	}
	return c, nil
}

// differences lists the settings in which two texts of a config.json differ; nil when they are the
// same.
func differences(was, now []byte) error {
	var a, b map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(was, &a), json.Unmarshal(now, &b)); err != nil {
		return err
	}
	var diffs []string
	for k, v := range b {
		if !slices.Equal(a[k], v) {
			diffs = append(diffs, fmt.Sprintf("%s was %s, now %s", k, compact(a[k]), compact(v)))
		}
	}
	if len(diffs) == 0 {
		return nil
	}
	slices.Sort(diffs)
	return fmt.Errorf("the run is of another configuration than its config.json: %s", strings.Join(diffs, "; "))
}

func compact(v json.RawMessage) string {
	if v == nil {
		return "unset"
	}
	return strings.Join(strings.Fields(string(v)), " ")
}
