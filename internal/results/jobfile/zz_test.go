package jobfile
import ("testing";"bytes";"time";"fmt";"runtime";"os";"tarry/sim")
func TestZZ(t *testing.T){
 w:=&sim.Workload{Name:"raw",Jobs:[]sim.Job{{ID:"a",GPUs:1,Work:5},{ID:"b",GPUs:2,Work:5}}}
 var b bytes.Buffer; WriteJobs(&b,w); whole:=b.Bytes(); fmt.Println(len(whole))
 slow:=0
 var ms0,ms1 runtime.MemStats
 for at:=0; at<len(whole); at++ { for _,x:=range []byte{0xff,0x7f,0x80,0x01,0x10} { bad:=bytes.Clone(whole); bad[at]^=x
  done:=make(chan bool); go func(){ select{case <-done: case <-time.After(3*time.Second): buf:=make([]byte,1<<16); n:=runtime.Stack(buf,true); fmt.Println("HANG",at,x); fmt.Println(string(buf[:n])[:6000]); os.Exit(1)} }()
  runtime.ReadMemStats(&ms0); t0:=time.Now(); readAll(bad); d:=time.Since(t0); close(done); runtime.ReadMemStats(&ms1)
  if d>100*time.Millisecond||ms1.TotalAlloc-ms0.TotalAlloc>50<<20 { slow++; if slow<15 {fmt.Println("slow",at,x,d,(ms1.TotalAlloc-ms0.TotalAlloc)>>20)} } } }
 fmt.Println("slow",slow)
}
