import { expect, test } from 'vitest'
import { createThreadPool, type HangWatch } from '../../../../src/base/threads/pool.ts'

/** Answers a job with its double; a job of 0 never. */
const WORKER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads'
    const memory = new Int32Array(workerData)
    parentPort.on('message', (job) => {
      memory[0] = 1
      while (job === 0);
      memory[0] = 0
      parentPort.postMessage({ ok: true, value: 2 * job })
    })`)}`,
)

/** A job that is under way at three looks in a row hangs. */
const HANGS: HangWatch = {
  bytes: 4,
  watch(buffer, onHang) {
    let looks = 0
    const timer = setInterval(() => {
      looks = Atomics.load(new Int32Array(buffer), 0) === 1 ? looks + 1 : 0
      if (looks === 3) {
        clearInterval(timer)
        onHang('it hung')
      }
    }, 50)
    return () => clearInterval(timer)
  },
}

test('a job whose thread hangs ends with an error of its own, and the jobs after it run in another thread', async () => {
  const pool = createThreadPool<number, number>(WORKER, 1, HANGS)
  try {
    const answers = await Promise.all([pool.run(1), pool.run(0), pool.run(2)])
    expect(answers).toEqual([
      { ok: true, value: 2 },
      { ok: false, error: 'its thread was ended: it hung' },
      { ok: true, value: 4 },
    ])
  } finally {
    await pool.close()
  }
})
