import type { PositionAnswer, PositionRenewal } from '../../guard/protocol/renewal.ts'
import {
  countingSide,
  createSharedRenewal,
  RENEWAL_BYTES,
  renewalSide,
} from '../../../core/lease/shared-renewal.ts'

/** What a position's own thread reports with each count. */
export type LeaseFacts = Pick<PositionRenewal, 'quote' | 'isActive' | 'worse' | 'isReconciled'> & {
  /** The position has left as configured, confirmed by the venue. */
  readonly hasLeft: boolean
  /** The position was handed over to another daemon. */
  readonly isHandedOver: boolean
}

/** A message from the renewing thread to one position; a plain extension of the lease posts none. */
export type LeaseNews = Pick<PositionAnswer, 'fence' | 'writes' | 'requestsAgoMs'> & {
  /** `held`: refused because another process holds the lease; `refused`: for every other reason. */
  readonly kind: 'absent' | 'drained' | 'held' | 'refused' | 'granted'
  /** A message for the operator. */
  readonly words: string
}

/** Creates the shared buffer of one position's lease: the common lease fields, and the facts that its renewals carry. */
export function createLeaseBuffer(): SharedArrayBuffer {
  return createSharedRenewal(FACTS_BYTES)
}

const FACTS_BYTES = 8

/** Returns the accessors for the position's thread. */
export function positionSide(buffer: SharedArrayBuffer) {
  const { count, renewed } = countingSide(buffer)
  const facts = factsIn(buffer)
  return {
    count(now: LeaseFacts): void {
      Atomics.store(facts, 0, encode(now))
      count()
    },
    renewed,
  }
}

/** Returns the accessors for the renewing thread. */
export function renewingSide(buffer: SharedArrayBuffer) {
  const { count, fence, renewed } = renewalSide(buffer)
  const facts = factsIn(buffer)
  return {
    read: (): LeaseFacts & { readonly count: number } => ({
      count: count(),
      ...decode(Atomics.load(facts, 0)),
    }),
    fence,
    renewed,
  }
}

function factsIn(buffer: SharedArrayBuffer): BigInt64Array {
  return new BigInt64Array(buffer, RENEWAL_BYTES, 1)
}

const NO_QUOTE = 0xffff
const SIDES = [null, 'bid', 'ask'] as const

function encode({ quote, isActive, worse, isReconciled, hasLeft, isHandedOver }: LeaseFacts): bigint {
  const flags =
    (isActive === null ? 2 : Number(isActive)) |
    (SIDES.indexOf(worse) << 2) |
    (Number(isReconciled) << 4) |
    (Number(hasLeft) << 5) |
    (Number(isHandedOver) << 6)
  return (
    (BigInt(quote?.bidBps ?? NO_QUOTE) << 32n) | (BigInt(quote?.askBps ?? NO_QUOTE) << 16n) | BigInt(flags)
  )
}

function decode(packed: bigint): LeaseFacts {
  const [bidBps, askBps, flags] = [
    Number((packed >> 32n) & 0xffffn),
    Number((packed >> 16n) & 0xffffn),
    Number(packed & 0xffffn),
  ]
  const active = flags & 3
  return {
    quote: packed === 0n || bidBps === NO_QUOTE ? null : { bidBps, askBps },
    isActive: packed === 0n || active === 2 ? null : active === 1,
    worse: SIDES[(flags >> 2) & 3] ?? null,
    isReconciled: (flags & 16) !== 0,
    hasLeft: (flags & 32) !== 0,
    isHandedOver: (flags & 64) !== 0,
  }
}
