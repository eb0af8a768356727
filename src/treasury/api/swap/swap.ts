import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { dollarNumber, partnerEndpoint, param } from '../kit/endpoint.ts'
import { maybe, oneOf, words } from '../kit/read-answer.ts'
import { tokenName } from '../kit/shilling-symbol.ts'
import { readStream, type StreamLine } from '../kit/stream.ts'

const STATUSES = ['CHECKING', 'SENDING', 'FILLING', 'FILLED', 'FAILED'] as const

const line = z.object({
  status: maybe(oneOf(STATUSES)),
  message: words,
  txHash: words,
  error: words,
})

/** One step of a swap. SENDING is the user's transfer to the solver; from then on money has moved. */
type SwapStep = z.output<typeof line>

/** Returns a stream line as a step; every object is one. */
export function swapStep(given: StreamLine): SwapStep | null {
  const parsed = line.safeParse(given)
  return parsed.success ? parsed.data : null
}

export type SwapResult = {
  readonly status: 'FILLED' | 'FAILED'
  /** The transfer to the user that filled the swap. */
  readonly txHash: string | null
  /** The user's transfer to the solver; null = the stream ended before it was reported. */
  readonly sentTxHash: string | null
  readonly words: string | null
  readonly steps: readonly SwapStep[]
}

/** Reads a stream's result; if it ends before FILLED or FAILED, the swap's outcome is unknown. */
function readSwap(body: unknown): Result<SwapResult, string> {
  const steps = readStream(String(body))
    .map(swapStep)
    .filter((step) => step !== null)
  const end = steps.findLast(({ status }) => status === 'FILLED' || status === 'FAILED')
  const last = steps.at(-1)
  if (end === undefined)
    return err(`the stream ended after ${last?.status ?? 'no line'} (${last?.txHash ?? 'no hash'})`)
  const sent = steps.find(({ status }) => status === 'SENDING' || status === 'FILLING')
  return ok({
    status: end.status === 'FILLED' ? 'FILLED' : 'FAILED',
    txHash: end.txHash,
    sentTxHash: sent?.txHash ?? null,
    words: end.error ?? end.message,
    steps,
  })
}

/**
 * POST /swap. A used key is answered with 409 instead of a replay: after a lost answer only the lines that arrived, the
 * chain's logs and the balances show the outcome.
 */
export const swap = partnerEndpoint({
  route: 'POST /swap',
  summary: "Swaps in a user's wallet; prints each step. Slippage is a floor and never deducted.",
  needs: 'swap',
  isMoney: true,
  isStream: true,
  params: z.strictObject({
    userId: param.text('whose wallet swaps'),
    fromToken: param.choice(['USDC', 'USDT', 'TZS_TOKEN'], 'what is given'),
    toToken: param.choice(['USDC', 'TZS_TOKEN'], 'what is received'),
    amount: param.dollars('of fromToken, up to 6 decimals'),
    fromChain: param.choice(['base', 'bnb', 'eth'], 'default base').optional(),
    toChain: param.choice(['base'], 'default base').optional(),
    minOutput: param
      .dollars('floor of what is received, up to 6 decimals; below it nothing moves')
      .optional(),
    slippageBps: param
      .count('without a floor: how far a fallback provider may be below the best; at most 500')
      .optional(),
  }),
  toRequest: ({ amount, minOutput, ...params }, settings) => {
    const { fromToken: given, toToken: received, ...rest } = params
    const [fromToken, toToken] = [tokenName(given, settings), tokenName(received, settings)]
    const tokens = settings.swapFields === 'from' ? { from: fromToken, to: toToken } : { fromToken, toToken }
    const floor = minOutput === undefined ? undefined : dollarNumber(minOutput)
    return { body: { ...rest, ...tokens, amount: dollarNumber(amount), minOutput: floor } }
  },
  answer: readSwap,
  command: {
    resource: 'swap',
    verb: 'execute',
    example:
      '--user-id 6f1c... --from-token USDC --to-token TZS_TOKEN --amount 1000 --min-output 2560000 --yes',
  },
})
