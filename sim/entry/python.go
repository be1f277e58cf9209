package entry

import (
	"errors"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Python is the name of the row of classes in Python, PythonForm how one is named.
const (
	Python     = "python"
	PythonForm = "python:MODULE:CLASS or python:MODULE:CLASS,key=value,...: a class of tarry.Policy and its keyword " +
		"arguments"
)

// PythonRow is the row of classes in Python, which runs none: run/pyentry and the library for Python
// have the parts that do.
func PythonRow() Policy {
	return Policy{Name: Python, Paper: "none", Decides: "what its `decide` does",
		Doc: "a scheduler of your own in Python, a class of tarry.Policy with its keyword arguments: " +
			"python:MODULE:CLASS,key=value,...; its class declares what it reads",
		New: func(*param.Set, cluster.Rule) (sim.Policy, error) {
			return nil, errors.New("policy python: no class, expected " + PythonForm)
		}}
}
