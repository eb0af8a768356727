import { err, ok, type Result } from '../../base/result.ts'
import { parseRate } from '../../money/rate.ts'
import type { PublicRateAnswer } from '../answer.ts'
import { swapRateBody, type SwapRateParams } from '../route/swap-rate.ts'
import { problemOf } from './problem.ts'
import { unknownFields } from './unknown-fields.ts'

/** GET /swap/rate: the spread of the provider that would be picked, `spreadBps` or the field of its side. */
export function translateSwapRate(body: unknown, params: SwapRateParams): Result<PublicRateAnswer, string> {
  const parsed = swapRateBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { midRate, spreadBps, bidBps, askBps, protocolFeeBps, lowLiquidity } = parsed.data
  const rate = typeof midRate === 'number' ? parseRate(midRate) : null
  const bestBps = spreadBps ?? (params.side === 'bid' ? bidBps : askBps) ?? null
  if (rate?.ok !== true && bestBps === null) return err('the body: neither a rate nor a spread')
  return ok({
    type: 'publicRate',
    ...params,
    mid: rate?.ok === true ? rate.value : null,
    bestBps,
    protocolFeeBps: protocolFeeBps ?? null,
    lowLiquidity: lowLiquidity === true,
    ...unknownFields(parsed.data, swapRateBody),
  })
}

/** The partner API answers 404 when no provider quotes the pair: nobody competes, which is an answer. */
export function noActivePair(status: number, words: string, params: SwapRateParams): PublicRateAnswer | null {
  if (status !== 404 || !/no[ _-]active[ _-]pair/i.test(words)) return null
  return { type: 'publicRate', ...params, mid: null, bestBps: null, protocolFeeBps: null, lowLiquidity: true }
}
