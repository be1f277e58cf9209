// Package similarity is similarity-like, after the model-similarity-based policy of P. Thanapol, K.
// Lavangnananda, F. Leprévost, J. Schleich and P. Bouvry, "Scheduling Deep Learning Training in GPU
// Cluster Using the Model-Similarity-Based Policy", ACIIDS 2023. GPU architectures differ in how
// well they suit a model; a model that was never measured is taken to behave like the known one
// that it resembles most.
//
//  1. The speed of each (model, GPU type) is noted as jobs run on it.
//  2. For a job that arrives, the speed of its model on a type is the mean of what was noted; a model without a note on the type has the mean of the most similar model with one.
//  3. The job goes to the type with free GPUs for it on which it is fastest.
//
// Reading guide: features.go states how alike two models are, notes.go keeps what was seen and
// estimates, similarity.go is the policy.
//
// # What is theirs and what is ours
//
// We know the abstract alone: theirs is the idea of steps 2 and 3 and that models are compared by a
// measure of similarity. Ours are the features (the logarithms of layers, gradient bytes, compute
// and batch of the profiles of sim/models), the Euclidean distance, the notes in place of
// measurements made beforehand, and the queue: order of arrival, over the heads of jobs that do not
// fit. A note is the speed of one GPU without communication, rate / (GPUs x compute fraction),
// which any cluster can observe. A type without a note of any model counts as the reference type. A
// job that no type alone can ever hold is placed on several. A job that stands still on a type (it
// does not fit there) is stopped after a second and its model not sent there again.
package similarity

import "tarry/sim/plan/places"

// Params describes the settings for the catalogue.
const Params = `unseen     similar: a model is taken to be like the most similar known one | mean: like the mean of all known ones
block      true: stop at the first job that does not fit | false: pass over it
` + places.Params
