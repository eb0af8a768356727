import { describe, expect, it } from 'vitest'
import { approve, unclosable } from '../../../../src/core/risk/approve.ts'
import { openLatch, type Latch } from '../../../../src/core/risk/latch.ts'
import { approval, findingOf } from './support.ts'

const wants = (bidBps: number | null, askBps: number | null) => ({ bidBps, askBps, reasons: ['why not'] })
const halted: Latch = {
  halted: { rule: 'loss', why: 'too much was lost', since: 1 },
  paused: null,
  foreign: {},
}
const open = openLatch()

describe('a quote inside the limits', () => {
  it('a quote inside the limits is approved unchanged', () => {
    const { target, state, clamps } = approve(wants(60, 80), [], open, 0, approval())
    expect(target).toMatchObject({ kind: 'quote', bidBps: 60, askBps: 80, safety: false })
    expect(target.because).toEqual(['why not'])
    expect(state).toBe('ACTIVE')
    expect(clamps).toEqual([])
  })

  it('a quote with one side off is approved, and trading is ACTIVE', () => {
    const { target, state } = approve(wants(null, 80), [], open, 0, approval())
    expect(target).toMatchObject({ bidBps: null, askBps: 80, safety: false, because: ['why not'] })
    expect(state).toBe('ACTIVE')
  })

  it('an approved spread is rounded to whole bps', () => {
    expect(approve(wants(60.4, 60.5), [], open, 0, approval()).target).toMatchObject({
      bidBps: 60,
      askBps: 61,
    })
  })
})

describe('a quote outside 10 to 500 bps', () => {
  it.each([
    [9.9, 10],
    [0, 10],
    [-20, 10],
    [500.1, 500],
    [1e300, 500],
  ])('of %d bps is clamped to %d and counted, never sent', (wanted, sent) => {
    const { target, clamps } = approve(wants(60, wanted), [], open, 0, approval())
    expect(target.askBps).toBe(sent)
    expect(clamps).toEqual([{ side: 'ask', wanted, sent }])
  })

  it('of exactly 10 or 500 bps is no clamp, and a clamp names its side', () => {
    expect(approve(wants(10, 500), [], open, 0, approval()).clamps).toEqual([])
    expect(approve(wants(9, 501), [], open, 0, approval()).clamps).toEqual([
      { side: 'bid', wanted: 9, sent: 10 },
      { side: 'ask', wanted: 501, sent: 500 },
    ])
  })

  it('a crossed quote is refused, and the safe quote approved', () => {
    const { target, state, refusal, clamps } = approve(wants(-80, 60), [], open, 0, approval())
    const message = 'the strategy wants a crossed quote'
    expect(target).toMatchObject({ bidBps: 500, askBps: 500, safety: true, because: [message], orders: [] })
    expect([state, clamps]).toEqual(['REDUCING', []])
    expect(refusal).toEqual({
      rule: 'crossed',
      effect: 'safe',
      limit: 'bidBps + askBps >= 0',
      actual: '-80 + 60',
      message,
    })
  })

  it('a quote of one side, or whose sides just meet, is not crossed', () => {
    for (const quote of [wants(-80, null), wants(null, -80), wants(-60, 60)])
      expect(approve(quote, [], open, 0, approval()).refusal).toBeNull()
  })

  it('the safe quote for a crossed one does not open a side that a rule closes', () => {
    const { target } = approve(wants(-80, 60), [findingOf('bid-off')], open, 0, approval())
    expect(target).toMatchObject({ bidBps: null, askBps: 500 })
  })
})

describe('a side that a rule closes', () => {
  it('a side that a rule closes is off, the other one is approved as wanted, and trading is REDUCING', () => {
    const { target, state } = approve(wants(60, 80), [findingOf('ask-off')], open, 0, approval())
    expect(target).toMatchObject({ bidBps: 60, askBps: null, safety: true })
    expect(state).toBe('REDUCING')
  })

  it('reduce with too many dollars closes the ask, which would buy more, and keeps the bid, which sells them', () => {
    const { target } = approve(wants(60, 80), [findingOf('reduce')], open, 0.4, approval())
    expect(target).toMatchObject({ bidBps: 60, askBps: null })
  })

  it('reduce with too many shillings closes the bid, which would buy more, and keeps the ask, which sells them', () => {
    const { target } = approve(wants(60, 80), [findingOf('reduce')], open, -0.4, approval())
    expect(target).toMatchObject({ bidBps: null, askBps: 80 })
  })

  it('after a step of the mid the closed side stays off and the other one has the safe spread', () => {
    const findings = [findingOf('safe', 'mid-step'), findingOf('ask-off', 'mid-step')]
    const { target } = approve(null, findings, open, 0, approval())
    expect(target).toMatchObject({ bidBps: 500, askBps: null, safety: true })
  })
})

describe('a rule that requires the safe quote', () => {
  it('a rule that requires the safe quote gets it whatever the strategy wants, and gives the reason', () => {
    const breaches = [findingOf('bid-off'), findingOf('safe', 'mid-age')]
    const { target, state, clamps, refusal } = approve(wants(60, 80), breaches, open, 0, approval())
    expect(target).toMatchObject({
      kind: 'quote',
      bidBps: null,
      askBps: 500,
      idleBps: 500,
      safety: true,
      because: ['mid-age says safe'],
      orders: [],
    })
    expect([state, clamps, refusal]).toEqual(['REDUCING', [], null])
  })
})

describe('both sides off, which the venue refuses', () => {
  const both = [findingOf('bid-off'), findingOf('ask-off')]

  it('with both sides off the target is the safe quote or a deactivation, by setting', () => {
    expect(approve(wants(60, 60), both, open, 0, approval()).target).toMatchObject({
      kind: 'quote',
      bidBps: 500,
      askBps: 500,
    })
    const nothing = approve(wants(60, 60), both, open, 0, approval({ whenBothOff: 'deactivate' }))
    expect(nothing.target).toMatchObject({ kind: 'deactivate', bidBps: 500, askBps: 500, safety: true })
    const reasons = [
      'both sides are off',
      'inventory-limit says bid-off',
      'inventory-limit says ask-off',
      'why not',
    ]
    expect(nothing.target).toMatchObject({ because: reasons, orders: [] })
  })

  it('both sides off by the strategy give the same target as by rules', () => {
    const nothing = approve(wants(null, null), [], open, 0, approval({ whenBothOff: 'deactivate' }))
    expect(nothing.target.kind).toBe('deactivate')
  })

  it('no target deactivates where only the operator activates and deactivates', () => {
    const settings = approval({ whenBothOff: 'deactivate', onHalt: 'deactivate', mayDeactivate: false })
    expect(approve(wants(null, null), [], open, 0, settings).target.kind).toBe('quote')
    expect(approve(wants(60, 60), [], halted, 0, settings).target.kind).toBe('quote')
  })
})

describe('HALTED', () => {
  it('HALTED approves the safe quote or a deactivation, by setting, whatever the strategy wants', () => {
    const safe = approve(wants(10, 10), [], halted, 0, approval())
    expect(safe).toMatchObject({ state: 'HALTED', target: { kind: 'quote', bidBps: 500, askBps: 500 } })
    expect(safe).toMatchObject({ clamps: [], refusal: null, target: { orders: [] } })
    const out = approve(wants(10, 10), [], halted, 0, approval({ onHalt: 'deactivate' }))
    expect(out).toMatchObject({ state: 'HALTED', target: { kind: 'deactivate' } })
  })

  it('HALTED gives the reason of the halt', () => {
    expect(approve(null, [], halted, 0, approval()).target.because).toEqual(['halted: too much was lost'])
  })

  it('HALTED does not open a side that a rule closes, because a wrong mid costs a halted position too', () => {
    const { target } = approve(null, [findingOf('ask-off', 'mid-step')], halted, 0, approval())
    expect(target).toMatchObject({ bidBps: 500, askBps: null })
  })
})

describe('a venue that ignores side flags', () => {
  const ignoring = approval({ safeBps: 400, cannotClose: true })

  it.each([
    [
      wants(null, 80),
      { bidBps: null, askBps: 80 },
      'why not; the bid cannot be closed at this venue, so quoted at 500 bps',
    ],
    [
      wants(60, null),
      { bidBps: 60, askBps: null },
      'why not; the ask cannot be closed at this venue, so quoted at 500 bps',
    ],
    [
      { ...wants(60, null), reasons: [] },
      { idleBps: 500 },
      'the strategy wants it; the ask cannot be closed at this venue, so quoted at 500 bps',
    ],
    [wants(60, 80), { bidBps: 60, askBps: 80 }, 'why not'],
  ])('quotes a side that is off at 500 bps, and the first reason names it: %j', (wanted, target, because) => {
    const quoted = approve(wanted, [], open, 0, ignoring).target
    expect(quoted).toMatchObject({ ...target, idleBps: 500, because: [because] })
  })

  it('keeps the reasons after the first one, and both sides are named where both are off', () => {
    const { because } = approve(wants(60, 80), [findingOf('bid-off')], open, 0, ignoring).target
    expect(because).toHaveLength(2)
    expect(because[1]).toBe('why not')
    const off = { bidBps: null, askBps: null, idleBps: 500 }
    expect(unclosable(off, true)).toBe(
      'the bid and the ask cannot be closed at this venue, so quoted at 500 bps',
    )
    expect(unclosable(off, false)).toBeNull()
  })

  it.each([
    ['price-corridor', ignoring, 'deactivate'],
    ['price-corridor', { ...ignoring, mayDeactivate: false }, 'quote'],
    ['price-corridor', approval(), 'quote'],
    ['mid-age', ignoring, 'quote'],
  ] as const)('deactivates at a breach of the corridor, where it may: %s, %j: %s', (rule, settings, kind) => {
    const approved = approve(wants(60, 80), [findingOf('safe', rule)], open, 0, settings)
    expect(approved).toMatchObject({ state: 'REDUCING', clamps: [], refusal: null, target: { kind } })
    const why = 'price-corridor says safe; this venue cannot close a side, so the position is deactivated'
    if (kind === 'deactivate')
      expect(approved.target).toMatchObject({ bidBps: 400, askBps: 400, safety: true, because: [why] })
  })
})

describe('without a decision', () => {
  it('the safe quote is approved without a decision', () => {
    expect(approve(null, [], open, 0, approval({ safeBps: 400 }))).toMatchObject({
      state: 'REDUCING',
      target: { bidBps: 400, askBps: 400, because: ['no decision yet'] },
    })
  })
})
