package config

import (
	"math"

	"tarry/internal/yamldoc"

	"tarry/sim"
)

// File is a run's YAML file. Apply it after the preset that it names.
//
// Its fields: trace, strict, max_jobs, models, cluster (a name, a file or an inline
// cluster), speed, profiles, policy, policies, placement, costs (none, key=value,... or a
// mapping), preset, seed, replicates, until_s, estimate_error, history, faults, jobs
// (trials at once) and out (the folder of the tables).
type File struct {
	path   string
	data   []byte
	places []string // of the lines of data; nil = path and line
}

// ReadFile loads a file; Apply reads it.
func ReadFile(path string) (*File, error) {
	data, err := yamldoc.Load(path)
	if err != nil {
		return nil, err
	}
	return &File{path: path, data: data}, nil
}

// Preset is the preset that the file names, "" when there is none or the file is broken.
func (f *File) Preset() string {
	m, _ := parseYAML(f.path, f.data)
	name := ""
	if m != nil {
		m.text("preset", &name)
	}
	return name
}

// Apply sets the fields of c that the file names. The error joins all its faults.
func (f *File) Apply(c *Config) error {
	m, faults := parseYAML(f.path, f.data)
	faults.places = f.places
	if m == nil {
		return faults.err()
	}
	f.read(m, c)
	m.end()
	for key, n := range m.names {
		c.Mark(key, faults.place(n.Line))
	}
	if n := m.names["policy"]; n != nil {
		c.Mark("policies", faults.place(n.Line))
	}
	return faults.err()
}

// read asks for every field.
func (f *File) read(m *mapping, c *Config) {
	m.text("trace", &c.Trace)
	m.boolean("strict", &c.Strict)
	integer(m, "max_jobs", &c.MaxJobs, 0, 1<<31-2)
	m.enum("models", &c.Models, "auto", "paper", "none")
	m.cluster("cluster", c)
	m.text("speed", &c.Speed)
	m.texts("profiles", &c.Profiles)
	m.texts("policies", &c.Policies)
	if m.keys["policy"] != nil && m.keys["policies"] != nil {
		m.f.add(m.names["policy"], "policy and policies are both given, expected one of them")
	}
	m.texts("policy", &c.Policies)
	m.enum("placement", &c.Placement, "best-fit", "first-found")
	m.costs("costs", &c.Costs)
	m.text("preset", &c.Preset)
	integer(m, "chunk_iterations", &c.ChunkIterations, 0, 1<<40)
	integer(m, "seed", &c.Seed, 0, math.MaxInt64)
	integer(m, "replicates", &c.Replicates, 1, 1_000_000)
	m.number("until_s", &c.UntilS, 0, 1e12)
	m.number("estimate_error", &c.EstimateError, 0, 100)
	m.text("history", &c.History)
	if s := m.child("faults"); s != nil {
		s.number("machine_mtbf_s", &c.Faults.MachineMTBFS, 0, 1e12)
		s.number("machine_mttr_s", &c.Faults.MachineMTTRS, 1e-3, 1e12)
		s.number("gpu_mtbf_s", &c.Faults.GPUMTBFS, 0, 1e12)
		s.number("gpu_mttr_s", &c.Faults.GPUMTTRS, 1e-3, 1e12)
		s.end()
	}
	integer(m, "jobs", &c.Jobs, 0, 4096)
	m.text("out", &c.Out)
}

// cluster reads a name or an inline cluster.
func (m *mapping) cluster(key string, c *Config) {
	if n := m.keys[key]; n == nil || n.Kind != yamldoc.Mapping {
		c2 := c.Cluster
		m.text(key, &c2)
		if n != nil {
			c.Cluster, c.Inline = c2, nil
		}
		return
	}
	if s := m.child(key); s != nil {
		c.Inline = s.spec()
	}
}

// costs reads none, key=value,... or a mapping of the same keys.
func (m *mapping) costs(key string, c *sim.Costs) {
	n := m.keys[key]
	if n != nil && n.Kind == yamldoc.Scalar {
		m.asked = append(m.asked, key)
		parsed, err := ParseCosts(n.Value)
		if err != nil {
			m.f.add(n, "%w", err)
			return
		}
		*c = parsed
		return
	}
	s := m.child(key)
	if s == nil {
		return
	}
	*c = sim.Costs{}
	for _, f := range costFields(c) {
		s.number(f.key, f.to, 0, f.most())
	}
	s.end()
}
