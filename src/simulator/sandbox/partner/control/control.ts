import { z } from 'zod'
import { err, ok, type Result } from '../../../../base/result.ts'
import { parseTokens } from '../../../../base/money/asset.ts'
import { arriveAt } from '../../market/book.ts'
import { isOpen, takePayment } from '../deposits/settle.ts'
import { type PartnerCode, SIMULATED_PARTNER_CODES } from '../model/codes.ts'
import { mobileNumber } from '../kit/fields.ts'
import type { PartnerWorld } from '../model/partner.ts'
import type { PartnerDeposit } from '../model/payments.ts'
import { PartnerSettingsSchema } from '../options.ts'
import { KINDS } from './set-state.ts'

/** The end of a control call: done, or an HTTP status with a sentence. */
export type Controlled = Result<
  void,
  { readonly status: 400 | 404 | 409; readonly sentence: string; readonly code?: PartnerCode }
>

type ControlCall = (world: PartnerWorld, body: unknown) => Controlled

const DONE: Controlled = ok(undefined)
const refused = (status: 400 | 404 | 409, sentence: string): Controlled => err({ status, sentence })

/** A call of the control API, whose body the schema reads. */
function control<S extends z.ZodType>(
  schema: S,
  run: (world: PartnerWorld, input: z.output<S>) => Controlled,
): ControlCall {
  return (world, body) => {
    const input = schema.safeParse(body)
    return input.success ? run(world, input.data) : refused(400, z.prettifyError(input.error))
  }
}

/** Moves one resource to a state, where its order of states allows that. */
export function setState(
  world: PartnerWorld,
  { kind, id, state }: { readonly kind: string; readonly id: string; readonly state: string },
  body: unknown,
): Controlled {
  const set = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (set === undefined)
    return refused(404, `there is no kind ${kind}; known: ${Object.keys(KINDS).join(', ')}`)
  const call = control(z.strictObject({ refundTzs: z.int().min(0).optional() }), (_world, { refundTzs }) => {
    for (const partner of world.partners.values()) {
      const done = set(partner, id, state, refundTzs === undefined ? null : BigInt(refundTzs))
      if (done !== null) return done.ok ? DONE : refused(409, done.error)
    }
    return refused(404, `no key has a ${kind} ${id}`)
  })
  return call(world, body ?? {})
}

/** Merges settings into the present ones; lists are replaced. */
export const patchSettings = control(z.record(z.string(), z.unknown()), (world, patch) => {
  const { fees, webhooks } = world.settings
  const over = (before: object, after: unknown) =>
    typeof after === 'object' && after !== null ? { ...before, ...after } : (after ?? before)
  const merged = PartnerSettingsSchema.safeParse({
    ...world.settings,
    ...patch,
    fees: over(fees, patch['fees']),
    webhooks: over(webhooks, patch['webhooks']),
  })
  if (!merged.success) {
    const sentence = z.prettifyError(merged.error)
    const isEntry = merged.error.issues.some(({ path }) => path[0] === 'allowList')
    return isEntry ? err({ status: 400, sentence, code: 'invalid_entry' }) : refused(400, sentence)
  }
  world.settings = merged.data
  return DONE
})

/** Sets where the events of every key are posted; null = nowhere. */
export const setReceiver = control(
  z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() }),
  ({ partners }, { url }) => {
    for (const partner of partners.values()) partner.webhookUrl = url
    return DONE
  },
)

const announced = { route: z.string().min(1).default('*'), count: z.int().min(1).default(1) }
const NextSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('refuse'),
    ...announced,
    code: z.enum(SIMULATED_PARTNER_CODES),
    isTaken: z.boolean().default(false),
    details: z.record(z.string(), z.unknown()).default({}),
  }),
  z.strictObject({ kind: z.literal('late'), ...announced, ms: z.int().min(0) }),
  z.strictObject({ kind: z.literal('doubled'), ...announced }),
  z.strictObject({ kind: z.literal('status'), ...announced, status: z.int().min(400).max(599) }),
])

/** Announces the fate of the next requests on a route. */
export const announceNext = control(NextSchema, ({ nextAnswers }, next) => {
  nextAnswers.push(next)
  return DONE
})

const PaySchema = z.union([
  z.strictObject({ reference: z.string().min(1), amountTzs: z.int().min(1) }),
  z.strictObject({ payFromPhone: z.string().min(1), amountTzs: z.int().min(1) }),
])

/**
 * A payer follows the instructions of a deposit, or tries to. The right reference (or phone) and amount complete it; only one
 * of both puts the money under review; a payment with neither belongs to no deposit and is refused.
 */
export const payIn = control(PaySchema, ({ partners }, payment) => {
  const amountTzs = BigInt(payment.amountTzs)
  const isBank = 'reference' in payment
  const mark = isBank ? payment.reference : mobileNumber(payment.payFromPhone)
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
  return DONE
})

const FundSchema = z.strictObject({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  asset: z.enum(['NTZS', 'USDC', 'USDT']),
  amount: z.string(),
})

/** Tokens arrive at a wallet of the partner API from outside. */
export const fundWallet = control(FundSchema, ({ venue }, { address, asset, amount }) => {
  if (!venue.accounts.has(address.toLowerCase()))
    return refused(404, `${address} is not a wallet of the partner API`)
  const units = parseTokens(amount, asset)
  if (!units.ok || units.value <= 0n) return refused(400, `amount must be a positive decimal of ${asset}`)
  arriveAt(venue, address, asset, units.value)
  venue.external[asset] -= units.value
  return DONE
})
