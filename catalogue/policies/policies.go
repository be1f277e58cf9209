// Package policies lists the schedulers that tarry ships, under one spelling: NAME or
// NAME:key=value,...
//
// Reading guide: All has the entries in the order in which they are shown, and a function of each
// family below it. Each policy is a package below baselines.
package policies

import (
	"slices"

	"tarry/baselines/allox"
	"tarry/baselines/antman"
	"tarry/baselines/asrpt"
	"tarry/baselines/bsbf"
	"tarry/baselines/cassini"
	"tarry/baselines/crossover"
	"tarry/baselines/crux"
	"tarry/baselines/dally"
	"tarry/baselines/delay"
	"tarry/baselines/drf"
	"tarry/baselines/elasticflow"
	"tarry/baselines/ffdl"
	"tarry/baselines/gadget"
	"tarry/baselines/gandiva"
	"tarry/baselines/gandivafair"
	"tarry/baselines/gavel"
	"tarry/baselines/hadar"
	"tarry/baselines/heet"
	"tarry/baselines/hived"
	"tarry/baselines/horus"
	"tarry/baselines/hours"
	"tarry/baselines/iadeep"
	"tarry/baselines/lucid"
	"tarry/baselines/lwf"
	"tarry/baselines/miger"
	"tarry/baselines/multifactor"
	"tarry/baselines/muri"
	"tarry/baselines/netaware"
	"tarry/baselines/nonintrusive"
	"tarry/baselines/ones"
	"tarry/baselines/optimus"
	"tarry/baselines/pal"
	"tarry/baselines/philly"
	"tarry/baselines/pollux"
	"tarry/baselines/powerflow"
	"tarry/baselines/queueing"
	"tarry/baselines/ranked"
	"tarry/baselines/reclaimaware"
	"tarry/baselines/recorded"
	"tarry/baselines/rollout"
	"tarry/baselines/schedtune"
	"tarry/baselines/shockwave"
	"tarry/baselines/sia"
	"tarry/baselines/similarity"
	"tarry/baselines/sjfbco"
	"tarry/baselines/slaq"
	"tarry/baselines/sleep"
	"tarry/baselines/static"
	"tarry/baselines/synergy"
	"tarry/baselines/themis"
	"tarry/baselines/tiresias"
	"tarry/baselines/typed"
	"tarry/baselines/variants"
	"tarry/baselines/vclos"
	"tarry/baselines/voda"
	"tarry/fidelity/artist"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/plan/places"
)

const (
	textbook   = "textbook"
	dallyRef   = "Sharma et al., arXiv 2401.16492"
	bsbfRef    = "Luo et al., arXiv 2407.13088"
	afsRef     = "Hwang et al., NSDI 2021"
	gavelRef   = "Narayanan et al., OSDI 2020"
	gittinsRef = "Aalto et al., Queueing Systems 63, 2009"
	tangRef    = "Tang et al., CLUSTER 2009"
	rolloutRef = "Bertsekas and Castanon, Journal of Heuristics 5, 1999"
	fRef       = "Carastan-Santos and de Camargo, SC 2017"
	lasParams  = places.Params + `
quantum_s  length of a round, s
starve_s   waiting time after which a job goes first, s, inf = never
service    gpu-time | time: what is attained`
)

// All lists the schedulers that tarry ships; Variants the variants with other simulators' habits.
func All() entry.Policies {
	all := slices.Concat(queues(), scored(), attained(), polled(), sliced(), shared(), delays(), others(), tenanted(),
		hosted(), linked(), frugal(), budgeted(), borrowing(), inspecting(), placed())
	all = append(all, policy("cassini", "CASSINI over another policy: places at which the transfers of jobs that share "+
		"links interleave, and shifts of their iterations", "Rajasekaran et al., NSDI 2024", cassini.Params,
		cassini.Over(all.Build, "themis", "dally", "tiresias", "fifo-fit")))
	all = append(all, policy("crux", "Crux: running jobs get paths and priorities on shared links by GPU intensity, "+
		"under any policy that decides who runs where", "Cao et al., SIGCOMM 2024", crux.Params,
		crux.New(all.Build)))
	all = append(all, policy("shift", "starts of another policy are held back until energy is cheap or clean, each job "+
		"at most its slack", "Wiesner et al., Middleware 2021; Hanafy et al., ASPLOS 2024", hours.ShiftParams,
		hours.NewShift(all.Build)))
	all = append(all, policy("sleep", "machines without jobs are switched off under any policy, when idle for as "+
		"long as a boot costs, and boot for jobs that wait", "Karlin et al., Algorithmica 3, 1988", sleep.Params,
		sleep.New(all.Build, "dally", sleep.ByCosts)))
	all = append(all, policy("qssf-ces", "a queue (QSSF) with Helios' energy service: idle machines sleep where use is "+
		"forecast to fall, and wake for jobs", "Hu et al., SC 2021", sleep.Params,
		sleep.New(all.Build, "qssf", sleep.ByForecast)))
	all = append(all, capped(all.Build)...)
	all = append(all, learned(all.Build)...)
	all = append(all, policy("reclaim-aware", "jobs keep off machines that are announced to be returned to services "+
		"before they would end, under any policy", "ours", reclaimaware.Params, reclaimaware.New(all.Build)))
	return append(all, policy("planned", "any other policy, improved by plays of what may follow: a job goes first, is "+
		"held back or evicted; with rollout=0 as it is", rolloutRef, rollout.Planned(), rollout.NewPlanned(all.Build)))
}

// budgeted lists policies under a budget of energy.
func budgeted() entry.Policies {
	return entry.Policies{
		policy("powerflow", "PowerFlow: numbers of GPUs and clocks, to where time falls most for more energy, under a "+
			"budget of energy", "Gu et al., arXiv 2304.06381", powerflow.Params, powerflow.New),
	}
}

// Light lists schedulers of All whose code is small: a program for a browser has these.
func Light() entry.Policies { return slices.Concat(queues(), attained(), sliced(), delays()) }

// queues lists orders of a queue.
func queues() entry.Policies {
	return entry.Policies{
		policy("fifo", "order of arrival; the head blocks", textbook, queueing.FIFOParams, queueing.NewFIFO),
		policy("fifo-fit", "order of arrival; jobs that do not fit are passed over", textbook, places.Params,
			queueing.NewFitFirst),
		policy("sjf", "shortest run time first, no preemption", textbook, queueing.SJFParams, queueing.NewSJF),
		policy("srtf", "shortest remaining run time first, preemptive", textbook, queueing.RemainingParams,
			queueing.NewSRTF),
		policy("srsf", "shortest remaining run time x GPUs first, preemptive", "Gu et al., NSDI 2019",
			queueing.RemainingParams, queueing.NewSRSF),
		policy("las", "least attained service first, in rounds", "Nuyens and Wierman, Performance Evaluation 65, 2008",
			lasParams, queueing.NewLAS),
		policy("easy", "order of arrival, backfilled behind a reservation for the head", "Lifka, JSSPP 1995",
			queueing.EASYParams, queueing.NewEASY),
		policy("conservative", "order of arrival, backfilled behind a reservation for every job",
			"Mu'alem and Feitelson, IEEE TPDS 12(6), 2001", queueing.ConservativeParams, queueing.NewConservative),
		policy("deadline-first", "earliest deadline first with the GPUs asked for, preemptive; with admission, jobs "+
			"that cannot be in time are turned away", "Jackson, UCLA 1955", queueing.DeadlineParams,
			queueing.NewDeadlineFirst),
		policy("genie", "GENIE: shortest waiting allowance first (deadline less predicted duration), no preemption; "+
			"hopeless jobs are turned away", "Chen et al., IEEE TPDS 31(1), 2020", queueing.GenieParams,
			queueing.NewGenie),
		policy("gittins", "least Gittins rank of the predicted law of run time first, preemptive",
			"Gittins, J. R. Stat. Soc. B 41(2), 1979", queueing.GittinsParams, queueing.NewGittins),
		policy("qssf", "Helios QSSF: least predicted run time x GPUs first, no preemption", "Hu et al., SC 2021",
			queueing.QSSFParams, queueing.NewQSSF),
	}
}

// scored lists queues by predictions and fitted scores.
func scored() entry.Policies {
	return entry.Policies{
		policy("a-srpt", "A-SRPT: jobs start in the order in which a virtual machine with preemption completes "+
			"their predicted work; no preemption", "Luo et al., arXiv 2501.05563", asrpt.Params, asrpt.New),
		policy("sjf-bco", "SJF-BCO: the waiting jobs as a batch, smallest first, packed or spread such that its "+
			"makespan under contention is least; no preemption", "Yu et al., MobiHoc 2022", sjfbco.Params, sjfbco.New),
		policy("ce-dla-like", "jobs planned over hours with a price or carbon intensity each, by least cost within "+
			"their slack; idle machines are switched off", "after CE-DLA, Energies 15(2):474, 2022", hours.Params, hours.New),
		policy("picked", "the job with the lowest score is picked, and nothing else starts until it fits",
			"Zhang et al., SC 2020", queueing.PickedParams, queueing.NewPicked),
		policy("wfp3", "least -(wait / request)^3 x GPUs first, blocking or with EASY backfilling", tangRef,
			queueing.ScoredParams, queueing.NewScored("wfp3")),
		policy("unicep", "least -wait / (request x log2 GPUs) first, blocking or with EASY backfilling", tangRef,
			queueing.ScoredParams, queueing.NewScored("unicep")),
		policy("f1", "least log10(request) x GPUs + 870 log10(submit) first, blocking or with EASY backfilling", fRef,
			queueing.ScoredParams, queueing.NewScored("f1")),
		policy("f2", "the same by sqrt(request) x GPUs + 25600 log10(submit)", fRef, queueing.ScoredParams,
			queueing.NewScored("f2")),
		policy("f3", "the same by request x GPUs + 6860000 log10(submit)", fRef, queueing.ScoredParams,
			queueing.NewScored("f3")),
		policy("f4", "the same by request x sqrt(GPUs) + 530000 log10(submit)", fRef, queueing.ScoredParams,
			queueing.NewScored("f4")),
	}
}

// attained lists policies by attained service, and classical delay scheduling.
func attained() entry.Policies {
	return entry.Policies{
		policy("tiresias", "Tiresias, Discretized 2D-LAS: queues by attained GPU-time", "Gu et al., NSDI 2019",
			tiresias.Params, tiresias.New),
		policy("tiresias-gittins", "Tiresias, Discretized 2D-Gittins: queues, Gittins index inside them",
			"Gu et al., NSDI 2019", tiresias.Params+"\n"+tiresias.GittinsParams, tiresias.NewGittins),
		policy("delay", "classical delay scheduling, adapted to gangs", "Zaharia et al., EuroSys 2010", delay.Params,
			delay.New),
	}
}

// polled lists policies with a queue for each GPU type or virtual cluster.
func polled() entry.Policies {
	return entry.Policies{
		policy("ffdl", "FfDL: a queue per GPU type with a limit, polled; gangs of learners, spread, packed or sampled",
			"Jayaram et al., Middleware 2019", ffdl.Params, ffdl.New),
		policy("philly", "Philly: a queue and a quota per virtual cluster; gangs near to one another, held, "+
			"released and relaxed; preemption above quotas", "Jeon et al., USENIX ATC 2019", philly.Params, philly.New),
		policy("recorded", "what the cluster of the trace did: each job at its recorded start on its recorded machines",
			"the trace", "", recorded.New),
	}
}

// sliced lists policies that divide time.
func sliced() entry.Policies {
	return entry.Policies{
		policy("gandiva", "Gandiva: affinity, time slicing, migration; packing and growth as options",
			"Xiao et al., OSDI 2018", gandiva.Params, gandiva.New),
		policy("gadget-like", "in slots, an integer programme over the rings of elastic jobs: most utility of the "+
			"iterations done", "Yu et al., INFOCOM 2022", gadget.Params, gadget.New),
	}
}

// shared lists policies that share GPUs, or divide time fairly.
func shared() entry.Policies {
	return entry.Policies{
		policy("sjf-bsbf", "SJF-BSBF: shortest first, beside one running job where both are done sooner in the "+
			"mean; no preemption", bsbfRef, bsbf.Params, bsbf.New),
		policy("sjf-ffs", "SJF-FFS: shortest first, beside one running job whenever idle GPUs do not suffice; no "+
			"preemption", bsbfRef, bsbf.FFSParams, bsbf.NewFFS),
		policy("gandiva-fair", "Gandiva_fair: fair shares of GPU time for users by stride, trading of GPU generations",
			"Chaudhary et al., EuroSys 2020", gandivafair.Params, gandivafair.New),
		policy("hadar", "Hadar: in rounds, jobs run where their utility exceeds the price of their GPUs, of any types",
			"Sultana et al., arXiv 2503.10918", hadar.Params, hadar.New),
		policy("hadare-like", "HadarE: in rounds, copies of a job on every machine that it can have, whose "+
			"progress adds up", "Sultana et al., arXiv 2503.10918", hadar.ForkedParams, hadar.NewForked),
	}
}

// delays lists policies of places: fixed rules, and Dally.
func delays() entry.Policies {
	return entry.Policies{
		policy("consolidate", "wait for the finest unit that can ever hold the job", dallyRef,
			static.ConsolidateParams, static.NewConsolidate),
		policy("scatter", "spread over as many machines as possible, at once", textbook, "", static.NewScatter),
		policy("dally", "Dally with auto-tuned delay timers", dallyRef, dally.Params, variants.New(dally.Auto)),
		policy("dally-manual", "Dally with fixed timers", dallyRef, dally.Params,
			variants.New(dally.Manual)),
		policy("dally-nowait", "Dally without timers: the best place there is, at once", dallyRef, dally.Params,
			variants.New(dally.NoWait)),
		policy("dally-consolidated", "Dally with infinite timers", dallyRef, dally.Params,
			variants.New(dally.Consolidated)),
		policy("dally-evict", "Dally with evictions: jobs late in the order give their GPUs up to the first that "+
			"finds no place; backfilling as an option", dallyRef, variants.EvictParams(), variants.NewEvict),
	}
}

// others lists elastic, typed and sharing policies.
func others() entry.Policies {
	return entry.Policies{
		policy("dally-elastic", "Dally for elastic jobs, which start smaller, give GPUs back and grow", dallyRef,
			variants.ElasticParams, variants.NewElastic),
		policy("dally-shared", "Dally whose jobs share GPUs where both are predicted to lose little", dallyRef,
			variants.SharedParams, variants.NewShared),
		policy("dally-tenants", "Dally with timers for each tenant, in the order of fair shares", dallyRef,
			variants.TenantsParams, variants.NewTenants),
		policy("ranked", "Dally's contest in the order of a score per job, by hand or from a file of weights; "+
			"evictions by score", gittinsRef, ranked.Params(),
			ranked.NewPolicy(dally.Tuned)),
		policy("typed", "one score for each job and GPU type: who runs, and on which type, without the future",
			gittinsRef, typed.Help(), typed.New),
		policy("artist-tiresias", "the Tiresias of the Dally paper's simulator", dallyRef, artist.TiresiasParams,
			artist.NewTiresias),
		policy("pal", "PAL: GPUs by how fast each is for the job's class, times locality; in the order of las, "+
			"fifo or srtf", "Jain et al., SC 2024", pal.Params, pal.New),
		policy("allox", "AlloX: a minimum-cost matching of jobs to GPU types and places in their order, for "+
			"admitted users", "Le et al., EuroSys 2020", allox.Params, allox.New),
		policy("similarity-like", "each job on the GPU type that suits its model, or the known model most like it",
			"Thanapol et al., ACIIDS 2023", similarity.Params, similarity.New),
		policy("network-like", "each job on the node where a regression over telemetry expects it to be fastest",
			"Timilsina and Shannigrahi, arXiv 2510.21419", netaware.Params, netaware.New),
		policy("heet-like", "elastic jobs on GPUs of several types: matching, growth and trade by scaling and "+
			"scheduling efficiency", "Mo et al., ASPLOS 2024", heet.Params, heet.New),
		policy("nonintrusive-like", "elastic jobs whose GPUs follow the work that is left, without preemption",
			"Wang et al., SC 2020", nonintrusive.Params, nonintrusive.New),
		policy("elasticflow", "ElasticFlow: the least GPUs that keep each deadline, admission, surplus where it is "+
			"used best; also elastic EDF", "Gu et al., ASPLOS 2023", elasticflow.Params, elasticflow.New),
		policy("sia", "Sia: in rounds, for each job a number of GPUs of one type such that normalised goodputs "+
			"add up best", "Jayaram Subramanya et al., SOSP 2023", sia.Params, sia.New),
		policy("gavel", "Gavel: fractions of time per job and GPU type from an objective, and rounds that give them",
			gavelRef, gavel.Params, gavel.New),
		policy("shockwave", "Shockwave: windows of rounds that maximise the Nash welfare of predicted progress, "+
			"with targets of finish-time fairness", "Zheng et al., NSDI 2023", shockwave.Params, shockwave.New),
		policy("themis", "Themis: auctions of GPUs over leases among the apps that are worst off in finish-time "+
			"fairness", "Mahajan et al., NSDI 2020", themis.Params, themis.New),
		policy("voda", "vodascheduler: elastic jobs by one of eight allocation algorithms", "Hsieh and Lee, IC2E 2023",
			voda.Params, voda.New),
		policy("afs-l", "AFS-L: elastic jobs, GPU by GPU to the winner of short against efficient", afsRef,
			voda.AFSLParams, voda.NewAFSL),
		policy("afs-p", "AFS-P: AFS without lengths, by attained service", afsRef, voda.AFSPParams, voda.NewAFSP),
		policy("edl", "EDL's E-Tiresias: Tiresias, then GPUs by marginal gain", "Wu et al., IEEE TPDS 33(1), 2022",
			voda.EDLParams, voda.NewEDL),
		policy("miger-like", "GPUs cut into instances (MIG) that follow the jobs, two jobs to an instance where "+
			"that gains", "Zhang et al., ICPP 2024", miger.Params, miger.New),
		policy("ones", "ONES: an evolutionary search of GPU slots and batch sizes that never ends, with progress "+
			"learned from jobs that have ended", "Bian et al., SC 2021", ones.Params, ones.New),
		policy("lucid", "Lucid: small jobs are profiled first; least predicted run time x GPUs first, two jobs on "+
			"the same GPUs where it costs little; no preemption", "Hu et al., ASPLOS 2023", lucid.Params, lucid.New),
		policy("horus", "Horus: GPUs by predicted memory and utilisation, shared by as many jobs as fit; the first "+
			"of five that finds GPUs", "Yeung et al., IEEE TPDS 33, 2022", horus.Params, horus.New),
		policy("pollux", "Pollux: GPUs and batch sizes by goodput, from speeds and gradient noise that jobs "+
			"measure; a genetic search", "Qiao et al., OSDI 2021", pollux.Params, pollux.New),
		policy("crossover-like", "pairs of distributed jobs on the same GPUs, where one computes while the other "+
			"exchanges gradients", "Luo et al., arXiv 2103.07974", crossover.Params, crossover.New),
		policy("muri", "Muri: jobs that load, compute and communicate at different times share GPUs, matched in "+
			"rounds; Muri-S, with key=las Muri-L", "Zhao et al., SIGCOMM 2022", muri.Params, muri.New),
		policy("slaq", "SLAQ: GPUs one by one to the job whose loss is predicted to fall most, on drawn loss curves",
			"Zhang et al., SoCC 2017", slaq.Params, slaq.New),
		policy("antman", "AntMan: guaranteed jobs have GPUs of their own, opportunistic ones what these leave of "+
			"them, cut and grown by feedback, never stopped", "Xiao et al., OSDI 2020", antman.Params, antman.New),
		policy("schedtune", "SchedTune: jobs share GPUs where their predicted memory fits, where each is predicted "+
			"to end first", "Albahar et al., CCGrid 2022", schedtune.Params, schedtune.New),
		policy("iadeep", "IADeep: jobs share the GPUs where they slow one another down least, then their batches "+
			"are tuned", "Chen et al., SC 2023", iadeep.Params, iadeep.New),
		policy("optimus", "Optimus: GPUs one by one to the job that they bring nearest to its end, by fits of loss "+
			"and speed", "Peng et al., EuroSys 2018", optimus.Params, optimus.New),
	}
}

// tenanted lists policies that share by the weights or quotas of the run's tenants.
func tenanted() entry.Policies {
	return entry.Policies{
		policy("slurm", "Slurm: a weighted sum of fair share with decayed usage, age and size, backfilled behind "+
			"reservations; preemption by QOS as an option", "Yoo et al., JSSPP 2003", multifactor.Params,
			multifactor.New),
		policy("drf", "dominant resource fairness: the next job is one of the tenant with the least weighted "+
			"dominant share, over a tree; preemption as an option", "Ghodsi et al., NSDI 2011; Bhattacharya et al., "+
			"SoCC 2013", drf.Params, drf.New),
		policy("hived", "HiveD: virtual clusters own cells of the cluster and get them whenever they ask; idle GPUs "+
			"run opportunistic jobs", "Zhao et al., OSDI 2020", hived.Params, hived.New),
	}
}

// hosted lists policies that divide the CPU and memory of machines.
func hosted() entry.Policies {
	return entry.Policies{
		policy("synergy", "Synergy: CPU and memory by how much each job gains from them, in rounds; best-case "+
			"demands, cut to parts by GPUs where they must be", "Mohan et al., OSDI 2022", synergy.Params, synergy.New),
	}
}

// linked lists policies that look at the links which jobs share.
func linked() entry.Policies {
	return entry.Policies{
		policy("lwf", "LWF-kappa: jobs where least work is left; on shared links SRSF(n) or AdaDUAL admits them",
			"Wang et al., arXiv 2002.10105", lwf.Params, lwf.New),
		policy("dally-links", "Dally whose timers are longer while shared links are busy", dallyRef,
			variants.LinksParams, variants.NewLinks),
		policy("vclos", "vClos: isolated sub-networks of a leaf-spine, GPUs and links; in order of arrival, the head "+
			"waits", "arXiv 2308.05692", "", vclos.New),
	}
}

// policy is an entry of the list.
// Row is an entry with its costs and what it decides, by its name.
func Row(name, doc, paper, params string, make func(s *param.Set, rule cluster.Rule) (sim.Policy,
	error)) entry.Policy {
	return policy(name, doc, paper, params, make)
}

func policy(name, doc, paper, params string, make func(s *param.Set, rule cluster.Rule) (sim.Policy,
	error)) entry.Policy {
	return entry.Policy{Name: name, Doc: doc, Paper: paper, Params: params, New: make, Moved: moved()[name],
		Cost: costs()[name], Decides: decides(name)}
}
