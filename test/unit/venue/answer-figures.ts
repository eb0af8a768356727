import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { VenueFailure } from '../../../src/core/engine/model/venue-answer.ts'
import type { Result } from '../../../src/base/result.ts'
import type { VenueCall } from '../../../src/venue/call.ts'
import { callsWith, type LpAnswer } from './read-answer.ts'

const FOLDER = new URL('../../golden/venue/', import.meta.url)

/** An answer of the measured venue, with the call that it answers. */
export type RecordedAnswer = {
  readonly name: string
  readonly status: number
  readonly body: unknown
  readonly call: () => VenueCall<LpAnswer>
}

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SPREAD = { bidBps: 70, askBps: 50, quoteBid: true, quoteAsk: true, quotePairs: null }

/** A call of its own each time: what one answer teaches, as the address of the shilling, must not help the next one. */
const CALLS: Readonly<Record<string, () => VenueCall<LpAnswer>>> = {
  'GET /account': () => callsWith().account(),
  'GET /balances': () => callsWith().balances(),
  'GET /rate': () => callsWith().rate(),
  'GET /quote': () => callsWith().quote({ from: 'USDC', to: 'NTZS', amount: 100_000_000n }),
  'GET /fills': () => callsWith({ tokens: {} }).fills(),
  'PATCH /spread': () => callsWith().spread(SPREAD),
  'PATCH /activate': () => callsWith().activate(false),
  'POST /withdraw': () => callsWith().withdraw({ asset: 'USDC', amount: 5n, toAddress: WALLET }),
  'GET /swap/rate': () => callsWith().swapRate({ side: 'ask', probe: 100_000_000n }),
}

/** The recorded answers that are no refusal; a row of fills stands in its list. */
export function recordedAnswers(): readonly RecordedAnswer[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
  return files.flatMap((file) => {
    const { request, status, body } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as {
      readonly request: string
      readonly status: number
      readonly body: unknown
    }
    const call = CALLS[request]
    if (call === undefined || status >= 300) return []
    const whole = request === 'GET /fills' ? { fills: [body] } : body
    return [{ name: file.replace('.json', ''), status, body: whole, call }]
  })
}

/** Words and what is derived for people: no figure, and not compared. */
const NO_FIGURE = new Set([
  'unknownFields',
  'raw',
  'problem',
  'unreadable',
  'reason',
  'isWrapped',
  'earnedText',
])
/** Derived from stated figures, and absent without them. */
const DERIVED = new Set(['formula', 'isExplained', 'namesPairs', 'chainNamed'])
/** These are false where they are not stated. */
const FALSE_UNLESS_STATED = new Set(['lowLiquidity', 'partial'])

/** Each figure of an answer by its place; what is not stated is left out. */
export function figuresOf(answer: unknown, place = '', found = new Map<string, unknown>()) {
  for (const [name, value] of Object.entries(answer as object)) {
    const at = place === '' ? name : `${place}.${name}`
    if (NO_FIGURE.has(name) || DERIVED.has(name) || value === null || value === undefined) continue
    if (FALSE_UNLESS_STATED.has(name) && value === false) continue
    if (typeof value === 'object') figuresOf(value, at, found)
    else found.set(at, value)
  }
  return found
}

/**
 * A changed answer is a failure that names its route, or has no figure that the good one does not have. Rows of fills that
 * cannot be read are set aside; lists of tokens may be shorter.
 */
export function expectNoFalseFigure(
  good: LpAnswer,
  goodText: string,
  changed: Result<LpAnswer, VenueFailure>,
  route: string,
  isPlaceKept = (place: string) => !/^(?:returned|failed)\./.test(place),
): void {
  if (!changed.ok) {
    expect(changed.error.route).toBe(route)
    expect(changed.error.message).toContain(route)
    return
  }
  const known = figuresOf(good)
  const values = new Set(known.values())
  const ownHashes: readonly string[] = goodText.match(/0x\w+/g) ?? []
  for (const [place, value] of figuresOf(changed.value)) {
    // A row has several hashes, of which the first that can be read is shown.
    if (place.endsWith('.txHash') && ownHashes.includes(String(value))) continue
    // Names, not figures: the venue's own words, whatever they say.
    if (/\.taker\.(?:source|partner)$/.test(place) && typeof value === 'string') continue
    if (/^rows\.\d+\.quarantined/.test(place) || /^rows\.\d+\.id$/.test(place)) continue
    if (isPlaceKept(place)) expect([place, value]).toEqual([place, known.get(place)])
    else expect(values.has(value) || typeof value === 'string').toBe(true)
  }
}
