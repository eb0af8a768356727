import type { BacktestOutcome } from '../../src/research/backtest/settings.ts'
import { measureBest, type Measured } from '../harness/measure.ts'
import { bigintLoop, type PlainOutcome } from '../plain/bigint-loop.ts'
import { plainRows } from '../plain/plain-rows.ts'
import { runInC } from '../plain/run-in-c.ts'
import { batchesOf, rowsOf } from './batches.ts'
import { drawTape, type TapeChoice, type TapeKind } from './draw-tape.ts'
import { firstRunOf } from './first-run.ts'
import { recompute, SHILLING, type ExactOutcome } from './recompute.ts'
import { checkExact, runTape, type Quoting } from './run-tape.ts'

export type Amount = { readonly mids: number; readonly rounds: number; readonly firstMids: number }

/** Rows a second of processor time, whole. */
export type Speeds = {
  readonly rows: number
  readonly fills: number
  readonly warm: number
  readonly plainWarm: number
  /** Null without a C compiler. */
  readonly c: number | null
  readonly toPlain: number
  readonly cpuMs: number
  readonly plainCpuMs: number
}

export type ComparedTape = {
  readonly halfPercent: Speeds
  readonly onePercent: Speeds
  /** A million rows in a new process. */
  readonly first: { readonly warm: number; readonly plainWarm: number; readonly toPlain: number }
  /** Microseconds for one fill more: the difference of the two tapes by their difference in fills. */
  readonly fillMoreUs: number
  readonly plainFillMoreUs: number
}

const STEP_MS = 6_000
const SHARE = { halfPercent: 200, onePercent: 100 }

/** The core, the plain loop in bigint and the one in C over the same tape, with .5 % and with 1 % of takers. */
export async function compareWithPlain(kind: TapeKind, amount: Amount): Promise<ComparedTape> {
  const half = prepared(choiceOf(kind, amount.mids, SHARE.halfPercent), 'steady')
  const one = prepared(choiceOf(kind, amount.mids, SHARE.onePercent), 'steady')
  // All in turns: the cost of a fill is a difference of two tapes, less than the speed of a machine varies.
  const best = await measureBest(amount.rounds, {
    halfCore: half.core,
    halfPlain: half.plain,
    oneCore: one.core,
    onePlain: one.plain,
  })
  const halfPercent = half.speeds(best.halfCore, best.halfPlain)
  const onePercent = one.speeds(best.oneCore, best.onePlain)
  const first = await firstRunOf(choiceOf(kind, amount.firstMids, SHARE.halfPercent), amount.rounds)
  const more = onePercent.fills - halfPercent.fills
  return {
    halfPercent,
    onePercent,
    first: {
      warm: perSecond(first.rows, first.cpuMs),
      plainWarm: perSecond(first.rows, first.plainCpuMs),
      toPlain: first.plainCpuMs / first.cpuMs,
    },
    fillMoreUs: (1_000 * (onePercent.cpuMs - halfPercent.cpuMs)) / more,
    plainFillMoreUs: (1_000 * (onePercent.plainCpuMs - halfPercent.plainCpuMs)) / more,
  }
}

/** The walk with a quote that moves by 4 bps with every mid: a PATCH whenever one may be sent. */
export async function followWalk({ mids, rounds }: Amount): Promise<Speeds> {
  const { core, plain, speeds } = prepared(choiceOf('walk', mids, SHARE.halfPercent), 'following')
  const best = await measureBest(rounds, { core, plain })
  return speeds(best.core, best.plain)
}

export function choiceOf(kind: TapeKind, mids: number, takerEvery: number): TapeChoice {
  return { kind, mids, takerEvery, stepMs: STEP_MS }
}

type Prepared = {
  readonly core: () => Promise<BacktestOutcome>
  readonly plain: () => PlainOutcome
  readonly speeds: (core: Measured<BacktestOutcome>, plain: Measured<PlainOutcome>) => Speeds
}

/** A tape for the core and for the plain loop, and what they measured, checked. */
function prepared(choice: TapeChoice, quoting: Quoting): Prepared {
  const tape = drawTape(choice)
  const exact = recompute(tape)
  const batches = [...batchesOf(tape, exact.ownBps)]
  const rows = plainRows(tape, batches)
  return {
    core: () => runTape(batches, quoting),
    plain: () => bigintLoop(rows),
    speeds(core, plain) {
      checkExact(tape, exact, core.value, quoting)
      checkPlain(exact, plain.value)
      const c = runInC(rows)
      if (c !== null && c.fills !== exact.fills)
        throw new Error(`the loop in C has ${c.fills} fills instead of ${exact.fills}`)
      const count = rowsOf(tape)
      return {
        rows: count,
        fills: core.value.fills,
        warm: perSecond(count, core.cpuMs),
        plainWarm: perSecond(count, plain.cpuMs),
        c: c === null ? null : perSecond(count, 1_000 * c.seconds),
        toPlain: plain.cpuMs / core.cpuMs,
        cpuMs: core.cpuMs,
        plainCpuMs: plain.cpuMs,
      }
    },
  }
}

function checkPlain(exact: ExactOutcome, { fills, pnlTzs36 }: PlainOutcome): void {
  if (fills === exact.fills && pnlTzs36 * SHILLING === exact.pnl * 10n ** 36n) return
  throw new Error(`the plain loop is not exact: ${fills} fills instead of ${exact.fills}, PnL ${pnlTzs36}`)
}

function perSecond(rows: number, ms: number): number {
  return Math.round((1_000 * rows) / ms)
}
