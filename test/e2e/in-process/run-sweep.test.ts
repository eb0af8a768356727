import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readParquetFile } from '../../../src/research/sweep/results/parquet.ts'
import type { WorkProgress } from '../../../src/research/queue/run-here.ts'
import { runSweep, type SweepOrder } from '../../../src/research/sweep/run-sweep.ts'
import type { SweepResult } from '../../../src/research/sweep/results/sweep-result.ts'
import { emptyFolder, fakeManifest, fakeOrder } from '../../unit/research/sweep/fake-sweep.ts'

let folders: ReturnType<typeof emptyFolder>[] = []
beforeEach(() => {
  folders = []
})
afterEach(() => {
  for (const folder of folders) folder.remove()
})

function newFolder(): string {
  const folder = emptyFolder()
  folders.push(folder)
  return folder.path
}

async function completed(order: SweepOrder): Promise<SweepResult> {
  const end = await runSweep(order)
  if (!end.ok || end.value.kind !== 'complete') throw new Error(JSON.stringify(end))
  return end.value.result
}

/** `result.json` as it was written, without what depends on the machine. */
function writtenIn(out: string): unknown {
  const { timing: _timing, ...rest } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as Record<
    string,
    unknown
  >
  return rest
}

describe('a sweep', () => {
  test('gives the same result for one worker and for two, that finish in any order', async () => {
    const [one, two] = [newFolder(), newFolder()]
    const alone = await completed(fakeOrder(one))
    const shared = await completed(fakeOrder(two, { tookMs: 3 }, { workers: 2 }))
    expect(shared.digest).toBe(alone.digest)
    expect(writtenIn(two)).toEqual(writtenIn(one))
    expect(writtenIn(one)).toEqual(JSON.parse(JSON.stringify(alone)))
  })

  test('writes its ranking for others to read: every variant, in the order of their ranks', async () => {
    const out = newFolder()
    const result = await completed(fakeOrder(out))
    const rows = await readParquetFile(join(out, 'ranking.parquet'))
    expect(rows.map((row) => [row['rank'], row['variant'], row['dailyQ05Usd']])).toEqual(
      result.ranking.variants.map(({ rank, variant, daily }) => [rank, variant, daily.ci90?.[0]]),
    )
    expect(rows[0]?.['dayPnlUsd']).toHaveLength(60)
    expect(existsSync(join(out, 'heatmap.svg'))).toBe(true)
  })

  test('a sweep stopped half way continues: finished variants are not run again, and the result is the same', async () => {
    const [whole, halves] = [newFolder(), newFolder()]
    const leaving = new AbortController()
    const log = join(newFolder(), 'log')
    const left = await runSweep(
      fakeOrder(
        halves,
        { tookMs: 2, log },
        {
          signal: leaving.signal,
          observe: ({ done }) => (done === 5 ? leaving.abort() : undefined),
        },
      ),
    )
    expect(left).toMatchObject({
      ok: true,
      value: { kind: 'left', progress: { done: 5, total: 13, before: 0 } },
    })
    const seen: WorkProgress[] = []
    const end = await completed(
      fakeOrder(halves, { tookMs: 2, log }, { observe: (progress) => seen.push(progress) }),
    )
    expect(seen[0]).toEqual({ done: 5, total: 13, before: 5 })
    const begun = readFileSync(log, 'utf8').trim().split('\n')
    // The one that was running when it was left is the only one that began twice.
    expect(begun.length).toBeLessThanOrEqual(14)
    expect(new Set(begun).size).toBe(13)
    expect(end.digest).toBe((await completed(fakeOrder(whole))).digest)
  })

  test('that is complete runs nothing when it is started again', async () => {
    const out = newFolder()
    const first = await completed(fakeOrder(out))
    // A worker that could not even be loaded: no one asks for one.
    const worker = new URL('file:///nowhere/at-all.ts')
    expect((await completed(fakeOrder(out, {}, { worker }))).digest).toBe(first.digest)
  })

  test('stops at a variant that fails, says which and why, and keeps what it has', async () => {
    const out = newFolder()
    const failed = await runSweep(fakeOrder(out, { fails: 6 }))
    expect(failed).toEqual({
      ok: false,
      error: expect.stringMatching(
        /^variant 6 \(halfSpreadBps=60 maxSkewBps=80\): .*no balances\n6 of 13 /,
      ) as string,
    })
    expect(existsSync(join(out, 'result.json'))).toBe(false)
    expect((await completed(fakeOrder(out))).ranking.variants).toHaveLength(13)
  })

  test('survives a thread that ends under a job: the variant is named, and the next start continues', async () => {
    const out = newFolder()
    const failed = await runSweep(fakeOrder(out, { dies: 3 }, { workers: 2 }))
    expect(failed).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^variant 3 .*thread ended/) as string,
    })
    expect((await completed(fakeOrder(out))).ranking.variants).toHaveLength(13)
  })

  test('with a worker file that cannot be loaded fails instead of trying indefinitely', async () => {
    const worker = new URL('file:///nowhere/at-all.ts')
    expect(await runSweep(fakeOrder(newFolder(), {}, { worker, workers: 2 }))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/its thread died.*at-all/) as string,
    })
  })

  test('counts what was tried before in the folder, each variant of a configuration once', async () => {
    const out = newFolder()
    await completed(fakeOrder(out))
    const wider = fakeManifest('{"halfSpreadBps":[40,100],"maxSkewBps":[0,40,80]}')
    const alone = await completed(fakeOrder(newFolder(), {}, { manifest: wider }))
    const added = await completed(fakeOrder(out, {}, { manifest: wider, add: true }))
    expect(alone.variantsTried).toBe(7)
    // Of the thirteen before, the unchanged one and the three at 40 are here again.
    expect(added.ranking.trials).toMatchObject({ here: 7, earlier: 9, count: 16 })
    const deflated = (result: SweepResult) => result.ranking.variants[0]?.sharpe?.deflated ?? 0
    expect(deflated(added)).toBeLessThan(deflated(alone))
  })

  test('says so where there are too few days to believe anything', async () => {
    const result = await completed(fakeOrder(newFolder(), { days: 3 }))
    expect(result.walkForward).toBeNull()
    expect(result.warnings.join('\n')).toMatch(/3 days are few/)
    expect(result.warnings.join('\n')).toMatch(/into 5 stretches/)
    expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity/)
  })

  test('in a folder that cannot be written is an error with its path', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(await runSweep(fakeOrder(file))).toMatchObject({
      ok: false,
      error: expect.stringContaining(file) as string,
    })
  })

  test('leaves no thread and no half-written file behind', async () => {
    const out = newFolder()
    const threads: Worker[] = []
    const note = (thread: Worker) => void threads.push(thread)
    process.on('worker', note)
    await completed(fakeOrder(out, {}, { workers: 2 }))
    process.off('worker', note)
    const names = readdirSync(out, { recursive: true }).map(String)
    expect(names.filter((name) => name.endsWith('.unfinished'))).toEqual([])
    // A thread that has ended has this number.
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1, -1])
  })
})
