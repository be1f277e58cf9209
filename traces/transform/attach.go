package transform

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// Share is a name and its weight among others.
type Share struct {
	Name   string
	Weight float64
}

// Models gives the models of jobs that ask for at least MinGPUs.
type Models struct {
	MinGPUs int32
	Shares  []Share
}

// Naming is the rule by which Attach names models and users.
type Naming struct {
	// Models holds one entry per demand class, by rising MinGPUs: a job takes the last
	// entry that it reaches. Jobs below the first keep no model. Empty = leave models.
	Models []Models
	// Users is how many users the jobs are shared out to, equally likely, named u1, u2
	// and so on. 0 = leave users.
	Users int
	// Replace draws for jobs that have a name already, too.
	Replace bool
}

// PaperModels is the rule of the six models in the paper's job lists, equally likely
// for every demand.
func PaperModels() []Models {
	var shares []Share
	for _, n := range []string{"AlexNet", "BERT", "MobileNetV3", "ResNet18", "ResNet50", "VGG"} {
		shares = append(shares, Share{n, 1})
	}
	return []Models{{1, shares}}
}

// Attach names models and users that the trace does not have, from the source's streams
// models and users, and marks the fields as drawn. Every job takes its number from the
// streams whether it needs a name or not, so that jobs' names do not depend on their
// neighbours' fields.
func Attach(w *sim.Workload, n Naming, src rng.Source) (*sim.Workload, error) {
	if err := n.check(); err != nil {
		return nil, err
	}
	jobs := slices.Clone(w.Jobs)
	origins := slices.Clone(w.Origins)
	if len(n.Models) > 0 {
		n.models(jobs, src.Stream("models"))
		origins = append(origins, origin.Origin{Field: "model", Source: "drawn from stream \"models\": " + n.rule()})
	}
	if n.Users > 0 {
		n.users(jobs, src.Stream("users"))
		origins = append(origins, origin.Origin{Field: "user", Source: fmt.Sprintf(
			"drawn from stream \"users\": %d users, equally likely", n.Users)})
	}
	return sim.NewWorkload(w.Name, jobs, origins...)
}

func (n *Naming) check() error {
	var errs []error
	for i, m := range n.Models {
		if i > 0 && m.MinGPUs <= n.Models[i-1].MinGPUs {
			errs = append(errs, fmt.Errorf("models of class %d start at %d GPUs, expected more than the class "+
				"before, %d", i, m.MinGPUs, n.Models[i-1].MinGPUs))
		}
		sum := 0.0
		for _, s := range m.Shares {
			if s.Name == "" || !(s.Weight >= 0) {
				errs = append(errs, fmt.Errorf("model %q with weight %g, expected a name and a weight >= 0", s.Name,
					s.Weight))
			}
			sum += s.Weight
		}
		if !(sum > 0) {
			errs = append(errs, fmt.Errorf("models of class %d have weights that sum to %g, expected more than 0", i,
				sum))
		}
	}
	if n.Users < 0 {
		errs = append(errs, fmt.Errorf("%d users, expected >= 0", n.Users))
	}
	return errors.Join(errs...)
}

func (n *Naming) models(jobs []sim.Job, s *rng.Stream) {
	choices := make([]*rng.Choice, len(n.Models))
	for i, m := range n.Models {
		weights := make([]float64, len(m.Shares))
		for k, sh := range m.Shares {
			weights[k] = sh.Weight
		}
		choices[i] = rng.NewChoice(weights)
	}
	for i := range jobs {
		j := &jobs[i]
		class := -1
		for k, m := range n.Models {
			if j.GPUs >= m.MinGPUs {
				class = k
			}
		}
		if class < 0 {
			s.Float64()
			continue
		}
		name := n.Models[class].Shares[choices[class].Pick(s)].Name
		if j.Model == "" || n.Replace {
			j.Model = name
			j.Drawn |= origin.Model
		}
	}
}

func (n *Naming) users(jobs []sim.Job, s *rng.Stream) {
	names := make([]string, n.Users)
	for i := range names {
		names[i] = fmt.Sprintf("u%d", i+1)
	}
	for i := range jobs {
		j := &jobs[i]
		if k := s.IntN(n.Users); j.User == "" || n.Replace {
			j.User = names[k]
			j.Drawn |= origin.User
		}
	}
}

// rule gives the models' rule in words.
func (n *Naming) rule() string {
	var classes []string
	for _, m := range n.Models {
		var shares []string
		for _, s := range m.Shares {
			shares = append(shares, fmt.Sprintf("%s %g", s.Name, s.Weight))
		}
		classes = append(classes, fmt.Sprintf("from %d GPUs by weight %s", m.MinGPUs, strings.Join(shares, ", ")))
	}
	return strings.Join(classes, "; ")
}
