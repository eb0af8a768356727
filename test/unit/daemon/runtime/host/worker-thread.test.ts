import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { WORKER_LIMITS } from '../../../../../src/daemon/runtime/host/worker-thread.ts'
import { REPLACES } from '../../../../support/replacing-worker.ts'

/** How many times the lowest heap the highest one is. */
async function growth(): Promise<number> {
  const worker = new Worker(REPLACES, { eval: true, resourceLimits: WORKER_LIMITS })
  const { lowest, highest, collections } = await new Promise<Record<string, number>>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  expect(collections).toBe(4)
  expect(highest).toBeGreaterThan(lowest ?? Infinity)
  return (highest ?? Infinity) / (lowest ?? 0)
}

test(
  'a worker is collected before its garbage is a multiple of what it keeps',
  { timeout: 60_000 },
  async () => {
    // About twice on an idle machine; with a bound of 2 GB it was 4.4 to 5.3 times. On a busy machine the collector is late, so the
    // best of three counts.
    let least = Infinity
    for (let runs = 0; runs < 3 && least >= 4; runs++) least = Math.min(least, await growth())
    expect(least).toBeLessThan(4)
  },
)
