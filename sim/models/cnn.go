package models

import "fmt"

func alexnet() *Profile {
	n := &net{}
	s := n.conv("features.0", shape{3, 224, 224}, sq(64, 11, 4, 2))
	s = n.conv("features.3", pool(s, 3, 2), sq(192, 5, 1, 2))
	s = n.conv("features.6", pool(s, 3, 2), sq(384, 3, 1, 1))
	s = n.conv("features.8", s, sq(256, 3, 1, 1))
	s = n.conv("features.10", s, sq(256, 3, 1, 1))
	n.linear("classifier.1", int(pool(s, 3, 2).size()), 4096, 1, true)
	n.linear("classifier.4", 4096, 4096, 1, true)
	n.linear("classifier.6", 4096, 1000, 1, true)
	return n.profile(info{"alexnet", nil, "AlexNet, one-tower variant", 512, []string{
		"architecture: Krizhevsky, arXiv:1404.5997, as in torchvision (61,100,840 parameters); the first paper " +
			"(NeurIPS 2012) states 60 million"}})
}

// vgg has blocks of 3x3 convolutions of doubling width.
func vgg(depth int, blocks [5]int, aliases ...string) *Profile {
	n := &net{}
	s := shape{3, 224, 224}
	for b, count := range blocks {
		width := min(64<<b, 512)
		for i := range count {
			s = n.conv(fmt.Sprintf("block%d.conv%d", b+1, i+1), s, sq(width, 3, 1, 1))
		}
		s = pool(s, 2, 2)
	}
	n.linear("classifier.0", int(s.size()), 4096, 1, true)
	n.linear("classifier.3", 4096, 4096, 1, true)
	n.linear("classifier.6", 4096, 1000, 1, true)
	return n.profile(info{fmt.Sprintf("vgg%d", depth), aliases, fmt.Sprintf("VGG with %d weight layers", depth), 64,
		[]string{
			"architecture and parameters (133, 138 and 144 million for 11, 16 and 19 layers): Simonyan and Zisserman, " +
				"ICLR 2015, tables 1 and 2"}})
}

// resnet has four stages; bottleneck blocks are 1x1, 3x3, 1x1 and widen four times.
func resnet(depth int, stages [4]int, bottleneck bool) *Profile {
	n := &net{}
	norm := func(c conv) conv { c.norm = true; return c }
	n.conv("conv1", shape{3, 224, 224}, norm(sq(64, 7, 2, 3)))
	s := shape{64, 56, 56} // 3x3 max pooling with padding
	for st, blocks := range stages {
		width := 64 << st
		for b := range blocks {
			stride := 1
			if st > 0 && b == 0 {
				stride = 2
			}
			at := fmt.Sprintf("layer%d.%d.", st+1, b)
			in, out := s, width
			if bottleneck {
				out = 4 * width
				s = n.conv(at+"conv1", s, norm(sq(width, 1, 1, 0)))
				s = n.conv(at+"conv2", s, norm(sq(width, 3, stride, 1)))
				s = n.conv(at+"conv3", s, norm(sq(out, 1, 1, 0)))
			} else {
				s = n.conv(at+"conv1", s, norm(sq(width, 3, stride, 1)))
				s = n.conv(at+"conv2", s, norm(sq(width, 3, 1, 1)))
			}
			if b == 0 && in.c != out {
				n.conv(at+"downsample", in, norm(sq(out, 1, stride, 0)))
			}
		}
	}
	n.linear("fc", s.c, 1000, 1, true)
	name := fmt.Sprintf("resnet%d", depth)
	return n.profile(info{name, nil, fmt.Sprintf("ResNet with %d layers", depth), 64, []string{
		"architecture: He et al., CVPR 2016, table 1; stride in the 3x3 convolution and parameter counts as in " +
			"torchvision"}})
}

// bneck is one block of MobileNetV3: kernel, expansion, output, squeeze-and-excite, stride.
type bneck struct {
	k, exp, out int
	se          bool
	stride      int
}

func mobilenet(size string, blocks []bneck, last, hidden int, aliases ...string) *Profile {
	n := &net{}
	norm := func(c conv) conv { c.norm = true; return c }
	s := n.conv("features.0", shape{3, 224, 224}, norm(sq(16, 3, 2, 1)))
	for i, b := range blocks {
		at := fmt.Sprintf("features.%d.", i+1)
		if b.exp != s.c {
			s = n.conv(at+"expand", s, norm(sq(b.exp, 1, 1, 0)))
		}
		dw := norm(sq(b.exp, b.k, b.stride, b.k/2))
		dw.groups = b.exp
		s = n.conv(at+"depthwise", s, dw)
		if b.se {
			mid := divisible(b.exp / 4)
			n.linear(at+"se.fc1", b.exp, mid, 1, true)
			n.linear(at+"se.fc2", mid, b.exp, 1, true)
		}
		s = n.conv(at+"project", s, norm(sq(b.out, 1, 1, 0)))
	}
	n.conv("features.last", s, norm(sq(last, 1, 1, 0)))
	n.linear("classifier.0", last, hidden, 1, true)
	n.linear("classifier.3", hidden, 1000, 1, true)
	return n.profile(info{"mobilenetv3-" + size, aliases, "MobileNetV3-" + size, 128, []string{
		"architecture: Howard et al., ICCV 2019, tables 1 and 2 (5.4 and 2.5 million parameters); block details as " +
			"in torchvision"}})
}

// divisible rounds to a multiple of 8, never more than 10 % down.
func divisible(v int) int {
	n := max(8, (v+4)/8*8)
	if 10*n < 9*v {
		n += 8
	}
	return n
}

func mobilenetLarge() *Profile {
	return mobilenet("large", []bneck{
		{3, 16, 16, false, 1}, {3, 64, 24, false, 2}, {3, 72, 24, false, 1}, {5, 72, 40, true, 2},
		{5, 120, 40, true, 1}, {5, 120, 40, true, 1}, {3, 240, 80, false, 2}, {3, 200, 80, false, 1},
		{3, 184, 80, false, 1}, {3, 184, 80, false, 1}, {3, 480, 112, true, 1}, {3, 672, 112, true, 1},
		{5, 672, 160, true, 2}, {5, 960, 160, true, 1}, {5, 960, 160, true, 1},
	}, 960, 1280)
}

// mobilenetSmall has the bare name: it is what the Dally paper's workload file holds.
func mobilenetSmall() *Profile {
	return mobilenet("small", []bneck{
		{3, 16, 16, true, 2}, {3, 72, 24, false, 2}, {3, 88, 24, false, 1}, {5, 96, 40, true, 2},
		{5, 240, 40, true, 1}, {5, 240, 40, true, 1}, {5, 120, 48, true, 1}, {5, 144, 48, true, 1},
		{5, 288, 96, true, 2}, {5, 576, 96, true, 1}, {5, 576, 96, true, 1},
	}, 576, 1024, "mobilenetv3", "mobilenet")
}
