import type { Ms } from '../base/time.ts'
import type { Event } from '../engine/model/event.ts'
import { traitOf, type Trait } from './trait.ts'

/** What the form of answers and refusals has shown. */
export type AnswerEvidence = {
  readonly add: (event: Event) => void
  readonly traits: () => readonly Trait[]
  readonly learned: () => {
    readonly dialect: 'contract' | 'observed' | null
    readonly requestsPerMinute: number | null
    readonly publicRequestsPerMinute: number | null
  }
}

const MINUTE_MS = 60_000
/** What the contract names of a row of fills. */
const FILL_FIELDS = new Set([
  'id',
  'fromToken',
  'toToken',
  'amountIn',
  'amountOut',
  'feesEarned',
  'txHash',
  'createdAt',
])
/** Fields that only the other dialect has. */
const OTHER_DIALECT = ['spreadEarned', 'protocolFeeEarned', 'inTxHash', 'outTxHash', 'userAddress']
const MOST_FIELDS = 200
const LONGEST = 60

type Field = { count: number; readonly example: string }
type Lane = { times: Ms[]; most: number; refused: number; leastAtRefusal: number }

export function createAnswerEvidence(): AnswerEvidence {
  const fields = new Map<string, Field>()
  const dialects = { contract: 0, observed: 0 }
  const lanes = { key: openLane(), public: openLane() }

  function note(whole: string, value: unknown): void {
    const name = whole.slice(0, LONGEST)
    const known = fields.get(name)
    if (known !== undefined) known.count += 1
    else if (fields.size < MOST_FIELDS)
      fields.set(name, { count: 1, example: (JSON.stringify(value) ?? '').slice(0, LONGEST) })
  }

  function readFill(raw: string): void {
    const row = objectOf(raw)
    const names = Object.keys(row)
    if (names.length === 0) return
    dialects[OTHER_DIALECT.some((name) => names.includes(name)) ? 'observed' : 'contract'] += 1
    for (const name of names) if (!FILL_FIELDS.has(name)) note(`fills.${name}`, row[name])
  }

  return {
    add(event) {
      countRequest(lanes, event)
      if (event.type === 'fills') for (const { raw } of event.fills) readFill(raw)
      if (event.type === 'balances') dialects[event.source === null ? 'contract' : 'observed'] += 1
      if ('unknownFields' in event && event.unknownFields !== undefined)
        for (const [name, value] of Object.entries(objectOf(event.unknownFields)))
          note(`${event.type}.${name}`, value)
    },
    learned: () => ({
      dialect: dialectOf(dialects),
      requestsPerMinute: limitOf(lanes.key),
      publicRequestsPerMinute: limitOf(lanes.public),
    }),
    traits: () => [
      traitOf('dialect', dialectOf(dialects), {
        observed: dialects.contract + dialects.observed,
        exceptions: Math.min(dialects.contract, dialects.observed),
      }),
      fieldTrait(fields),
      limitTrait('request-limit', lanes.key),
      limitTrait('public-request-limit', lanes.public),
    ],
  }
}

function dialectOf({ contract, observed }: Record<'contract' | 'observed', number>) {
  if (contract + observed === 0) return null
  return observed > contract ? 'observed' : 'contract'
}

function fieldTrait(fields: ReadonlyMap<string, Field>): Trait {
  const names = [...fields.keys()].toSorted()
  const examples = names.map((name) => `${name} = ${fields.get(name)?.example} (${fields.get(name)?.count})`)
  const observed = [...fields.values()].reduce((sum, { count }) => sum + count, 0)
  return traitOf('undocumented-fields', names.length === 0 ? null : names.join(', '), { observed, examples })
}

function openLane(): Lane {
  return { times: [], most: 0, refused: 0, leastAtRefusal: Infinity }
}

/** Counts the answers of a sliding minute; a refusal for too many shows where the limit is. */
function countRequest(lanes: Readonly<Record<'key' | 'public', Lane>>, event: Event): void {
  if (!('request' in event)) return
  const isPublic =
    event.type === 'bestQuote' ||
    (event.type === 'requestFailed' && event.failure.route.includes('/swap/rate'))
  const lane = isPublic ? lanes.public : lanes.key
  lane.times = lane.times.filter((t) => t > event.t - MINUTE_MS)
  if (event.type === 'requestFailed' && event.failure.kind === 'rate-limit') {
    lane.refused += 1
    lane.leastAtRefusal = Math.min(lane.leastAtRefusal, lane.times.length)
    return
  }
  lane.times.push(event.t)
  lane.most = Math.max(lane.most, lane.times.length)
}

function limitOf({ refused, most }: Lane): number | null {
  return refused === 0 || most === 0 ? null : most
}

function limitTrait(topic: 'request-limit' | 'public-request-limit', lane: Lane): Trait {
  const { refused, most, leastAtRefusal } = lane
  if (refused === 0) {
    const value = most === 0 ? null : `none met: ${most} requests in one minute were all answered`
    return traitOf(topic, value, { observed: most })
  }
  const value = `${most} requests a minute were answered; ${refused} refused, the first after ${leastAtRefusal}`
  return traitOf(topic, value, { observed: refused })
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : {}
  } catch {
    // A long list of fields is cut by whoever wrote it.
    return {}
  }
}
