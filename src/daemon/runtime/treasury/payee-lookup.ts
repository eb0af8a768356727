import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { PartnerOutcome } from '../../../treasury/api/outcome.ts'
import {
  readRegisteredName,
  type ReadName,
  unknownName,
} from '../../../treasury/approvals/registered-name.ts'
import type { Payee, TreasuryConfig } from '../../../treasury/model/config.ts'
import type { LegPlace } from '../../../treasury/model/effect.ts'
import type { PlannedStep, TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Leg } from '../../../treasury/model/intent.ts'
import type { PlannedIntent } from '../../../treasury/model/plan-types.ts'
import { payoutTerms, type LegCallParts } from './leg-calls.ts'

type LookupParts = Omit<LegCallParts, 'client' | 'seen' | 'treasuryAddress'> & {
  readonly client: Pick<PartnerClient, 'lookupRecipient' | 'quoteWithdrawal'>
}

/** Returns a planned step with its id. A payment to a bank account or a phone waits until its registered name was looked up. */
export function plannedStep({ payees }: TreasuryConfig, id: string, step: PlannedIntent): PlannedStep {
  const isNamed = step.legs.some(({ payee }) => {
    const listed = payees.find(({ name }) => name === payee)
    return listed !== undefined && listed.to.kind !== 'address'
  })
  return isNamed ? { id, step, isNamed } : { id, step }
}

/**
 * Looks up the registered name of the account that a leg pays. The API has a look-up for phones; it shows the name of a bank
 * account with the quote of a payout, which moves no money. After a failure the name is unknown, with the reason.
 */
export async function lookUpPayee(
  { client, config }: LookupParts,
  leg: Leg,
  payee: Payee,
): Promise<ReadName> {
  if (payee.to.kind === 'address') return unknownName('addresses have no registered name')
  if (payee.to.kind === 'phone') {
    const { phoneNumber } = payee.to
    return nameOf(await client.lookupRecipient({ phoneNumber }), ({ name }) => name)
  }
  const terms = payoutTerms(config, leg)
  if (!terms.ok) return unknownName(terms.error)
  return nameOf(await client.quoteWithdrawal(terms.value), ({ recipientName }) => recipientName)
}

function nameOf<Answer>(outcome: PartnerOutcome<Answer>, of: (answer: Answer) => string | null): ReadName {
  if (outcome.kind === 'answered') return readRegisteredName(of(outcome.value))
  if (outcome.kind === 'unknown') return unknownName(`the look-up was not answered: ${outcome.words}`)
  return unknownName(`the look-up was refused: ${outcome.code}: ${outcome.words}`)
}

/** Returns the event with the name of the looked-up account. */
export function namedEvent(
  place: LegPlace,
  { name: payee, to }: Payee,
  { name, note }: ReadName,
  t: number,
): Extract<TreasuryEvent, { readonly type: 'payeeNamed' }> {
  const { intent, leg } = place
  return { type: 'payeeNamed', t, intent, leg, payee, to: JSON.stringify(to), name, note }
}
