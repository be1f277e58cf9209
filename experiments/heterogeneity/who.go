package heterogeneity

// Names of schedulers that figures refer to.
const (
	base = "las"
)

// byType are the schedulers of Gavel's comparison and what stands beside them.
func byType() []string {
	return []string{"fifo-fit", base, "srtf"}
}

// byPlace are those of the comparison in which placement matters, too.
func byPlace() []string {
	return []string{"fifo-fit", base, "tiresias", "dally", "dally-nowait"}
}
