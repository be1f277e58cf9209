package entry

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"tarry/sim/param"
	"tarry/sim/preset"
)

// ClusterOptions states how a list of nodes is read.
type ClusterOptions struct {
	// PerRack is how many nodes make a rack where the list does not state their racks; 0 = all.
	PerRack int
	// Network is the network where the list does not state one: one of preset.Networks.
	Network string
	// Down keeps nodes that are down, drained or cordoned.
	Down bool
	// Partition keeps the nodes of one partition; "" = all.
	Partition string
}

// maxPerRack bounds ClusterOptions.PerRack.
const maxPerRack = 1 << 20

// ClusterFormat is one format of files from which a cluster is read.
type ClusterFormat struct {
	// Name is the word before the colon.
	Name string
	// Doc is one line on what the file is.
	Doc string
	// Fits reports whether a file that is named without a format may be of this one; nil = it has to
	// be named.
	Fits func(h *Head) bool
	// Open reads the file.
	Open func(path string, opt ClusterOptions) (preset.Cluster, *Report, error)
}

// Clusters lists formats in the order in which they are shown. catalogue/clusters has what tarry
// ships; a program may append its own.
type Clusters []ClusterFormat

// ClusterOptionsHelp has one line for each option behind the path: key, meaning.
const ClusterOptionsHelp = "rack       nodes in a rack where the file does not state racks; 0 = all\n" +
	"network    network where the file does not state one: nvlink, ethernet or a named cluster\n" +
	"down       keep nodes that are down, drained or cordoned\n" +
	"partition  keep the nodes of one partition"

// Find gives the format of FORMAT:PATH[,key=value,...], the path and the options; false when there
// is no colon or no such format.
func (c Clusters) Find(spec string) (f ClusterFormat, path, options string, ok bool) {
	name, rest, colon := strings.Cut(spec, ":")
	for _, f := range c {
		if colon && f.Name == name {
			path, options = cutOptions(rest)
			return f, path, options, true
		}
	}
	return ClusterFormat{}, "", "", false
}

// cutOptions cuts key=value,... off a path; a path that exists with its commas keeps them.
func cutOptions(rest string) (path, options string) {
	if _, err := os.Stat(rest); err == nil {
		return rest, ""
	}
	path, options, _ = strings.Cut(rest, ",")
	return path, options
}

// Read opens a file of the format with options as users write them.
func (f *ClusterFormat) Read(path, options string) (preset.Cluster, *Report, error) {
	if path == "" {
		return preset.Cluster{}, nil, fmt.Errorf("cluster %q: nothing after %q, expected %s", f.Name+":", f.Name, f.Doc)
	}
	s := param.Parse("cluster "+f.Name, options)
	opt := ClusterOptions{PerRack: s.Int("rack", preset.PerRack, 0, maxPerRack),
		Network: s.Enum("network", preset.Networks()...), Down: s.Bool("down", false),
		Partition: s.Text("partition", "")}
	if err := s.Err(); err != nil {
		return preset.Cluster{}, nil, err
	}
	return f.Open(path, opt)
}

// Recognise gives the one format that a file may have by its name and beginning; false where none
// fits. The error lists the formats where several fit.
func (c Clusters) Recognise(path string) (ClusterFormat, bool, error) {
	h, err := head(path)
	if err != nil {
		return ClusterFormat{}, false, err
	}
	var found []ClusterFormat
	for _, f := range c {
		if f.Fits != nil && h.Files == nil && f.Fits(&h) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return ClusterFormat{}, false, nil
	case 1:
		return found[0], true, nil
	}
	return ClusterFormat{}, false, errors.New(path + " fits the formats " +
		strings.Join(Clusters(found).Names(), " and ") + ", expected FORMAT:PATH with one of these")
}

// Names lists the formats.
func (c Clusters) Names() []string {
	out := make([]string, len(c))
	for i, f := range c {
		out[i] = f.Name
	}
	return out
}
