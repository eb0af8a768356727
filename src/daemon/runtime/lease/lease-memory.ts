import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { LoadedGuard } from '../../config/load/guard.ts'
import type { GuardEvent } from '../../../core/engine/model/guard-event.ts'
import type { GuardState } from '../../../core/engine/model/guard-state.ts'
import { standingOf } from '../../../core/lease/holder.ts'
import type { LeaseNews } from './shared-lease.ts'

/** How long a lease of ours has been without a renewal decides; then what the guard has answered. */
export type LeaseMemory = {
  /** The lease whose grant the core has taken; null = none. */
  fence: number | null
  /** What the guard refused with last, before this process too: silence does not lift it. Null = it did not refuse. */
  refused: Refused | null
  /** The guard has not answered since. */
  isSilent: boolean
  /** So many times the position's loop has looked since then: one that was stopped has looked at nothing. */
  silentLooks: number
  /** No one has said yet whether there is a guard: nothing leaves until then. */
  isUnanswered: boolean
  hadGrant: boolean
}

/** `isActing`: the guard acts for the position, and continues with it when it is started again; else another process holds the lease. */
type Refused = { readonly words: string; readonly isActing: boolean }

export type LeaseStanding = Pick<GuardEvent, 'watch' | 'why' | 'fence' | 'maySetSafe' | 'isStarting'>
export type LeaseSettings = Pick<LoadedGuard, 'terms' | 'whenSilent'>

export function emptyMemory(): LeaseMemory {
  return { fence: null, refused: null, isSilent: false, silentLooks: 0, isUnanswered: true, hadGrant: false }
}

const STILL_SILENT = '; the guard does not answer now, and has to be started again'

/** What the journal has of the guard, from the process before. */
export function remember(memory: LeaseMemory, before: GuardState | undefined): void {
  memory.hadGrant = before?.hadGrant === true
  memory.refused =
    before?.watch === 'waiting' ? { words: before.why.replace(STILL_SILENT, ''), isActing: true } : null
}

export function takeLeaseAnswer(memory: LeaseMemory, { kind, words, fence }: LeaseNews): void {
  memory.isUnanswered = false
  memory.isSilent = kind === 'absent'
  if (!memory.isSilent) memory.silentLooks = 0
  if (kind === 'refused' || kind === 'held')
    Object.assign(memory, { refused: { words, isActing: kind === 'refused' }, hadGrant: true })
  if (kind === 'granted') Object.assign(memory, { fence, refused: null, hadGrant: true })
  if (kind === 'drained') Object.assign(memory, { fence: null, refused: null, hadGrant: false })
}

/** How long a start may wait for its lease before a person is needed: a restart of both sides takes seconds. */
const START_MS: Ms = 30 * SECOND_MS

/** Adds to `standingNow` whether the position, which has looked so often since its start, still waits for its first lease. */
export function standingAtStart(
  looks: number,
  memory: LeaseMemory,
  sinceRenewalMs: Ms,
  settings: LeaseSettings,
) {
  const isFirst = memory.fence === null && looks * LOOK_MS < START_MS
  const standing = standingNow(memory, sinceRenewalMs, settings)
  const isMissing = standing.watch !== 'held' && standing.watch !== 'unwatched'
  return isFirst && isMissing ? ({ ...standing, isStarting: true } as const) : standing
}

/** `sinceRenewalMs`: of the lease of the memory; infinite where none exists. */
function standingNow(memory: LeaseMemory, sinceRenewalMs: Ms, settings: LeaseSettings): LeaseStanding {
  const { fence } = memory
  if (fence !== null) {
    const held = withLease(memory, sinceRenewalMs, settings)
    if (held !== null) return { ...held, fence }
    Object.assign(memory, { fence: null, hadGrant: false })
  }
  const refused = whileRefused(memory, settings)
  if (refused !== null) return { ...refused, fence: null }
  if (memory.hadGrant && settings.whenSilent === 'safe')
    return { watch: 'closing', why: 'the guard that watched before the start does not answer', fence: null }
  return { watch: 'unwatched', why: 'no guard answers', fence: null }
}

/** Null = the lease is over, and the daemon carries on without. */
function withLease(
  memory: LeaseMemory,
  since: Ms,
  settings: LeaseSettings,
): Omit<LeaseStanding, 'fence'> | null {
  const { terms, whenSilent } = settings
  const state = standingOf(terms, since)
  if (state === 'held' || (state === 'closing' && whenSilent === 'carry-on'))
    return { watch: 'held', why: '' }
  if (state === 'closing')
    return { watch: 'closing', why: `the guard has been silent for ${Math.round(since)} ms` }
  const refused = whileRefused(memory, settings)
  if (refused !== null) return refused
  if (whenSilent === 'carry-on') return null
  // Between a grant and its arrival here the number is another one, and its age is not known.
  const isOver = Number.isFinite(since) && since >= terms.waitMs + SILENCE_MS
  const why = 'the guard is silent, and the lease may have ended'
  return lapsed(why, isOver && mayMakeSafe(memory, settings))
}

/** The position's loop looks this often. */
export const LOOK_MS: Ms = 100
/** So long after D the guard, if it lives, has begun to act: the safe quote of both is the same. */
const SILENCE_MS: Ms = SECOND_MS

/** The loop has seen the guard be silent for D and a second: whether that lives is not known, and the quote has to be safe. */
function mayMakeSafe({ isSilent, silentLooks }: LeaseMemory, { terms }: LeaseSettings): boolean {
  return isSilent && silentLooks * LOOK_MS >= terms.waitMs + SILENCE_MS
}

function lapsed(why: string, maySetSafe: boolean): Omit<LeaseStanding, 'fence'> {
  return { watch: 'lapsed', why, ...(maySetSafe ? { maySetSafe } : {}) }
}

/**
 * A guard that refuses and then falls silent may act all the same, or is started again and continues: only its answer lifts what it
 * has refused. Null = it does not refuse.
 */
function whileRefused(memory: LeaseMemory, settings: LeaseSettings): Omit<LeaseStanding, 'fence'> | null {
  const { refused, isSilent } = memory
  if (refused === null) return null
  const { words, isActing } = refused
  if (!isSilent) return { watch: 'waiting', why: words }
  if (isActing) return { watch: 'waiting', why: `${words}${STILL_SILENT}` }
  return lapsed(`${words}; the guard does not answer now`, mayMakeSafe(memory, settings))
}
