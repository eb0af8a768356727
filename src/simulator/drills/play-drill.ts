import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../../base/result.ts'
import { adviceText } from './model/advice.ts'
import type { DrilledPosition } from './model/drilled-position.ts'
import { type DrillName, DRILLS } from './catalogue.ts'
import type { Course, Drill, DrillResult } from './drill.ts'
import { judge, type Thresholds } from './model/judge-night.ts'
import { openStage, type Stage, type StageOptions } from './stage/stage.ts'
import type { SandboxOptionsInput } from '../sandbox/options.ts'
import type { Program } from './stage/launcher.ts'

const ROUND_MS = 1_000
const POLL_MS = 100
/** One taker's share of the capital. */
const TAKER_SHARE = 0.01
/** Warnings are sent in groups (`notify.groupMs`): the drill waits at most this long for a due message. */
const MOST_WAITED_MS = 40_000
const SENDING_MS = 5_000
const LAST_NOTICES_MS = 2_000
const MAX_SHOWN_NOTICES = 20

/** Plays one bad night against the desk's configuration, on its own stage. */
async function playDrill(
  name: DrillName,
  position: DrilledPosition,
  { thresholds, ...staging }: Pick<StageOptions, 'program' | 'like'> & { readonly thresholds: Thresholds },
): Promise<DrillResult> {
  const drill = DRILLS[name]()
  const unplayed = { name, ...resultOf(drill, position) }
  const why = drill.whyUnplayable(position)
  if (why !== null) return { ...unplayed, status: 'not-applicable', why }
  const failed = (reason: string): DrillResult => ({ ...unplayed, status: 'failed', why: reason })
  try {
    const stage = await openStage(position, { ...staging, ...drill.stage })
    if (!stage.ok) return failed(stage.error)
    try {
      return { name, ...(await play(drill, stage.value, thresholds)) }
    } finally {
      await stage.value.close()
    }
  } catch (error) {
    return failed(errorText(error))
  }
}

/** The result of a night that was not played. */
function resultOf(drill: Drill, position: DrilledPosition): Omit<DrillResult, 'name' | 'status' | 'why'> {
  const { what, safeMeans } = drill
  const faultMs = drill.faultMs?.(position) ?? 0
  const measured = { noticeMs: null, safeMs: null, faultMs, costUsd: null, noticed: null, told: [] }
  return { what, safeMeans, ...measured, advice: null, settings: [] }
}

async function play(drill: Drill, stage: Stage, thresholds: Thresholds): Promise<Omit<DrillResult, 'name'>> {
  const { market, position } = stage
  const capitalUsd = market.capitalUsd()
  const takerUsd = capitalUsd * TAKER_SHARE
  await drill.prepare?.(stage)
  const quietUntil = performance.now()
  const toldUntil = stage.receiver.told.length
  await drill.disrupt({ stage, sinceMs: 0, takerUsd })
  const disruptedAt = performance.now()
  const faultMs = drill.faultMs?.(position) ?? 0
  const { safeMs, costUsd } = await playNight(drill, { stage, takerUsd }, thresholds)
  const namedBy = drill.noticedBy?.(position) ?? null
  const firstNotice = () =>
    stage.noticesSince(quietUntil).find(({ code }) => namedBy === null || namedBy.includes(code))
  await untilTold(stage, toldUntil, drill.mustBeNoticed || firstNotice() !== undefined)
  const first = firstNotice()
  const told = stage.receiver.told.slice(toldUntil, toldUntil + MAX_SHOWN_NOTICES)
  const measured = { noticeMs: first === undefined ? null : sinceOf(first.at, disruptedAt), safeMs, costUsd }
  const failure = judge({ ...measured, faultMs, capitalUsd, mustBeNoticed: drill.mustBeNoticed }, thresholds)
  const advice = failure === null ? null : drill.advise(position, failure)
  return {
    ...resultOf(drill, position),
    ...measured,
    status: failure === null ? 'passed' : 'failed',
    why: failure?.why ?? null,
    noticed: first === undefined ? null : first.what,
    told: told.map(({ at, severity, what }) => ({ afterMs: sinceOf(at, disruptedAt), severity, what })),
    advice: advice === null ? null : adviceText(position, advice),
    settings: advice?.settings ?? [],
  }
}

/** Plays a night after its event. Returns the time until it was safe, in ms, and the cost until every quote that had to go was down. */
export async function playNight(
  drill: Drill,
  night: Omit<Course, 'sinceMs'>,
  thresholds: Thresholds,
): Promise<{ readonly safeMs: number | null; readonly costUsd: number }> {
  const { market, position } = night.stage
  const before = market.holdings()
  const playUntil = untilHolds(drill, night, playedMs(drill, position, thresholds))
  const safeMs = await playUntil(drill.isSafe)
  if (drill.isDown !== undefined && safeMs !== null) await playUntil(drill.isDown)
  const lost = market.worth(before) - market.worth(market.holdings())
  return { safeMs, costUsd: Number(lost / 10n ** 12n) / 1e6 }
}

/** The longest duration of a night: a position that is safe later than the desk allows has failed. */
export function playedMs(
  drill: Pick<Drill, 'faultMs'>,
  position: DrilledPosition,
  { maxSafeMs }: Pick<Thresholds, 'maxSafeMs'>,
): number {
  return (drill.faultMs?.(position) ?? 0) + maxSafeMs + ROUND_MS
}

/** Waits for the first message about the night, if one is due: for its group, and for its delivery. */
async function untilTold({ position, receiver }: Stage, before: number, isDue: boolean): Promise<void> {
  const dueMs = Math.min(MOST_WAITED_MS, position.config.notify.groupMs + SENDING_MS)
  const until = performance.now() + (isDue ? dueMs : 0)
  while (receiver.told.length === before && performance.now() < until) await pause(POLL_MS)
  await pause(LAST_NOTICES_MS)
}

function sinceOf(at: number, disruptedAt: number): number {
  return Math.max(0, Math.round(at - disruptedAt))
}

/** Plays until a condition holds. Returns the time from now; null = not within the limit. */
function untilHolds(drill: Pick<Drill, 'eachSecond'>, night: Omit<Course, 'sinceMs'>, limitMs: number) {
  const disruptedAt = performance.now()
  const course = () => ({ ...night, sinceMs: performance.now() - disruptedAt })
  return async (holds: Drill['isSafe']): Promise<number | null> => {
    let nextRound = 0
    for (;;) {
      const { sinceMs } = course()
      if (sinceMs >= nextRound) {
        await drill.eachSecond({ ...course(), sinceMs })
        nextRound = sinceMs + ROUND_MS
      }
      if (await holds(course())) return sinceOf(performance.now(), disruptedAt)
      if (sinceMs > limitMs) return null
      await pause(POLL_MS)
    }
  }
}

type DrillRun = {
  readonly names: readonly DrillName[]
  /** Number of nights played at the same time; each has its own daemon. */
  readonly parallel: number
  readonly program: Program
  readonly thresholds: Thresholds
  /** Overrides of the simulated venue's behaviour; empty = as configured. */
  readonly like: SandboxOptionsInput
  readonly onResult: (result: DrillResult) => void
}

/** Plays the nights, several in parallel, and returns their results in the order of `names`. */
export async function runDrills(position: DrilledPosition, run: DrillRun): Promise<readonly DrillResult[]> {
  const results = new Map<DrillName, DrillResult>()
  const waiting = [...run.names]
  async function playNext(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await playDrill(name, position, run)
      results.set(name, result)
      run.onResult(result)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, run.parallel) }, playNext))
  return run.names.flatMap((name) => results.get(name) ?? [])
}
