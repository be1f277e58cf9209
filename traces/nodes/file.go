package nodes

import (
	"io"
	"strings"

	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/sim/preset"
	"tarry/sim/tabular"
)

// Reader adds the nodes of a file, without compression and byte-order mark, to a list.
type Reader func(in *tabular.Stream, l *List) error

// File reads the file at path, plain or compressed, as a cluster.
func File(path string, opt entry.ClusterOptions, read Reader) (preset.Cluster, *account.Report, error) {
	f, err := tabular.Open(path)
	if err != nil {
		return preset.Cluster{}, nil, err
	}
	defer f.Close()
	return Parse(path, f, opt, read)
}

// Parse is File for a stream; the name stands in errors.
func Parse(name string, r io.Reader, opt entry.ClusterOptions, read Reader) (preset.Cluster, *account.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return preset.Cluster{}, nil, err
	}
	defer in.Close()
	l := New(name, opt)
	if err := read(in, l); err != nil {
		return preset.Cluster{}, &l.report, err
	}
	return l.Cluster()
}

// Rows adds a node for each row of a delimited file. Its names are cloned.
func Rows(r *tabular.Reader, l *List, node func(*tabular.Row) Node) error {
	row, err := r.Next()
	for ; err == nil; row, err = r.Next() {
		n := node(row)
		n.Name, n.Line = strings.Clone(n.Name), row.Line
		for i := range n.GPUs {
			n.GPUs[i].Type = strings.Clone(n.GPUs[i].Type)
		}
		if faults := row.Faults(); len(faults) > 0 {
			err = l.Faults(faults...)
		} else {
			err = l.Add(n)
		}
		if err != nil {
			return err
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}
