package typed

import (
	"slices"
	"strings"

	"tarry/baselines/score"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Settings are the settings, as users write them.
type Settings struct {
	// Weights are in the order of TermNames.
	Weights []float64
	// Law is the law of run times of jobs without another one.
	Law score.Law
	// RoundS is the time after which all is planned anew, s.
	RoundS float64
	// Predicted has jobs have the laws of the run's predictor, Exact their true run times; Eager has
	// all planned anew when jobs or GPUs come or go.
	Predicted, Exact, Eager bool
}

// Default are the settings without a file.
func Default() Settings {
	w := make([]float64, len(TermNames()))
	for i, n := range TermNames() {
		switch n {
		case "best", "slower", "rank", "gpus":
			w[i] = 1
		case "price":
			w[i] = 0.5
		}
	}
	return Settings{Weights: w, Law: score.DefaultLaw(), RoundS: 360, Eager: true}
}

// TermNames are the names of the terms: of a pair, then of a job alone.
func TermNames() []string {
	return append(param.Keys(PairText), ownTerms()...)
}

// NumTerms is how many terms there are.
const NumTerms = NumPair + 13

// ownTerms are the terms of a job alone.
func ownTerms() []string {
	return []string{"rank", "gpus", "attained", "age", "wait", "running", "preempted", "pressure_rank", "pressure_gpus",
		"pressure_attained", "rank2", "gpus2", "attained2"}
}

// OwnFunc is the function of the terms of a job alone, with weights 0.
func OwnFunc() (*score.Func, error) { return score.New(ownTerms(), 0) }

// meanings are by term.
func meanings() []string {
	return []string{
		"weight of -ln(speed on the job's best type, relative to reference GPUs)",
		"weight of ln(speed on the best type / on the pair's), at least 0",
		"weight of how little the jobs in the system lose elsewhere: of the mean of ln(speed on the pair's type / on the " +
			"best), by GPUs, at least -4; a positive weight has jobs leave alone what most run best on",
		"weight of -ln(speed on the pair's type / on the best of the others), cut at 4 to either side",
		"what is added to the pairs of a running job that are not where it is",
		"weight of ln(Gittins rank of the run time / 1 min), as in ranked",
		"weight of ln(GPUs)",
		"weight of ln(1 + minutes of progress)",
		"weight of ln(1 + minutes since the submit)",
		"weight of ln(1 + minutes without GPUs)",
		"what is added to all pairs of a running job",
		"weight of ln(1 + preemptions)",
		"weight of ln(1 + GPUs asked for without success / GPUs) x (rank - 4)",
		"weight of the same x (ln(GPUs) - 2)",
		"weight of the same x (attained - 4)",
		"weight of the square of (rank - 4) / 2",
		"weight of the square of (ln(GPUs) - 2) / 2",
		"weight of the square of (attained - 4) / 2",
	}
}

// Rows are the settings, with their defaults.
func Rows() []setting.Row {
	s, file := Default(), noFile
	return slices.Insert(s.rows(), 0, fileRow(&file))
}

// String gives the policy with these settings, as users write it.
func (s *Settings) String() string {
	d := Default()
	usual := d.rows()
	text := strings.Join(s.Spelled(func(key string) bool {
		return setting.Find(usual, key).Text() != setting.Find(s.rows(), key).Text()
	}), ",")
	if text == "" {
		return "typed"
	}
	return "typed:" + text
}

// Spelled gives the settings whose keys are wanted, each as key=value.
func (s *Settings) Spelled(wanted func(key string) bool) (out []string) {
	for _, r := range s.rows() {
		if wanted(r.Key) {
			out = append(out, r.Key+"="+r.Text())
		}
	}
	return out
}

// Help describes the settings for the catalogue.
func Help() string { return setting.Help(Rows()) }

// noFile is the setting weights where there is no file.
const noFile = "none"

func fileRow(file *string) setting.Row {
	return setting.Row{Key: "weights", To: file, Doc: "a file that has the weights, law_median_s, law_spread, " +
		"predicted, round and eager where they are not given here; other settings go before it; none = no file"}
}

// Read reads the settings; what is not given is from the file of weights, if one is given.
func Read(s *param.Set) Settings {
	file, out := noFile, Default()
	if setting.Read(s, []setting.Row{fileRow(&file)}); file != noFile {
		if from, err := Load(file); err != nil {
			s.Fault("%v", err)
		} else {
			out = from
		}
	}
	setting.Read(s, out.rows())
	return out
}

// rows are the settings beside the file.
func (s *Settings) rows() []setting.Row {
	var out []setting.Row
	for i, n := range TermNames() {
		out = append(out, setting.Row{Key: n, To: &s.Weights[i], Low: -100, High: 100, Doc: meanings()[i]})
	}
	return append(out,
		setting.Row{Key: "law_median_s", To: &s.Law.MedianS, Low: 1e-3, High: 1e12,
			Doc: "median of the run times, s: the rank is of a log-normal law"},
		setting.Row{Key: "law_spread", To: &s.Law.Spread, High: 4, Doc: "standard deviation of ln(run time), 0 to 4"},
		setting.Row{Key: "predicted", To: &s.Predicted,
			Doc: "true: jobs have the laws of the run's predictor, where it has one"},
		setting.Row{Key: "exact", To: &s.Exact,
			Doc: "true: jobs have their true run times as laws, which makes it clairvoyant"},
		setting.Row{Key: "round", To: &s.RoundS, Low: 0.001, High: 1e9, Doc: "time after which all is planned anew, s"},
		setting.Row{Key: "eager", To: &s.Eager, Doc: "true: all is planned anew when jobs or GPUs come or go, too; " +
			"false: waiting jobs get what is free"})
}
