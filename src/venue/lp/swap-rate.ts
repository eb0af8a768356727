import { z } from 'zod'
import { read } from '../../base/http/reply.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { BestQuoteEvent } from '../../core/engine/model/event.ts'
import type { AnswerOf } from '../../core/engine/model/venue-answer.ts'
import { formatTokens, type RoutedStable, type TokenAmount } from '../../base/money/asset.ts'
import type { Side } from '../../base/money/side.ts'
import { bpsFigure, flag, statedMid, whole } from '../fields.ts'
import type { CallParts } from '../call.ts'
import { endpoint, type EndpointContext, unknownFields } from './endpoint.ts'

/** `probe` is of the stable on the ask, and of the shilling on the bid. `stable` absent = USDC. */
export type SwapRateParams = {
  readonly side: Side
  readonly probe: TokenAmount
  readonly stable?: RoutedStable
}

type SwapRateAnswer = AnswerOf<BestQuoteEvent>

const SYMBOLS = ['TZS_TOKEN', 'NTZS'] as const

/** GET /swap/rate of the partner API: public, no key; it goes to `publicUrl`. */
export const swapRateEndpoint = endpoint('GET /swap/rate', openSwapRate, true)

function openSwapRate({ settings: { shillingSymbol } }: EndpointContext) {
  let symbol = shillingSymbol === 'auto' ? SYMBOLS[0] : shillingSymbol
  let isTaken = shillingSymbol !== 'auto'
  let isNews = true
  /** A venue that refuses the symbol lists the ones that it accepts: the next probe uses the other one. */
  function learnSymbol(status: number, words: string): void {
    const other = SYMBOLS.find((one) => one !== symbol)
    if (!isTaken && status === 400 && other !== undefined && words.includes(other)) symbol = other
  }
  return (params: SwapRateParams): CallParts<SwapRateAnswer> => {
    const { side, probe, stable = 'USDC' } = params
    const [from, to] = side === 'ask' ? [stable, symbol] : [symbol, stable]
    return {
      query: { from, to, amount: formatTokens(probe, side === 'ask' ? stable : 'NTZS') },
      translate(body, facts) {
        isTaken = true
        const answer = read(swapRateBody, (fields) => translate(fields, params))(body, facts)
        if (!isNews || !answer.ok) return answer
        isNews = false
        return ok({ ...answer.value, shilling: symbol })
      },
      answerOfRefusal(status, words) {
        learnSymbol(status, words)
        return noActivePair(status, words, params)
      },
    }
  }
}

const bps = whole(0, 10_000).nullish()

const swapRateBody = z.looseObject({
  midRate: z.unknown().optional(),
  bidBps: bps,
  askBps: bps,
  spreadBps: bps,
  protocolFeeBps: bpsFigure,
  lowLiquidity: flag,
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  amount: z.unknown().optional(),
  fromChain: z.unknown().optional(),
  toChain: z.unknown().optional(),
  tzsBuyRate: z.unknown().optional(),
  tzsSellRate: z.unknown().optional(),
  rate: z.unknown().optional(),
  expectedOutput: z.unknown().optional(),
  minOutput: z.unknown().optional(),
  expiresAt: z.unknown().optional(),
  liquidityUnknown: z.unknown().optional(),
})

/** The spread of the provider that the venue would pick, from `spreadBps` or the field of its side. */
function translate(
  body: z.output<typeof swapRateBody>,
  params: SwapRateParams,
): Result<SwapRateAnswer, string> {
  const { midRate, spreadBps, bidBps, askBps, protocolFeeBps, lowLiquidity } = body
  const rate = statedMid(midRate)
  if (!rate.ok) return rate
  const bestBps = spreadBps ?? (params.side === 'bid' ? bidBps : askBps) ?? null
  const both = typeof bidBps === 'number' && typeof askBps === 'number' ? { bidBps, askBps } : null
  if (rate.value === null && bestBps === null) return err('the body: neither a rate nor a spread')
  return ok({
    type: 'bestQuote',
    ...params,
    mid: rate.value,
    bestBps,
    ...(both === null ? {} : { picked: both }),
    protocolFeeBps: protocolFeeBps ?? null,
    lowLiquidity: lowLiquidity === true,
    ...unknownFields(body, swapRateBody),
  })
}

/** Returns the answer that a 404 means: no provider quotes the pair. */
function noActivePair(status: number, words: string, params: SwapRateParams): SwapRateAnswer | null {
  if (status !== 404 || !/no[ _-]active[ _-]pair/i.test(words)) return null
  return {
    type: 'bestQuote',
    ...params,
    mid: null,
    bestBps: null,
    protocolFeeBps: null,
    lowLiquidity: true,
  }
}
