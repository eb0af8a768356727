import { SECOND_MS, type Ms } from '../../base/time.ts'
import { type Side, SIDES } from '../../money/side.ts'
import type { Watched } from '../position/grants.ts'
import { mayWatch, type VenueWindow } from '../position/venue-window.ts'
import type { PositionRenewal } from '../protocol/renewal.ts'
import type { PositionSettings } from './settings.ts'
import type { VenueHand } from './venue-hand.ts'

/** What the guard sees at the venue while it does not act. One look at a time, within its part of the venue's window. */
export type VenueLooks = {
  /** While a daemon holds the lease: does the venue quote what the lease calls confirmed? */
  readonly compare: () => void
  /** While its daemon, whose last renewal came at `since`, is cut off: did it leave both sides at the safe quote? */
  readonly lookForSafe: (since: Ms) => void
  /** Whether it was seen to, since then and not long ago. */
  readonly wasSeenSafe: (since: Ms) => boolean
}

export type VenueLooksParts = {
  readonly settings: Pick<PositionSettings, 'acts' | 'safeBps' | 'name'>
  readonly watched: Watched
  readonly hand: Pick<VenueHand, 'readSide'>
  readonly window: VenueWindow
  readonly now: () => Ms
  readonly onMismatch: (words: string) => void
}

const COMPARE_EVERY_MS: Ms = 30 * SECOND_MS
const COMPARE_AGAIN_MS: Ms = 5 * SECOND_MS
/** Until it is seen for the first time, and from then on: eight requests a minute of the ten that a watching guard has. */
const LOOK_FOR_SAFE_MS: Ms = 2 * SECOND_MS
const LOOK_STILL_SAFE_MS: Ms = 15 * SECOND_MS
/** Two looks that fail in a row are borne. */
const SEEN_SAFE_FOR_MS: Ms = 45 * SECOND_MS

type Quote = NonNullable<PositionRenewal['quote']>

export function createVenueLooks(parts: VenueLooksParts): VenueLooks {
  const { settings, watched, hand, window, now, onMismatch } = parts
  let compareAt = now() + COMPARE_EVERY_MS
  let safeLookedAt = Number.NEGATIVE_INFINITY
  let seenSafeAt = Number.NEGATIVE_INFINITY
  /** Looks in a row that showed another quote than the lease calls confirmed. */
  let misses = 0

  function oneLook(look: () => Promise<void>): void {
    watched.isBusy = true
    void look().finally(() => (watched.isBusy = false))
  }

  function mayLook(from: Ms): boolean {
    return settings.acts && !watched.isBusy && now() >= from && mayWatch(window, now(), SIDES.length)
  }

  async function compared(quote: Quote): Promise<void> {
    compareAt = now() + COMPARE_EVERY_MS
    const differing = await differencesTo(quote, hand)
    const after = watched.shown?.quote ?? null
    // A quote that moved meanwhile was compared with a former one.
    if (after === null || SIDES.some((side) => confirmedOn(after, side) !== confirmedOn(quote, side))) return
    misses = differing.length === 0 ? 0 : misses + 1
    if (misses > 0) compareAt = now() + COMPARE_AGAIN_MS
    if (misses === 2)
      onMismatch(
        `${differing.join(' and ')} for ${settings.name}; the daemon lives, so the guard changes nothing`,
      )
  }

  async function lookedForSafe(): Promise<void> {
    safeLookedAt = now()
    for (const side of SIDES) {
      const bps = await hand.readSide(side)
      if (bps !== null && bps !== settings.safeBps) seenSafeAt = Number.NEGATIVE_INFINITY
      if (bps !== settings.safeBps) return
    }
    seenSafeAt = now()
  }

  return {
    compare() {
      const { kept, shown } = watched
      const quote = shown?.quote ?? null
      if (kept.holder !== null && quote !== null && mayLook(compareAt)) oneLook(() => compared(quote))
    },
    lookForSafe(since) {
      const everyMs = seenSafeAt > since ? LOOK_STILL_SAFE_MS : LOOK_FOR_SAFE_MS
      if (mayLook(safeLookedAt + everyMs)) oneLook(lookedForSafe)
    },
    wasSeenSafe: (since) => seenSafeAt > since && now() - seenSafeAt < SEEN_SAFE_FOR_MS,
  }
}

/** A clause a side on which the venue quotes something else. */
async function differencesTo(quote: Quote, hand: VenueLooksParts['hand']): Promise<readonly string[]> {
  const differing: string[] = []
  for (const side of SIDES) {
    const bps = await hand.readSide(side)
    const confirmed = confirmedOn(quote, side)
    if (bps !== null && bps !== confirmed)
      differing.push(
        `the venue quotes ${bps} bps on the ${side} where the daemon calls ${confirmed} confirmed`,
      )
  }
  return differing
}

function confirmedOn({ bidBps, askBps }: Quote, side: Side): number {
  return side === 'bid' ? bidBps : askBps
}
