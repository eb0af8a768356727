import type { Answer } from '../api/request.ts'
import { fateOf, hasField, plainText } from './kit/fields.ts'
import { isRefusal, type PartnerRequest, type PartnerRoute, refusalAnswer, refuse } from './kit/request.ts'
import { settleNow } from './kit/schedule.ts'
import type { Partner } from './model/partner.ts'

type Fields = Readonly<Record<string, unknown>>

/** One route of the partner API as the measured venue answers it: other names, other refusals, another test mode. */
export function measuredPartnerAnswer(
  partner: Partner,
  route: PartnerRoute,
  request: PartnerRequest,
): Answer {
  const name = `${route.method} ${route.path}`
  if (name === 'GET /testmode') return { status: 200, body: modeBody(partner) }
  if (name === 'POST /deposits' && lacksPayer(request.body))
    return refusalAnswer(
      refuse('missing_required_fields', 'payerAccountNumber is required for bank_transfer'),
      false,
    )
  const given = route.answer(partner, request)
  const answer = isRefusal(given) ? refusalAnswer(given, route.isIdentity === true) : given
  if (name === 'POST /swap') return answer.status < 400 ? answer : refusedSwap(answer)
  if (answer.status >= 400) return answer
  if (name === 'POST /withdrawals') return failedPayout(partner, answer) ?? answer
  if (name === 'POST /ramp/offramp') return failedOfframp(partner, answer) ?? answer
  const rename = RENAMED[name]
  return rename === undefined ? answer : { ...answer, body: rename(answer.body as Fields) }
}

/** It is answered for a live key too. */
function modeBody({ isLive, world, pending }: Partner): Fields {
  const mode = isLive ? 'live' : 'test'
  const message = isLive
    ? 'This is a live key: real money moves.'
    : 'This is a test key: no real money moves.'
  const test = isLive ? {} : { settlesAfterMs: world.settings.settleMs, pending: pending.size }
  return { livemode: isLive, mode, message, ...test }
}

function lacksPayer(body: Fields): boolean {
  return plainText(body, 'paymentMethod') === 'bank_transfer' && !hasField(body, 'payerAccountNumber')
}

/** Words before any line of the stream. */
function refusedSwap({ body }: Answer): Answer {
  const { error, message } = body as Fields
  const rawBody = String(message ?? error)
  return { status: 400, body: null, rawBody, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}

/** A payout that fails is answered once it has failed, by the id of what was burned. */
function failedPayout(partner: Partner, { body }: Answer): Answer | null {
  const { id } = body as { readonly id: string }
  const payout = partner.withdrawals.get(id)
  const digits =
    payout?.destination.rail === 'phone' ? payout.destination.phone : payout?.destination.accountNumber
  if (partner.isLive || digits === undefined || fateOf(digits) !== 'fails') return null
  settleNow(partner, id)
  const error = 'The payout failed; the tokens were returned.'
  return { status: 502, body: { id, status: 'burned', payoutStatus: 'reverted', error } }
}

/** An off-ramp whose payout fails after its swap was executed. */
function failedOfframp(partner: Partner, { body }: Answer): Answer | null {
  const { settlementId } = body as { readonly settlementId: string }
  const settlement = partner.payments.settlements.get(settlementId)
  const phone = settlement?.destination.kind === 'phone' ? settlement.destination.phone : null
  if (partner.isLive || phone === null || fateOf(phone) !== 'fails') return null
  settleNow(partner, settlementId)
  return { status: 400, body: { settlementId, error: 'The payout failed after the swap.' } }
}

/** The operator's own name in the fields that carry it. */
const OPERATOR = 'sandbox'

const RENAMED: Readonly<Record<string, (body: Fields) => Fields>> = {
  'POST /deposits': depositStates,
  'GET /deposits/:id': depositStates,
  'POST /withdrawals/quote': ({ totalFeeTzs: _top, fees, ...rest }) => {
    const { operatorFeeTzs, ...others } = fees as Fields
    return { ...rest, fees: { ...others, [`${OPERATOR}FeeTzs`]: operatorFeeTzs } }
  },
  'GET /ramp/balance': ({ tokenBalance, token: _token, ...rest }) => ({
    ...rest,
    token: { symbol: 'NTZS', decimals: 18 },
    ntzsBalance: tokenBalance,
  }),
}

const DEPOSIT_STATES: Readonly<Record<string, string>> = { completed: 'minted', failed: 'rejected' }

function depositStates(body: Fields): Fields {
  return { ...body, status: DEPOSIT_STATES[String(body['status'])] ?? body['status'] }
}
