import { MINUTE_MS } from '../../../../base/time.ts'
import { momentOf } from '../../../../base/http/body.ts'
import type { RampSettlement } from '../../../../treasury/api/ramp/settlement.ts'
import type { Leg } from '../../../../treasury/model/intent.ts'
import { SHILLING } from '../../../../treasury/policy/units.ts'
import { whyNotOurs } from '../named-resource.ts'
import type { Performing } from '../performer-parts.ts'

type ListFinding = {
  /** The only settlement with our amount and destination that began after the sending and belongs to no other step; null = none. */
  readonly named: string | null
  /** Settlements that match, none of which is certainly ours. */
  readonly candidates: readonly { readonly reference: string; readonly received: bigint }[]
  readonly words: string
}

/** The clocks of the venue and ours may differ by this much. */
const SKEW_MS = MINUTE_MS

/** Searches GET /ramp/settlements for an unanswered step of the ramp; null = the step is of another kind. */
export async function findInList(parts: Performing, leg: Leg, n: number): Promise<ListFinding | null> {
  if (leg.kind !== 'onramp' && leg.kind !== 'offramp') return null
  const list = await parts.client.listSettlements({})
  if (list.kind !== 'answered') return none(`the ramp’s settlements could not be read: ${list.words}`)
  const own = { ...parts.config(), treasuryAddress: parts.treasuryAddress() }
  const others = Object.values(parts.state()?.intents ?? {})
    .flatMap(({ legs }) => legs)
    .filter((one) => one !== leg)
  const since = (leg.attempts.find((one) => one.n === n)?.firstSentAt ?? Infinity) - SKEW_MS
  const fitting = list.value.settlements.filter(
    (row) =>
      whyNotOurs(own, leg, row) === null &&
      (begunAt(row) ?? since) >= since &&
      others.every(({ resourceId, named }) => resourceId !== row.settlementId && named !== row.settlementId),
  )
  const [one, ...more] = fitting
  if (one === undefined) return none('the ramp has no settlement of its amount and destination')
  const { unreadable } = list.value
  // An older settlement of the same amount, or another step's, may match if the list lacks the distinguishing fields.
  const isAnothers = others.some((rival) => isSilent(rival) && whyNotOurs(own, rival, one) === null)
  if (more.length === 0 && unreadable === 0 && begunAt(one) !== null && !isAnothers)
    return {
      named: one.settlementId,
      candidates: [],
      words: `the ramp lists it as ${one.settlementId}`,
    }
  const candidates = fitting.flatMap((row) => {
    const received = leg.kind === 'onramp' ? row.usdcAmount : (row.tzsAmount ?? 0n) * SHILLING
    return received === null ? [] : [{ reference: row.settlementId, received }]
  })
  const words = `the ramp has ${fitting.length} matching settlements, none of which is certainly this one`
  return { named: null, candidates, words }
}

function begunAt({ fields }: RampSettlement): number | null {
  return momentOf(fields['createdAt'])
}

function isSilent({ stage, kind, resourceId }: Leg): boolean {
  return (
    (kind === 'onramp' || kind === 'offramp') &&
    (stage === 'silent' || stage === 'claim') &&
    resourceId === null
  )
}

function none(words: string): ListFinding {
  return { named: null, candidates: [], words }
}
