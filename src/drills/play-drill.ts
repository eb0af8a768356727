import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../base/result.ts'
import { adviceText } from './model/advice.ts'
import type { DrilledPosition } from './model/drilled-position.ts'
import type { Drill, DrillResult } from './model/drill.ts'
import { judge, type Thresholds } from './model/verdict.ts'
import { openStage, type Stage, type StageOptions } from './stage/stage.ts'

const ROUND_MS = 1_000
const LOOK_MS = 100
/** So many of a hundred of the capital one taker takes. */
const TAKER_SHARE = 0.01
/** Warnings leave in groups (`notify.groupMs`): a message that is due is waited for, up to here. */
const MOST_WAITED_MS = 40_000
const SENDING_MS = 5_000
const LAST_WORDS_MS = 2_000
const MOST_TOLD = 20

/** Plays one bad night against the desk's configuration, on a stage of its own. */
export async function playDrill(
  drill: Drill,
  position: DrilledPosition,
  { thresholds, ...staging }: Pick<StageOptions, 'program' | 'like'> & { readonly thresholds: Thresholds },
): Promise<DrillResult> {
  const why = drill.whyNot(position)
  if (why !== null) return { ...unplayed(drill, position), status: 'not-applicable', why }
  const failed = (reason: string): DrillResult => ({
    ...unplayed(drill, position),
    status: 'failed',
    why: reason,
  })
  try {
    const stage = await openStage(position, { ...staging, ...drill.stage })
    if (!stage.ok) return failed(stage.error)
    try {
      return await play(drill, stage.value, thresholds)
    } finally {
      await stage.value.close()
    }
  } catch (error) {
    return failed(errorText(error))
  }
}

function unplayed(drill: Drill, position: DrilledPosition): Omit<DrillResult, 'status' | 'why'> {
  const { name, what, safeMeans } = drill
  const faultMs = drill.faultMs?.(position) ?? 0
  const measured = { noticeMs: null, safeMs: null, faultMs, costUsd: null, noticed: null, told: [] }
  return { name, what, safeMeans, ...measured, advice: null, settings: [] }
}

async function play(drill: Drill, stage: Stage, thresholds: Thresholds): Promise<DrillResult> {
  const { market, position } = stage
  const capitalUsd = market.capitalUsd()
  const takerUsd = capitalUsd * TAKER_SHARE
  const course = (sinceMs: number) => ({ stage, sinceMs, takerUsd })
  await drill.prepare?.(stage)
  const quietUntil = performance.now()
  const toldUntil = stage.receiver.told.length
  await drill.strike(course(0))
  const struckAt = performance.now()
  const before = market.holdings()
  const faultMs = drill.faultMs?.(position) ?? 0
  const safeMs = await untilSafe(drill, course, struckAt, playedMs(drill, position, thresholds))
  const after = market.holdings()
  const namedBy = drill.noticedBy?.(position) ?? null
  const firstNotice = () =>
    stage.noticesSince(quietUntil).find(({ code }) => namedBy === null || namedBy.includes(code))
  await untilTold(stage, toldUntil, drill.mustBeNoticed || firstNotice() !== undefined)
  const first = firstNotice()
  const told = stage.receiver.told.slice(toldUntil, toldUntil + MOST_TOLD)
  const costUsd = Number((market.worth(before) - market.worth(after)) / 10n ** 12n) / 1e6
  const measured = { noticeMs: first === undefined ? null : sinceOf(first.at, struckAt), safeMs, costUsd }
  const failure = judge({ ...measured, faultMs, capitalUsd, mustBeNoticed: drill.mustBeNoticed }, thresholds)
  const advice = failure === null ? null : drill.advise(position, failure)
  return {
    ...unplayed(drill, position),
    ...measured,
    status: failure === null ? 'passed' : 'failed',
    why: failure?.why ?? null,
    noticed: first === undefined ? null : first.what,
    told: told.map(({ at, severity, what }) => ({ afterMs: sinceOf(at, struckAt), severity, what })),
    advice: advice === null ? null : adviceText(position, advice),
    settings: advice?.settings ?? [],
  }
}

/** How long a night goes on at most: what is later than the desk allows has failed, and is not waited for. */
export function playedMs(
  drill: Pick<Drill, 'faultMs'>,
  position: DrilledPosition,
  { maxSafeMs }: Pick<Thresholds, 'maxSafeMs'>,
): number {
  return (drill.faultMs?.(position) ?? 0) + maxSafeMs + ROUND_MS
}

/** Until the first message about the night has arrived, where one is due: after its group, and the time to send it. */
async function untilTold({ position, receiver }: Stage, before: number, isDue: boolean): Promise<void> {
  const dueMs = Math.min(MOST_WAITED_MS, position.config.notify.groupMs + SENDING_MS)
  const until = performance.now() + (isDue ? dueMs : 0)
  while (receiver.told.length === before && performance.now() < until) await pause(LOOK_MS)
  await pause(LAST_WORDS_MS)
}

function sinceOf(at: number, struckAt: number): number {
  return Math.max(0, Math.round(at - struckAt))
}

/** Lets the night go on until it is safe; null where it is not within the limit. */
async function untilSafe(
  drill: Drill,
  course: (sinceMs: number) => Parameters<Drill['goOn']>[0],
  struckAt: number,
  limitMs: number,
): Promise<number | null> {
  let nextRound = 0
  for (;;) {
    const sinceMs = performance.now() - struckAt
    if (sinceMs >= nextRound) {
      await drill.goOn(course(sinceMs))
      nextRound = sinceMs + ROUND_MS
    }
    if (await drill.isSafe(course(performance.now() - struckAt))) return sinceOf(performance.now(), struckAt)
    if (sinceMs > limitMs) return null
    await pause(LOOK_MS)
  }
}
