import { HOUR_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { fateOf, mobileNumber, plainText, wholeTzs } from '../kit/fields.ts'
import { newCode, newId } from '../kit/ids.ts'
import {
  isRefusal,
  notFound,
  type PartnerAnswer,
  type PartnerRefusal,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
} from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerDeposit, PaymentMethod } from '../model/records.ts'
import { answerAfterEvent } from '../webhooks/emit.ts'
import { instructionsOf } from './instructions.ts'
import { readPayee } from './payee.ts'
import { failDeposit, isOpen, takePayment } from './settle.ts'

/** Source: contract, limits. */
const LEAST_TZS = 500n
const REFERENCE_VALID_MS = 72 * HOUR_MS

const METHODS: readonly PaymentMethod[] = ['mobile_money', 'card', 'bank_transfer', 'lipa_namba']

/** POST /deposits: asks a payer for shillings, which are minted when they come. */
function createDeposit(partner: Partner, request: PartnerRequest): PartnerAnswer {
  const { body, now } = request
  const { world } = partner
  if (body['amountTzs'] === undefined) return refuse('missing_required_fields', 'amountTzs is required')
  const amountTzs = wholeTzs(body['amountTzs'])
  if (amountTzs === null || amountTzs < LEAST_TZS)
    return refuse('invalid_amount', `amountTzs must be a whole number from ${LEAST_TZS}`)
  const method = METHODS.find((name) => name === (body['paymentMethod'] ?? 'mobile_money'))
  if (method === undefined)
    return refuse('missing_required_fields', `paymentMethod must be one of ${METHODS.join(', ')}`)
  const payer = readPayer(method, body)
  if (isRefusal(payer)) return payer
  const payee = readPayee(partner, body, amountTzs)
  if (isRefusal(payee)) return payee
  if (world.settings.outOfOrder.includes('collections'))
    return refuse('initiation_failed', 'the provider rejected the collection')
  const deposit: PartnerDeposit = {
    id: newId(world),
    createdAt: now,
    method,
    amountTzs,
    ...payee,
    phone: payer.phone,
    reference: method === 'bank_transfer' ? newCode(world, 'TZS-', 6) : null,
    status: 'submitted',
    heldTzs: 0n,
    txHash: null,
  }
  partner.deposits.set(deposit.id, deposit)
  begin(partner, deposit)
  return answerAfterEvent(partner, deposit.id, answer(201, showDeposit(deposit)))
}

/** What the payer needs for the method: a phone, or two addresses to come back to. */
function readPayer(
  method: PaymentMethod,
  body: PartnerRequest['body'],
): { readonly phone: string | null } | PartnerRefusal {
  const isOfPhone = method === 'mobile_money' || method === 'lipa_namba'
  if (!isOfPhone) {
    const isCard = method === 'card'
    const isReady = ['redirectUrl', 'cancelUrl'].every((name) =>
      /^https:\/\/\S+$/.test(plainText(body, name)),
    )
    return isCard && !isReady
      ? refuse('missing_required_fields', 'a card needs redirectUrl and cancelUrl, both https')
      : { phone: null }
  }
  if (body['phoneNumber'] === undefined) return refuse('phone_required', `${method} needs phoneNumber`)
  const phone = mobileNumber(body['phoneNumber'])
  return phone === null ? refuse('invalid_phone', 'phoneNumber must be a Tanzanian mobile number') : { phone }
}

/** The simulated payer: pays, refuses or never answers, by the amount; instructions are followed only where the settings have it so. */
function begin(partner: Partner, deposit: PartnerDeposit): void {
  const { world } = partner
  const { method, amountTzs, id } = deposit
  const isInstructed = method === 'bank_transfer' || method === 'lipa_namba'
  const fate = partner.isLive ? 'completes' : fateOf(String(amountTzs))
  if (fate === 'never') deposit.status = 'pending'
  else if (!isInstructed || world.settings.paysInstructions)
    schedule(partner, id, world.settings.settleMs, () => {
      if (!isOpen(deposit)) return
      if (fate === 'fails') failDeposit(partner, deposit)
      else takePayment(partner, deposit, amountTzs)
    })
  if (method !== 'bank_transfer') return
  world.venue.timeline.add(world.venue.now + REFERENCE_VALID_MS, () => {
    if (isOpen(deposit) && partner.deposits.has(id)) failDeposit(partner, deposit)
  })
}

/** GET /deposits/:id. */
function readDeposit({ deposits }: Partner, { params }: PartnerRequest): Answer {
  const deposit = deposits.get(params['id'] ?? '')
  return deposit === undefined ? notFound('deposit') : answer(200, showDeposit(deposit))
}

function showDeposit(deposit: PartnerDeposit): object {
  const { id, status, amountTzs, method, reference, userId } = deposit
  return {
    id,
    status,
    amountTzs: Number(amountTzs),
    ...(userId === null ? {} : { userId }),
    paymentMethod: method,
    ...(isOpen(deposit) ? { instructions: instructionsOf(deposit) } : {}),
    ...(reference === null ? {} : { reference }),
    ...(method === 'card' ? { paymentUrl: `https://pay.sandbox.invalid/${id}` } : {}),
  }
}

export const DEPOSIT_ROUTES: readonly PartnerRoute[] = [
  { method: 'POST', path: '/deposits', capability: 'collections', isIdempotent: true, answer: createDeposit },
  {
    method: 'GET',
    path: '/deposits/:id',
    capability: 'collections',
    isIdempotent: false,
    answer: readDeposit,
  },
]
