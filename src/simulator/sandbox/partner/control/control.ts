import { z } from 'zod'
import { err, ok, type Result } from '../../../../base/result.ts'
import { parseTokens } from '../../../../base/money/asset.ts'
import { arriveAt } from '../../market/accounts.ts'
import { isOpen, takePayment } from '../deposits/settle.ts'
import { type PartnerCode, SIMULATED_PARTNER_CODES } from '../model/codes.ts'
import { mobileNumber } from '../kit/fields.ts'
import type { NextAnswer, PartnerWorld } from '../model/partner.ts'
import type { PartnerDeposit } from '../model/records.ts'
import { PartnerSettingsSchema } from '../options.ts'
import { setAgent, setMerchant, setSettlement, setSpend } from './set-payment.ts'
import { setDeposit, type SetState, setUser, setWithdrawal } from './set-state.ts'

/** The kinds of `POST /sandbox/partner/<kind>/<id>/<state>`. */
const KINDS: Readonly<Record<string, SetState>> = {
  deposit: setDeposit,
  withdrawal: setWithdrawal,
  user: setUser,
  spend: setSpend,
  settlement: setSettlement,
  agent: setAgent,
  merchant: setMerchant,
}

/** A control call's end: done, or an HTTP status with a sentence. */
export type Controlled = Result<
  void,
  { readonly status: 400 | 404 | 409; readonly sentence: string; readonly code?: PartnerCode }
>

const refused = (status: 400 | 404 | 409, sentence: string): Controlled => err({ status, sentence })

/** Moves one resource to a state, where its order of states has a way there. */
export function setState(
  { partners }: PartnerWorld,
  { kind, id, state }: { readonly kind: string; readonly id: string; readonly state: string },
  body: unknown,
): Controlled {
  const set = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (set === undefined)
    return refused(404, `there is no kind ${kind}; known: ${Object.keys(KINDS).join(', ')}`)
  const wanted = z.strictObject({ refundTzs: z.int().min(0).optional() }).safeParse(body ?? {})
  if (!wanted.success) return refused(400, z.prettifyError(wanted.error))
  const { refundTzs } = wanted.data
  for (const partner of partners.values()) {
    const done = set(partner, id, state, refundTzs === undefined ? null : BigInt(refundTzs))
    if (done !== null) return done.ok ? ok(undefined) : refused(409, done.error)
  }
  return refused(404, `no key has a ${kind} ${id}`)
}

/** Lays settings over the present ones; objects in it merge, lists are replaced. */
export function patchSettings(world: PartnerWorld, patch: unknown): Controlled {
  const fields = z.record(z.string(), z.unknown()).safeParse(patch)
  if (!fields.success) return refused(400, z.prettifyError(fields.error))
  const { fees, webhooks } = world.settings
  const over = (before: object, after: unknown) =>
    typeof after === 'object' && after !== null ? { ...before, ...after } : (after ?? before)
  const merged = PartnerSettingsSchema.safeParse({
    ...world.settings,
    ...fields.data,
    fees: over(fees, fields.data['fees']),
    webhooks: over(webhooks, fields.data['webhooks']),
  })
  if (!merged.success) {
    const sentence = z.prettifyError(merged.error)
    const isEntry = merged.error.issues.some(({ path }) => path[0] === 'allowList')
    return isEntry ? err({ status: 400, sentence, code: 'invalid_entry' }) : refused(400, sentence)
  }
  world.settings = merged.data
  return ok(undefined)
}

const ReceiverSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() })

/** Where the events of every key are posted from now on; null = nowhere. */
export function setReceiver({ partners }: PartnerWorld, body: unknown): Controlled {
  const wanted = ReceiverSchema.safeParse(body)
  if (!wanted.success) return refused(400, z.prettifyError(wanted.error))
  for (const partner of partners.values()) partner.webhookUrl = wanted.data.url
  return ok(undefined)
}

const route = z.string().min(1).default('*')
const count = z.int().min(1).default(1)
const NextSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('refuse'),
    route,
    count,
    code: z.enum(SIMULATED_PARTNER_CODES),
    isTaken: z.boolean().default(false),
    details: z.record(z.string(), z.unknown()).default({}),
  }),
  z.strictObject({ kind: z.literal('late'), route, count, ms: z.int().min(0) }),
  z.strictObject({ kind: z.literal('doubled'), route, count }),
  z.strictObject({ kind: z.literal('status'), route, count, status: z.int().min(400).max(599) }),
])

/** Announces what becomes of the next requests on a route. */
export function announceNext({ nextAnswers }: PartnerWorld, body: unknown): Controlled {
  const wanted = NextSchema.safeParse(body)
  if (!wanted.success) return refused(400, z.prettifyError(wanted.error))
  nextAnswers.push(wanted.data satisfies NextAnswer)
  return ok(undefined)
}

const PaySchema = z.union([
  z.strictObject({ reference: z.string().min(1), amountTzs: z.int().min(1) }),
  z.strictObject({ payFromPhone: z.string().min(1), amountTzs: z.int().min(1) }),
])

/**
 * A payer follows instructions, or tries to. The right reference (or phone) and amount end the deposit; one of
 * both alone puts the money under review; a payment with neither belongs to no deposit and is refused.
 */
export function payIn({ partners }: PartnerWorld, body: unknown): Controlled {
  const wanted = PaySchema.safeParse(body)
  if (!wanted.success) return refused(400, z.prettifyError(wanted.error))
  const amountTzs = BigInt(wanted.data.amountTzs)
  const { data } = wanted
  const isBank = 'reference' in data
  const mark = 'reference' in data ? data.reference : mobileNumber(data.payFromPhone)
  const markOf = ({ reference, phone }: PartnerDeposit) => (isBank ? reference : phone)
  const known = [...partners.values()].flatMap((partner) =>
    [...partner.deposits.values()]
      .filter(({ method }) => method === (isBank ? 'bank_transfer' : 'lipa_namba'))
      .map((deposit) => ({ partner, deposit })),
  )
  const marked = known.filter(({ deposit }) => markOf(deposit) === mark)
  const found =
    marked.find(({ deposit }) => isOpen(deposit) && deposit.amountTzs === amountTzs) ??
    marked.find(({ deposit }) => isOpen(deposit)) ??
    marked[0] ??
    known.find(({ deposit }) => isOpen(deposit) && deposit.amountTzs === amountTzs)
  if (found === undefined) return refused(404, 'no deposit has this reference, this phone or this amount')
  takePayment(found.partner, found.deposit, amountTzs, markOf(found.deposit) === mark)
  return ok(undefined)
}

const FundSchema = z.strictObject({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  asset: z.enum(['NTZS', 'USDC', 'USDT']),
  amount: z.string(),
})

/** Tokens arrive at a wallet of the partner API from outside. */
export function fundWallet({ venue }: PartnerWorld, body: unknown): Controlled {
  const wanted = FundSchema.safeParse(body)
  if (!wanted.success) return refused(400, z.prettifyError(wanted.error))
  const { address, asset, amount } = wanted.data
  if (!venue.accounts.has(address.toLowerCase()))
    return refused(404, `${address} is no wallet of the partner API`)
  const units = parseTokens(amount, asset)
  if (!units.ok || units.value <= 0n) return refused(400, `amount must be a positive decimal of ${asset}`)
  arriveAt(venue, address, asset, units.value)
  venue.external[asset] -= units.value
  return ok(undefined)
}
