package questions

import (
	"embed"
	"fmt"

	"tarry/experiments/sweep"
)

//go:embed *.yaml
var files embed.FS

// Shipped gives a question of this folder by name. It is read when it is opened; with gives it what
// its file cannot express: figures and tables in Go.
func Shipped(name string, with ...func(q *sweep.Question)) sweep.Question {
	return sweep.Question{Name: name, Open: func() sweep.Question {
		q := open(name)
		for _, add := range with {
			add(&q)
		}
		return q
	}}
}

// open reads a question of this folder; what is wrong with its file is its Err.
func open(name string) sweep.Question {
	path := name + ".yaml"
	text, err := files.ReadFile(path)
	if err != nil {
		return sweep.Question{Name: name, Err: fmt.Errorf("no file of this package: %w", err)}
	}
	f, err := parse(nil, "experiments/questions/"+path, text)
	if err != nil {
		return sweep.Question{Name: name, Err: err}
	}
	return f.question()
}

// Text gives the file of a shipped question, to be copied and edited; false where a question has
// none.
func Text(name string) (string, bool) {
	text, err := files.ReadFile(name + ".yaml")
	return string(text), err == nil
}
