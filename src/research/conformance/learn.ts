import { stableOf } from '../../base/money/asset.ts'
import type { Ms } from '../../base/time.ts'
import { type Event } from '../../core/engine/model/event.ts'
import type { FeeModel } from '../../core/ledger/fills/fees.ts'
import { createAnswerEvidence } from './answer-evidence.ts'
import { createFillEvidence } from './fill-evidence.ts'
import { createOwnTerms } from './own-terms.ts'
import type { Profile } from './profile.ts'
import { createPublicationEvidence } from './publication-evidence.ts'
import { createLimitEvidence } from './request-limit.ts'
import { createRotationEvidence, type RotationBounds } from './rotation-evidence.ts'
import { createRoutingEvidence } from './routing-evidence.ts'
import { traitOf, type Trait } from './trait.ts'

/** Who pays the fee, according to the balances. */
export type ShownFee = {
  readonly model: FeeModel
  /** The time of this knowledge; later fills have shown nothing yet. */
  readonly at: Ms
  /** Earlier fills that no matching balances have proven. */
  readonly unproven: number
}

const MOST_FILLS = 100_000
/** With fewer proven fills the fee model is only the default. */
const LEAST_PROVEN = 3

/** Learns what a venue does from the journal of one position, event by event. `shownFee` null = no snapshot yet. */
export function createLearner() {
  const fills = createFillEvidence()
  const answers = createAnswerEvidence()
  const limits = createLimitEvidence()
  const publications = createPublicationEvidence()
  const rotation = createRotationEvidence()
  const routing = createRoutingEvidence()
  const own = createOwnTerms()
  const seen = new Map<string, Ms>()
  let [from, to]: [Ms | null, Ms | null] = [null, null]
  let [events, statedFees] = [0, 0]

  return {
    add(event: Event): void {
      events += 1
      from ??= event.t
      to = event.t
      answers.add(event)
      limits.add(event)
      own.add(event)
      if (event.type === 'rate') publications.add(event)
      // Providers may lack one of the stables, so only one pair shows the rotation.
      if (event.type === 'bestQuote' && stableOf(event) === 'USDC') {
        rotation.add(event, own.quoteFor(event))
        routing.addProbe(event, own.quoteFor(event))
      }
      for (const fill of event.type === 'fills' ? event.fills : []) {
        if (seen.has(fill.id) || seen.size >= MOST_FILLS) continue
        seen.set(fill.id, event.t)
        fills.add(fill, own.terms())
        if ((fill.fee ?? 0n) > 0n) statedFees += 1
        routing.addFill(fill, fill.createdAt ?? event.t)
      }
    },
    profile(position: string, shownFee: ShownFee | null): Profile {
      const fee = feeSide([...seen.values()], fills.learned().protocolFeeBps ?? 0, shownFee, statedFees)
      const { dialect, dialects, fields, kinds } = answers.learned()
      const bounds = rotation.bounds()
      const traits: readonly Trait[] = [
        ...fills.traits(),
        traitOf('fee-side', fee.from === null ? null : `from the ${fee.from}`, { observed: fee.proven }),
        ...[rotation, routing, publications].map((one) => one.trait()),
        ...answers.traits(),
        ...(['key', 'public'] as const).map((scope) => limits.trait(scope)),
      ]
      const sandbox = {
        ...fills.learned(),
        feeFrom: fee.from,
        toleranceBps: toleranceOf(bounds),
        venue: dialect === 'observed' ? ('measured' as const) : dialect,
        requestsPerMinute: limits.learned('key'),
        publicRequestsPerMinute: limits.learned('public'),
      }
      const published = [...publications.times()]
      const evidence = { dialects, fields: [...fields], kinds: [...kinds], rotation: bounds, published }
      return { version: 1, position, from, to, events, traits, sandbox, evidence }
    },
  }
}

/** A rival that is always passed over is outside a tolerance that is otherwise unknown. */
function toleranceOf({ atLeast, below }: RotationBounds): number | null {
  return atLeast ?? (below === null ? null : 0)
}

/** Returns who pays the fee, and the number of fills behind it. A fee of zero shows nothing. */
function feeSide(
  fillTimes: readonly Ms[],
  feeBps: number,
  shown: ShownFee | null,
  statedFees: number,
): { readonly from: Profile['sandbox']['feeFrom']; readonly proven: number } {
  // A row with a fee earned from the fill states that the position paid it.
  const stated = { from: statedFees < LEAST_PROVEN ? null : ('position' as const), proven: statedFees }
  if (shown === null || feeBps === 0) return stated
  const proven = fillTimes.filter((t) => t <= shown.at).length - shown.unproven
  if (proven < LEAST_PROVEN) return stated
  return { from: shown.model === 'none' ? 'pool' : 'position', proven }
}
