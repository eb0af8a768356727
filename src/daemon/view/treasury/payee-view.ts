import { z } from 'zod'
import { mayReceiveAt } from '../../../treasury/approvals/payees.ts'
import { readRegisteredName } from '../../../treasury/approvals/registered-name.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import type { Intent } from '../../../treasury/model/intent.ts'
import { ms, type Shown } from '../fields.ts'

/** The name that the venue has registered for an account. External text: it may contain anything. */
export const registeredSchema = z.object({
  /** Null = unknown; `note` gives the reason, or what is unusual about the name. */
  name: z.string().nullable(),
  note: z.string().nullable(),
  /** When the name was looked up; null = the lookup is in progress. */
  at: ms.nullable(),
  /** The earlier name, if the new one must be confirmed before anything is paid; null = unchanged. */
  changedFrom: z.string().nullable(),
})
export type RegisteredView = Shown<z.infer<typeof registeredSchema>>

export const payeeSchema = z.object({
  name: z.string(),
  kind: z.enum(['bank', 'phone', 'address']),
  /** The account, phone or address. */
  account: z.string(),
  /** The registered name; null = not looked up yet. */
  registered: registeredSchema.nullable(),
  listedAt: ms,
  /** Since when any amount may be paid; null = only the first small payout. */
  admittedAt: ms.nullable(),
  /** Nothing is paid before this time. */
  payableFrom: ms,
})
export type PayeeView = Shown<z.infer<typeof payeeSchema>>

export function payeeViews(state: TreasuryState): PayeeView[] {
  return state.config.payees.flatMap(({ name, to }) => {
    const age = state.payees[name]
    if (age === undefined) return []
    const { listedAt, admittedAt } = age
    const account = accountOf(to)
    const registered = registeredOf(state, name)
    return [
      { name, kind: to.kind, account, registered, listedAt, admittedAt, payableFrom: mayReceiveAt(age) },
    ]
  })
}

/** Returns the payee of an intent as looked up for it, and whether the name has changed since. */
export function registeredFor(state: TreasuryState, { naming, legs }: Intent): RegisteredView | null {
  const payee = legs.find((leg) => leg.payee !== null)?.payee ?? null
  const known = payee === null ? null : registeredOf(state, payee)
  const hasChanged = known !== null && known.changedFrom !== null
  if (hasChanged || (naming === undefined && known !== null)) return known
  if (naming === undefined) return quotedName(legs)
  const { name = null, note = null, at = null } = naming.answer ?? {}
  return { name, note, at, changedFrom: null }
}

/** Returns the name that came with the price, for an intent without a look-up. */
function quotedName(legs: Intent['legs']): RegisteredView | null {
  const names = legs.flatMap(({ quote }) => quote?.recipientName ?? [])
  const last = names.at(-1)
  return last === undefined ? null : { ...readRegisteredName(last), at: null, changedFrom: null }
}

function registeredOf({ payees }: TreasuryState, payee: string): RegisteredView | null {
  const age = Object.hasOwn(payees, payee) ? payees[payee] : undefined
  if (age?.registered === undefined) return null
  const { registered, renamedTo, knownAs = null } = age
  const { name, note, at } = registered
  if (renamedTo === undefined) return { name, note, at, changedFrom: null }
  return { name: renamedTo, note: name === null ? null : note, at, changedFrom: knownAs }
}

type To = TreasuryState['config']['payees'][number]['to']

function accountOf(to: To): string {
  if (to.kind === 'bank') return `${to.bankCode} ${to.accountNumber}`
  return to.kind === 'phone' ? to.phoneNumber : to.address
}
