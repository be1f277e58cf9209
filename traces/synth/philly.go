package synth

// phillyClasses is the law fitted to Philly: 82 247 GPU jobs, 2017-09-04 to 2017-12-22,
// from the job-level extract of msr-fiddle/philly-traces (CC-BY-4.0; Jeon et al., USENIX
// ATC 2019).
//
// The shares are the trace's exact counts of jobs per demand. Run times are mixtures of
// lognormals per demand class (1, 2, 4, 8, 9 to 16 and more than 16 GPUs), fitted by
// expectation maximisation to the logarithms of the class's run times and cut at the
// class's longest run. Means of trace and law, in seconds:
//
//	GPUs     1      2      4      8       9..16   >16
//	jobs     76627  1818   1870   1643    206     83
//	trace    8301   30942  78762  129775  122726  27322
//	law      7942   30071  74821  125895  117377  22600
//
// The deciles 1 and 9, the quartiles and the median of the first four classes agree
// within a third. Few jobs ask for more than 8 GPUs: those laws are rough.
func phillyClasses() []class {
	one := mixture{[]lognormal{{0.1781, 4.1695, 0.164}, {0.2799, 5.6289, 1.2873}, {0.2273, 7.2539, 0.5416},
		{0.0518, 7.8428, 0.08}, {0.1691, 8.4112, 0.6935}, {0.0937, 9.8451, 1.6332}}, 3256045}
	two := mixture{[]lognormal{{0.6447, 2.894, 0.3444}, {0.1833, 3.7925, 1.4641}, {0.1086, 12.0814, 0.8643},
		{0.0633, 10.2437, 0.831}}, 2582803}
	four := mixture{[]lognormal{{0.1021, 4.7755, 0.4895}, {0.2811, 6.5615, 1.7176}, {0.1377, 9.3807, 0.653},
		{0.4792, 11.442, 0.9837}}, 2750674}
	eight := mixture{[]lognormal{{0.3089, 6.1362, 1.5242}, {0.0323, 8.33, 0.1828}, {0.2124, 9.7063, 0.6034},
		{0.4464, 12.159, 0.8409}}, 4628226}
	sixteen := mixture{[]lognormal{{0.3677, 5.2486, 1.5543}, {0.1009, 9.2037, 0.7488}, {0.5314, 11.9073, 0.9223}},
		1710643}
	more := mixture{[]lognormal{{0.3148, 7.1413, 3.7557}, {0.3559, 7.0528, 0.7815}, {0.3294, 10.8736, 0.1429}}, 213302}
	return []class{
		{1, 76627, one}, {2, 1818, two}, {4, 1870, four}, {8, 1643, eight}, {12, 7, sixteen}, {16, 199, sixteen},
		{24, 7, more}, {32, 67, more}, {64, 6, more}, {128, 3, more},
	}
}
