package scenario

import (
	"errors"
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/service"
	"tarry/sim/service/curves"
	"tarry/sim/service/roster"
	"tarry/sim/setting"
)

// servicesPage is the page about the settings of services.
const servicesPage = "reference/services.md"

// least is the operator of services where none is named.
const least = "least"

// serviceLaws are the services of a run and their operator.
func serviceLaws() []scenarioLaw {
	nothing := func(*Setup) (layerOf, error) { return nil, nil } // buildServices reads both
	return []scenarioLaw{{(*Scenario).servicesRow, (*Setup).buildServices}, {(*Scenario).operatorRow, nothing}}
}

// servicesRow is the setting of the services.
func (c *Scenario) servicesRow() setting.Row {
	return setting.Row{Key: "services", Group: setting.Services, Page: servicesPage, Flag: "services", To: &c.Services,
		Empty: roster.None, Paths: true, Meta: "SERVICES", Words: []string{roster.None},
		Doc: "services whose replicas serve requests beside the jobs", Forms: roster.Forms,
		See: "services", Choices: namedServices, List: "services",
		ListDoc: "the named services and loads of --services, and their options",
		Files:   func() []string { return roster.Files(c.Services) }}
}

// operatorRow is the setting of who runs them.
func (c *Scenario) operatorRow() setting.Row {
	return setting.Row{Key: "operator", Group: setting.Services, Page: servicesPage, Flag: "operator", To: &c.Operator,
		Empty: least, Meta: "OPERATOR", See: "operators",
		Doc: "what starts the replicas of services and lends their machines to jobs", Forms: "NAME or NAME:key=value,..."}
}

// namedServices are the services that stand in no file.
func namedServices() (out []setting.Choice) {
	for _, l := range curves.Laws() {
		out = append(out, setting.Choice{Name: l.Name, Doc: "one service with " + l.Doc, Form: l.Name + "[:gpus=2,own=4,...]",
			Params: roster.Help(), Options: func() []param.Setting { return roster.Options(l) }})
	}
	return out
}

// buildServices reads the services and their operator.
func (s *Setup) buildServices() (layerOf, error) {
	c := &s.Scenario
	rule, err := roster.Parse(c.Services)
	if err != nil {
		err = wrong("services", "%w", err)
	}
	errs := []error{err}
	if rule != nil && s.Topology != nil {
		if s.services, err = rule.Model(s.Topology); err != nil {
			errs = append(errs, wrong("services", "%w", err))
		} else {
			errs = append(errs, s.checkReplicas())
		}
	}
	name := c.Operator
	if name == "" && rule != nil {
		name = least
	}
	if s.operator, err = s.from.Operators.Parse(name); err != nil {
		errs = append(errs, wrong("operator", "%w", err))
	}
	if name != "" && rule == nil && errs[0] == nil {
		errs = append(errs, wrong("operator", "operator is %q without services, expected services, too: services=steady",
			name))
	}
	return nil, errors.Join(errs...)
}

// checkReplicas finds replicas of which the speed model cannot state how fast they are.
func (s *Setup) checkReplicas() error {
	var errs []error
	kind, _ := s.from.Speeds.Find(s.Scenario.Speed)
	known := slices.Contains(modelRules(), s.Scenario.Models)
	for i := range s.services.Services {
		of := &s.services.Services[i]
		switch {
		case of.Model == "" && of.GPUs > 1 && kind.ByModel && known:
			errs = append(errs, wrong("services", "service %q has replicas of %d GPUs and no model, and the speed model %s "+
				"asks for one, expected model=NAME of tarry list models, gpus=1 or speed=counting", of.Name, of.GPUs,
				s.Scenario.Speed))
		case of.Model != "" && s.models != nil && known:
			if _, err := s.models.Lookup(of.Model); err != nil {
				errs = append(errs, wrong("services", "service %q: %w", of.Name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// TooWide remarks jobs that ask for more GPUs than there are beside the services' own machines; "" =
// there are none.
func (s *Setup) TooWide(of ...*sim.Workload) string {
	if s.services == nil || s.services.Own == nil {
		return ""
	}
	rest := 0
	for m, own := range s.services.Own {
		if lo, hi := s.Topology.MachineGPUs(m); !own {
			rest += int(hi - lo)
		}
	}
	jobs, wide, first := 0, 0, ""
	for _, w := range of {
		for i := range w.Jobs {
			j := &w.Jobs[i]
			least := int(j.GPUs)
			if j.MinGPUs > 0 {
				least = int(j.MinGPUs)
			}
			if jobs++; least > rest {
				if wide++; first == "" {
					first = fmt.Sprintf("job %q needs %d", j.ID, least)
				}
			}
		}
	}
	if wide == 0 {
		return ""
	}
	return fmt.Sprintf("services: %d of %d jobs need more GPUs than the %d on machines that are not the services' "+
		"(own=): %s; they wait until the operator lends machines (lend=all), and for ever where it lends too few", wide, jobs,
		rest, first)
}

// Services are what serves requests beside the jobs; nil = none. Runs share them.
func (s *Setup) Services() *service.Model { return s.services }

// Operator runs the services; nil = there are none. Runs clone it.
func (s *Setup) Operator() sim.Operator { return s.operator }
