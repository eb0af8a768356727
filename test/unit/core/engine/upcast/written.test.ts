import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../../../src/base/codec.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { renameFields, upcastThrough, type Upcaster } from '../../../../../src/core/engine/upcast/upcaster.ts'
import {
  readEvent,
  readObservation,
  readState,
  upcastEvent,
  WRITTEN_VERSION,
  writeEvent,
  writeObservation,
  writeState,
} from '../../../../../src/core/engine/upcast/written.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, runCore } from '../../../../support/core-harness.ts'
import { rfqSettings } from '../../../../support/order-harness.ts'

const withdraw: Event = {
  type: 'operator',
  t: 5,
  who: 'amina',
  why: 'rent',
  command: { name: 'withdraw', asset: 'USDC', amount: 7n, toAddress: '0x1' },
}

describe('what the core writes', () => {
  const core = runCore(30_000)

  test('carries its version as the first field, and comes back equal', () => {
    expect(writeEvent(withdraw)).toMatch(new RegExp(`^\\{"v":${WRITTEN_VERSION},"type":"operator"`))
    for (const event of [withdraw, ...core.journal]) expect(readEvent(writeEvent(event))).toEqual(event)
    for (const one of core.observations) expect(readObservation(writeObservation(one))).toEqual(one)
    expect(readState(writeState(core.state()))).toEqual(decodeJson(encodeJson(core.state())))
  })

  test('that carries no version is read as what 0.1.0 wrote', () => {
    expect(readEvent(encodeJson(withdraw))).toEqual(withdraw)
    expect(upcastEvent(decodeJson(encodeJson(withdraw)))).toEqual(withdraw)
  })

  test.each([
    ['[{"raw":"{\\"fromToken\\":\\"0x01\\"}"}]', 4, 'address'],
    ['[{"raw":"{\\"fromToken\\":\\"0x01\\"}"},{"raw":"{\\"fromToken\\":\\"USDC\\"}"}]', 4, 'symbol'],
    ['[{"raw":""}]', 4, undefined],
    ['[]', 4, undefined],
    ['[{"raw":"{\\"fromToken\\":\\"0x01\\"}"}]', 5, undefined],
  ])('the fills %s of version %i name tokens by %s', (fills, version, tokenForm) => {
    const read = readEvent(`{"v":${version},"type":"fills","fills":${fills}}`)
    expect(read.type === 'fills' && read.tokenForm).toBe(tokenForm)
  })

  test.each(['[]', 'null', '7', '"text"', '{'])(
    '%s is no record: reading it throws a SyntaxError',
    (text) => {
      expect(() => readEvent(text)).toThrow(SyntaxError)
      expect(() => readState(text)).toThrow(SyntaxError)
      expect(() => readObservation(text)).toThrow(SyntaxError)
    },
  )

  test('by a newer version is refused by name', () => {
    expect(() => readEvent(`{"v":${WRITTEN_VERSION + 1},"type":"tick","t":1}`)).toThrow(
      `a record of version ${WRITTEN_VERSION + 1}; this code reads versions up to ${WRITTEN_VERSION}`,
    )
  })
})

describe('a journal of 0.1.0', () => {
  test.each([
    [
      { type: 'spreadSet', t: 1, request: 2, spread: { bidBps: 40 } },
      { type: 'quoteSet', t: 1, request: 2, spread: { bidBps: 40 } },
    ],
    [
      { type: 'publicRate', t: 1, request: 2, side: 'bid', probe: 9n, bestBps: 70 },
      { type: 'bestQuote', t: 1, request: 2, side: 'bid', probe: 9n, bestBps: 70 },
    ],
    [
      { type: 'rfqInfo', t: 1, request: 2, solverWallet: '0x1', chainId: 8_453, exchange: null },
      { type: 'solver', t: 1, request: 2, solverWallet: '0x1', chainId: 8_453, exchange: null },
    ],
  ])("is read with the event $0.type in the core's own words", (before, after) => {
    expect(readEvent(encodeJson(before))).toEqual(after)
  })

  test('and its snapshot keeps the request for the solver that was in flight', () => {
    const state = coreHarness().state()
    const written = {
      ...state,
      requests: { 7: { what: 'rfqInfo', sentAt: 1 }, 8: { what: 'rate', sentAt: 2 } },
    }
    expect(readState(encodeJson(written)).requests).toEqual({
      7: { what: 'solver', sentAt: 1 },
      8: { what: 'rate', sentAt: 2 },
    })
  })

  test.each([
    [true, { rule: 'mid-undated', mid: null }],
    [false, null],
  ])(
    'and a mid that lost its date (others were dated: %s) has the rule that refused it',
    (everDated, refusal) => {
      const state = coreHarness().state()
      const market = {
        ...state.market,
        everDated,
        problem: 'the venue stopped dating its mid',
        refusal: null,
      }
      expect(readState(encodeJson({ ...state, market })).market.refusal).toEqual(refusal)
    },
  )
})

function without(record: object, ...names: readonly string[]) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

test.each([3, 4])('an event and a snapshot of version %i get the fields of today’s configuration', (v) => {
  const config = coreConfig({ rfq: rfqSettings() })
  const older = {
    ...without(config, 'feeds', 'fairValue', 'publicRate', 'strictReadings', 'venueClock'),
    risk: { ...without(config.risk, 'priceCorridor', 'foreignWrites', 'maxUnreadableMs'), maxLossTzs: 7n },
    quote: without(config.quote, 'drainMs'),
    rfq: without(rfqSettings(), 'maxLifeMs', 'maxOrderUsd'),
  }
  const whole = { ...config, risk: { ...config.risk, maxLossTzs: 7n } }
  for (const type of ['started', 'reloaded'])
    expect(readEvent(encodeJson({ v, type, t: 1, config: older }))).toEqual({ type, t: 1, config: whole })
  expect(readState(encodeJson({ v, now: 1, config: older }))).toEqual({ now: 1, config: whole })
  const strict = { ...whole, strictReadings: true }
  expect(readEvent(encodeJson({ v, type: 'started', t: 1, config: strict }))).toMatchObject({
    config: strict,
  })
})

test('an observation of version 3 with the quote unconfirmed is read under the glossary’s names', () => {
  const written = { v: 3, type: 'beliefChanged', t: 1, belief: 'differs', why: 'read 500' }
  expect(readObservation(encodeJson(written))).toEqual({
    type: 'quoteStatusChanged',
    t: 1,
    status: 'mismatch',
    why: 'read 500',
  })
})

describe('an upcaster', () => {
  const renamed: Upcaster = {
    type: 'spreadSet',
    below: 2,
    upcast: (written) => ({ ...renameFields(written, { spread: 'quote' }), type: 'quoteSet' }),
  }
  const completed: Upcaster = {
    type: 'quoteSet',
    below: 3,
    upcast: (written) => ({ namesPairs: false, ...written }),
  }

  test('takes its type alone, below its version alone, and hands a renamed record on to the next one', () => {
    const old = { type: 'spreadSet', t: 1, spread: 'wide' }
    const upcasters = [renamed, completed]
    expect(upcastThrough(upcasters, 1, old)).toEqual({
      type: 'quoteSet',
      t: 1,
      quote: 'wide',
      namesPairs: false,
    })
    expect(upcastThrough(upcasters, 2, old)).toBe(old)
    expect(upcastThrough(upcasters, 2, { type: 'quoteSet' })).toEqual({ type: 'quoteSet', namesPairs: false })
    expect(upcastThrough(upcasters, 3, { type: 'quoteSet' })).toEqual({ type: 'quoteSet' })
    const tick = { type: 'tick', t: 1 }
    expect(upcastThrough(upcasters, 1, tick)).toBe(tick)
  })

  test('changes nothing of what it is given', () => {
    const old = Object.freeze({ type: 'spreadSet', t: 1, spread: 'wide' })
    upcastThrough([renamed], 1, old)
    expect(old).toEqual({ type: 'spreadSet', t: 1, spread: 'wide' })
  })
})
