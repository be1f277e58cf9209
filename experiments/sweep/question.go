package sweep

import (
	"context"

	"tarry/output/figure"
)

// Question is a question of the catalogue, with its sweeps and its figures.
type Question struct {
	// Name is the folder's and the user's word for it; Title one line.
	Name, Title string
	// Ask is the question, Predict what is expected and why, Read how to read the figures.
	Ask, Predict, Read string
	// Specs gives its sweeps at a scale: "small" takes about a minute on two processors, "full" is
	// the real thing.
	Specs func(scale string) []Spec
	// Figures draws them from the rows of its sweeps, and from nothing else.
	Figures func(ctx context.Context, d *Data) ([]Figure, error)
	// Tables makes the tables of its page, by name, in Markdown; nil = it has none.
	Tables func(ctx context.Context, d *Data) (map[string]string, error)
}

// Figure is a picture with the name of its files.
type Figure struct {
	// Name has letters, digits, "-" and "_"; Caption says in a sentence what is seen.
	Name, Caption string
	*figure.Figure
}
