package models

import (
	"fmt"
	"strconv"
)

// attn is one attention with its projections: heads queries and kv keys and values of dim each. width
// is of the input, seq its length; keys come from source vectors of sourceWidth. extra counts
// parameters of biases and norms.
type attn struct {
	width, heads, kv, dim, seq int
	source, sourceWidth        int
	extra                      int
}

// attend adds an attention whose s x s matrix is not stored (Dao et al., NeurIPS 2022). All of it is
// counted, as measured FLOP/s are (the causal half is not left out). Its output is computed anew in
// the backward pass.
func (n *net) attend(name string, a attn) {
	inner := int64(a.heads * a.dim)
	ours, theirs := 2*int64(a.width)*inner, 2*int64(a.sourceWidth)*int64(a.kv*a.dim)
	n.add(op{name: name, params: ours + theirs + int64(a.extra), macs: ours*int64(a.seq) + theirs*int64(a.source) +
		2*int64(a.seq)*int64(a.source)*inner, in: int64(a.width * a.seq)})
}

// self is attention of a sequence to itself.
func (a attn) self() attn {
	a.source, a.sourceWidth = a.seq, a.width
	return a
}

// mlp adds mats matrices width x inner, of experts of which each token uses some; its output is what
// is kept of a block for the backward pass.
func (n *net) mlp(name string, width, inner, mats, seq, experts, used, extra int) {
	one, router := int64(mats)*int64(width)*int64(inner), int64(0)
	if experts > 1 {
		router = int64(width) * int64(experts)
	}
	n.add(op{name: name, params: one*int64(experts) + router + int64(extra),
		macs: (one*int64(used) + router) * int64(seq), in: int64(width * seq), out: int64(width * seq)})
}

// decoder is a language model of the Llama family: root mean square norms, rotary positions, gated
// perceptrons, no biases, output weights of their own.
type decoder struct {
	name, alias, doc                       string
	layers, width, heads, kv, inner, vocab int
	seq                                    int
	experts, used                          int // 0 = one that all use
	source                                 string
}

// decoders lists the models of the family.
func decoders() []decoder {
	const (
		llama2 = "architecture: Touvron et al., arXiv:2307.09288, table 1, released weights (6,738,415,616, " +
			"13,015,864,320 and 68,976,648,192 parameters)"
		llama3 = "architecture: Grattafiori et al., arXiv:2407.21783, table 3, released weights (8,030,261,248, " +
			"70,553,706,496 and 405,853,388,800 parameters)"
		mistral = "architecture: Jiang et al., arXiv:2310.06825, table 1, released weights (7,241,732,096 parameters)"
		mixtral = "architecture: Jiang et al., arXiv:2401.04088, table 1, released weights (46,702,792,704 " +
			"parameters, of which a token uses 12.9 billion); the exchange of tokens between experts is not modelled"
	)
	return []decoder{
		{"llama2-7b", "meta-llama/Llama-2-7b-hf", "Llama 2 7B", 32, 4096, 32, 32, 11008, 32000, 4096, 0, 0, llama2},
		{"llama2-13b", "meta-llama/Llama-2-13b-hf", "Llama 2 13B", 40, 5120, 40, 40, 13824, 32000, 4096, 0, 0, llama2},
		{"llama2-70b", "meta-llama/Llama-2-70b-hf", "Llama 2 70B", 80, 8192, 64, 8, 28672, 32000, 4096, 0, 0, llama2},
		{"llama3-8b", "meta-llama/Llama-3.1-8B", "Llama 3 and 3.1 8B", 32, 4096, 32, 8, 14336, 128256, 8192, 0, 0,
			llama3},
		{"llama3-70b", "meta-llama/Llama-3.1-70B", "Llama 3 and 3.1 70B", 80, 8192, 64, 8, 28672, 128256, 8192, 0, 0,
			llama3},
		{"llama3-405b", "meta-llama/Llama-3.1-405B", "Llama 3.1 405B", 126, 16384, 128, 8, 53248, 128256, 8192, 0, 0,
			llama3},
		{"mistral-7b", "mistralai/Mistral-7B-v0.1", "Mistral 7B", 32, 4096, 32, 8, 14336, 32000, 8192, 0, 0, mistral},
		{"mixtral-8x7b", "mistralai/Mixtral-8x7B-v0.1", "Mixtral 8x7B, two of eight experts", 32, 4096, 32, 8, 14336,
			32000, 8192, 8, 2, mixtral},
	}
}

// names gives the aliases: what model hubs call it, and Llama 3.1 for Llama 3.
func (d decoder) names() []string {
	out := []string{d.alias}
	if size, ok := cutLlama3(d.name); ok {
		out = append(out, "llama3.1-"+size, "meta-llama/Meta-Llama-3-"+size)
	}
	return out
}

// cutLlama3 gives the size of a Llama 3.
func cutLlama3(name string) (string, bool) {
	const head = "llama3-"
	if len(name) > len(head) && name[:len(head)] == head {
		return name[len(head):], true
	}
	return "", false
}

func (d decoder) profile() *Profile {
	n := &net{}
	n.embed("embed", d.vocab, d.width, d.seq)
	for i := range d.layers {
		at := "layer." + strconv.Itoa(i) + "."
		n.attend(at+"attention", attn{width: d.width, heads: d.heads, kv: d.kv, dim: d.width / d.heads, seq: d.seq,
			extra: d.width}.self())
		n.mlp(at+"mlp", d.width, d.inner, 3, d.seq, max(d.experts, 1), max(d.used, 1), d.width)
	}
	n.add(op{name: "norm", params: int64(d.width), in: int64(d.width * d.seq)})
	n.linear("head", d.width, d.vocab, d.seq, false)
	return n.on(half(), info{d.name, d.names(), fmt.Sprintf("%s, a sequence of %d tokens", d.doc, d.seq), 1,
		[]string{d.source}})
}

func gpt3() *Profile {
	const width, layers, seq, vocab = 12288, 96, 2048, 50257
	n := &net{}
	n.embed("wte", vocab, width, seq)
	n.embed("wpe", seq, width, seq)
	for i := range layers {
		at := "h." + strconv.Itoa(i) + "."
		n.attend(at+"attention", attn{width: width, heads: 96, kv: 96, dim: 128, seq: seq, extra: 6 * width}.self())
		n.mlp(at+"mlp", width, 4*width, 2, seq, 1, 1, 7*width)
	}
	n.norm("ln_f", width, seq)
	n.add(op{name: "head (tied)", macs: vocab * width * seq, in: width * seq, out: vocab * seq})
	return n.on(half(), info{"gpt3-175b", []string{"gpt3"}, "GPT-3 175B, a sequence of 2048 tokens", 1, []string{
		"architecture: Brown et al., NeurIPS 2020, table 2.1 (175.0 billion parameters)"}})
}
