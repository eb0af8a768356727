import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { Side } from '../../../base/money/side.ts'

/** The best rival of a side. Plain data, part of a strategy's memory. */
export type SeenRival = {
  /** Its spread when last seen, or the lower bound of it; null = no rival. */
  bps: number | null
  /** Over the last days. */
  usualBps: number | null
  /** How far below us it usually is when it is below us, if that distance repeats although our spread changes; else null. */
  underBps: number | null
  /** The lowest and the highest spread at which it was `underBps` below us. */
  lowestBps: number
  highestBps: number
  /** Where the others are that do not follow us, as far as one who does lets us see it. */
  othersBps: number
  /** Times that it was seen below a new spread of ours, and of these at 1, 2 ... 10 bps; older ones count less. */
  seen: number
  seenAt: number[]
  /** Our spread at which it was last counted. */
  countedBps: number | null
}

export type RivalWatch = {
  readonly rivals: Record<Side, SeenRival>
  lookedAt: Ms
  /** The look in progress: for each side that is off for it the spread that hid the rivals; null = not for this look. */
  looking: { readonly since: Ms; readonly bid: number | null; readonly ask: number | null } | null
  /** Our spread, the previous one, and the time of the change. */
  readonly own: Record<Side, { bps: number | null; before: number | null; changedAt: Ms }>
}

/** What a decision sees of the others; as in the strategy's context. */
type View = {
  readonly now: Ms
  readonly competition: Readonly<Record<Side, { readonly bestBps: number; readonly ageMs: Ms } | null>>
  readonly standing: { readonly bidBps: number | null; readonly askBps: number | null }
}

export function createRivalWatch(): RivalWatch {
  return {
    rivals: { bid: createRival(), ask: createRival() },
    lookedAt: 0,
    looking: null,
    own: { bid: { bps: null, before: null, changedAt: 0 }, ask: { bps: null, before: null, changedAt: 0 } },
  }
}

function createRival(): SeenRival {
  const unseen = { bps: null, usualBps: null, underBps: null, seen: 0, countedBps: null }
  return {
    ...unseen,
    lowestBps: MAX_SPREAD_BPS,
    highestBps: MIN_SPREAD_BPS,
    othersBps: OTHERS_BPS,
    seenAt: Array.from({ length: MOST_UNDER_BPS }, () => 0),
  }
}

const USUAL_MEMORY_HOURS = 24
/** Time after which a hidden rival may have moved away. */
const HIDDEN_MOVES_BPS_PER_HOUR = 3
const HIDDEN_MOVES_AT_MOST_BPS = 25
const LONGEST_LOOK_MS = 2 * MINUTE_MS

/**
 * Updates the rivals from the probes `hours` after the last call. A probe shows only the best provider, often us. Returns whether
 * sides with hidden rivals turn off until the next probe: every `lookEveryMinutes`, null = never.
 */
export function watchRivals(
  watch: RivalWatch,
  view: View,
  hours: number,
  lookEveryMinutes: number | null,
): boolean {
  const { now } = view
  const hidden = { bid: watchRival(watch, view, 'bid', hours), ask: watchRival(watch, view, 'ask', hours) }
  const isHidden = hidden.bid || hidden.ask
  if (watch.looking !== null) {
    if (isHidden && now - watch.looking.since < LONGEST_LOOK_MS) return true
    watch.looking = null
    watch.lookedAt = now
    return false
  }
  if (!isHidden || lookEveryMinutes === null || now - watch.lookedAt < lookEveryMinutes * MINUTE_MS)
    return false
  const hiding = (side: Side) => (hidden[side] ? (watch.own[side].bps ?? MAX_SPREAD_BPS) : null)
  watch.looking = { since: now, bid: hiding('bid'), ask: hiding('ask') }
  return true
}

/** Returns whether we are the best of a side, which hides the rivals; otherwise records the rivals' quote. */
function watchRival(watch: RivalWatch, view: View, side: Side, hours: number): boolean {
  const { now, competition, standing } = view
  const own = watch.own[side]
  const current = standing[`${side}Bps`]
  if (current !== own.bps) Object.assign(own, { bps: current, before: own.bps, changedAt: now })
  const rival = watch.rivals[side]
  const shown = competition[side]
  if (shown === null || showsNoProvider(shown.bestBps, current, watch.looking?.[side] ?? null)) {
    rival.bps = null
    return false
  }
  // A probe from before our last change may show our old quote, which we must not undercut.
  const mayBeOld = shown.ageMs >= now - own.changedAt
  if (shown.bestBps === current || (mayBeOld && shown.bestBps === own.before)) {
    waitFor(rival, shown.bestBps, hours)
    return true
  }
  rival.bps = shown.bestBps
  const usual = rival.usualBps ?? shown.bestBps
  rival.usualBps = usual + (1 - Math.exp(-hours / USUAL_MEMORY_HOURS)) * (shown.bestBps - usual)
  watchAnswer(rival, shown.bestBps, own, now, hours)
  return false
}

/**
 * Returns whether a probe shows that no one else quotes. While both sides are off the safe quote is in force, so a look that
 * shows it, instead of the spread `hiding` that hid the others, found no one; the widest spread is a safe quote, ours or another's.
 */
function showsNoProvider(bestBps: number, current: number | null, hiding: number | null): boolean {
  return bestBps >= MAX_SPREAD_BPS || (hiding !== null && bestBps === current && bestBps > hiding)
}

/**
 * The rival is hidden behind our own spread: not lower, and possibly higher than when last seen. Where the last look found no
 * one there is still no one, for a rival who undercuts us shows in the next probe.
 */
function waitFor(rival: SeenRival, own: number, hours: number): void {
  if (rival.bps === null) return
  const least = Math.max(rival.bps, own)
  const most = Math.max(least, (rival.usualBps ?? least) + HIDDEN_MOVES_AT_MOST_BPS)
  rival.bps = Math.min(most, least + HIDDEN_MOVES_BPS_PER_HOUR * hours)
}

/** Distances below us that a rival who undercuts may keep, and up to which it counts as one who might. */
const MOST_UNDER_BPS = 10
const MIGHT_UNDERCUT_BPS = 30
/** Seen at one distance this often, and in more than this share of the times. Rivals that do not answer reach 0.22. */
const FEWEST_SEEN = 10
const REPEATS_SHARE = 0.3
const ANSWER_MEMORY_HOURS = 240
/** Where the others are before the first view, and the weight of a view. */
const OTHERS_BPS = 60
const OTHERS_SHARE = 0.1
/** How fast the limits of its spread are forgotten. */
const LIMITS_MOVE_BPS_PER_HOUR = 1 / 12

function forget(rival: SeenRival, hours: number): void {
  const keep = Math.exp(-hours / ANSWER_MEMORY_HOURS)
  rival.lowestBps += LIMITS_MOVE_BPS_PER_HOUR * hours
  rival.highestBps -= LIMITS_MOVE_BPS_PER_HOUR * hours
  rival.seen *= keep
  for (let i = 0; i < rival.seenAt.length; i++) rival.seenAt[i]! *= keep
}

/** Counts how far below us the rival is once our spread has changed: below the present one, or the one before if it is slow. */
function watchAnswer(
  rival: SeenRival,
  bps: number,
  own: RivalWatch['own'][Side],
  now: Ms,
  hours: number,
): void {
  if (hours > 0) forget(rival, hours)
  if (own.bps === null || own.bps === rival.countedBps || now - own.changedAt < MINUTE_MS) return
  rival.countedBps = own.bps
  const below = [own.bps - bps, (own.before ?? own.bps) - bps].filter(
    (distance) => distance > 0 && distance <= MIGHT_UNDERCUT_BPS,
  )
  if (below.length === 0) {
    if (bps > own.bps) rival.othersBps += OTHERS_SHARE * (bps - rival.othersBps)
    return
  }
  rival.seen += 1
  for (const distance of new Set(below)) if (distance <= MOST_UNDER_BPS) rival.seenAt[distance - 1]! += 1
  const most = Math.max(...rival.seenAt)
  const repeats = most > FEWEST_SEEN && most > REPEATS_SHARE * rival.seen
  rival.underBps = repeats ? rival.seenAt.indexOf(most) + 1 : null
  const follows = rival.underBps !== null && below.includes(rival.underBps)
  // Behind one who follows us the others are not below us.
  const others = follows ? Math.max(rival.othersBps, own.bps) : bps
  rival.othersBps += OTHERS_SHARE * (others - rival.othersBps)
  if (!follows) return
  rival.lowestBps = Math.min(rival.lowestBps, bps)
  rival.highestBps = Math.max(rival.highestBps, bps)
}
