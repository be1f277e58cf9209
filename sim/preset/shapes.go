package preset

// hardware lists the hardware shapes in the order to show them, a row each.
func hardware() []shape {
	all := nvidia()
	all = append(all, aws()...)
	all = append(all, google()...)
	return append(all, azure()...)
}

// nvidia lists NVIDIA's own systems.
func nvidia() []shape {
	const sold = "; a SuperPOD's network between them is a full fat tree"
	return []shape{
		{name: "dgx-a100", doc: "NVIDIA DGX A100 640GB", machines: 1, perRack: 4, gpus: 8, typ: "a100", gpuGiB: 80,
			cpus: 128, memGiB: 2048, nvlinkGBps: 600, netGbps: 8 * 200, sources: []string{
				"NVIDIA DGX A100 data sheet (640 GB): 8 A100 of 80 GB, NVLink 600 GB/s per GPU through six " +
					"NVSwitches, 8 single-port ConnectX-6 of 200 Gb/s for compute, two AMD Rome 7742 of 64 cores, " +
					"2 TB of memory" + sold}},
		{name: "dgx-h100", doc: "NVIDIA DGX H100", machines: 1, perRack: 4, gpus: 8, typ: "h100", gpuGiB: 80,
			cpus: 112, memGiB: 2048, nvlinkGBps: 900, netGbps: 8 * 400, sources: []string{
				"NVIDIA DGX H100 data sheet: 8 H100 of 80 GB, NVLink 900 GB/s per GPU through four NVSwitches, 8 " +
					"single-port ConnectX-7 of 400 Gb/s for compute (four OSFP), two Xeon 8480C of 56 cores, 2 TB of " +
					"memory" + sold}},
		{name: "dgx-b200", doc: "NVIDIA DGX B200", machines: 1, perRack: 4, gpus: 8, typ: "b200", gpuGiB: 180,
			cpus: 112, memGiB: 2048, nvlinkGBps: 1800, netGbps: 8 * 400, sources: []string{
				"NVIDIA DGX B200 data sheet: 8 B200 with 1,440 GB together, NVLink 14.4 TB/s together (1.8 TB/s " +
					"per GPU), 8 single-port ConnectX-7 of 400 Gb/s for compute (four OSFP), two Xeon 8570 of 56 " +
					"cores, 2 TB of memory, up to 4" + sold}},
		{name: "gb200-nvl72", doc: "NVIDIA GB200 NVL72", machines: 18, perRack: 18, gpus: 4, typ: "gb200",
			gpuGiB: 186, cpus: 144, memGiB: 960, nvlinkGBps: 1800, netGbps: 4 * 400, rackNVLink: true,
			sources: []string{
				"NVIDIA GB200 NVL72 data sheet: 72 GPUs in one NVLink domain, 130 TB/s together (1.8 TB/s per GPU), " +
					"13.4 TB of HBM3e, 2,592 Arm cores, up to 17 TB of LPDDR5X; here one rack of 18 compute trays of 4 " +
					"GPUs and two Grace of 72 cores and 480 GB",
				"NVIDIA DGX GB200 data sheet: 72 single-port ConnectX-7 of 400 Gb/s, one per GPU"}},
	}
}

// aws lists instances of AWS.
func aws() []shape {
	const (
		page  = "AWS, instance types of accelerated computing: "
		ultra = "; EC2 UltraClusters have a network without oversubscription"
	)
	return []shape{
		{name: "p3.16xlarge", aliases: []string{"p3"}, doc: "AWS p3.16xlarge", machines: 1, perRack: 4, gpus: 8,
			typ: "v100", gpuGiB: 16, cpus: 64, memGiB: 488, nvlinkGBps: 300, netGbps: 25, ring: true, ethernet: true,
			sources: []string{page + "8 V100 of 16 GB, NVLink 300 GB/s per GPU (a mesh of links without switches, " +
				"here a ring), 64 vCPUs, 488 GiB, 25 Gb/s"}},
		{name: "p3dn.24xlarge", aliases: []string{"p3dn"}, doc: "AWS p3dn.24xlarge", machines: 1, perRack: 4, gpus: 8,
			typ: "v100", gpuGiB: 32, cpus: 96, memGiB: 768, nvlinkGBps: 300, netGbps: 100, ring: true, ethernet: true,
			sources: []string{page + "8 V100 of 32 GB, NVLink 300 GB/s per GPU (a mesh of links without switches, " +
				"here a ring), 96 vCPUs, 768 GiB, 100 Gb/s with EFA"}},
		{name: "p4d.24xlarge", aliases: []string{"p4d"}, doc: "AWS p4d.24xlarge", machines: 1, perRack: 4, gpus: 8,
			typ: "a100", gpuGiB: 40, cpus: 96, memGiB: 1152, nvlinkGBps: 600, netGbps: 400, ethernet: true,
			sources: []string{page + "8 A100 of 40 GB, NVSwitch 600 GB/s per GPU, 96 vCPUs, 1152 GiB, 400 Gb/s with " +
				"EFA" + ultra}},
		{name: "p4de.24xlarge", aliases: []string{"p4de"}, doc: "AWS p4de.24xlarge", machines: 1, perRack: 4, gpus: 8,
			typ: "a100", gpuGiB: 80, cpus: 96, memGiB: 1152, nvlinkGBps: 600, netGbps: 400, ethernet: true,
			sources: []string{page + "as p4d.24xlarge, with A100 of 80 GB" + ultra}},
		{name: "p5.48xlarge", aliases: []string{"p5"}, doc: "AWS p5.48xlarge", machines: 1, perRack: 4, gpus: 8,
			typ: "h100", gpuGiB: 80, cpus: 192, memGiB: 2048, nvlinkGBps: 900, netGbps: 3200, ethernet: true,
			sources: []string{page + "8 H100 of 80 GB, NVSwitch 900 GB/s per GPU, 192 vCPUs, 2048 GiB, 3200 Gb/s " +
				"with EFA" + ultra}},
	}
}

// google lists machine types of Google Cloud. There a2 alone is no name: it is a GPU type.
func google() []shape {
	const page = "Google Cloud, accelerator-optimised machine types: "
	return []shape{
		{name: "a2-highgpu-8g", doc: "Google a2-highgpu-8g", machines: 1, perRack: 4, gpus: 8, typ: "a100",
			gpuGiB: 40, cpus: 96, memGiB: 680, nvlinkGBps: 600, netGbps: 100, ethernet: true, sources: []string{page +
				"8 A100 of 40 GB, NVLink 600 GB/s per GPU, 96 vCPUs, 680 GB, 100 Gb/s"}},
		{name: "a2-megagpu-16g", doc: "Google a2-megagpu-16g", machines: 1, perRack: 4, gpus: 16, typ: "a100",
			gpuGiB: 40, cpus: 96, memGiB: 1360, nvlinkGBps: 600, netGbps: 100, ethernet: true, sources: []string{page +
				"16 A100 of 40 GB, NVLink 600 GB/s per GPU, 96 vCPUs, 1360 GB, 100 Gb/s"}},
		{name: "a2-ultragpu-8g", doc: "Google a2-ultragpu-8g", machines: 1, perRack: 4, gpus: 8, typ: "a100",
			gpuGiB: 80, cpus: 96, memGiB: 1360, nvlinkGBps: 600, netGbps: 100, ethernet: true, sources: []string{page +
				"8 A100 of 80 GB, NVLink 600 GB/s per GPU, 96 vCPUs, 1360 GB, 100 Gb/s"}},
		{name: "a3-highgpu-8g", aliases: []string{"a3"}, doc: "Google a3-highgpu-8g", machines: 1, perRack: 4, gpus: 8,
			typ: "h100", gpuGiB: 80, cpus: 208, memGiB: 1872, nvlinkGBps: 900, netGbps: 4 * 200, ethernet: true,
			sources: []string{page + "8 H100 of 80 GB, NVLink 900 GB/s per GPU, 208 vCPUs, 1872 GB, 1000 Gb/s of " +
				"which four ports of 200 Gb/s are of the GPUs"}},
		{name: "a3-megagpu-8g", doc: "Google a3-megagpu-8g", machines: 1, perRack: 4, gpus: 8, typ: "h100",
			gpuGiB: 80, cpus: 208, memGiB: 1872, nvlinkGBps: 900, netGbps: 8 * 200, ethernet: true,
			sources: []string{page + "8 H100 of 80 GB, NVLink 900 GB/s per GPU, 208 vCPUs, 1872 GB, 1800 Gb/s of " +
				"which eight ports of 200 Gb/s are of the GPUs"}},
	}
}

// azure lists virtual machines of Azure.
func azure() []shape {
	const (
		page = "Azure, sizes of GPU-accelerated virtual machines: "
		tree = ", a fat tree without oversubscription"
	)
	return []shape{
		{name: "nd-v4", aliases: []string{"nd96asr-v4"}, doc: "Azure ND96asr v4", machines: 1, perRack: 4, gpus: 8,
			typ: "a100", gpuGiB: 40, cpus: 96, memGiB: 900, nvlinkGBps: 600, netGbps: 8 * 200, sources: []string{page +
				"8 A100 of 40 GB, NVLink 600 GB/s per GPU, 96 vCPUs, 900 GiB, 200 Gb/s of HDR InfiniBand per GPU" +
				tree}},
		{name: "nd-a100-v4", aliases: []string{"nd96amsr-a100-v4"}, doc: "Azure ND96amsr A100 v4", machines: 1,
			perRack: 4, gpus: 8, typ: "a100", gpuGiB: 80, cpus: 96, memGiB: 1900, nvlinkGBps: 600, netGbps: 8 * 200,
			sources: []string{page + "8 A100 of 80 GB, NVLink 600 GB/s per GPU, 96 vCPUs, 1900 GiB, 200 Gb/s of HDR " +
				"InfiniBand per GPU" + tree}},
		{name: "nd-h100-v5", aliases: []string{"nd96isr-h100-v5"}, doc: "Azure ND96isr H100 v5", machines: 1,
			perRack: 4, gpus: 8, typ: "h100", gpuGiB: 80, cpus: 96, memGiB: 1900, nvlinkGBps: 900, netGbps: 8 * 400,
			sources: []string{page + "8 H100 of 80 GB, NVLink 900 GB/s per GPU, 96 vCPUs, 1900 GiB, 400 Gb/s of NDR " +
				"InfiniBand per GPU" + tree}},
	}
}
