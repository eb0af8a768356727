import { joinSweep } from '../../../src/research/sweep/join-sweep.ts'
import { runSweep } from '../../../src/research/sweep/run-sweep.ts'
import { FAKE_WORKER, fakeManifest, fakeOrder } from '../../unit/research/sweep/fake-sweep.ts'
import type { FakeTape } from '../../unit/research/sweep/fake-variant.ts'

/** What a process of a test does, as JSON in its first argument. */
export type FakeWork = {
  /** Null = joins whatever is open in the queue. */
  readonly out: string | null
  readonly workers: number
  readonly tape: Partial<FakeTape>
  readonly queue?: { readonly url: string; readonly leaseMs: number }
  readonly grid?: string
  /** What the tape is reported to be; another one may not join. */
  readonly tapeIdentity?: string
}

// A process of its own that runs a sweep of fakes or joins one, to be killed from outside. It says on stdout
// how far it is, one line each, and ends with the outcome.
const [text = '{}'] = process.argv.slice(2)
const work = JSON.parse(text) as FakeWork
const leaving = new AbortController()
process.on('SIGTERM', () => leaving.abort())
const order = {
  ...fakeOrder(work.out ?? '', work.tape),
  manifest: fakeManifest(work.grid),
  workers: work.workers,
  queue: work.queue ?? null,
  signal: leaving.signal,
  observe: ({ done }: { done: number }) => void process.stdout.write(`done ${done}\n`),
}
const { product, configs, tape } = order.manifest
const end =
  work.out === null && order.queue !== null
    ? await joinSweep({
        ...order,
        queue: order.queue,
        waitMs: 0,
        identityOf: () =>
          Promise.resolve({ ok: true, value: { product, configs, tape: work.tapeIdentity ?? tape } }),
        worker: FAKE_WORKER,
      })
    : await runSweep(order)
process.stdout.write(`end ${JSON.stringify(end)}\n`)
