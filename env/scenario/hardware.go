package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tarry/sim/account"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/preset"
)

func (s *Setup) buildCluster() error {
	c := &s.Scenario
	switch {
	case c.Inline != nil:
		s.Cluster = *c.Inline
	case c.Cluster == OfLog:
		p, err := s.ofLog()
		if err != nil {
			return err
		}
		s.Cluster = ClusterSpec{Cluster: p}
	default:
		spec, report, err := FindCluster(s.from, c.Cluster)
		if err != nil {
			return wrong("cluster", "%w", err)
		}
		if s.Cluster = *spec; report != nil {
			s.Notes = append(s.Notes, "cluster: "+strings.TrimSuffix(report.String(), "\n"))
		}
	}
	s.Cluster.Spec = s.hosts.Equip(withGPUMiB(s.Cluster.Spec, c.GPUMiB))
	s.Cluster.Spec.Speeds = s.Cluster.Speeds
	t, err := cluster.New(s.Cluster.Spec)
	if err != nil {
		return wrong("cluster", "cluster %q: %w", s.Cluster.Name, err)
	}
	s.Topology = t
	s.costOfMemory()
	return nil
}

// FindCluster gives the cluster that a text names: a preset, dimensions, a YAML file, FORMAT:PATH,
// or a file of nodes whose format is recognised. The report is the account of a file of nodes, and
// nil for others.
func FindCluster(from Catalogues, name string) (*ClusterSpec, *account.Report, error) {
	if f, path, options, ok := from.Clusters.Find(name); ok {
		p, report, err := f.Read(path, options)
		return &ClusterSpec{Cluster: p}, report, err
	}
	if isYAML(name) {
		spec, err := readClusterFile(name)
		return spec, nil, err
	}
	p, err := preset.Lookup(name)
	if err == nil {
		return &ClusterSpec{Cluster: p}, nil, nil
	}
	file, options, _ := strings.Cut(name, ",")
	if isClusterFile(name) {
		file, options = name, ""
	}
	if !isClusterFile(file) {
		var names []string
		for _, p := range preset.Clusters() {
			names = append(names, p.Name)
		}
		kind, _, named := strings.Cut(name, ":")
		hint := param.Hint(name, names)
		if named {
			kinds := from.Clusters.Names()
			for _, t := range preset.Topologies() {
				kinds = append(kinds, t.Name)
			}
			hint = cmp.Or(param.Hint(kind, kinds), hint)
		}
		if strings.Contains(err.Error(), "did you mean") {
			hint = ""
		}
		if path, _, _ := strings.Cut(name, ","); filepath.Ext(path) != "" {
			hint += "; there is no file " + strconv.Quote(name)
		}
		return nil, nil, fmt.Errorf("%w%s", err, hint)
	}
	f, ok, err := from.Clusters.Recognise(file)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("cluster: %w", err)
	case ok:
		p, report, err := f.Read(file, options)
		if report != nil {
			report.Notes = append([]string{"read as " + f.Name + ", by its first lines"}, report.Notes...)
		}
		return &ClusterSpec{Cluster: p}, report, err
	}
	spec, err := readClusterFile(name)
	if err != nil {
		err = errors.Join(err, fmt.Errorf("cluster: %s is read as YAML, as its first lines fit no format of nodes; "+
			"expected YAML, or FORMAT:PATH with FORMAT one of %s", name, strings.Join(from.Clusters.Names(), ", ")))
	}
	return spec, nil, err
}

func readClusterFile(path string) (*ClusterSpec, error) {
	spec, err := ReadCluster(path)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return spec, nil
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// isClusterFile distinguishes a file from a preset's name or dimensions, which go before a file of
// the same name.
func isClusterFile(name string) bool {
	if isYAML(name) || strings.ContainsRune(name, os.PathSeparator) {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// clusterFile is the file behind a cluster's name; "" where there is none.
func clusterFile(name string) string {
	if _, err := preset.Lookup(name); err == nil || name == OfLog {
		return ""
	}
	_, path, _ := strings.Cut(name, ":")
	for _, file := range []string{name, bare(name), path, bare(path)} {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// bare is the path before ",key=value" where options stand behind it.
func bare(path string) string {
	file, _, _ := strings.Cut(path, ",")
	return file
}
