import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { Hold } from '../position/ladder.ts'
import type { WatchParts } from './watch-parts.ts'

/** While the guard acts, sends notices about whether the venue confirms the safe quote. */
type SafetyNotices = {
  readonly began: () => void
  readonly ended: () => void
  /** Called on each tick. `isPowerless`: a notice that nothing can be sent is already out. */
  readonly look: (hold: Hold, isPowerless: boolean) => void
}

/** Three writes and their reads take a few seconds if the venue answers. */
const UNCONFIRMED_MS: Ms = 30 * SECOND_MS

export function createSafetyNotices({
  settings,
  report,
  clock,
}: Pick<WatchParts, 'settings' | 'report' | 'clock'>): SafetyNotices {
  const { name, safeBps } = settings
  let unsafeSince: Ms | null = null
  let wasSafe = false
  /** A guard that fired before this process started has already sent the notice. */
  let isSafeTold = true

  function isSafe(hold: Hold): void {
    unsafeSince = null
    const words = hold.isOut
      ? 'confirmed safe: the position is out of the market'
      : `confirmed safe: both sides are read back at ${safeBps} bps`
    if (!isSafeTold || report.isOpen(name, 'guard-unconfirmed'))
      report.resolve('guard-safe', ['guard-unconfirmed'], settings, words)
    else if (!wasSafe) report.log('info', name, words)
    isSafeTold = true
    wasSafe = true
  }

  function isNotSafe(isPowerless: boolean): void {
    wasSafe = false
    const now = clock.now()
    // Once the key is accepted again, the wait starts over.
    if (isPowerless) unsafeSince = now
    unsafeSince ??= now
    if (now - unsafeSince < UNCONFIRMED_MS || report.isOpen(name, 'guard-unconfirmed')) return
    const words = `still NOT safe ${UNCONFIRMED_MS / SECOND_MS} s after the guard began: the venue has not confirmed the safe quote; the guard continues`
    report.notify('guard-unconfirmed', settings, words)
  }

  return {
    began() {
      unsafeSince = null
      wasSafe = false
      isSafeTold = false
    },
    ended: () => (unsafeSince = null),
    look(hold, isPowerless) {
      if (!settings.acts) return
      if (hold.safeSince !== null || hold.isOut) isSafe(hold)
      else isNotSafe(isPowerless)
    },
  }
}
