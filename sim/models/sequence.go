package models

import "fmt"

// attention is one block of self-attention (and, with cross, attention to a source):
// projections, scores over seq positions, output, each with its layer norm.
func (n *net) attention(at string, width, seq int) {
	n.linear(at+"qkv", width, 3*width, seq, true)
	// scores and their application to the values: no parameters
	n.add(op{name: at + "scores", macs: 2 * int64(seq) * int64(seq) * int64(width), in: 3 * int64(width*seq),
		out: int64(width * seq)})
	n.linear(at+"out", width, width, seq, true)
	n.norm(at+"out.norm", width, seq)
}

// feedForward widens to inner and back.
func (n *net) feedForward(at string, width, inner, seq int) {
	n.linear(at+"up", width, inner, seq, true)
	n.linear(at+"down", inner, width, seq, true)
	n.norm(at+"down.norm", width, seq)
}

// norm is a layer norm: scale and shift per channel.
func (n *net) norm(name string, width, seq int) {
	n.add(op{name: name, params: 2 * int64(width), in: int64(width * seq), out: int64(width * seq)})
}

func bertLarge() *Profile {
	const width, seq = 1024, 384
	n := &net{}
	n.embed("embeddings.word", 30522, width, seq)
	n.embed("embeddings.position", 512, width, seq)
	n.embed("embeddings.type", 2, width, seq)
	n.norm("embeddings.norm", width, seq)
	for i := range 24 {
		at := fmt.Sprintf("layer.%d.", i)
		n.attention(at, width, seq)
		n.feedForward(at, width, 4096, seq)
	}
	n.linear("pooler", width, width, 1, true)
	return n.profile(info{"bert-large", []string{"bert"}, "BERT-large, sequences of 384 tokens", 8, []string{
		"architecture: Devlin et al., NAACL 2019, section 3 (24 layers, 1024 wide, 340 million parameters)"}})
}

func gpt2(name, doc string, layers, width, batch int, aliases ...string) *Profile {
	const seq = 1024
	n := &net{}
	// The output layer shares the embedding's weights: its work is here, its gradient there.
	n.embed("wte", 50257, width, seq)
	n.embed("wpe", seq, width, seq)
	for i := range layers {
		at := fmt.Sprintf("h.%d.", i)
		n.attention(at, width, seq)
		n.feedForward(at, width, 4*width, seq)
	}
	n.norm("ln_f", width, seq)
	n.add(op{name: "head (tied)", macs: 50257 * int64(width) * seq, in: int64(width * seq), out: 50257 * seq})
	return n.profile(info{name, aliases, doc, batch, []string{
		"architecture: Radford et al., 2019, table 2; counts as in the released weights (124,439,808 and " +
			"1,557,611,200 parameters; the report states 117 million and 1542 million)"}})
}

func transformer() *Profile {
	const width, inner, seq = 512, 2048, 64
	n := &net{}
	n.embed("embedding (shared)", 37000, width, 2*seq)
	for i := range 6 {
		at := fmt.Sprintf("encoder.%d.", i)
		n.attention(at+"self.", width, seq)
		n.feedForward(at, width, inner, seq)
	}
	for i := range 6 {
		at := fmt.Sprintf("decoder.%d.", i)
		n.attention(at+"self.", width, seq)
		n.attention(at+"cross.", width, seq)
		n.feedForward(at, width, inner, seq)
	}
	n.add(op{name: "head (tied)", macs: 37000 * width * seq, in: width * seq, out: 37000 * seq})
	return n.profile(info{"transformer", []string{"transformer-base"},
		"Transformer (base), sentence pairs of 64 tokens", 64, []string{
			"architecture: Vaswani et al., NeurIPS 2017, table 3, base (65 million parameters), about 37,000 " +
				"shared tokens"}})
}

// recurrent is a layer of gates x (input + state) -> hidden, unrolled over steps.
func (n *net) recurrent(name string, gates, directions, in, hidden, steps int) {
	w := int64(gates*directions) * int64(hidden) * int64(in+hidden)
	n.add(op{name: name, params: w + int64(2*gates*directions*hidden), macs: w * int64(steps),
		in: int64(in * steps), out: int64(directions * hidden * steps)})
}

func lstm() *Profile {
	const vocab, width, steps = 10000, 1500, 35
	n := &net{}
	n.embed("embedding", vocab, width, steps)
	n.recurrent("lstm.0", 4, 1, width, width, steps)
	n.recurrent("lstm.1", 4, 1, width, width, steps)
	n.linear("softmax", width, vocab, steps, true)
	return n.profile(info{"lstm", []string{"lm", "lstm-lm"},
		"two-layer LSTM language model on Penn Treebank, 35 steps", 20, []string{
			"architecture: Zaremba, Sutskever and Vinyals, arXiv:1409.2329, section 4.1, large (1500 units, 66 " +
				"million " +
				"parameters)"}})
}

func deepSpeech2() *Profile {
	// hidden is ours: the width at which the paper's model of this form has its 38 million
	// parameters.
	const hidden = 896
	n := &net{}
	s := n.conv("conv", shape{1, 161, 800}, conv{out: 32, kh: 41, kw: 11, stride: 2, padH: 20, padW: 5, norm: true})
	in := s.c * s.h
	for i := range 3 {
		n.recurrent(fmt.Sprintf("gru.%d", i), 3, 2, in, hidden, s.w)
		in = hidden // the two directions are added
	}
	n.linear("fc", hidden, 29, s.w, true)
	return n.profile(info{"deepspeech2", []string{"deepspeech"}, "Deep Speech 2: one convolution, three " +
		"bidirectional GRU layers, 8 s of speech", 32, []string{
		"architecture: Amodei et al., ICML 2016, the GRU model of 38 million parameters in the table of model " +
			"sizes; hidden width derived from that count"}})
}

func dlrm() *Profile {
	const width, tables = 16, 26
	n := &net{}
	n.add(op{name: "embeddings (model-parallel)", params: 33762577 * width, in: tables * width, out: tables * width,
		noReduce: true})
	mlp := func(at string, widths ...int) {
		for i := 1; i < len(widths); i++ {
			n.linear(fmt.Sprintf("%s.%d", at, i-1), widths[i-1], widths[i], 1, true)
		}
	}
	mlp("bottom", 13, 512, 256, 64, width)
	mlp("top", 27*26/2+width, 512, 256, 1)
	return n.profile(info{"dlrm", []string{"recommendation"}, "DLRM on the Criteo Kaggle data; only the perceptrons " +
		"are all-reduced", 2048, []string{
		"architecture: Naumov et al., arXiv:1906.00091, section 5 (540 million parameters: 33,762,577 rows of 16 " +
			"and the perceptrons)"}})
}
