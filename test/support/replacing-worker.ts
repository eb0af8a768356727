/** Keeps so much, and replaces objects as positions do, long enough after they were made to have left the nursery. */
export const REPLACES = `
  const { parentPort } = require('node:worker_threads')
  const { getHeapStatistics } = require('node:v8')
  const usedMiB = () => getHeapStatistics().used_heap_size / 2 ** 20
  const kept = Array.from({ length: 300_000 }, (_, n) => ({ n, values: [n, n + 1], text: 'x' + n }))
  const replaced = new Array(20_000)
  const sawtooth = { lowest: Infinity, highest: 0, collections: 0 }
  let [before, rounds] = [0, 0]
  setImmediate(function round() {
    for (let n = 0; n < replaced.length; n++) replaced[n] = { rounds, values: [n, rounds, 1, 2, 3, 4, 5, 6] }
    const used = usedMiB()
    if (used < 0.85 * before) {
      sawtooth.collections += 1
      sawtooth.lowest = Math.min(sawtooth.lowest, used)
    }
    // The first collections are those of a heap that still grows.
    if (sawtooth.collections > 1) sawtooth.highest = Math.max(sawtooth.highest, used)
    before = used
    rounds += 1
    if (sawtooth.collections < 4 && rounds < 2_000) setImmediate(round)
    else parentPort.postMessage({ ...sawtooth, kept: kept.length })
  })`
