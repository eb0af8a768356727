import type { Envelope, Intent } from '../model/intent.ts'
import type { PlannedIntent } from '../model/plan-types.ts'
import type { TreasuryState } from '../state.ts'

/**
 * The envelope as canonical JSON: what people approve, and what an approval is compared with. Keys in order of their code
 * units, no white space, amounts as strings. Source: RFC 8785; the object is flat, of strings and whole numbers.
 */
export function envelopeText(envelope: Envelope): string {
  const entries = Object.entries(envelope).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
    ),
  )
}

/** The envelope of a step: what may happen at most, and until when its first byte may leave. */
export function envelopeOf(state: TreasuryState, id: string, step: PlannedIntent): Envelope {
  const { approval } = state.config
  const coolOffMs = approval.people === 1 ? approval.coolOffMs : 0
  return {
    intent: id,
    destination: step.destination,
    asset: step.spendAsset,
    mostSpent: step.mostSpent,
    receiveAsset: step.receiveAsset,
    leastReceived: step.leastReceived,
    expiresAt: state.now + approval.withinMs + coolOffMs,
    policyHash: state.policyHash,
  }
}

const OWN_PLACES: readonly string[] = ['pool', 'lpWallet', 'treasury', 'platform', 'float']

/** Whether people have to agree: whatever leaves our own places, and what is more than may move freely between them. */
export function needsPeople({ config }: TreasuryState, step: PlannedIntent): boolean {
  const isOurs = OWN_PLACES.includes(step.destination) && step.legs.every(({ payee }) => payee === null)
  return !isOurs || step.mostSpent > config.approval.freeRefill[step.spendAsset]
}

/** The tokens that agree to the envelope as it is. Neither the daemon nor the author of the policy is one of them. */
export function agreedBy(state: TreasuryState, intent: Intent): readonly string[] {
  const text = envelopeText(intent.envelope)
  const tokens = intent.approvals.filter(({ envelope }) => envelope === text).map(({ by }) => by)
  return [...new Set(tokens)].filter((token) => token !== state.author)
}

/**
 * Whether its money may move, as far as people are concerned. What began to move under an envelope continues under it: a new
 * author of the same policy does not strand it half-way.
 */
export function isAgreed(state: TreasuryState, intent: Intent): boolean {
  if (!intent.needsApproval || intent.agreed === envelopeText(intent.envelope)) return true
  return agreedBy(state, intent).length >= state.config.approval.people
}
