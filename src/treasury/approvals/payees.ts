import { DAY_MS, type Ms } from '../../base/time.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { PayeeAge, TreasuryState } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { Payee, TreasuryConfig } from '../model/config.ts'
import type { Intent } from '../model/intent.ts'
import type { TreasuryAsset } from '../model/place.ts'
import type { PlannedIntent } from '../model/plan-types.ts'

/** How long a payee that was added to the configuration receives nothing. */
const NEW_PAYEE_MS = DAY_MS

/** The first payout to a new payee: the venue's minimum, and about the same in dollars. */
const FIRST_PAYOUT: Readonly<Record<TreasuryAsset, bigint>> = {
  NTZS: 5_000n * 10n ** 18n,
  USDC: 2_000_000n,
  USDT: 2_000_000n,
}

/** Returns the required first payout to a payee in base units; null = already paid, so any amount is allowed. */
export function firstPayout({ payees }: TreasuryState, payee: string, asset: TreasuryAsset): bigint | null {
  const age = Object.hasOwn(payees, payee) ? payees[payee] : undefined
  return age !== undefined && age.admittedAt !== null ? null : FIRST_PAYOUT[asset]
}

/** Returns when a payee may first be paid. */
export function mayReceiveAt({ listedAt, admittedAt }: PayeeAge): Ms {
  return admittedAt ?? listedAt + NEW_PAYEE_MS
}

/** Returns the ages of the configured payees. A payee with a changed account counts as new; removed ones are dropped. */
export function listPayees(
  { payees }: TreasuryConfig,
  before: Readonly<Record<string, PayeeAge>>,
  now: number,
): Record<string, PayeeAge> {
  return Object.fromEntries(
    payees.map(({ name, to, isAdmitted }) => {
      const account = JSON.stringify(to)
      const known =
        before[name]?.to === account ? before[name] : { to: account, listedAt: now, admittedAt: null }
      const isAdmittedNow = isAdmitted && known.admittedAt === null && known.isNewAgain !== true
      return [name, isAdmittedNow ? { ...known, admittedAt: now } : known]
    }),
  )
}

/** Returns one sentence about each payee that is new or has a changed account. */
export function newPayees(
  state: TreasuryState,
  before: Readonly<Record<string, PayeeAge>>,
): readonly string[] {
  const { config, payees, author } = state
  return config.payees.flatMap(({ name, to, isAdmitted }) => {
    const known = Object.hasOwn(before, name) ? before[name] : undefined
    if (known !== undefined && known.to === payees[name]?.to) return []
    const what = known === undefined ? 'is new' : 'has another account'
    const rule = isAdmitted
      ? 'it is already admitted, so any amount may be paid to it'
      : 'it receives nothing for 24 h, and only a small first payout then'
    return [`${name} (${accountText(to)}) ${what} in treasury.payees, ${sourceOf(author)}: ${rule}`]
  })
}

function sourceOf(author: string | null): string {
  return author === null ? 'read from the file' : `loaded by ${author}`
}

/** Returns one sentence about each known payee that the configuration now admits. */
export function admittedPayees(
  { config, payees, author }: TreasuryState,
  before: Readonly<Record<string, PayeeAge>>,
): readonly string[] {
  return config.payees.flatMap(({ name, to }) => {
    const [known, age] = [Object.hasOwn(before, name) ? before[name] : undefined, payees[name]]
    if (known === undefined || known.to !== age?.to || known.admittedAt !== null || age.admittedAt === null)
      return []
    return [
      `${name} (${accountText(to)}) is admitted by treasury.payees, ${sourceOf(author)}: any amount may be paid to it from now on`,
    ]
  })
}

/** Reports each payee once when its 24 h are over. Returns when the next payee's end. */
export function watchPayees({ state, now, alert }: TreasuryTransition): Ms {
  let next = Infinity
  for (const { name, to } of state.config.payees) {
    const age = state.payees[name]
    if (age === undefined || age.admittedAt !== null || age.isPayableTold === true) continue
    const at = mayReceiveAt(age)
    if (now < at) {
      next = Math.min(next, at)
      continue
    }
    age.isPayableTold = true
    const first = formatTokens(FIRST_PAYOUT.NTZS, 'NTZS')
    alert(
      'treasury-payee-admitted',
      `${name} (${accountText(to)}) has been listed for 24 h: a first payout of ${first} NTZS may go to it from now on, and any amount once that has arrived`,
    )
  }
  return next
}

/** Makes a payee new again after a person has confirmed its changed registered name. */
export function renewPayee(state: TreasuryState, name: string, age: PayeeAge, knownAs: string): void {
  const { to, registered } = age
  const renewed: PayeeAge = { to, listedAt: state.now, admittedAt: null, knownAs, isNewAgain: true }
  state.payees[name] = registered === undefined ? renewed : { ...renewed, registered }
}

/** Returns the account of a payee for messages. */
export function payeeAccountOf({ payees }: TreasuryConfig, payee: string): string {
  const listed = payees.find(({ name }) => name === payee)
  return listed === undefined ? 'no account' : accountText(listed.to)
}

/** Shows enough to recognise the account; not every reader of a message may see all of it. */
function accountText(to: Payee['to']): string {
  switch (to.kind) {
    case 'bank':
      return `bank ${to.bankCode}, account ending in ${to.accountNumber.slice(-4)}`
    case 'phone':
      return `phone ending in ${to.phoneNumber.slice(-4)}`
    case 'address':
      return `address ending in ${to.address.slice(-4)}`
  }
}

/** Returns why a step may not pay its payee; null = it may, or it has no payee. */
export function payeeObstacle(state: TreasuryState, step: PlannedIntent): string | null {
  const names = [...new Set(step.legs.flatMap(({ payee }) => (payee === null ? [] : [payee])))]
  for (const name of names) {
    const age = Object.hasOwn(state.payees, name) ? state.payees[name] : undefined
    if (age === undefined) return `${name} is not among treasury.payees`
    if (name !== step.destination) return `a leg pays ${name}, but the envelope names ${step.destination}`
    const first = firstPayout(state, name, step.receiveAsset)
    if (first === null) continue
    const waitMs = mayReceiveAt(age) - state.now
    if (waitMs > 0)
      return `${name} is new in treasury.payees: it receives nothing for another ${Math.ceil(waitMs / 3_600_000)} h, until 24 hours after it was added`
    if (step.leastReceived !== first)
      return `${name} has never been paid: the first payout is ${formatTokens(first, step.receiveAsset)} ${step.receiveAsset}; once that has arrived any amount may follow`
  }
  return null
}

/** Admits the payee of an arrived payout. */
export function admitPayee({ state, alert }: TreasuryTransition, { id, envelope }: Intent): void {
  const { destination } = envelope
  const age = Object.hasOwn(state.payees, destination) ? state.payees[destination] : undefined
  if (age === undefined || age.admittedAt !== null) return
  age.admittedAt = state.now
  alert(
    'treasury-payee-admitted',
    `${destination} (${payeeAccountOf(state.config, destination)}) has received its first payout; from now on it may be paid any amount`,
    id,
  )
}
