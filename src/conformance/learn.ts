import type { Ms } from '../base/time.ts'
import type { BestQuoteEvent, Event, QuoteSetEvent } from '../engine/model/event.ts'
import type { FeeModel } from '../ledger/fills/fees.ts'
import type { Rate } from '../money/rate.ts'
import { createAnswerEvidence } from './answer-evidence.ts'
import { createFillEvidence, type StandingTerms } from './fill-evidence.ts'
import { createPublicationEvidence, createRotationEvidence } from './market-evidence.ts'
import type { Profile } from './profile.ts'
import { traitOf } from './trait.ts'

/** Learns what a venue does from the journal of one position, event by event. */
export type Learner = {
  readonly add: (event: Event) => void
  /** `feeModel` = what the balances have shown of who bears the fee; null = nothing yet. */
  readonly profile: (position: string, feeModel: FeeModel | null) => Profile
}

/** A fill is reported after the mid or the quote may have changed once or twice. */
const MOST_MIDS = 6
const MOST_SPREADS = 6
const MOST_FILLS = 100_000

export function createLearner(): Learner {
  const fills = createFillEvidence()
  const answers = createAnswerEvidence()
  const publications = createPublicationEvidence()
  const rotation = createRotationEvidence()
  const terms = createTerms()
  const seen = new Set<string>()
  let from: Ms | null = null
  let to: Ms | null = null
  let events = 0

  return {
    add(event) {
      events += 1
      from ??= event.t
      to = event.t
      answers.add(event)
      terms.add(event)
      if (event.type === 'rate') publications.add(event)
      if (event.type === 'bestQuote') rotation.add(event, ...terms.ours(event))
      if (event.type !== 'fills') return
      for (const fill of event.fills) {
        if (seen.has(fill.id) || seen.size >= MOST_FILLS) continue
        seen.add(fill.id)
        fills.add(fill, terms.now())
      }
    },
    profile(position, feeModel) {
      const feeFrom = feeModel === null ? null : FEE_FROM[feeModel]
      const traits = [
        ...fills.traits(),
        traitOf('fee-side', feeFrom === null ? null : `from the ${feeFrom}`, { observed: seen.size }),
        rotation.trait(),
        publications.trait(),
        ...answers.traits(),
      ]
      const sandbox = {
        ...fills.learned(),
        feeFrom,
        toleranceBps: rotation.learned(),
        ...answers.learned(),
      }
      return { version: 1, position, from, to, events, traits, sandbox }
    },
  }
}

/** What the venue may price from: the mids and our quotes of late. */
type Terms = {
  readonly add: (event: Event) => void
  readonly now: () => StandingTerms
  /** Our confirmed spread on the probe's side, null where it is off, and for how long it has stood. */
  readonly ours: (event: BestQuoteEvent) => readonly [bps: number | null, standsForMs: Ms]
}

function createTerms(): Terms {
  let mids: readonly Rate[] = []
  let spreads: StandingTerms['spreads'] = []
  let standing: QuoteSetEvent | null = null
  return {
    add(event) {
      if ((event.type === 'rate' || event.type === 'bestQuote') && event.mid !== null)
        mids = first(event.mid, mids, MOST_MIDS)
      if (event.type !== 'quoteSet') return
      const { bidBps, askBps } = event.spread
      spreads = [{ bidBps, askBps }, ...spreads].slice(0, MOST_SPREADS)
      standing = event
    },
    now: () => ({ mids, spreads }),
    ours({ side, t }) {
      if (standing === null) return [null, 0]
      const { bidBps, askBps, quoteBid, quoteAsk } = standing.spread
      const ours = side === 'bid' ? (quoteBid ? bidBps : null) : quoteAsk ? askBps : null
      return [ours, t - standing.t]
    },
  }
}

const FEE_FROM = { none: 'pool', 'from-position': 'position' } as const satisfies Readonly<
  Record<FeeModel, string>
>

function first<Value>(value: Value, before: readonly Value[], most: number): readonly Value[] {
  return before[0] === value ? before : [value, ...before.filter((one) => one !== value)].slice(0, most)
}
