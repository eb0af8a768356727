import { elapsedMs } from '../../core/lease/holder.ts'
import type { Ms } from '../../base/time.ts'
import { pauseFor } from '../../base/threads/timing.ts'
import { countsOf, lookAt, reclaim, whoStandsBy } from './fence.ts'
import { type Holding, letGo } from './holding.ts'
import { sendMessage } from './pool.ts'

/** The parts of a holding that a hand-over uses. */
type HandedOver = Pick<Holding, 'pool' | 'place' | 'fence' | 'timing' | 'handsOver'>

const LOOK_EACH_MS: Ms = 50
const QUERY_MS: Ms = 500
/** A standby moves its counter twice a second. */
const STANDS_BY_WITHIN_MS: Ms = 900
/** A standby checks twice a second whether the position is free. */
const TAKEN_WITHIN_MS: Ms = 1_500

/**
 * Returns whether a live daemon stands by: its counter has moved since the holder's last renewal, or moves during this
 * check. A killed standby leaves its row behind; one that ended in order does not. Never rejects; takes at most 0.9 s
 * plus one query.
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
 * Releases the position; true once another daemon was granted it. If none takes it, this one holds it again and returns
 * false, so that it can be made safe; if PostgreSQL does not answer, false, and nothing may be written. Never rejects.
 */
export async function handOver(holding: HandedOver): Promise<boolean> {
  const { place, fence, timing, handsOver } = holding
  handsOver.end()
  // Even without an answer it may have been released.
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
    // Whether it is held again is unknown, so nothing may be written.
    return false
  }
}

function isOther(row: Readonly<Record<string, unknown>> | undefined, fence: number): boolean {
  return row !== undefined && Number(row['n']) !== fence
}

/** Reads until there is an answer; null = no answer in time. Retries after a failed read. */
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
