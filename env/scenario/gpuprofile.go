package scenario

import (
	"tarry/sim/setting"
	"tarry/traces/gpuprofile"
)

// gpuProfileLaw gives jobs memory and a busy part of a GPU by model.
func gpuProfileLaw() scenarioLaw {
	return scenarioLaw{(*Scenario).gpuProfileRow, (*Setup).buildGPUProfile}
}

// gpuProfileRow is its setting.
func (c *Scenario) gpuProfileRow() setting.Row {
	return setting.Row{Key: "gpu_profile", Group: setting.Machines,
		Page: "reference/sharing.md", Flag: "gpu-profile", To: &c.GPUProfile,
		Empty: gpuprofile.None,
		Paths: true, Meta: "PROFILE",
		Doc: "memory and busy part of a GPU of jobs that state none, by model", Forms: gpuprofile.Forms,
		Words: []string{gpuprofile.None, gpuprofile.Catalogue},
		Files: func() []string { return gpuprofile.Files(c.GPUProfile) }, FilesFirst: true}
}

// buildGPUProfile reads what models need of a GPU.
func (s *Setup) buildGPUProfile() (_ layerOf, err error) {
	if s.needs, err = gpuprofile.Parse(s.Scenario.GPUProfile, s.models); err != nil {
		return nil, wrong("gpu_profile", "%w", err)
	}
	return nil, nil
}
