package results

// Target states what to write where.
type Target struct {
	// Path is the file.
	Path string
	// Part holds the keys that the folders of Path give; nil = none. Their columns
	// are left out of the file, and every row must agree with them.
	Part Partition
	// Meta goes into the file's metadata.
	Meta Meta
	// Files, if not nil, are the files that it takes its name with: Close leaves that to
	// Files.Commit.
	Files *Batch
	// Axes are columns beside the table's; Writer.At gives their values. nil = none.
	Axes []Axis
}

// Axis is an axis of a sweep, a column beside a table's.
//
// The column is called axis_NAME; of the name, everything but ASCII letters, digits and "_" becomes
// "_". Names that are then the same, capital letters not distinguished, get _2, _3, ... in the
// order of the axes.
//
// Its type follows from all values that the axis has in the sweep: integers when all are whole
// numbers that fit 64 bits, float64 when all are finite decimal numbers, else text. Values that are
// different texts and the same number (1 and 1.0) make it text, so that cells that differ differ in
// the column.
type Axis struct {
	// Name is the axis' name.
	Name string
	// Values are all its values in the sweep.
	Values []string
}
