package sweep

import (
	"context"

	"tarry/output/figure"
)

// Question is a question of the catalogue, with its sweeps and its figures.
type Question struct {
	// Name is the user's word for it; Title one line.
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
	// DrawnAs names the shipped question whose figures and tables are this one's, too; "" = none.
	DrawnAs string
	// Forms are the families of schedulers of which validation chooses one form each.
	Forms [][]string
	// Kept states what data it needs and where its answer is kept.
	Kept Kept
	// Err is what is wrong with the file that it was read from; nil = nothing.
	Err error
	// Open reads the question where only Name is given, so that a program which asks for none reads
	// no file; nil = it is all here.
	Open func() Question
}

// Opened is the question with all that it states.
func (q Question) Opened() Question {
	if q.Open == nil {
		return q
	}
	return q.Open()
}

// Kept states what data a question needs, and where its rows, tables and pictures are kept, in
// paths from the folder of the project. The zero value keeps nothing.
type Kept struct {
	// Data are files that are made of traces before the sweep of scale full.
	Data []Made
	// Also are files of sweeps that belong to the scale full, too.
	Also []string
	// Folder holds the rows of scale full, a folder per sweep; "" = they are not stored. Sweeps
	// lists the sweeps that are stored, in the order of the rows; nil = the question's.
	Folder string
	Sweeps []string
	// Tables are stored of each sweep that has them, More of some sweeps by name.
	Tables []string
	More   map[string][]string
	// Numbers are files that the data of a figure, as CSV, is stored in, by the figure's name.
	Numbers map[string]string
	// Weights are files that the weights of the agents of a sweep are stored in, by the sweep's
	// name: a line SETTING,SEED,NAME,VALUE for each.
	Weights map[string]string
	// Pages are Markdown files that have the question's tables between marks; CSV is the folder
	// that has each table as CSV, "" = none. Pictures are files for pictures, by the figure's name.
	Pages    []string
	CSV      string
	Pictures map[string]string
}

// Made is a file of jobs that is converted from a trace.
type Made struct {
	// Out is the file; Trace is FORMAT:FILE. Models, VC and Seed are as tarry trace convert has
	// them; "" = none.
	Out, Trace, Models, VC string
	Seed                   uint64
}

// Figure is a picture with the name of its files.
type Figure struct {
	// Name has letters, digits, "-" and "_"; Caption states in a sentence what is seen.
	Name, Caption string
	*figure.Figure
}
