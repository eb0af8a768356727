import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { LoadedGuard } from '../../config/load/guard.ts'
import type { GuardEvent, GuardState } from '../../../core/engine/model/guard-state.ts'
import { standingOf } from '../../../core/lease/holder.ts'
import type { LeaseNews } from './shared-lease.ts'

/** What decides a lease's state besides the time since its last renewal: the guard's answers. */
export type LeaseMemory = {
  /** The lease whose grant the core has received; null = none. */
  fence: number | null
  /** The guard's last refusal, also from before this process: silence does not lift it. Null = not refused. */
  refused: Refused | null
  /** The guard no longer answers. */
  isSilent: boolean
  /** How many times the position's loop has checked since the silence began; a suspended loop checks nothing. */
  silentLooks: number
  /** It is not known yet whether a guard exists: nothing is sent until then. */
  isUnanswered: boolean
  hadGrant: boolean
}

/** `isActing`: the guard acts for the position, and resumes if it is restarted; false = another process holds the lease. */
type Refused = { readonly words: string; readonly isActing: boolean }

export type LeaseStanding = Pick<GuardEvent, 'watch' | 'why' | 'fence' | 'maySetSafe' | 'isStarting'>
export type LeaseSettings = Pick<LoadedGuard, 'terms' | 'whenSilent'>

export function emptyMemory(): LeaseMemory {
  return { fence: null, refused: null, isSilent: false, silentLooks: 0, isUnanswered: true, hadGrant: false }
}

const STILL_SILENT = '; the guard does not answer now, and has to be started again'

/** Restores what the previous process journalled about the guard. */
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

/** How long a start may wait for its lease before an operator is needed: a restart of both sides takes seconds. */
const START_MS: Ms = 30 * SECOND_MS

/** Adds to `standingNow` whether the position, after `looks` checks since its start, still waits for its first lease. */
export function standingAtStart(
  looks: number,
  memory: LeaseMemory,
  sinceRenewalMs: Ms,
  settings: LeaseSettings,
) {
  const isFirst = memory.fence === null && looks * POLL_MS < START_MS
  const standing = standingNow(memory, sinceRenewalMs, settings)
  const isMissing = standing.watch !== 'held' && standing.watch !== 'unwatched'
  return isFirst && isMissing ? ({ ...standing, isStarting: true } as const) : standing
}

/** `sinceRenewalMs`: the time since the remembered lease was renewed; infinite without a lease. */
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
    return {
      watch: 'closing',
      why: 'the guard that was watching before the start does not answer',
      fence: null,
    }
  return { watch: 'unwatched', why: 'no guard answers', fence: null }
}

/** Returns null if the lease is over and the daemon carries on without it. */
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
  // Between a grant and its arrival here, the shared number belongs to another lease, so the age is unknown.
  const isOver = Number.isFinite(since) && since >= terms.waitMs + SILENCE_MS
  const why = 'the guard is silent, and the lease may have ended'
  return lapsed(why, isOver && mayMakeSafe(memory, settings))
}

/** How often the position's loop checks its lease. */
export const POLL_MS: Ms = 100
/** If the guard is alive, it has begun to act this long after D; its safe quote equals ours. */
const SILENCE_MS: Ms = SECOND_MS

/** The guard has been silent for D + 1 s and may be dead, so we set the safe quote. */
function mayMakeSafe({ isSilent, silentLooks }: LeaseMemory, { terms }: LeaseSettings): boolean {
  return isSilent && silentLooks * POLL_MS >= terms.waitMs + SILENCE_MS
}

function lapsed(why: string, maySetSafe: boolean): Omit<LeaseStanding, 'fence'> {
  return { watch: 'lapsed', why, ...(maySetSafe ? { maySetSafe } : {}) }
}

/**
 * A guard that refused and then fell silent may still act, or may restart and resume: only its answer lifts a refusal. Returns null if it
 * has not refused.
 */
function whileRefused(memory: LeaseMemory, settings: LeaseSettings): Omit<LeaseStanding, 'fence'> | null {
  const { refused, isSilent } = memory
  if (refused === null) return null
  const { words, isActing } = refused
  if (!isSilent) return { watch: 'waiting', why: words }
  if (isActing) return { watch: 'waiting', why: `${words}${STILL_SILENT}` }
  return lapsed(`${words}; the guard does not answer now`, mayMakeSafe(memory, settings))
}
