// The simulator in its own thread. Messages: {wasm} (gzip in base64) is answered by {ready}; {run: words} by
// {progress} and {answer}; {replay: replicate} by {schedules}. A fault is {error}; after {broken} the thread is of no more use.
onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      const packed = Uint8Array.from(atob(data.wasm), (c) => c.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      const go = new Go();
      const response = new Response(stream, { headers: { 'Content-Type': 'application/wasm' } });
      const { instance } = await WebAssembly.instantiateStreaming(response, go.importObject);
      go.run(instance).then(() => postMessage({ broken: 'The simulator stopped.' }));
      postMessage({ ready: true });
    } else if (data.run) {
      const began = performance.now();
      const answer = JSON.parse(tarry.compare(data.run, (part) => postMessage({ progress: part })));
      postMessage(answer.error ? { error: answer.error } : { answer, ms: performance.now() - began });
    } else {
      const schedules = JSON.parse(tarry.replay(data.replay));
      postMessage(schedules.error ? { error: schedules.error } : { schedules });
    }
  } catch (e) {
    postMessage({ broken: String(e) });
  }
};
