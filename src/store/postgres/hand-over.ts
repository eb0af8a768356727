import { elapsedMs } from '../../core/lease/holder.ts'
import type { Ms } from '../../base/time.ts'
import { pauseFor } from '../../base/threads/timing.ts'
import { countsOf, lookAt, reclaim, whoStandsBy } from './fence.ts'
import { type Holding, letGo } from './holding.ts'
import { sendMessage } from './pool.ts'

/** As much of a holding as is handed over. */
type HandedOver = Pick<Holding, 'pool' | 'place' | 'fence' | 'timing' | 'handsOver'>

const LOOK_EACH_MS: Ms = 50
const QUERY_MS: Ms = 500
/** One that stands by moves its counter twice a second. */
const STANDS_BY_WITHIN_MS: Ms = 900
/** It looks twice a second whether the position is free. */
const TAKEN_WITHIN_MS: Ms = 1_500

/**
 * Returns whether a daemon stands by that lives: its counter has moved since the last sign of life of the holder, or moves
 * while this looks. One that was killed leaves its row behind, and one that has ended in order is gone from there. Never
 * rejects; takes 0.9 s at most, and a query.
 */
export async function isStoodBy(holding: HandedOver): Promise<boolean> {
  const before = new Map(holding.handsOver.standbys())
  const isThere = await untilSeen(holding, STANDS_BY_WITHIN_MS, async () => {
    const counts = [...countsOf(await ask(holding, whoStandsBy(holding.place)))]
    if (counts.length === 0) return false
    if (counts.some(([holder, count]) => count !== (before.get(holder) ?? count))) return true
    for (const [holder, count] of counts) before.set(holder, count)
    return null
  })
  return isThere === true
}

/**
 * Lets go, and resolves with true once another daemon was granted the position. Where no one takes it, it is held again and false is
 * given: someone has to make it safe. False as well where PostgreSQL does not answer; then nothing may be written. Never rejects.
 */
export async function handOver(holding: HandedOver): Promise<boolean> {
  const { place, fence, timing, handsOver } = holding
  handsOver.end()
  // Without an answer it may have been released all the same.
  await letGo(holding).catch(() => undefined)
  const isTaken = await untilSeen(holding, TAKEN_WITHIN_MS, async () => {
    const [row] = await ask(holding, lookAt(place))
    return isOther(row, fence) ? true : null
  })
  if (isTaken === true) return true
  const sentAt = timing.moment()
  try {
    const statements = [reclaim(place, handsOver.holder, fence), lookAt(place)]
    const [reclaimed, seen] = await sendMessage(holding.pool, statements, QUERY_MS, timing)
    if (reclaimed?.rowCount === 1) handsOver.resume(sentAt)
    return isOther(seen?.rows[0], fence)
  } catch {
    // Whether it is held again is not known, so that nothing may be written.
    return false
  }
}

function isOther(row: Readonly<Record<string, unknown>> | undefined, fence: number): boolean {
  return row !== undefined && Number(row['n']) !== fence
}

/** Looks until there is an answer; null = no answer in time. Retries after a failed read. */
async function untilSeen(
  { timing }: HandedOver,
  withinMs: Ms,
  look: () => Promise<boolean | null>,
): Promise<boolean | null> {
  const began = timing.moment()
  for (;;) {
    const seen = await look().catch(() => null)
    if (seen !== null) return seen
    if (elapsedMs(began, timing.moment()) >= withinMs) return null
    await pauseFor(timing, LOOK_EACH_MS)
  }
}

async function ask({ pool, timing }: HandedOver, statement: string) {
  const [result] = await sendMessage(pool, [statement], QUERY_MS, timing)
  return result?.rows ?? []
}
