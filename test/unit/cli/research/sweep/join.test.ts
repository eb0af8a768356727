import { describe, expect, test } from 'vitest'
import { joinOther, type SweepOptions } from '../../../../../src/cli/research/sweep/sweep.ts'
import { err, ok } from '../../../../../src/base/result.ts'
import { NO_OPEN_SWEEP, type joinSweep } from '../../../../../src/research/sweep/join-sweep.ts'
import { captured } from '../../../../support/captured.ts'

type Joined = Awaited<ReturnType<typeof joinSweep>>
const complete = (sweep: string): Joined => ok({ sweep, ended: 'complete' })

const OPTIONS: SweepOptions = {
  config: 'live.yaml',
  queue: 'postgres://desk@db/sweeps',
  join: true,
  splits: 4,
  heatmap: [],
  out: 'sweep',
  leaseSeconds: 20,
}

/** A worker that meets these sweeps one after the other, and how long it was ready to wait for each. */
async function worked(search: boolean, joined: readonly Joined[]) {
  const waits: number[] = []
  const join: typeof joinSweep = async ({ waitMs }) => {
    waits.push(waitMs)
    return joined[waits.length - 1] ?? err('asked once more than there are sweeps')
  }
  return { ...(await captured(() => joinOther({ ...OPTIONS, search }, 'tape', join))), waits }
}

describe('a worker of a queue', () => {
  test('works at one sweep, and waits for none', async () => {
    const { out, exitCode, waits } = await worked(false, [complete('first')])
    expect([exitCode, out, waits]).toEqual([0, 'sweep first: complete\n', [0]])
  })

  test('of a search works at one generation after the other, and ends well when none comes for a minute', async () => {
    const {
      out,
      err: said,
      exitCode,
      waits,
    } = await worked(true, [complete('first'), complete('second'), complete('third'), err(NO_OPEN_SWEEP)])
    expect([exitCode, said]).toEqual([0, ''])
    expect(out).toMatch(/third: complete after 2 /)
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000])
  })

  test('of a search that lost its queue between two generations fails with the reason, whatever it did before', async () => {
    const { err: said, exitCode } = await worked(true, [
      complete('first'),
      err('--queue: connection terminated unexpectedly'),
    ])
    expect([exitCode, said]).toEqual([1, '--queue: connection terminated unexpectedly\n'])
  })

  test('of a search that finds no sweep at all fails with what to do', async () => {
    const { err: said, exitCode } = await worked(true, [err(NO_OPEN_SWEEP)])
    expect([exitCode, said]).toEqual([1, `${NO_OPEN_SWEEP}\n`])
  })

  test('that is left does not join the next one', async () => {
    const { out, exitCode, waits } = await worked(true, [ok({ sweep: 'first', ended: 'left' })])
    expect([exitCode, out, waits.length]).toEqual([0, 'sweep first: left after 0 others\n', 1])
  })
})
