import { join } from 'node:path'
import { HANGS } from '../../../research/jobs/apart/hang.ts'
import {
  joinSweeps,
  orderSweep,
  sweepPool,
  type SweepRequest,
} from '../../../research/jobs/sweep/order-sweep.ts'
import { joinSweep } from '../../../research/sweep/join-sweep.ts'
import { runSweep, type SweepEnd, type SweepOrder } from '../../../research/sweep/run-sweep.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { explainEmpty } from '../command-tape.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { showWork } from '../../output/progress.ts'
import { wroteOrExplained } from '../../output/write-file.ts'
import { renderSweep } from './render.ts'

export type SweepOptions = OutputFormat & SweepRequest & { readonly search?: boolean }

/** Tries many configurations over one tape and ranks them by the 5 % quantile of their earnings. */
export async function sweep(options: SweepOptions, tapes: readonly string[], hangs = HANGS): Promise<void> {
  if (tapes.length > 1)
    return fail(options, EXIT_CODE.usage, '--tape: a sweep is over one tape; --search takes several')
  // The threads load their code while this one checks the configuration and its variants.
  const pool = options.join === true ? null : sweepPool(options, hangs)
  try {
    const config = await loadOrExplain(options.config, options, { offline: true, strategy: 'try' })
    if (config === null) return
    const tape = tapes[0] ?? config.backtest.tape
    if (tape === null)
      return fail(
        options,
        EXIT_CODE.usage,
        'no tape: give --tape PATH, or backtest.tape in the configuration',
      )
    if (options.join === true) return await joinOther(options, tape)
    const order = await orderSweep(options, config, tape, hangs)
    if (!order.ok) return fail(options, EXIT_CODE.usage, order.error)
    await work(options, { ...order.value, pool })
  } finally {
    await pool?.close()
  }
}

async function work(options: SweepOptions, order: Omit<SweepOrder, 'observe' | 'signal'>): Promise<void> {
  const ended = await showWork('variants', (observe, signal) => runSweep({ ...order, observe, signal }))
  if (!ended.ok)
    return fail(options, EXIT_CODE.failed, await explainEmpty(ended.error, order.tapePath, options))
  if (ended.value.kind === 'complete') {
    const { sweepPage } = await import('../../../research/report/pages/sweep-page.ts')
    const page = sweepPage(ended.value.result)
    if (!(await wroteOrExplained(options, join(options.out, 'report.html'), page))) return
  }
  sayEnd(options, ended.value)
}

function sayEnd(options: SweepOptions, end: SweepEnd): void {
  if (end.kind === 'complete')
    return print(options, renderSweep(end.result, options.out), { ...end.result, timing: end.timing })
  const { done, total } = end.progress
  const left = `interrupted with ${done} of ${total} variants done; the same command resumes with the others`
  fail(options, EXIT_CODE.failed, left, { ...end.progress, out: options.out })
}

/** Works on the open sweep of a queue; with `search` on the next generations too. */
export async function joinOther(options: SweepOptions, tape: string, join = joinSweep): Promise<void> {
  const { queue: url, search: isSearch = false } = options
  if (url === undefined) return fail(options, EXIT_CODE.usage, '--join needs --queue URL')
  const joined = await showWork('variants', (observe, signal) =>
    joinSweeps(options, tape, { url, isSearch, observe, signal }, join),
  )
  if (!joined.ok) return fail(options, EXIT_CODE.failed, joined.error)
  const { before, ...last } = joined.value
  const more = isSearch ? ` after ${before} others` : ''
  print(options, `sweep ${last.sweep.slice(0, 12)}: ${last.ended}${more}`, last)
}
