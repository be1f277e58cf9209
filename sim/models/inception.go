package models

import "fmt"

// branches is a net whose layers are convolutions with batch normalisation.
type branches struct {
	net
	block string
	count int
}

// run applies convolutions one after another.
func (n *branches) run(s shape, cs ...conv) shape {
	for _, c := range cs {
		c.norm = true
		n.count++
		s = n.conv(fmt.Sprintf("%s.conv%d", n.block, n.count), s, c)
	}
	return s
}

// in starts a block and states what its input is.
func (n *branches) in(block string) { n.block, n.count = block, 0 }

func one(out int) conv  { return sq(out, 1, 1, 0) }
func same(out int) conv { return sq(out, 3, 1, 1) }
func down(out int) conv { return sq(out, 3, 2, 0) }
func row(out, k int) conv {
	return conv{out: out, kh: 1, kw: k, stride: 1, padW: k / 2}
}
func col(out, k int) conv {
	return conv{out: out, kh: k, kw: 1, stride: 1, padH: k / 2}
}

func inceptionV3() *Profile {
	n := &branches{}
	n.in("stem")
	s := n.run(shape{3, 299, 299}, down(32), sq(32, 3, 1, 0), same(64))
	s = n.run(pool(s, 3, 2), one(80), sq(192, 3, 1, 0))
	s = pool(s, 3, 2)
	for i, p := range []int{32, 64, 64} {
		n.in(fmt.Sprintf("a%d", i+1))
		n.run(s, one(64))
		n.run(s, one(48), sq(64, 5, 1, 2))
		n.run(s, one(64), same(96), same(96))
		n.run(s, one(p))
		s.c = 224 + p
	}
	n.in("b")
	n.run(s, down(384))
	o := n.run(s, one(64), same(96), down(96))
	s = shape{s.c + 480, o.h, o.w}
	for i, c := range []int{128, 160, 160, 192} {
		n.in(fmt.Sprintf("c%d", i+1))
		n.run(s, one(192))
		n.run(s, one(c), row(c, 7), col(192, 7))
		n.run(s, one(c), col(c, 7), row(c, 7), col(c, 7), row(192, 7))
		n.run(s, one(192))
	}
	n.in("d")
	n.run(s, one(192), down(320))
	o = n.run(s, one(192), row(192, 7), col(192, 7), down(192))
	s = shape{s.c + 512, o.h, o.w}
	for i := range 2 {
		n.in(fmt.Sprintf("e%d", i+1))
		n.run(s, one(320))
		m := n.run(s, one(384))
		n.run(m, row(384, 3))
		n.run(m, col(384, 3))
		m = n.run(s, one(448), same(384))
		n.run(m, row(384, 3))
		n.run(m, col(384, 3))
		n.run(s, one(192))
		s.c = 2048
	}
	n.linear("fc", 2048, 1000, 1, true)
	return n.profile(info{"inception3", []string{"inceptionv3"}, "Inception-v3 without the auxiliary classifier", 64,
		[]string{
			"architecture: Szegedy et al., CVPR 2016; branch widths as in torchvision (23,834,568 parameters without " +
				"the auxiliary head)"}})
}

func inceptionV4() *Profile {
	n := &branches{}
	n.in("stem")
	s := n.run(shape{3, 299, 299}, down(32), sq(32, 3, 1, 0), same(64))
	o := n.run(s, down(96))
	s = shape{160, o.h, o.w}
	n.run(s, one(64), sq(96, 3, 1, 0))
	o = n.run(s, one(64), row(64, 7), col(64, 7), sq(96, 3, 1, 0))
	s = shape{192, o.h, o.w}
	o = n.run(s, down(192))
	s = shape{384, o.h, o.w}
	for i := range 4 {
		n.in(fmt.Sprintf("a%d", i+1))
		n.run(s, one(96))
		n.run(s, one(64), same(96))
		n.run(s, one(64), same(96), same(96))
		n.run(s, one(96))
	}
	n.in("reduce-a")
	n.run(s, down(384))
	o = n.run(s, one(192), same(224), down(256))
	s = shape{1024, o.h, o.w}
	for i := range 7 {
		n.in(fmt.Sprintf("b%d", i+1))
		n.run(s, one(384))
		n.run(s, one(192), row(224, 7), col(256, 7))
		n.run(s, one(192), col(192, 7), row(224, 7), col(224, 7), row(256, 7))
		n.run(s, one(128))
	}
	n.in("reduce-b")
	n.run(s, one(192), down(192))
	o = n.run(s, one(256), row(256, 7), col(320, 7), down(320))
	s = shape{1536, o.h, o.w}
	for i := range 3 {
		n.in(fmt.Sprintf("c%d", i+1))
		n.run(s, one(256))
		m := n.run(s, one(384))
		n.run(m, row(256, 3))
		n.run(m, col(256, 3))
		m = n.run(s, one(384), col(448, 3), row(512, 3))
		n.run(m, row(256, 3))
		n.run(m, col(256, 3))
		n.run(s, one(256))
	}
	n.linear("fc", 1536, 1000, 1, true)
	return n.profile(info{"inception4", []string{"inceptionv4"}, "Inception-v4", 64, []string{
		"architecture: Szegedy et al., AAAI 2017, figures 3 to 9 (42.7 million parameters)"}})
}

// googlenet's blocks: 1x1, reduce and 3x3, reduce and 5x5, pool projection.
func googlenet() *Profile {
	n := &net{}
	n.conv("conv1", shape{3, 224, 224}, sq(64, 7, 2, 3))
	n.conv("conv2", n.conv("conv2.reduce", shape{64, 56, 56}, sq(64, 1, 1, 0)), sq(192, 3, 1, 1))
	s := shape{192, 28, 28}
	for i, b := range [][6]int{
		{64, 96, 128, 16, 32, 32}, {128, 128, 192, 32, 96, 64},
		{192, 96, 208, 16, 48, 64}, {160, 112, 224, 24, 64, 64}, {128, 128, 256, 24, 64, 64},
		{112, 144, 288, 32, 64, 64}, {256, 160, 320, 32, 128, 128},
		{256, 160, 320, 32, 128, 128}, {384, 192, 384, 48, 128, 128},
	} {
		if i == 2 || i == 7 {
			s.h, s.w = s.h/2, s.w/2
		}
		at := fmt.Sprintf("inception%d.", i+1)
		n.conv(at+"1x1", s, sq(b[0], 1, 1, 0))
		n.conv(at+"3x3", n.conv(at+"3x3.reduce", s, sq(b[1], 1, 1, 0)), sq(b[2], 3, 1, 1))
		n.conv(at+"5x5", n.conv(at+"5x5.reduce", s, sq(b[3], 1, 1, 0)), sq(b[4], 5, 1, 2))
		n.conv(at+"pool", s, sq(b[5], 1, 1, 0))
		s.c = b[0] + b[2] + b[4] + b[5]
	}
	n.linear("fc", 1024, 1000, 1, true)
	return n.profile(info{"googlenet", []string{"inception1", "inceptionv1"},
		"GoogLeNet without the auxiliary classifiers", 64, []string{
			"architecture: Szegedy et al., CVPR 2015, table 1 (its parameter column adds up to 6.8 million and leaves " +
				"out biases)"}})
}
