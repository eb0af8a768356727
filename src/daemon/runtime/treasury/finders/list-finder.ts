import { MINUTE_MS } from '../../../../base/time.ts'
import { momentOf } from '../../../../base/http/body.ts'
import type { RampSettlement } from '../../../../treasury/api/ramp/settlement.ts'
import type { Leg } from '../../../../treasury/model/intent.ts'
import { SHILLING } from '../../../../treasury/policy/units.ts'
import { whyNotOurs } from '../named-resource.ts'
import type { Performing } from '../performer-parts.ts'

type ListFinding = {
  /** The one settlement that is of our amount and destination, that began since, and that no other step has; null = none. */
  readonly named: string | null
  /** Settlements that fit, and of which none can be told to be ours. */
  readonly candidates: readonly { readonly reference: string; readonly received: bigint }[]
  readonly words: string
}

/** The clocks of the venue and ours may differ by this much. */
const SKEW_MS = MINUTE_MS

/** Looks for a silent step of the ramp in GET /ramp/settlements; null = steps of its kind are in no list. */
export async function findInList(parts: Performing, leg: Leg, n: number): Promise<ListFinding | null> {
  if (leg.kind !== 'onramp' && leg.kind !== 'offramp') return null
  const list = await parts.client.listSettlements({})
  if (list.kind !== 'answered') return none(`the list of the ramp could not be read: ${list.words}`)
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
  if (one === undefined) return none('the list of the ramp has no settlement of its amount and destination')
  const { unreadable } = list.value
  // An older one of the same amount, or another step's, may be it where the list does not state what tells them apart.
  const isAnothers = others.some((rival) => isSilent(rival) && whyNotOurs(own, rival, one) === null)
  if (more.length === 0 && unreadable === 0 && begunAt(one) !== null && !isAnothers)
    return {
      named: one.settlementId,
      candidates: [],
      words: `the list of the ramp has it: ${one.settlementId}`,
    }
  const candidates = fitting.flatMap((row) => {
    const received = leg.kind === 'onramp' ? row.usdcAmount : (row.tzsAmount ?? 0n) * SHILLING
    return received === null ? [] : [{ reference: row.settlementId, received }]
  })
  const words = `the list of the ramp has ${fitting.length} that fit, of which none is certain to be it`
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
