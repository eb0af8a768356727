import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../../../src/base/codec.ts'
import { postSweep } from '../../../../../src/core/ledger/book/post-transfer.ts'
import { restartAfterSweep } from '../../../../../src/core/ledger/reconciliation/status.ts'
import { A, asks, B, fillOf, NTZS, OPENING, runningDesk, states, USD, venueAfter } from './harness.ts'

describe('balances against the ledger', () => {
  test('equal balances in quiet times say nothing new', () => {
    expect(runningDesk().quietly(OPENING)).toEqual([])
  })

  test('balances read before, between or after the fills of the next poll are all in order', () => {
    for (const seen of [[], [A], [A, B]]) {
      const desk = runningDesk()
      desk.poll([])
      desk.balances(venueAfter(seen))
      expect(states(desk.poll([A, B]).said)).toEqual([])
      expect(desk.state.state).toBe('reconciled')
    }
  })

  test('a poll that crosses the balances on the wire does not judge them', () => {
    const desk = runningDesk()
    desk.poll([])
    const asked = desk.now() + 1
    desk.balances(venueAfter([A]), { sentAt: asked })
    expect(asks(desk.poll([], { sentAt: asked }).said)).toEqual(['fills'])
    expect(states(desk.poll([A]).said)).toEqual([])
    expect(desk.state.matchedAt).toBeGreaterThan(asked)
  })

  test('a fill polled while the balances were on their way may or may not be in them', () => {
    for (const seen of [[], [A]]) {
      const desk = runningDesk()
      desk.poll([])
      const asked = desk.now() + 1
      desk.poll([A])
      desk.balances(venueAfter(seen), { sentAt: asked })
      desk.poll([])
      expect(desk.state.state).toBe('reconciled')
    }
  })

  test('a difference with fills around it is looked at again, not called a gap', () => {
    const desk = runningDesk()
    desk.poll([])
    desk.balances(venueAfter([A], -7n * NTZS))
    const { said } = desk.poll([A])
    const why = 'balances and ledger differ; reading again'
    expect(said).toEqual([
      { do: 'setStatus', state: 'pending', why, unreconciled: {} },
      { do: 'poll', what: 'balances', why },
    ])
  })

  test('the same difference three times in quiet times is a break, with the difference named', () => {
    const desk = runningDesk()
    expect(states(desk.quietly(venueAfter([], -7n, 3n)))).toMatchObject([{ state: 'pending' }])
    expect(states(desk.quietly(venueAfter([], -7n, 3n)))).toEqual([])
    expect(states(desk.quietly(venueAfter([], -7n, 3n)))).toMatchObject([
      { state: 'break', unreconciled: { NTZS: -7n, USDC: 3n } },
    ])
    expect(states(desk.quietly(venueAfter([], -7n, 3n)))).toEqual([])
  })

  test('a difference that changes between readings is a break all the same, and the last one is named', () => {
    const desk = runningDesk()
    desk.quietly(venueAfter([], -7n))
    desk.quietly(venueAfter([], -8n))
    expect(desk.state.state).toBe('pending')
    desk.quietly(venueAfter([], -9n))
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { NTZS: -9n } })
  })

  test('a gap closes by itself when the late fill arrives', () => {
    const desk = runningDesk()
    desk.persistently(venueAfter([A]))
    expect(desk.state.state).toBe('break')
    const why = 'balances equal the ledger to the last unit'
    expect(states(desk.poll([A]).said)).toMatchObject([{ state: 'reconciled', why, unreconciled: {} }])
  })

  test('balances asked for at the very moment a poll was answered must have what it showed', () => {
    const desk = runningDesk()
    desk.poll([A])
    desk.balances(OPENING, { sentAt: desk.now() })
    desk.poll([])
    expect(desk.state.state).toBe('pending')
  })

  test('a reading that many polls have overtaken is read again instead of judged', () => {
    const desk = runningDesk()
    desk.poll([])
    const asked = desk.now()
    desk.balances(venueAfter([], -7n), { sentAt: asked })
    for (let n = 0; n < 9; n++) desk.poll([], { sentAt: asked })
    const why = 'the poll before this reading is too long ago'
    expect(desk.poll([]).said).toEqual([{ do: 'poll', what: 'balances', why }])
    expect(desk.state.state).toBe('reconciled')
  })

  test('a gap stays one while the difference moves, until it is confirmed anew', () => {
    const desk = runningDesk()
    desk.persistently(venueAfter([], -7n))
    expect(desk.quietly(venueAfter([], -8n))).toEqual([])
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { NTZS: -7n } })
    expect(states(desk.quietly(venueAfter([], -8n)))).toMatchObject([{ unreconciled: { NTZS: -8n } }])
  })

  test('a constant difference is found out although fills never pause', () => {
    const desk = runningDesk()
    const fills = []
    for (let n = 0; n < 6; n++) {
      const fill = fillOf(`n${n}`)
      fills.push(fill)
      desk.poll([])
      desk.balances(venueAfter(fills, -7n * NTZS))
      desk.poll([fill])
      expect(desk.state.state).toBe(n < 2 ? 'pending' : 'break')
    }
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { NTZS: -7n * NTZS } })
  })

  test('an asset the venue does not mention is not compared', () => {
    const desk = runningDesk()
    desk.poll([])
    desk.balances({ USDC: 400n * USD })
    expect(desk.poll([]).said).toEqual([])
  })

  test('a source that contradicts the account is not compared; the account is asked', () => {
    const desk = runningDesk()
    desk.poll([])
    expect(asks(desk.balances({ NTZS: 0n }, { source: 'wallet', isActive: true }))).toEqual(['account'])
    expect(asks(desk.balances({ NTZS: 0n }, { source: null, isActive: null }))).toEqual(['account'])
    desk.poll([])
    expect(desk.state.state).toBe('reconciled')
  })

  test('a fill that arrives after the deactivation leaves the wallet in order', () => {
    const desk = runningDesk()
    postSweep(desk.book, 1, 'pool', ['NTZS', 'USDC'], 'deactivated')
    restartAfterSweep(desk.state, desk.now(), false)
    desk.poll([A])
    desk.balances(venueAfter([A]), { source: 'wallet', isActive: false })
    desk.poll([])
    expect(desk.state.state).toBe('reconciled')
    expect(desk.entries.some((entry) => entry.kind === 'deposit')).toBe(false)
  })
})

describe('the overlap of polls', () => {
  test('a full window without a known row means fills may have been missed', () => {
    const desk = runningDesk()
    const { said } = desk.poll([A, B], { windowFull: true })
    expect(states(said)).toMatchObject([{ state: 'break', why: expect.stringContaining('missed') }])
    expect(asks(said)).toEqual(['balances'])
  })

  test('a known row, a repeated row or a window that is not full is an overlap', () => {
    const desk = runningDesk()
    desk.poll([A])
    desk.poll([A, B], { windowFull: true })
    desk.poll([fillOf('c')], { windowFull: true, repeated: 99 })
    desk.poll([fillOf('d')])
    expect(desk.state.state).toBe('reconciled')
  })

  test('balances from before the hole prove nothing, balances from after it close it', () => {
    const desk = runningDesk()
    desk.poll([])
    desk.balances(OPENING)
    desk.poll([A], { windowFull: true })
    expect(desk.state.state).toBe('break')
    desk.poll([], { repeated: 1 })
    expect(desk.state.state).toBe('break')
    desk.balances(venueAfter([A]))
    desk.poll([])
    expect(desk.state.state).toBe('reconciled')
  })

  test('fills that really were missed stay a gap and are named', () => {
    const desk = runningDesk()
    desk.poll([B], { windowFull: true })
    desk.persistently(venueAfter([A, B]))
    expect(desk.state).toMatchObject({
      state: 'break',
      unreconciled: { NTZS: -24_925n * NTZS, USDC: 10n * USD },
    })
  })
})

test('the whole state survives JSON and continues as if nothing had happened', () => {
  const desk = runningDesk()
  desk.poll([A])
  desk.balances(venueAfter([A, B]))
  const copy = decodeJson(encodeJson(desk.state)) as typeof desk.state
  expect(copy).toEqual(desk.state)
  Object.assign(desk.state, copy)
  desk.poll([B])
  expect(desk.state.state).toBe('reconciled')
})
