import { expect, test } from 'vitest'
import { bestQuoteAnswer, fillsAnswer } from '../../../../support/answers.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { capabilitiesOf, capabilityText } from '../../../../../src/daemon/view/capability-view.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { bringDollars } from '../../../../support/taker.ts'

const FLAGLESS = { bidBps: 50, askBps: 50, quoteBid: null, quoteAsk: null, quotePairs: null }

/** What is known of each capability, as `name=value`. */
const known = ({ state }: Harness) =>
  capabilitiesOf(state()).flatMap(({ name, value }) => (value === null ? [] : [`${name}=${value}`]))

/** Gives an answer that nothing asked for, which counts all the same. */
function answer(harness: Harness, event: object): void {
  harness.give({ request: 9_999, t: harness.now, ...event } as Event)
}

test('every capability is unknown before an answer has shown it', () => {
  const harness = coreHarness()
  harness.give({ ...harness.journal[0], t: harness.now } as Event)
  expect(known(harness)).toEqual([])
})

test('each answer shows its capability, and a later answer that contradicts it takes its place', () => {
  const harness = runCore(60_000)
  answer(harness, { type: 'activation', isActive: true, partial: false, returned: [], method: 'PATCH' })
  answer(
    harness,
    bestQuoteAnswer({ side: 'bid', probe: 1n, mid: 2_500n * RATE_ONE, bestBps: 60, shilling: 'NTZS' }),
  )
  expect(known(harness)).toEqual([
    'activate-method=PATCH',
    'shilling-symbol=NTZS',
    'side-flags=stated',
    'pairs=not stated',
    'quote-read-back=present',
    'execution-mid=public rate',
  ])
  answer(harness, { type: 'activation', isActive: true, partial: false, returned: [], method: 'POST' })
  answer(harness, { type: 'quoteSet', spread: FLAGLESS, namesPairs: true })
  answer(harness, { type: 'quoteSet', spread: FLAGLESS, namesPairs: true })
  expect(known(harness)).toEqual(
    expect.arrayContaining(['activate-method=POST', 'side-flags=ignored', 'pairs=stated']),
  )
})

test('a route that is answered with 404 is absent, and one that times out stays unknown', () => {
  const harness = runCore(60_000, { venue: { answers: { readQuote: () => failureOf('timeout') } } })
  expect(known(harness)).not.toContainEqual(expect.stringMatching(/^quote-read-back/))
  const failure = failureOf('refused', { route: 'GET /quote', status: 404 })
  harness.venue.answers.readQuote = () => failure
  harness.run(120_000)
  const found = capabilitiesOf(harness.state()).find(({ name }) => name === 'quote-read-back')
  expect(found).toMatchObject({ value: 'absent' })
  expect(found && capabilityText(found)).toBe(
    'read-back of the quote: absent (GET /quote was answered with 404)',
  )
})

test('the latest fill shows how the venue names tokens; a fill without a stated form shows nothing', () => {
  const harness = runCore(60_000)
  const forms = [undefined, 'symbol', 'address'] as const
  const learned = forms.map((tokenForm, index) => {
    const fill = { ...bringDollars(harness.venue, 1_000_000n), id: `f${index}` }
    answer(harness, fillsAnswer({ sentAt: harness.now, fills: [fill], ...(tokenForm && { tokenForm }) }))
    return harness.state().capabilities?.['fill-tokens']
  })
  expect(learned).toMatchObject([
    undefined,
    { value: 'symbol' },
    { value: 'address', evidence: 'the fill f2' },
  ])
})

test('an activation that is refused because of self-custody shows that the venue has it', () => {
  const harness = runCore(60_000)
  const failure = failureOf('refused', { code: 'SELF_CUSTODY_ENABLED', route: 'POST /activate', status: 409 })
  answer(harness, { type: 'requestFailed', failure })
  expect(known(harness)).toContain('custody=present')
})

test('requests that a client sent to find the method count against the budget of the key', () => {
  const harness = runCore(60_000)
  const count = () => harness.state().pacing.key.sent.times.length
  const before = count()
  const event = { type: 'activation', isActive: true, partial: false, returned: [], method: 'PATCH' }
  answer(harness, { ...event, alsoSentAt: [harness.now - 20, harness.now - 10] })
  expect(count() - before).toBe(2)
})
