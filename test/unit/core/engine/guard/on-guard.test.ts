import { describe, expect, test } from 'vitest'
import type { GuardEvent } from '../../../../../src/core/engine/model/guard-state.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'

const { risk } = coreConfig()
const SAFE_WRITE = { what: 'spread', bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true } as const

function desk(): Harness {
  const one = runCore(30_000, { config: { risk: { ...risk, foreignWrites: 'latch' } } })
  expect(one.venue.isActive).toBe(true)
  return one
}

const tell = (one: Harness, event: Omit<GuardEvent, 'type' | 't'>) =>
  one.give({ type: 'guard', t: one.now, ...event })
const held = (fence: number, writes: GuardEvent['writes'] = []) =>
  ({ watch: 'held', why: '', fence, writes }) as const
const rules = (one: Harness) => one.state().decision?.findings.map(({ rule }) => rule)
const writes = (one: Harness) =>
  one.effects.filter(({ type }) => type === 'setQuote' || type === 'activate' || type === 'withdraw').length

describe('A position whose guard falls silent', () => {
  test('sets the safe quote at once, writes nothing once the lease has lapsed, and quotes again when it is held', () => {
    const one = desk()
    tell(one, held(1))
    const quoted = { ...one.venue.held }
    tell(one, { watch: 'closing', why: 'silent', fence: 1, writes: [] })
    one.run(200)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    tell(one, { watch: 'lapsed', why: 'silent', fence: 1, writes: [] })
    const before = writes(one)
    one.run(600_000)
    expect(writes(one)).toBe(before)
    expect(rules(one)).toEqual(['guard'])
    tell(one, held(1))
    one.run(60_000)
    expect(one.venue.held).toMatchObject({ bidBps: quoted.bidBps, askBps: quoted.askBps })
  })
})

describe('A safe quote that the venue did not take before the lease had lapsed', () => {
  const refuses = () =>
    ({
      kind: 'refused',
      status: 503,
      code: null,
      message: 'not now',
      retriable: true,
      retryAfterMs: null,
    }) as never

  test('is tried again at once while the last write may still start', () => {
    const one = desk()
    tell(one, held(1))
    one.venue.answers.setQuote = refuses
    const before = writes(one)
    tell(one, { watch: 'closing', why: 'silent', fence: 1, writes: [] })
    one.run(400)
    expect(writes(one) - before).toBeGreaterThanOrEqual(3)
    expect(writes(one) - before).toBeLessThanOrEqual(5)
  })

  test('is set after a longer silence, and nothing else is', () => {
    const one = desk()
    tell(one, held(1))
    one.venue.answers.setQuote = refuses
    tell(one, { watch: 'closing', why: 'silent', fence: 1, writes: [] })
    one.run(400)
    tell(one, { watch: 'lapsed', why: 'silent', fence: 1, writes: [] })
    delete one.venue.answers.setQuote
    one.run(4_000)
    expect(one.venue.held).not.toMatchObject({ bidBps: 500, askBps: 500 })
    const before = writes(one)
    tell(one, { watch: 'lapsed', why: 'silent', fence: 1, writes: [], maySetSafe: true })
    one.run(10_000)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    one.order({ name: 'deactivate' })
    one.run(600_000)
    expect(writes(one)).toBe(before + 1)
    expect(one.venue.isActive).toBe(true)
  })

  test('leaves at once when it may, however often the venue had refused it, and waits between what is refused from then on', () => {
    const one = desk()
    tell(one, held(1))
    one.venue.answers.setQuote = refuses
    tell(one, { watch: 'closing', why: 'silent', fence: 1, writes: [] })
    one.run(900)
    tell(one, { watch: 'lapsed', why: 'silent', fence: 1, writes: [] })
    one.run(3_500)
    const before = writes(one)
    tell(one, { watch: 'lapsed', why: 'silent', fence: 1, writes: [], maySetSafe: true })
    one.run(400)
    expect(writes(one)).toBe(before + 1)
    one.run(1_800)
    expect(writes(one)).toBe(before + 3)
    delete one.venue.answers.setQuote
    one.run(2_000)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })
})

describe('The alert that no lease is held', () => {
  const alerts = (one: Harness) =>
    one.observations.flatMap((seen) =>
      seen.type === 'alert' && seen.code === 'guard-lost' ? [[seen.severity, seen.message]] : [],
    )
  const silent = { watch: 'closing', why: 'no answer', fence: null, writes: [] } as const

  test('waits while the position is starting, and is raised once when the start has taken too long', () => {
    const one = desk()
    tell(one, { ...silent, isStarting: true })
    tell(one, { watch: 'waiting', why: 'held by another', fence: null, writes: [], isStarting: true })
    expect(alerts(one)).toEqual([])
    expect(rules(one)).toEqual(['guard'])
    tell(one, silent)
    tell(one, { watch: 'lapsed', why: 'no answer', fence: null, writes: [] })
    expect(alerts(one)).toEqual([['critical', 'the guard is silent: no answer']])
  })

  test('is not raised where the lease is held before, and is raised at once where it is lost later', () => {
    const one = desk()
    tell(one, { ...silent, isStarting: true })
    tell(one, held(2))
    expect(alerts(one).map(([severity]) => severity)).toEqual(['info'])
    tell(one, { ...silent, fence: 2 })
    expect(alerts(one).map(([severity]) => severity)).toEqual(['info', 'critical'])
  })
})

describe('What the guard wrote', () => {
  test('is no foreign hand, and is read back before the daemon quotes again', () => {
    const one = desk()
    tell(one, held(1))
    tell(one, { watch: 'waiting', why: 'the guard acts', fence: null, writes: [SAFE_WRITE] })
    one.venue.held = { ...SAFE_WRITE, quotePairs: null }
    one.run(60_000)
    expect(rules(one)).toEqual(['guard'])
    tell(one, held(2, [SAFE_WRITE]))
    expect(one.state().quoting.status).toBe('unknown')
    one.run(60_000)
    expect(rules(one)).toEqual([])
    expect(one.state().guard).toMatchObject({ watch: 'held', fence: 2, hadGrant: true })
  })

  test('keeps a position that it took out of the market out until a person activates it', () => {
    const one = desk()
    tell(one, held(1))
    tell(one, { watch: 'waiting', why: 'the guard acts', fence: null, writes: [] })
    one.venue.isActive = false
    one.run(120_000)
    tell(one, held(2, [SAFE_WRITE, { what: 'deactivation' }]))
    one.run(600_000)
    expect(rules(one)).toEqual([])
    expect(one.venue.isActive).toBe(false)
    one.order({ name: 'activate' })
    one.run(60_000)
    expect(one.venue.isActive).toBe(true)
  })

  test('does not cover a deactivation that it does not name: that is a foreign hand', () => {
    const one = desk()
    tell(one, held(1))
    tell(one, { watch: 'lapsed', why: 'silent', fence: 1, writes: [] })
    one.venue.isActive = false
    one.run(120_000)
    expect(rules(one)).toEqual(['guard'])
    tell(one, held(2, [SAFE_WRITE]))
    one.run(1_000)
    expect(rules(one)).toEqual(['foreign-write'])
  })
})

describe('A guard that refuses', () => {
  test('is remembered like one that has granted: its silence means something after a restart', () => {
    const one = desk()
    tell(one, { watch: 'waiting', why: 'the guard acts', fence: null, writes: [] })
    tell(one, { watch: 'lapsed', why: 'silent', fence: null, writes: [] })
    expect(one.state().guard).toMatchObject({ watch: 'lapsed', hadGrant: true })
  })
})
