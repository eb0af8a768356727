import { type StableAsset, TOKEN_UNIT } from '../../base/money/asset.ts'
import type { Side } from '../../base/money/side.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { parseRate, RATE_ONE, type Rate } from '../../base/money/rate.ts'
import { divide } from '../../base/money/rounding.ts'
import { openOrderFrom, type OpenOrder, type Reservation } from './open-order.ts'
import type { Hex } from './rfq-order.ts'
import type { RfqSettings } from './rfq-settings.ts'

/**
 * One level of the ladder that a strategy wants. Float64; `buildOrder` converts it to amounts, rounded in our favour.
 */
export type TargetOrder = {
  /** bid: we buy shillings and give dollars. ask: we sell shillings. */
  readonly side: Side
  readonly stable: StableAsset
  /** Size in dollars. */
  readonly usd: number
  /** The price of the whole order, TZS per USD. */
  readonly tzsPerUsd: number
}

export type BuildParts = {
  readonly settings: RfqSettings
  readonly solver: Hex
  readonly salt: bigint
  /** Our clock, and how far the venue's clock is ahead. */
  readonly now: Ms
  readonly offsetMs: Ms
}

const NO_POOL: Hex = `0x${'0'.repeat(64)}`
/** Maximum dollars of a target, which has a precision of a millionth; keeps amounts below 2^128 units. */
const MILLIONTHS = 1e6
const MAX_TARGET_USD = 1e9

/**
 * Returns the open order for a target, rounded so no fill, whole or partial, gives more than the price allows: an ask sells the
 * floor of its shillings, a bid asks the ceiling for its dollars. The error is a sentence with the reason (token, rate or size).
 */
export function buildOrder(target: TargetOrder, parts: BuildParts): Result<OpenOrder, string> {
  const { settings, solver, salt, now, offsetMs } = parts
  const { side, stable } = target
  const shilling = settings.tokens.NTZS
  const dollar = settings.tokens[stable]
  if (shilling === undefined || dollar === undefined) return err(`rfq.tokens names no ${stable}`)
  const price = parseRate(target.tzsPerUsd)
  if (!price.ok) return err(`the price ${target.tzsPerUsd} is invalid: ${price.error.message}`)
  const amounts = amountsOf(target, price.value)
  if (amounts === null) return err(`${target.usd} dollars at ${target.tzsPerUsd} are too small for an order`)
  const lifeMs = Math.min(offsetMs + settings.expiryMs, settings.maxLifeMs ?? Infinity)
  const reservation: Reservation = {
    order: {
      makerToken: side === 'ask' ? shilling : dollar,
      takerToken: side === 'ask' ? dollar : shilling,
      ...amounts,
      maker: settings.maker,
      taker: solver,
      txOrigin: solver,
      pool: NO_POOL,
      expiry: BigInt(Math.floor((now + lifeMs) / 1_000)),
      salt,
    },
    side,
    stable,
    makerAsset: side === 'ask' ? 'NTZS' : stable,
    takerAsset: side === 'ask' ? stable : 'NTZS',
    price: price.value,
  }
  return ok(openOrderFrom(reservation, now))
}

type OrderAmounts = { readonly makerAmount: bigint; readonly takerAmount: bigint }

function amountsOf({ side, stable, usd }: TargetOrder, price: Rate): OrderAmounts | null {
  if (!(usd > 0 && usd <= MAX_TARGET_USD)) return null
  const unit = TOKEN_UNIT[stable]
  const dollars = (BigInt(Math.floor(usd * MILLIONTHS)) * 10n ** 12n) / unit
  if (dollars === 0n) return null
  const shillings = (rounding: 'down' | 'up') => divide(dollars * unit * price, RATE_ONE, rounding)
  return side === 'ask'
    ? { makerAmount: shillings('down'), takerAmount: dollars }
    : { makerAmount: dollars, takerAmount: shillings('up') }
}

/** Returns the salt of the next order: the time in its upper digits, and always above the last salt. */
export function nextSalt(lastSalt: bigint, now: Ms): bigint {
  const byTime = leastSaltAt(now)
  return byTime > lastSalt ? byTime : lastSalt + 1n
}

const TIME_SHIFT = 20n

/** Returns the lowest salt that an order created at that time may have. */
function leastSaltAt(at: Ms): bigint {
  return BigInt(Math.max(0, Math.floor(at))) << TIME_SHIFT
}
