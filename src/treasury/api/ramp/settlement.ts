import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { err, ok } from '../../../base/result.ts'
import type { Translate } from '../../../base/http/reply.ts'
import { aliased, dollarsDown, id, maybe, oneOf, shillings, tokensDown, words } from '../kit/read-answer.ts'
import { partnerEndpoint, param } from '../kit/endpoint.ts'

const STATUSES = ['completed', 'paying_out', 'minting', 'failed', 'reverted', 'reconcile_required'] as const

/**
 * The contract shows the first four fields. The amounts and the hash are named as in its quotes and transfers, and
 * `fields` keeps the unparsed body.
 */
const settlement = z.preprocess(
  (body) => (isRecord(body) ? { settlementId: body['id'], ...body, fields: body } : body),
  z.object({
    settlementId: id,
    status: oneOf(STATUSES),
    recipientName: words,
    phoneNumber: words,
    destinationAddress: words,
    returnedAsTokenTo: words,
    usdcAmount: maybe(dollarsDown),
    tzsAmount: maybe(shillings),
    feeTzs: maybe(shillings),
    txHash: words,
    fields: z.custom<Readonly<Record<string, unknown>>>(isRecord),
  }),
)

export type RampSettlement = z.output<typeof settlement>

/** POST /ramp/offramp. 202 `paying_out` is a success in progress, and is never executed again. */
export const offramp = partnerEndpoint({
  route: 'POST /ramp/offramp',
  summary: 'Pays shillings out of the dollar float, as quoted.',
  needs: 'ramp',
  deadline: 'ramp',
  isMoney: true,
  params: z.strictObject({
    quoteId: param.text('of the quote, not older than 60 s'),
    phoneNumber: param.text('absent for a till or a bill').optional(),
  }),
  answer: settlement,
  command: {
    resource: 'ramp',
    verb: 'offramp',
    example: '--quote-id q_... --phone-number 255712345678 --yes',
  },
})

/** POST /ramp/onramp: prompts the payer's phone and sends dollars to `destinationAddress`. */
export const onramp = partnerEndpoint({
  route: 'POST /ramp/onramp',
  summary: 'Collects shillings from a phone and sends dollars to an address.',
  needs: 'ramp',
  deadline: 'ramp',
  isMoney: true,
  params: z.strictObject({
    quoteId: param.text('of the quote, not older than 60 s'),
    phoneNumber: param.text('the payer'),
    destinationAddress: param.text('gets the dollars').optional(),
  }),
  answer: settlement,
  command: {
    resource: 'ramp',
    verb: 'onramp',
    example: '--quote-id q_... --phone-number 255712345678 --destination-address 0x52aa... --yes',
  },
})

export const readSettlement = partnerEndpoint({
  route: 'GET /ramp/:id',
  summary: 'Reads a settlement of the ramp.',
  needs: 'ramp',
  params: z.strictObject({ id: param.id('of the settlement') }),
  answer: settlement,
  command: { resource: 'ramp', verb: 'read', example: '--id 6f1c...' },
})

/** The contract shows an array; a page object is accepted too. Rows that are not settlements are counted. */
const settlementList: Translate<{
  readonly settlements: readonly RampSettlement[]
  readonly unreadable: number
}> = (body) => {
  const rows = isRecord(body) ? (body['settlements'] ?? body['data'] ?? body['items']) : body
  if (!Array.isArray(rows)) return err('the body: not a list of settlements')
  const settlements = rows.flatMap((row: unknown) => {
    const parsed = settlement.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
  return ok({ settlements, unreadable: rows.length - settlements.length })
}

/** GET /ramp/settlements: finds a ramp whose answer was lost. The contract defines no query, so none is sent. */
export const listSettlements = partnerEndpoint({
  route: 'GET /ramp/settlements',
  summary: 'Lists the settlements of the ramp.',
  needs: 'ramp',
  params: z.strictObject({}),
  answer: settlementList,
  command: { resource: 'ramp', verb: 'list', example: '' },
})

/** `usdcBalance` in base units; `tokenBalance` is returned value in the token's 18 decimals, used first by an offramp. */
const float = aliased(
  // Some venues name the balance after the token. Source: venue-measured.md, section 5.
  { tokenBalance: [/^(?!usdc|usdt)[a-z]+Balance$/] },
  z.object({
    settlementAddress: words,
    chain: words,
    token: maybe(z.object({ symbol: words, decimals: maybe(z.number()) })),
    usdcBalance: dollarsDown,
    tokenBalance: tokensDown.nullish().transform((units) => units ?? null),
  }),
).readonly()

export const rampBalance = partnerEndpoint({
  route: 'GET /ramp/balance',
  summary: "Reads the ramp's dollar float and the value that failed payouts returned to it.",
  needs: 'ramp',
  params: z.strictObject({}),
  answer: float,
  command: { resource: 'ramp', verb: 'balance', example: '' },
})
