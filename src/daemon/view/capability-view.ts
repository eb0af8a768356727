import { z } from 'zod'
import { CAPABILITIES, type CapabilityName, type Learned } from '../../core/engine/model/capabilities.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { executionOf } from './execution-view.ts'
import { ms, type Shown } from './fields.ts'

const CAPABILITY_TITLES: Readonly<Record<CapabilityName, string>> = {
  'activate-method': 'method of /activate',
  'shilling-symbol': 'symbol of the shilling',
  'fill-tokens': 'tokens in fills',
  'book-decimals': "decimals of the venue's book",
  'side-flags': 'side flags',
  pairs: 'pairs of the quote',
  'quote-read-back': 'read-back of the quote',
  'execution-mid': 'source of the execution mid',
  rfq: 'RFQ routes',
  custody: 'self-custody',
}

export const capabilityFields = z.object({
  name: z.enum(CAPABILITIES),
  value: z.string().nullable().describe('Null = no answer has shown it yet.'),
  at: ms.nullable().describe('Since when it is known; null = unknown, or known only from the current state.'),
  evidence: z.string().nullable(),
})
export type CapabilityView = Shown<z.infer<typeof capabilityFields>>

type Known = Omit<Learned, 'at'> & { readonly at: number | null }

/** Returns the venue's capabilities, each with the answer that showed it. */
export function capabilitiesOf(state: EngineState): readonly CapabilityView[] {
  return CAPABILITIES.map((name) => {
    const known: Known | null = state.capabilities[name] ?? derived(state, name)
    return known === null ? { name, value: null, at: null, evidence: null } : { name, ...known }
  })
}

/** Returns capabilities that other parts of the state store, because decisions depend on them. */
function derived(state: EngineState, name: CapabilityName): Known | null {
  const { reconciliation, quoting } = state
  if (name === 'book-decimals' && reconciliation.isFine)
    return { value: '18', at: null, evidence: 'a figure was finer than its token' }
  if (name === 'side-flags' && quoting.confirmed !== null) {
    const { flags } = quoting
    const value =
      flags === undefined || flags === 'missed' ? 'stated' : flags === 'ignored' ? 'ignored' : 'not stated'
    const evidence = quoting.isFlagsRefuted === true ? FILLED_EVIDENCE : FLAG_EVIDENCE[value]
    return { value, at: null, evidence }
  }
  const { isStated, keptAgeMs = null } = executionOf(state)
  if (name === 'execution-mid' && state.received.rate)
    return isStated
      ? { value: 'public rate', at: null, evidence: keptAgeMs === null ? NAMES_MIDS : KEPT_MID }
      : { value: 'not stated', at: null, evidence: 'GET /swap/rate names no mid; GET /rate is used' }
  return null
}

const NAMES_MIDS = 'GET /swap/rate names the mid of each pair'
const KEPT_MID = 'GET /swap/rate fails; the mid that it named last is used for at most 3 minutes'
const FILLED_EVIDENCE = 'a side was filled that the venue had confirmed as off'
const FLAG_EVIDENCE = {
  stated: 'an answer to PATCH /spread names quoteBid and quoteAsk',
  'not stated': 'the first answer to PATCH /spread names no flags',
  ignored: 'two answers to PATCH /spread in a row name no flags',
} as const

/** `side flags: ignored (two answers ...)`, or without evidence `side flags: not known`. */
export function capabilityText({ name, value, evidence }: CapabilityView): string {
  const known = value === null ? 'not known' : `${value} (${evidence})`
  return `${CAPABILITY_TITLES[name]}: ${known}`
}
