import { err, ok, type Result } from '../../../base/result.ts'
import { fieldsOf, isCount } from '../../../base/record.ts'
import type { Ms } from '../../../base/time.ts'
import type { Side } from '../../../base/money/side.ts'

/** Increases when an existing field changes its meaning. */
export const PROTOCOL_VERSION = 1
export const RENEW_PATH = '/v1/renew'
export const STATUS_PATH = '/v1/status'
export const DRAIN_PATH = '/v1/drain'
export const RELEASE_PATH = '/v1/release'

/** A process's report on one of its positions, sent with each renewal. */
export type PositionRenewal = {
  readonly name: string
  /** Incremented by the position's own loop; null = the loop does not vouch for itself now. */
  readonly count: number | null
  /** The number of the last grant it has received; the guard repeats what belongs to a grant until it sees it here. Null = none. */
  readonly fence: number | null
  /** The quote that the venue last confirmed, if no request in flight changes it; null = none. */
  readonly quote: { readonly bidBps: number; readonly askBps: number } | null
  /** Whether the position is in the market; null = not known. */
  readonly isActive: boolean | null
  /** The side that would add to the inventory imbalance; null = neither. */
  readonly worse: Side | null
  /** The position has reconciled at least once since this process lost the right to write. */
  readonly isReconciled: boolean
  /** The position has left as configured by `quote.onExit`: its lease ends, and no one acts for it. */
  readonly isLeaving: boolean
  /** The position was handed over to another daemon, which the lease is reserved for. Absent = no. */
  readonly isHandedOver?: boolean
}

export type Renewal = {
  readonly version: number
  /** A random ID that the process draws at its start. */
  readonly holder: string
  /** R of the process; the guard's D must be long enough for it. */
  readonly deadlineMs: Ms
  readonly positions: readonly PositionRenewal[]
}

/** A write that the guard made, for the next holder's journal. `agoMs`: the time since it was sent. */
export type GuardWrite =
  | {
      readonly what: 'spread'
      readonly agoMs: Ms
      readonly bidBps: number
      readonly askBps: number
      readonly quoteBid: boolean
      readonly quoteAsk: boolean
    }
  | { readonly what: 'deactivation'; readonly agoMs: Ms }

/** Why a lease was refused. */
export type RenewalRefusal =
  | 'held'
  | 'guarding'
  | 'latched'
  | 'person'
  | 'not-vouched'
  | 'terms'
  | 'unknown'
  | 'drained'

export type PositionAnswer = {
  readonly name: string
  /** The lease number, larger than every earlier one; null = not granted. */
  readonly fence: number | null
  readonly refusal: RenewalRefusal | null
  /** A message for the operator; empty with a grant. */
  readonly words: string
  /** The guard's writes since its last grant; repeated until the holder confirms the next grant. */
  readonly writes: readonly GuardWrite[]
  /** The ages of the requests that the guard made with the key since its last answer. */
  readonly requestsAgoMs: readonly Ms[]
}

export type RenewAnswer = { readonly version: number; readonly positions: readonly PositionAnswer[] }

const MOST_POSITIONS = 5_000
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const HOLDER = /^[0-9a-f]{32}$/

/** Parses a renewal received over the wire; the error names the invalid field. */
export function parseRenewal(body: unknown): Result<Renewal, string> {
  const { version, holder, deadlineMs, positions } = fieldsOf(body)
  if (version !== PROTOCOL_VERSION) return err(`version ${PROTOCOL_VERSION} is needed`)
  if (typeof holder !== 'string' || !HOLDER.test(holder))
    return err('holder: 32 hexadecimal digits are needed')
  if (!isCount(deadlineMs) || deadlineMs === 0) return err('deadlineMs: a whole number above 0 is needed')
  if (!Array.isArray(positions) || positions.length > MOST_POSITIONS)
    return err(`positions: a list of at most ${MOST_POSITIONS} is needed`)
  const read: PositionRenewal[] = []
  for (const one of positions as readonly unknown[]) {
    const position = parsePosition(one)
    if (!position.ok) return position
    read.push(position.value)
  }
  if (new Set(read.map(({ name }) => name)).size < read.length) return err('positions: one is named twice')
  return ok({ version, holder, deadlineMs, positions: read })
}

function parsePosition(body: unknown): Result<PositionRenewal, string> {
  // Daemons of earlier versions send no fence.
  const {
    name,
    count,
    fence = null,
    quote,
    isActive,
    worse,
    isReconciled,
    isLeaving,
    isHandedOver = false,
  } = fieldsOf(body)
  if (typeof name !== 'string' || !NAME.test(name)) return err('name: the name of a position is needed')
  if (count !== null && !isCount(count)) return err(`${name}: count: a whole number or null is needed`)
  if (fence !== null && !isCount(fence)) return err(`${name}: fence: a whole number or null is needed`)
  if (isActive !== null && typeof isActive !== 'boolean')
    return err(`${name}: isActive: a boolean or null is needed`)
  if (!isSideOrNull(worse)) return err(`${name}: worse: bid, ask or null is needed`)
  if (typeof isReconciled !== 'boolean') return err(`${name}: isReconciled: a boolean is needed`)
  if (typeof isLeaving !== 'boolean') return err(`${name}: isLeaving: a boolean is needed`)
  if (typeof isHandedOver !== 'boolean') return err(`${name}: isHandedOver: a boolean is needed`)
  const common = {
    name,
    count,
    fence,
    isActive,
    worse,
    isReconciled,
    isLeaving,
    ...(isHandedOver ? { isHandedOver } : {}),
  }
  if (quote === null) return ok({ ...common, quote })
  const { bidBps, askBps } = fieldsOf(quote)
  if (!isBps(bidBps) || !isBps(askBps)) return err(`${name}: quote: two spreads or null are needed`)
  return ok({ ...common, quote: { bidBps, askBps } })
}

function isSideOrNull(value: unknown): value is Side | null {
  return value === null || value === 'bid' || value === 'ask'
}

function isBps(value: unknown): value is number {
  return isCount(value) && value <= 10_000
}
