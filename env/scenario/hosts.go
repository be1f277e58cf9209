package scenario

import (
	"strings"

	"tarry/sim/entry"
	"tarry/sim/hosts"
	"tarry/sim/setting"
	"tarry/sim/stack"
)

// hostsLaw lets speeds follow the CPU and memory of jobs.
func hostsLaw() scenarioLaw {
	return scenarioLaw{(*Scenario).hostsRow, (*Setup).buildHosts}
}

// hostsRow is its setting.
func (c *Scenario) hostsRow() setting.Row {
	return setting.Row{Key: "hosts", Group: setting.Machines,
		Page: "reference/sharing.md", Flag: "hosts", To: &c.Hosts, Empty: hosts.None, Meta: "LAW",
		Doc: "speeds follow the CPU and memory that jobs have beside their GPUs", Forms: hosts.Forms(),
		See: "hosts", Choices: hostLaws,
		List: "hosts", ListDoc: "the laws of --hosts: how speeds follow the CPU and memory that jobs have",
		Files: func() []string { return regularAll(hosts.Files(c.Hosts)) }}
}

// readHosts reads how speeds follow CPU and memory, and what machines have that state neither. The
// cluster needs it.
func (s *Setup) readHosts() (err error) {
	if s.hosts, err = hosts.Parse(s.Scenario.Hosts); err != nil {
		return wrong("hosts", "%w", err)
	}
	return nil
}

// buildHosts makes the layer.
func (s *Setup) buildHosts() (layerOf, error) {
	if s.hosts == nil {
		return nil, nil
	}
	return func(e *entry.SpeedEnv) stack.Layer {
		return hosts.NewLayer(s.hosts, e.Topology, e.Models, e.DefaultModel)
	}, nil
}

// hostLaws are the laws of the setting hosts.
func hostLaws() []setting.Choice {
	out := []setting.Choice{{Name: hosts.None, Doc: "speeds do not follow CPU and memory, which are room alone " +
		"(the default)"}}
	for _, k := range hosts.Laws() {
		out = append(out, setting.Choice{Name: k.Name, Doc: k.Doc, Form: k.Form,
			Params: strings.TrimSpace(k.Params + "\n" + hosts.CommonDoc), Options: k.Options})
	}
	return out
}
