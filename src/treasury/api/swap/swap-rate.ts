import { z } from 'zod'
import { dollarNumber, partnerEndpoint, param } from '../kit/endpoint.ts'
import { maybe, moment, oneOf, ratio, readFigure, readExpiringQuote, words } from '../kit/read-answer.ts'
import { SHILLING_NAMES, tokenName } from '../kit/shilling-symbol.ts'

const VALID_MS = 30_000
const TOKENS = ['USDC', 'USDT', 'TZS_TOKEN'] as const

/** Returns base units of a token, rounded down: 18 decimals of the shilling token, 6 of a dollar. Null = unreadable. */
function unitsOf(figure: unknown, token: string): bigint | null {
  return readFigure(figure, token === 'TZS_TOKEN' ? 18 : 6, 'down')
}

const rate = z
  .object({
    from: oneOf(TOKENS, SHILLING_NAMES),
    to: oneOf(TOKENS, SHILLING_NAMES),
    amount: z.unknown().optional(),
    fromChain: words,
    toChain: words,
    midRate: maybe(ratio),
    bidBps: maybe(ratio),
    askBps: maybe(ratio),
    /** The spread of the side that this swap pays; the protocol's fee is extra. */
    spreadBps: maybe(ratio),
    protocolFeeBps: maybe(ratio),
    tzsBuyRate: maybe(ratio),
    tzsSellRate: maybe(ratio),
    rate: maybe(ratio),
    expectedOutput: z.unknown().optional(),
    minOutput: z.unknown().optional(),
    expiresAt: moment,
    lowLiquidity: maybe(z.boolean()),
    /** The provider's balance was not readable in time, so its liquidity is unverified. */
    liquidityUnknown: maybe(z.boolean()),
  })
  .transform((body) => ({
    ...body,
    amount: unitsOf(body.amount, body.from),
    expectedOutput: unitsOf(body.expectedOutput, body.to),
    minOutput: unitsOf(body.minOutput, body.to),
  }))

/** GET /swap/rate: public. Outputs in base units of `to`; `expiresAt` is on our clock, at most 30 s away. */
export const swapRate = partnerEndpoint({
  route: 'GET /swap/rate',
  summary: 'Reads the price of a swap after spread and fee. Public; valid about 30 s.',
  isPublic: true,
  params: z.strictObject({
    from: param.choice(TOKENS, 'what is given'),
    to: param.choice(['USDC', 'TZS_TOKEN'], 'what is received'),
    amount: param.dollars('amount of `from`, up to 6 decimals'),
    fromChain: param.choice(['base', 'bnb'], 'default base').optional(),
    toChain: param.choice(['base', 'bnb'], 'default base').optional(),
  }),
  toRequest: ({ from, to, amount, ...rest }, settings) => {
    const tokens = { from: tokenName(from, settings), to: tokenName(to, settings) }
    return { query: { ...tokens, ...rest, amount: dollarNumber(amount) } }
  },
  answer: readExpiringQuote(rate, VALID_MS),
  command: { resource: 'swap', verb: 'rate', example: '--from USDC --to TZS_TOKEN --amount 1000' },
})
