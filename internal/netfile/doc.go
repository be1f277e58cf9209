// Package netfile reads and writes, as text, a network that chooses, and acts by it: what training
// leaves, for a scheduler that learns no more.
//
// A file states what is read and what is chosen, then how the network is made, then its matrices of
// weights, a line for each row:
//
//	tarry network 1
//	observation 3
//	choices 2
//	first 0
//	masked true
//	answers logits
//	clip 0
//	network mlp tanh 2
//	matrix 0/weight 3 2
//	0.5 -1
//	0 0.25
//	1 1
//	matrix 0/bias 1 2
//	0 0
//	matrix 1/weight 2 2
//	1 0
//	0 1
//	matrix 1/bias 1 2
//	0 0
//
// choices has the number of choices of each component of an action, first what the first choice of
// each is called. With clip above 0 each number of an observation is scaled first, by its mean and
// its deviation in the matrix "scale", and bounded by clip. A network over a list of candidates is
//
//	network set tanh 32 global=12 slots=20 features=5 extra=1 each=1 present=0
//
// with extra + slots x each choices. Answers are logits, values of actions, a duel (values from two
// networks, of the value of all and of the advantages of each), or scores that put the candidates in
// order, the least first. Empty lines and lines that begin with # are ignored.
//
// The arithmetic is the same as in agents/nn, to the last bit.
//
// Reading guide: form.go (Form, what a file states, and which matrices follow from it), parse.go and
// write.go (text), net.go (acting), body.go (the two networks).
package netfile
