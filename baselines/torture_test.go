package baselines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// variants are settings beside the defaults, with times that matter in runs of a minute.
func variants() []string {
	return []string{
		"las:quantum_s=4,starve_s=50", "las:quantum_s=1,service=time",
		"tiresias:queues=2/5/9,promote=1.5", "tiresias:queues=3,skew_unknown=0",
		"tiresias:queues=3/8,place=skew-waits,packlimit=fit,fit_s=2,skew_unknown=0.2",
		"tiresias-gittins:queues=4/20", "tiresias-gittins:queues=2/5/9,promote=0.5,place=skew,packlimit=inf",
		"delay:wait_machine=3,wait_rack=5", "delay:wait_machine=3,wait_rack=5,clock=offer",
		"delay:wait_machine=inf,wait_rack=inf",
		"delay:form=count,skips=3", "delay:order=fair,wait_machine=2,wait_rack=2",
		"delay:order=fair,form=count,skips=0",
		"gandiva:quantum=6", "gandiva:quantum=inf", "gandiva:affinity=false,quantum=7",
		"gandiva:migrate=false,quantum=8", "gandiva:quantum=3,packing=true,grow=true,idle_s=2", "sjf-bsbf:place=jobs",
		"sjf-bsbf:order=gpu-time,by=estimate,accum=1", "sjf-ffs:place=jobs,by=estimate",
		"gandiva-fair:quantum=6,balance=9", "hadar:round=4,restart_s=1", "hadar:round=3,exact=0,by=estimate,fill=true",
		"typed:round=3,law_median_s=5,edge=0.5", "typed:round=9,eager=false,predicted=true,elsewhere=1,running=-1",
		"gandiva-fair:quantum=2,by=vc,tickets=x:3,trade=false",
		"easy:order=wfp3,fill=score", "predictsim-easy:fill=shortest", "easy:order=f1,by=request",
		"unicep:backfill=easy", "f2:backfill=easy,fill=shortest,by=request", "f3:hold=true,backfill=fcfs",
		"crux:host=las:quantum_s=4", "ce-dla-like:slot_s=3,horizon_h=0.01,slack_h=0.002,preempt=true",
		"ce-dla-like:states=0,slot_s=5,horizon_h=0.01", "shift:host=srtf,rule=window",
		"powercap:host=las:quantum_s=4", "reclaim-aware:host=srtf,slack_s=2", "reclaim-aware:host=las:quantum_s=4",
		"deepshare:rule=spread", "deepshare:rule=pack", "deepshare:rule=quiet", "deepshare:rule=small",
		"harmony-like:prior=9,others=0.3", "harmony-like:block=true",
		"decima-like:rule=gain,jobs=3", "decima-like:rule=work-2.0",
		"aset-like:every_s=9", "aset-like:every_s=7,rule=demand,members=fifo+las:quantum_s=7+dally-nowait",
		"marl-like:rule=home", "marl-like:rule=freest,forwards=9", "marl-like:rule=spread,forwards=0",
		"marl-like:rule=quiet", "marl-like:rule=fastest",
		"rltune-like:front=3,size=0", "rltune-like:rule=fifo,front=0", "rltune-like:rule=f1,weigh=rank,nodes=3,profiled=true",
		"mixture:every_s=20", "mixture:members=dally-nowait+las:quantum_s=7+dally-consolidated,every_s=9",
		"pwr:fragments=0.5,by=energy",
		"inspected:base=f1,rule=full,by=estimate", "inspected:backfill=none,rule=always-6-times",
		"inspected:score=order,wide=0,refused_s=1800",
		"a-srpt:early=false", "a-srpt:heavy=1,delay=3", "a-srpt:heavy=1.01,delay=0.5,early=false",
		"sjf-bco:batch=2,steps=0,by=estimate", "sjf-bco:goal=mean,alpha=3", "gadget-like:slot=3,nodes=0,moves=near",
		"gadget-like:slot=7,scale=2", "qssf:vc=true", "genie:preempt=true", "genie:order=shortest,by=work",
		"sleep:host=\"qssf:vc=true\",idle_s=1",
		"qssf-ces:forecast=last,site=philly,tick_s=2,buffer=0,host=fifo-fit", "sleep:host=las:quantum_s=4",
		"qssf-ces:forecast=day,tick_s=1,buffer=1,host=\"qssf:place=consolidate\"",
		"consolidate:finest=slot", "nonintrusive-like:restart_s=0", "hadare-like:round=9,restart_s=1,efficiency=0.9",
		"ffdl:poll_s=3,limit=any:3+fast:2", "ffdl:poll_s=0,place=bsa,limit=none,samples=5",
		"ffdl:poll_s=0,quota=free,limit=none", "philly:hold_s=3,backoff_s=2,tries_per_level=1,preempt_frac=0",
		"philly:hold_s=0,backoff_s=4,out_of_order=false,preempt_frac=0.5",
		"philly:from=any,unstated=none,hold_s=5,backoff_s=0,above=hold",
		"philly:hold_s=4,backoff_s=1,above=wait,preempt_frac=0.3",
		"hived:over=large", "hived:cells=x:machine*1+gpu*2/y:2*1+1*3,inside=las,queues=2,lazy=true",
		"hived:cells=x:machine*2/y:slot*1/z:gpu*1,over=none,line=strict",
		"cassini:host=\"themis:lease=30\"", "cassini:host=\"dally:lease=60\",candidates=3",
		"cassini:host=fifo-fit,pace=false",
		"dally:lease=60", "dally:lease=60,preempt=false", "dally:lease=60,renew=keep", "dally:lease=60,renew=return",
		"dally:lease=60,order=fifo", "dally:lease=60,order=las", "dally:lease=60,order=srpt",
		"dally:lease=60,order=srsf",
		"dally:lease=60,evict=later,min_run=0.5", "dally:lease=60,evict=later,preempt=false,order=srpt,min_run=0.5",
		"dally:lease=60,evict=later,renew=return,order=srpt,min_run=0.5",
		"dally:lease=60,evict=later,renew=keep,order=las,every=0.5",
		"artist-dally:lease=60", "dally-manual:lease=60,t_rack=0.1,t_net=0.3", "dally-consolidated:lease=60",
		"artist-tiresias:lease=60",
		"slurm:calc_s=2,half_s=9,max_age_s=20,backfill=easy", "slurm:calc_s=3,half_s=20,fairshare=classic," +
			"decay=exact,backfill=none,preempt=qos", "slurm:calc_s=1,depth=3,by=request", "drf:by=vc,tree=naive",
		"drf:preempt=true,wait_s=1", "drf:preempt=true,wait_s=3,by=user,tree=rescaled",
		"pal:round=0", "pal:round=9,order=fifo,backfill=true", "pal:round=60,place=pm-first,by_class=false,sticky=true",
		"similarity-like:unseen=mean,block=true", "network-like:by=time",
		"lwf:kappa=4,admit=count,n=2", "lwf:admit=count", "lwf:alpha=0,by=estimate", "lwf:admit=count,n=0,kappa=0",
		"sia:interval_s=1,grow=free", "sia:interval_s=7,kind=scale,share_max=false,power=0.5,lambda=-1.1",
		"sia:interval_s=3,restart_s=0,digits=4",
		"elasticflow:slot_s=0", "elasticflow:slot_s=7,surplus=most,place=near", "elasticflow:variant=ef,surplus=none",
		"elasticflow:variant=edf,slot_s=2", "elasticflow:variant=edf-accessctrl",
		"dl2:every=7", "dl2:rule=gain,jobs=3", "dl2:rule=fair", "dl2:rule=saved,every=20",
		"lyra:slot_s=0", "lyra:slot_s=3,base=least,share=greedy,left=work", "lyra:elastic=false,base_on=lent",
		"powerflow:slot_s=0", "powerflow:slot_s=7,budget=0.6,counts=placed,first=arrival,clocks=9",
		"heet-like:round=7", "heet-like:round=60,order=fifo,measure=all,least=0",
		"voda:interval=1", "voda:place=packed,interval=2", "voda:algorithm=elastic-srjf,interval=0",
		"voda:algorithm=elastic-tiresias,queue=9,compact=0,interval=2,check=1",
		"voda:algorithm=ffdl-optimizer,interval=3",
		"voda:algorithm=tiresias,queue=4,promote=1,interval=0,check=2", "afs-l:share=common,every=5,interval=1",
		"allox:alpha=1", "allox:alpha=0.3,cap=2,gangs=hold", "allox:work=estimate",
		"antman:unknown=0.4,wait=1,period=2", "antman:guaranteed=fraction,unknown=0.1,period=0.5",
		"antman:guaranteed=none,unknown=0.2,util=3", "antman:guaranteed=none,online=false",
		"schedtune:unknown=share,error=0.5", "schedtune:avoid=false,most=9,block=true",
		"iadeep:unknown=share,trial=0.5,iterations=6", "iadeep:unknown=share,tune=false,most=9,trial=1,enough=3",
		"ones:epoch_s=3,passes=5", "ones:epoch_s=2,place=near,every=0,predict=mean",
		"ones:epoch_s=4,predict=lindy,sample=false,first=asked,speed=known,every=5,generations=2,batch=weak",
		"muxflow:match=greedy,share=0.3", "muxflow:cooldown_s=2",
		"deepboot:interval=2", "deepboot:interval=7,batch=own,max=3,restart=0",
		"pollux:interval=2,population=10,generations=6", "pollux:interval=7,population=12,generations=5,avoid=false," +
			"p=0,batch=own,max=3", "pollux:interval=60,population=20,generations=10,machines=1,p=-4",
		"slaq:epoch=40,half=20", "slaq:epoch=30,half=5,norm=range,points=4,fade=1", "slaq:epoch=60,by=fair",
		"optimus:every=25,epochs=3/8,window=3,points=4,fade=2,trials=2",
		"optimus:every=30,place=near,left=work,speed=oracle", "optimus:every=40,place=emptiest,left=estimate,noise=0",
		"synergy:round_s=3,order=las", "synergy:round_s=5,mechanism=greedy,order=srtf,near=1",
		"synergy:round_s=4,mechanism=opt,order=ftf,nodes=3", "synergy:round_s=2,mechanism=proportional,stay=false," +
			"order=ftf",
		"themis:lease=40", "themis:lease=60,f=0,round=draw,left=rho,app=user",
		"themis:lease=30,align=false,left=auction,ideal=alone,idle=ratio,f=1,work=estimate",
	}
}

// histories are samples of earlier work: the run's own jobs (nil), none, one job, equal
// ones, and more than any job has.
func histories() [][]sim.Time {
	return [][]sim.Time{nil, {}, {1}, {5 * sim.Second, 5 * sim.Second, 5 * sim.Second},
		{sim.Second, 9 * sim.Second, 1e6 * sim.Second}}
}

// alone reports whether a policy keeps books of its own of who has which GPUs, so that no other
// caller may resize its jobs.
func alone(spec string) bool {
	name, _, _ := strings.Cut(spec, ":")
	return slices.Contains([]string{"gandiva", "gandiva-fair", "hadar", "hived"}, name)
}

// Every scheduler of the catalogue, in several settings, on the same cases: what the conformance
// suite wants, with fresh seeds for as long as make torture states. Policies that read estimates
// get them from predictors as well.
func TestTorture(t *testing.T) {
	specs := variants()
	for _, e := range everything() {
		specs = append(specs, e.Name)
	}
	builds := make([]func() (sim.Policy, error), len(specs))
	for i, spec := range specs {
		var err error
		if _, builds[i], err = everything().Parse(spec, []cluster.Rule{cluster.BestFit,
			cluster.FirstFound}[i%2]); err != nil {
			t.Fatal(err)
		}
	}
	simtest.Torture(t, effort.Of(t, 8, 40), func(seed uint64) error {
		for i, build := range builds {
			fresh := func() sim.Policy {
				p, err := build()
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			name, _, _ := strings.Cut(specs[i], ":")
			o := options(name)
			o.Progress = true
			if fresh().Knows()&know.History != 0 {
				o.History = histories()[seed%uint64(len(histories()))]
			}
			if fresh().Knows()&know.Estimate != 0 {
				o.Predict = foretelling(t, foretellers()[seed%uint64(len(foretellers()))])
			}
			if err := simtest.Try(fresh, seed, o); err != nil {
				return fmt.Errorf("%s: %w", specs[i], err)
			}
		}
		return nil
	})
}
