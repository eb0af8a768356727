import { HOUR_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { answerAfterEvent } from '../kit/emit.ts'
import { fateUnder, hasField, plainText, readPhone, requireTzs } from '../kit/fields.ts'
import { newCode, newId } from '../kit/ids.ts'
import { type PartnerRequest, refuse, type RequestFields } from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerDeposit, PaymentMethod } from '../model/payments.ts'
import { checkKybAllowance, checkSandboxCaps } from '../money/caps.ts'
import { readEndUser, treasurySource, userSource } from '../money/source.ts'
import { failDeposit, isOpen, takePayment } from './settle.ts'

/** Source: contract, limits. */
const LEAST_TZS = 500n
const REFERENCE_VALID_MS = 72 * HOUR_MS

const METHODS: readonly PaymentMethod[] = ['mobile_money', 'card', 'bank_transfer', 'lipa_namba']

/** POST /deposits: asks a payer for shillings, which are minted on arrival. */
export function postDeposit(partner: Partner, { body, now }: PartnerRequest): Answer {
  const { world } = partner
  if (body['amountTzs'] === undefined) refuse('missing_required_fields', 'amountTzs is required')
  const amountTzs = requireTzs(body, 'amountTzs', LEAST_TZS)
  const method =
    METHODS.find((name) => name === (body['paymentMethod'] ?? 'mobile_money')) ??
    refuse('missing_required_fields', `paymentMethod must be one of ${METHODS.join(', ')}`)
  const phone = readPayer(method, body)
  const payee = readPayee(partner, body, amountTzs)
  if (world.settings.outOfOrder.includes('collections'))
    refuse('initiation_failed', 'the provider rejected the collection')
  const deposit: PartnerDeposit = {
    id: newId(world),
    createdAt: now,
    method,
    amountTzs,
    ...payee,
    phone,
    reference: method === 'bank_transfer' ? newCode(world, 'TZS-', 6) : null,
    status: 'submitted',
    heldTzs: 0n,
    txHash: null,
  }
  partner.deposits.set(deposit.id, deposit)
  begin(partner, deposit)
  return answerAfterEvent(partner, deposit.id, answer(201, depositBody(deposit)))
}

/** The payer's phone, for the methods that need one. A card needs two addresses to return to. */
function readPayer(method: PaymentMethod, body: RequestFields): string | null {
  if (method === 'bank_transfer') return null
  if (method === 'card') {
    const isReady = ['redirectUrl', 'cancelUrl'].every((name) =>
      /^https:\/\/\S+$/.test(plainText(body, name)),
    )
    return isReady
      ? null
      : refuse('missing_required_fields', 'a card needs redirectUrl and cancelUrl, both https')
  }
  if (body['phoneNumber'] === undefined) refuse('phone_required', `${method} needs phoneNumber`)
  return readPhone(body, 'phoneNumber')
}

/** The receiving wallet: a user's, or the platform wallet, which has allowances and limits. */
function readPayee(
  partner: Partner,
  body: RequestFields,
  amountTzs: bigint,
): Pick<PartnerDeposit, 'userId' | 'walletAddress' | 'endUser'> {
  const userId = hasField(body, 'userId') ? plainText(body, 'userId') : null
  if (userId !== null) userSource(partner, userId)
  if (userId !== null && body['collectToTreasury'] !== true)
    return { userId, walletAddress: partner.users.get(userId)?.walletAddress ?? '', endUser: null }
  const platform = treasurySource(partner)
  // With a userId the user is the tracking reference, and no end user must be named.
  const endUser = userId === null ? readEndUser(body, platform) : readEndUser(body)
  const collected = [...partner.deposits.values()].filter(
    ({ walletAddress, status }) => walletAddress === partner.platformAddress && status !== 'failed',
  )
  const after = (at: number) =>
    collected.filter(({ createdAt }) => createdAt > at).reduce((sum, deposit) => sum + deposit.amountTzs, 0n)
  checkKybAllowance(partner, amountTzs, after(Number.NEGATIVE_INFINITY))
  checkSandboxCaps(partner, amountTzs, after)
  return { userId, walletAddress: partner.platformAddress, endUser }
}

/** The simulated payer pays, refuses or never answers, by the amount; it follows instructions only if the settings say so. */
function begin(partner: Partner, deposit: PartnerDeposit): void {
  const { world } = partner
  const { method, amountTzs, id } = deposit
  const isInstructed = method === 'bank_transfer' || method === 'lipa_namba'
  const fate = fateUnder(partner, String(amountTzs))
  if (fate === 'never') deposit.status = 'pending'
  else if (!isInstructed || world.settings.paysInstructions)
    schedule(partner, id, () => {
      if (!isOpen(deposit)) return
      if (fate === 'fails') failDeposit(partner, deposit)
      else takePayment(partner, deposit, amountTzs)
    })
  if (method !== 'bank_transfer') return
  world.venue.timeline.add(world.venue.now + REFERENCE_VALID_MS, () => {
    if (isOpen(deposit) && partner.deposits.has(id)) failDeposit(partner, deposit)
  })
}

export function depositBody(deposit: PartnerDeposit): object {
  const { id, status, amountTzs, method, reference, userId } = deposit
  return {
    id,
    status,
    amountTzs,
    ...(userId === null ? {} : { userId }),
    paymentMethod: method,
    ...(isOpen(deposit) ? { instructions: instructionsOf(deposit) } : {}),
    ...(reference === null ? {} : { reference }),
    ...(method === 'card' ? { paymentUrl: `https://pay.sandbox.invalid/${id}` } : {}),
  }
}

const ACCOUNT_NAME = 'Shilling Token Collections'

/** Returns the payer's instructions, by method. Source: contract, deposit. */
function instructionsOf({ method, amountTzs, reference, phone }: PartnerDeposit): string | object {
  switch (method) {
    case 'mobile_money':
      return `Approve the payment of TZS ${amountTzs} on the phone ${phone}.`
    case 'card':
      return 'Pay on the page of paymentUrl.'
    case 'bank_transfer':
      return {
        institution: 'Sandbox Bank',
        accountNumber: '0150000000001',
        accountName: ACCOUNT_NAME,
        reference,
        amountTzs,
        note: 'Pay exactly this amount and put the reference in the description of the transfer.',
      }
    case 'lipa_namba':
      return {
        lipaNamba: '5550001',
        accountName: ACCOUNT_NAME,
        amountTzs,
        payFromPhone: phone,
        note: 'Pay exactly this amount from this phone; its network may add a fee of its own.',
      }
  }
}
