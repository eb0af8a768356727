import type { Answer } from '../api/request.ts'
import { fateUnder, hasField, plainText } from './kit/fields.ts'
import {
  answerOf,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
  type RequestFields,
} from './kit/request.ts'
import { settleNow } from './kit/schedule.ts'
import type { Partner } from './model/partner.ts'

/** Answers a route of the partner API as the measured venue does: other names, other refusals, another test mode. */
export function measuredPartnerAnswer(
  partner: Partner,
  route: PartnerRoute,
  request: PartnerRequest,
): Answer {
  const name = `${route.method} ${route.path}`
  if (name === 'GET /testmode') return { status: 200, body: modeBody(partner) }
  const answer = answerOf(route, () => {
    if (name === 'POST /deposits' && lacksPayer(request.body))
      refuse('missing_required_fields', 'payerAccountNumber is required for bank_transfer')
    return route.answer(partner, request)
  })
  if (name === 'POST /swap') return answer.status < 400 ? answer : refusedSwap(answer)
  if (answer.status >= 400) return answer
  if (name === 'POST /withdrawals') return failedPayout(partner, answer) ?? answer
  if (name === 'POST /ramp/offramp') return failedOfframp(partner, answer) ?? answer
  const rename = RENAMED[name]
  return rename === undefined ? answer : { ...answer, body: rename(answer.body as RequestFields) }
}

/** A live key gets it too. */
function modeBody({ isLive, world, pending }: Partner): RequestFields {
  const mode = isLive ? 'live' : 'test'
  const message = isLive
    ? 'This is a live key: real money moves.'
    : 'This is a test key: no real money moves.'
  const test = isLive ? {} : { settlesAfterMs: world.settings.settleMs, pending: pending.size }
  return { livemode: isLive, mode, message, ...test }
}

function lacksPayer(body: RequestFields): boolean {
  return plainText(body, 'paymentMethod') === 'bank_transfer' && !hasField(body, 'payerAccountNumber')
}

/** Plain text before any line of the stream. */
function refusedSwap({ body }: Answer): Answer {
  const { error, message } = body as RequestFields
  const rawBody = String(message ?? error)
  return { status: 400, body: null, rawBody, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}

/** A payout that fails is answered after its failure, with the id of the burn. */
function failedPayout(partner: Partner, { body }: Answer): Answer | null {
  const { id } = body as { readonly id: string }
  const payout = partner.withdrawals.get(id)
  const digits =
    payout?.destination.rail === 'phone' ? payout.destination.phone : payout?.destination.accountNumber
  if (digits === undefined || fateUnder(partner, digits) !== 'fails') return null
  settleNow(partner, id)
  const error = 'The payout failed; the tokens were returned.'
  return { status: 502, body: { id, status: 'burned', payoutStatus: 'reverted', error } }
}

/** An off-ramp whose payout fails after the execution of its swap. */
function failedOfframp(partner: Partner, { body }: Answer): Answer | null {
  const { settlementId } = body as { readonly settlementId: string }
  const settlement = partner.payments.settlements.get(settlementId)
  if (settlement?.destination.kind !== 'phone') return null
  if (fateUnder(partner, settlement.destination.phone) !== 'fails') return null
  settleNow(partner, settlementId)
  return { status: 400, body: { settlementId, error: 'The payout failed after the swap.' } }
}

/** The operator's own name in the fields that carry it. */
const OPERATOR = 'sandbox'

const RENAMED: Readonly<Record<string, (body: RequestFields) => RequestFields>> = {
  'POST /deposits': depositStates,
  'GET /deposits/:id': depositStates,
  'POST /withdrawals/quote': ({ totalFeeTzs: _top, fees, ...rest }) => {
    const { operatorFeeTzs, ...others } = fees as RequestFields
    return { ...rest, fees: { ...others, [`${OPERATOR}FeeTzs`]: operatorFeeTzs } }
  },
  'GET /ramp/balance': ({ tokenBalance, token: _token, ...rest }) => ({
    ...rest,
    token: { symbol: 'NTZS', decimals: 18 },
    ntzsBalance: tokenBalance,
  }),
}

const DEPOSIT_STATES: Readonly<Record<string, string>> = { completed: 'minted', failed: 'rejected' }

function depositStates(body: RequestFields): RequestFields {
  return { ...body, status: DEPOSIT_STATES[String(body['status'])] ?? body['status'] }
}
