import type { Result } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { type Side, SIDES } from '../../../base/money/side.ts'
import type { Watched } from '../position/grants.ts'
import { mayWatch, type VenueWindow } from '../position/venue-window.ts'
import type { PositionRenewal } from '../protocol/renewal.ts'
import type { PositionSettings } from './settings.ts'
import type { Unread, GuardVenue } from './guard-venue.ts'

/** The guard's reads of the venue while it does not act: one at a time, within its share of the rate limit. */
export type VenueLooks = {
  /** While a daemon holds the lease: compares the venue's quote with the lease's confirmed quote. */
  readonly compare: () => void
  /** While the daemon is cut off since its renewal at `since`: checks whether both sides are at the safe quote. */
  readonly lookForSafe: (since: Ms) => void
  /** Whether both sides were seen at the safe quote since then, and recently. */
  readonly wasSeenSafe: (since: Ms) => boolean
  /** Why the guard could not act now: two consecutive reads with its key got no answer. Null = it could act. */
  readonly blind: () => string | null
  /** Records that the venue answered the guard's key in another request. */
  readonly hasSeen: () => void
}

type VenueLooksParts = {
  readonly settings: Pick<PositionSettings, 'acts' | 'safeBps' | 'name'>
  readonly watched: Watched
  readonly client: Pick<GuardVenue, 'readSide'>
  readonly window: VenueWindow
  readonly now: () => Ms
  readonly onMismatch: (words: string) => void
  readonly onBlind: (words: string) => void
  /** The venue answers again. */
  readonly onSight: () => void
}

const LOOK_EVERY_MS: Ms = 30 * SECOND_MS
const LOOK_AGAIN_MS: Ms = 5 * SECOND_MS
/** The intervals before and after the safe quote is first seen: at most eight of the ten requests a minute of a guard that watches. */
const LOOK_FOR_SAFE_MS: Ms = 2 * SECOND_MS
const LOOK_STILL_SAFE_MS: Ms = 15 * SECOND_MS
/** Long enough to survive two consecutive failed reads. */
const SEEN_SAFE_FOR_MS: Ms = 45 * SECOND_MS
/** A single unanswered read may be a short outage. */
const BLIND_AFTER = 2

type Quote = NonNullable<PositionRenewal['quote']>

export function createVenueLooks(parts: VenueLooksParts): VenueLooks {
  const { settings, watched, client, window, now } = parts
  const sight = createSight(parts)
  const compare = createComparison(parts)
  let lookAt = now() + LOOK_EVERY_MS
  let safeLookedAt = Number.NEGATIVE_INFINITY
  let seenSafeAt = Number.NEGATIVE_INFINITY
  function oneLook(look: () => Promise<void>): void {
    watched.isBusy = true
    void look().finally(() => (watched.isBusy = false))
  }

  function mayLook(from: Ms): boolean {
    return settings.acts && !watched.isBusy && now() >= from && mayWatch(window, now(), SIDES.length)
  }

  async function compared(quote: Quote | null): Promise<void> {
    lookAt = now() + LOOK_EVERY_MS
    const seen = await readSides(client)
    sight.looked(seen)
    if (sight.misses() === 1) lookAt = now() + LOOK_AGAIN_MS
    const after = watched.shown?.quote ?? null
    // The confirmed quote changed during the read, so the comparison is void.
    if (quote === null || after === null) return
    if (SIDES.some((side) => confirmedOn(after, side) !== confirmedOn(quote, side))) return
    if (compare(differencesTo(quote, seen))) lookAt = now() + LOOK_AGAIN_MS
  }

  async function lookedForSafe(): Promise<void> {
    safeLookedAt = now()
    const seen = await readSides(client)
    sight.looked(seen)
    // Operators can raise the safe quote at run time, but not below the file's value, so a higher spread is safe too.
    const isSafe = ({ bps }: Seen) => bps.ok && bps.value >= settings.safeBps
    if (seen.some(({ bps }) => bps.ok && bps.value < settings.safeBps)) seenSafeAt = Number.NEGATIVE_INFINITY
    if (seen.every(isSafe)) seenSafeAt = now()
  }

  return {
    compare() {
      const { kept, shown } = watched
      if (kept.holder !== null && mayLook(lookAt)) oneLook(() => compared(shown?.quote ?? null))
    },
    lookForSafe(since) {
      const everyMs = seenSafeAt > since ? LOOK_STILL_SAFE_MS : LOOK_FOR_SAFE_MS
      if (mayLook(safeLookedAt + everyMs)) oneLook(lookedForSafe)
    },
    wasSeenSafe: (since) => seenSafeAt > since && now() - seenSafeAt < SEEN_SAFE_FOR_MS,
    blind: sight.blind,
    hasSeen: sight.hasSeen,
  }
}

type Seen = { readonly side: Side; readonly bps: Result<number, Unread> }

/** Reads both sides, and stops at the first that the guard is blind for. */
async function readSides(client: VenueLooksParts['client']): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  for (const side of SIDES) {
    const bps = await client.readSide(side)
    seen.push({ side, bps })
    if (!bps.ok && bps.error.blocksWrites) break
  }
  return seen
}

/** Tracks whether the guard's key reaches the venue: where a read fails, a write would fail too. */
function createSight({ onBlind, onSight }: Pick<VenueLooksParts, 'onBlind' | 'onSight'>) {
  let misses = 0
  let words: string | null = null

  function hasSeen(): void {
    misses = 0
    if (words === null) return
    words = null
    onSight()
  }

  return {
    looked(seen: readonly Seen[]): void {
      const missed = seen.find(({ bps }) => !bps.ok && bps.error.blocksWrites)
      if (missed === undefined || missed.bps.ok) return hasSeen()
      misses += 1
      if (misses < BLIND_AFTER) return
      const isNew = words === null
      words = missed.bps.error.words
      if (isNew) onBlind(words)
    },
    hasSeen,
    misses: () => misses,
    blind: () => words,
  }
}

/** Counts consecutive reads that differ from the lease's confirmed quote. Returns whether this one did. */
function createComparison({
  settings,
  onMismatch,
}: VenueLooksParts): (differing: readonly string[]) => boolean {
  let misses = 0
  return (differing) => {
    misses = differing.length === 0 ? 0 : misses + 1
    if (misses === 2)
      onMismatch(
        `${differing.join(' and ')} for ${settings.name}; the daemon lives, so the guard changes nothing`,
      )
    return misses > 0
  }
}

/** Returns a clause for each side whose spread at the venue differs. */
function differencesTo(quote: Quote, seen: readonly Seen[]): readonly string[] {
  return seen.flatMap(({ side, bps }) => {
    const confirmed = confirmedOn(quote, side)
    if (!bps.ok || bps.value === confirmed) return []
    return [`the venue quotes ${bps.value} bps on the ${side} where the daemon calls ${confirmed} confirmed`]
  })
}

function confirmedOn({ bidBps, askBps }: Quote, side: Side): number {
  return side === 'bid' ? bidBps : askBps
}
