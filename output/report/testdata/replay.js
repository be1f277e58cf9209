[
 {name: 'one </script><b id=broken>', machines: [{rack: 0, gpus: 4, type: 'v100'}, {rack: 1, gpus: 4, type: 'k80'}], timers: true, until_s: 200,
  jobs: [{id: 'a', user: 'u', model: 'BERT', gpus: 4, submit_s: 0}, {id: 'b<i>', user: 'w', model: 'VGG', gpus: 2, submit_s: 10},
   {id: 'c', user: 'u', model: 'VGG', gpus: 3, submit_s: 0}, {id: 'd', user: '', model: '', gpus: 8, submit_s: 20}, {id: 'e', gpus: 9, submit_s: 30, gone_s: 40}],
  spans: [{job: 0, start_s: 0, end_s: 100, gpus: [[0, 4]], level: 'machine', ended: 'finish'}, {job: 2, start_s: 0, end_s: 50, gpus: [[4, 1], [6, 2]], level: 'machine', ended: 'preempt'},
   {job: 1, start_s: 50, end_s: 120, gpus: [[4, 2]], level: 'machine', ended: 'finish'}, {job: 2, start_s: 120, end_s: null, machines: [[0, 1], [1, 2]], level: 'network'}],
  waits: [{job: 3, from_s: 60, to_s: 70, why: 'quota'}]},
 {name: 'two', machines: [{rack: 0, gpus: 4}, {rack: 1, gpus: 4}], jobs: [{id: 'a', gpus: 4, submit_s: 0}, {id: 'b<i>', gpus: 2, submit_s: 10}],
  spans: [{job: 0, start_s: 0, end_s: 80, gpus: [[0, 4]], ended: 'finish'}, {job: 1, start_s: 10, end_s: 60, gpus: [[4, 2]]}]},
 {name: 'three', group: 'other', load: () => ({machines: [], jobs: [], spans: []})}]
