// Package mig is how a GPU may be cut into instances (Multi-Instance GPU) as data: the profiles of
// the A100 and the H100, where an instance of each may lie, which instances may exist beside one
// another, and lists of all configurations.
//
// A GPU has 7 compute slices and 8 memory slices. A profile takes some of both; an instance of it
// lies at one of the profile's start positions, counted in memory slices. Instances are legal
// beside one another when no memory slice belongs to two of them and their compute slices are at
// most 7. A configuration is a set of such instances; it is maximal when no further instance fits.
//
// Sources: NVIDIA Multi-Instance GPU User Guide, "Supported MIG Profiles" (fractions of memory and
// SMs, number of instances) and "Getting Started with MIG" (the start positions that nvidia-smi mig
// -lgipp lists, the same for A100 and H100). Memory is what nvidia-smi mig -lgip lists for each
// profile, read from copies of its output that others published; it differs by some hundred MiB
// between drivers, and these are of one driver each: 4.75, 9.62, 19.50, 39.25 GiB (A100 40 GB),
// 9.50, 19.50, 39.25, 79.00 (A100 80 GB), 9.75, 19.62, 39.50, 79.25 (H100 80 GB). Without the
// profile of one compute slice and double memory, which newer drivers have, there are 19 maximal
// configurations, the number that is commonly quoted from the guide's figure. The guide shows the
// list as a picture alone. A transcription of it agrees with ours in 18 rows; in the nineteenth it
// has an instance 2g at slice 5, where -lgipp allows none, and lacks 2g 2g 1g 1g 1g, which -lgipp
// allows.
//
// We differ: profiles with media extensions (+me) are left out, since they take the slices of those
// without; compute instances inside an instance are left out; the order in which instances are made
// does not matter here, while some drivers want 3g first.
//
// Reading guide: device.go the tables, set.go sets of placements and what is legal, list.go the
// lists.
package mig
