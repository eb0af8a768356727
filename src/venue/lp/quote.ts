import { z } from 'zod'
import { read } from '../../base/http/reply.ts'
import { ok, type Result } from '../../base/result.ts'
import type { QuoteReadEvent } from '../../core/engine/model/event.ts'
import type { AnswerOf } from '../../core/engine/model/venue-answer.ts'
import {
  type Asset,
  BOOK_DECIMALS,
  type BookAmount,
  formatTokens,
  toBook,
  TOKEN_UNIT,
  type TokenAmount,
} from '../../base/money/asset.ts'
import { parseDecimalText } from '../../base/money/decimal-text.ts'
import {
  dollarsForShillings,
  shillingsForDollars,
  splitProtocolFee,
  type BidFormula,
} from '../../base/money/payout.ts'
import { formatRate, type Rate } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'
import type { VenueSettings } from '../settings.ts'
import { bpsFigure, digitsOf, statedMid, whole } from '../fields.ts'
import { endpoint, unknownFields } from './endpoint.ts'

/** The pairs of the LP API's quotes: one token is the shilling, both are on the primary chain. */
export type QuoteParams = {
  readonly from: Exclude<Asset, 'USDT.bnb'>
  readonly to: Exclude<Asset, 'USDT.bnb'>
  /** In units of `from`. */
  readonly amount: TokenAmount
  readonly slippageBps?: number
}

/** A quote, and whether a known formula gives its expectedOutput (`formula` is set for the bid only). */
export type QuoteAnswer = AnswerOf<QuoteReadEvent> & { readonly isExplained: boolean }

/** GET /quote: the output that a taker would receive from our position. */
export const quoteEndpoint = endpoint('GET /quote', ({ settings }) => (params: QuoteParams) => {
  const { from, to, amount, slippageBps } = params
  return {
    query: {
      fromToken: from,
      toToken: to,
      amount: formatTokens(amount, from),
      ...(slippageBps === undefined ? {} : { slippageBps: String(slippageBps) }),
    },
    translate: read(quoteBody, (body) => translate(body, params, settings.protocolFeeBps)),
  }
})

const quoteBody = z.looseObject({
  spreadBps: whole(0, 10_000),
  expectedOutput: z.unknown().optional(),
  midRate: z.unknown().optional(),
  protocolFeeBps: bpsFigure,
  fromToken: z.unknown().optional(),
  toToken: z.unknown().optional(),
  amountIn: z.unknown().optional(),
  minOutput: z.unknown().optional(),
  minAmountOut: z.unknown().optional(),
  effectiveRate: z.unknown().optional(),
  rate: z.unknown().optional(),
  rateUpdatedAt: z.unknown().optional(),
  slippageBps: z.unknown().optional(),
  expiresAt: z.unknown().optional(),
})

/** Approximate, for the size of a probe only. */
const SHILLINGS_PER_DOLLAR = 2_500

/** Returns the quote that reads one side back: dollars for shillings shows the ask, shillings for dollars the bid. */
export function quoteProbe(settings: VenueSettings, side: Side): QuoteParams {
  const { quoteStable, quoteProbeUsd } = settings
  if (side === 'ask') {
    return { from: quoteStable, to: 'NTZS', amount: BigInt(Math.max(1, Math.round(quoteProbeUsd * 1e6))) }
  }
  const shillings = Math.max(1, Math.round(quoteProbeUsd * SHILLINGS_PER_DOLLAR))
  return { from: 'NTZS', to: quoteStable, amount: BigInt(shillings) * 10n ** 18n }
}

/** JSON numbers are compared with this number of decimals, more than any token has. */
const COMPARED_DECIMALS = 30
/** The venue's floating-point error is below 1 in 10^9; the formulas differ by 1 in 10^6 or more. */
const RELATIVE_TOLERANCE = 10n ** 9n

/** The spread that the venue quotes for us, and the formula that gives the output it reports. */
function translate(
  body: z.output<typeof quoteBody>,
  params: QuoteParams,
  usualFeeBps: number,
): Result<QuoteAnswer, string> {
  const { spreadBps, midRate, expectedOutput, effectiveRate, protocolFeeBps } = body
  const rate = statedMid(midRate)
  if (!rate.ok) return rate
  const mid = rate.value
  const feeBps = protocolFeeBps ?? usualFeeBps
  const isBid = params.from === 'NTZS'
  const explains = (formula: BidFormula) =>
    mid !== null &&
    Number.isInteger(feeBps) &&
    isNear(expectedOutput, payout(params, mid, spreadBps, feeBps, formula), params.to)
  const known = (['divide', 'multiply'] as const).filter(explains)
  const fits = known.length > 0 || mid === null ? known : formulasOfRate(effectiveRate, mid, spreadBps, isBid)
  return ok({
    type: 'quoteRead',
    side: isBid ? 'bid' : 'ask',
    spreadBps,
    mid,
    protocolFeeBps: protocolFeeBps ?? null,
    formula: isBid && fits.length === 1 ? (fits[0] ?? null) : null,
    isExplained: fits.length > 0,
    ...unknownFields(body, quoteBody),
  })
}

/** Returns the formulas that give the stated price before fee and slippage (TZS per USD). */
function formulasOfRate(
  effectiveRate: unknown,
  mid: Rate,
  spreadBps: number,
  isBid: boolean,
): readonly BidFormula[] {
  const stated = Number(digitsOf(effectiveRate) ?? Number.NaN)
  const shown = Number(formatRate(mid))
  const isNearTo = (rate: number) => Math.abs(stated / rate - 1) <= 1e-9
  const s = spreadBps / 10_000
  if (!isBid) return isNearTo(shown * (1 - s)) ? ['divide', 'multiply'] : []
  const rates = { divide: shown * (1 + s), multiply: shown / (1 - s) }
  return (['divide', 'multiply'] as const).filter((formula) => isNearTo(rates[formula]))
}

function payout(
  params: QuoteParams,
  mid: Rate,
  spreadBps: number,
  feeBps: number,
  formula: BidFormula,
): bigint {
  const { from, to } = params
  const amount = toBook(params.amount, from)
  if (from !== 'NTZS') {
    return splitProtocolFee(shillingsForDollars(amount, mid, spreadBps, 'down'), feeBps).net
  }
  const grain = TOKEN_UNIT[to]
  const gross = dollarsForShillings(amount, mid, spreadBps, formula, grain, 'down')
  return splitProtocolFee(gross, feeBps, grain).net
}

/** Returns whether the venue's JSON number equals this amount within its precision. */
function isNear(figure: unknown, amount: BookAmount, asset: QuoteParams['to']): boolean {
  const shown = parseDecimalText(digitsOf(figure) ?? '', COMPARED_DECIMALS)
  if (!shown.ok) return false
  const unit = 10n ** BigInt(COMPARED_DECIMALS - BOOK_DECIMALS)
  const expected = amount * unit
  const difference = shown.value > expected ? shown.value - expected : expected - shown.value
  return difference <= 2n * TOKEN_UNIT[asset] * unit + expected / RELATIVE_TOLERANCE
}
