import { describe, expect, test } from 'vitest'
import type { PositionSettings } from '../../../../../src/daemon/guard/process/settings.ts'
import type { PositionRenewal } from '../../../../../src/daemon/guard/protocol/renewal.ts'
import { DONE, watched } from './guard-on-a-clock.ts'

const B = 'b'.repeat(32)

/** The same, where the daemon has died and the guard has just acted. */
async function fired(settings: Partial<PositionSettings> = {}) {
  const guard = watched(settings)
  guard.renew(1)
  await guard.pass(4_500)
  return guard
}

describe('A guard of a position', () => {
  test('does nothing while the daemon renews, and sets and reads back the safe quote D after the last renewal', async () => {
    const guard = watched()
    for (let count = 1; count < 6; count += 1) {
      expect(guard.renew(count)).toMatchObject({ fence: 1, refusal: null, writes: [] })
      await guard.pass(1_000)
    }
    expect(guard.done).toEqual([])
    expect(guard.position.isActing()).toBe(false)
    await guard.pass(3_500)
    expect(guard.done).toEqual(['safe', 'read bid', 'read ask'])
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe'])
    expect(guard.told.map(([, words]) => words)).toEqual([
      'the daemon has been silent for 4.5 s: the guard sets both sides to the safe quote of 500 bps',
      'confirmed safe: both sides are read back at 500 bps',
    ])
    expect(guard.position.status()).toMatchObject({
      state: 'guarding',
      rung: 'safe',
      safeSinceMs: 0,
      firings: 1,
    })
    expect(guard.kept).toMatchObject({ fence: 1, holder: null, guardingSince: expect.any(Number) })
    expect(guard.changes()).toBeGreaterThan(1)
  })

  test('climbs on: the worse side off, then out of the market, looked at again, and back in it goes out again', async () => {
    const guard = await fired()
    await guard.pass(60_000)
    expect(guard.done).toContain('ask-off')
    expect(guard.done).not.toContain('deactivate')
    await guard.pass(847_000, 1_000)
    expect(guard.done.filter((one) => one === 'deactivate')).toHaveLength(2)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe', 'guard-deactivated'])
    expect(guard.done.at(-1)).toBe('look')
    guard.venue.isActive = true
    await guard.pass(11_000, 1_000)
    expect(guard.done.filter((one) => one === 'deactivate').length).toBeGreaterThan(2)
  })

  test('sets the quote again where a read-back shows another one', async () => {
    const guard = await fired()
    guard.venue.quote.bid = 60
    await guard.pass(2_100)
    expect(guard.done.filter((one) => one === 'safe')).toHaveLength(2)
    expect(guard.lines.join('\n')).toContain('quotes 60 bps')
    expect(guard.venue.quote).toEqual({ bid: 500, ask: 500 })
  })

  test('tries a key that the venue refuses again at growing intervals, notifies once, and continues where it is taken', async () => {
    const guard = watched({ closeSideAfterMs: null })
    guard.venue.outcome = () => ({ kind: 'refused-key', words: 'the venue refuses the key (401)' })
    guard.renew(1)
    await guard.pass(4_500 + 59_900)
    expect(guard.done).toEqual(['safe'])
    await guard.pass(100)
    expect(guard.done).toEqual(['safe', 'safe'])
    await guard.pass(119_900)
    expect(guard.done).toEqual(['safe', 'safe'])
    expect(guard.codes()).toEqual(['guard-fired', 'guard-powerless'])
    expect(guard.position.status().powerless).toContain('401')
    guard.venue.outcome = () => DONE
    await guard.pass(100)
    expect(guard.done).toEqual(['safe', 'safe', 'safe', 'read bid', 'read ask'])
    expect(guard.codes()).toEqual(['guard-fired', 'guard-powerless', 'guard-powerless lifted', 'guard-safe'])
    expect(guard.position.status().powerless).toBeNull()
  })

  test('tries a key that was refused at once when a person releases the position', async () => {
    const guard = watched()
    guard.venue.outcome = () => ({ kind: 'refused-key', words: 'the venue refuses the key (403)' })
    guard.renew(1)
    await guard.pass(6_000)
    expect(guard.done).toEqual(['safe'])
    guard.venue.outcome = () => DONE
    guard.position.release()
    await guard.pass(100)
    expect(guard.done).toEqual(['safe', 'safe', 'read bid', 'read ask'])
  })

  test('notifies that the quote is still not safe after 30 s, once, and then that it is', async () => {
    const guard = watched()
    guard.venue.outcome = () => ({ kind: 'failed', words: 'the venue answers 503' })
    guard.renew(1)
    await guard.pass(4_500 + 29_900)
    expect(guard.codes()).toEqual(['guard-fired'])
    await guard.pass(20_000)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-unconfirmed'])
    expect(guard.told[1]?.[1]).toContain('still NOT safe')
    guard.venue.outcome = () => DONE
    await guard.pass(6_000)
    expect(guard.codes()).toEqual(['guard-fired', 'guard-unconfirmed', 'guard-safe'])
    // Someone sets the quote, and the venue takes no write: it is not safe once more.
    guard.venue.outcome = () => ({ kind: 'failed', words: 'the venue answers 503' })
    guard.venue.quote.bid = 60
    await guard.pass(95_000)
    expect(guard.codes().slice(3)).toEqual(['guard-unconfirmed'])
  })

  test('that may not act tells that the daemon is silent and sends nothing', async () => {
    const guard = await fired({ acts: false, actsNot: 'it is a dry run, so nothing is sent' })
    await guard.pass(1_000_000, 1_000)
    expect(guard.done).toEqual([])
    expect(guard.told).toEqual([
      ['guard-fired', 'the daemon has been silent for 4.5 s: it is a dry run, so nothing is sent'],
    ])
  })

  test('that restarts while it acts continues where it was', async () => {
    const before = await fired()
    const { guardingSince } = before.kept
    const after = watched(
      {},
      { ...structuredClone(before.kept), guardingSince: (guardingSince ?? 0) - 70_000 },
    )
    await after.pass(100)
    // What the last lease named as the worse side is kept, and so are the writes of before.
    expect(after.done).toEqual(['ask-off', 'read bid', 'read ask'])
    expect(after.codes()).toEqual([])
    expect(after.renew(2, {}, B).writes).toMatchObject([
      { bidBps: 500, quoteAsk: true },
      { bidBps: 500, quoteAsk: false },
    ])
  })
})

describe('A guard that is restarted', () => {
  test('between the death and the firing knows the worse side, and deactivates whatever the account was', async () => {
    const before = watched()
    before.renew(1, { worse: 'ask', isActive: true })
    const changes = before.changes()
    before.renew(2, { worse: 'bid', isActive: false })
    expect(before.changes()).toBe(changes + 1)
    before.renew(3, { worse: 'bid', isActive: false })
    expect(before.changes()).toBe(changes + 1)
    const after = watched({}, structuredClone(before.kept))
    await after.pass(4_500 + 61_000)
    expect(after.done).toContain('bid-off')
    await after.pass(900_000, 1_000)
    expect(after.done).toContain('deactivate')
  })

  test('after a deactivation looks first, and deactivates and notifies again only where the position is back', async () => {
    const before = await fired()
    await before.pass(910_000, 1_000)
    expect(before.codes()).toEqual(['guard-fired', 'guard-safe', 'guard-deactivated'])
    const kept = { ...structuredClone(before.kept), guardingSince: 50_000_000 + 1_000_000 - 960_000 }
    const after = watched({}, kept)
    after.venue.isActive = false
    await after.pass(60_000, 1_000)
    expect(new Set(after.done)).toEqual(new Set(['look']))
    expect(after.codes()).toEqual([])
    after.venue.isActive = true
    await after.pass(120_000, 1_000)
    expect(after.codes()).toEqual(['guard-deactivated'])
  })

  test('tries a key again that the venue had refused, and tells no one a second time', async () => {
    const outcome = () => ({ kind: 'refused-key', words: 'the venue refuses the key (401)' }) as const
    const before = watched()
    before.venue.outcome = outcome
    before.renew(1)
    await before.pass(10_000, 1_000)
    const after = watched({}, structuredClone(before.kept), {
      open: ['guard-fired', 'guard-powerless'],
    })
    after.venue.outcome = outcome
    await after.pass(10_000, 1_000)
    expect(after.done).toEqual(['safe'])
    expect(after.codes()).toEqual([])
    expect(after.position.status().powerless).toContain('401')
    // With the next firing it is news again.
    after.renew(2)
    expect(after.renew(3)).toMatchObject({ fence: 2 })
    await after.pass(10_000, 1_000)
    expect(after.codes()).toEqual(['guard-returned', 'guard-fired', 'guard-powerless'])
  })

  test('after a person has released the position hands it back', async () => {
    const before = await fired({ handBack: 'person' })
    before.position.release()
    const after = watched({ handBack: 'person' }, structuredClone(before.kept))
    after.renew(2, {}, B)
    expect(after.renew(3, {}, B)).toMatchObject({ fence: 2 })
    expect(after.kept.isReleased).toBe(false)
  })
})

describe('A guard hands back', () => {
  test('nothing to a loop that hangs, whose count and books are those of before', async () => {
    const guard = await fired()
    await guard.pass(60_000)
    for (let time = 0; time < 3; time++)
      expect(guard.renew(2, {}, B)).toMatchObject({ fence: null, refusal: 'guarding' })
    expect(guard.renew(3, {}, B)).toMatchObject({ fence: 2 })
  })

  test('to a daemon that has reconciled, with all of its writes, until the daemon knows of its lease', async () => {
    const guard = await fired()
    await guard.pass(60_000)
    expect(guard.renew(2, { isReconciled: false }, B)).toMatchObject({ fence: null, refusal: 'guarding' })
    const back = guard.renew(3, {}, B)
    expect(back).toMatchObject({ fence: 2, words: '' })
    expect(back.writes).toEqual([
      { what: 'spread', agoMs: 60_000, bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true },
      { what: 'spread', agoMs: 0, bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: false },
    ])
    // The refusal before it has told of the requests; none is notified twice.
    expect(back.requestsAgoMs).toEqual([])
    // The answer with the grant may have been lost.
    expect(guard.renew(4, {}, B).writes).toEqual(back.writes)
    expect(guard.renew(5, { fence: 2 }, B)).toMatchObject({ writes: [], requestsAgoMs: [] })
    expect(guard.renew(6, {}, B).writes).toEqual([])
    expect(guard.codes()).toEqual(['guard-fired', 'guard-safe', 'guard-returned'])
    expect(guard.position.isActing()).toBe(false)
  })

  test('writes that were made before its clock was set back as made just now', async () => {
    const guard = await fired()
    for (const one of guard.kept.written) Object.assign(one, { at: one.at + 3_600_000 })
    expect(guard.renew(2, {}, B).writes).toMatchObject([{ agoMs: 0 }])
  })

  test('a deactivation as one', async () => {
    const guard = await fired({ closeSideAfterMs: null, deactivateAfterMs: 1_000 })
    await guard.pass(1_000)
    expect(guard.renew(2).writes.map(({ what }) => what)).toEqual(['spread', 'deactivation'])
  })

  test('of a long absence the latest fifty writes', async () => {
    const guard = watched()
    guard.venue.outcome = () => ({ kind: 'failed', words: 'the venue answers 503' })
    guard.renew(1)
    await guard.pass(4_500 + 600_000, 1_000)
    expect(guard.renew(2, {}, B).writes).toHaveLength(50)
  })

  test('nothing while its own request is under way, and acts no more after the grant', async () => {
    const guard = watched()
    let answer = (): void => undefined
    guard.venue.until = new Promise<void>((resolve) => (answer = resolve))
    guard.renew(1)
    await guard.pass(4_500)
    expect(guard.renew(2, {}, B)).toMatchObject({
      refusal: 'guarding',
      words: 'a request of the guard is under way',
    })
    answer()
    guard.venue.until = Promise.resolve()
    await guard.settle()
    expect(guard.renew(3, {}, B)).toMatchObject({ fence: 2 })
    const before = guard.done.length
    await guard.pass(2_500)
    expect(guard.done).toHaveLength(before)
  })

  test('latches at the third firing within an hour, tells so, and lets go when a person releases it', async () => {
    const guard = watched()
    let count = 0
    for (let times = 0; times < 3; times += 1) {
      guard.renew((count += 1))
      await guard.pass(4_500)
    }
    expect(guard.codes().filter((code) => code === 'guard-latched')).toHaveLength(1)
    expect(guard.renew((count += 1))).toMatchObject({ refusal: 'latched' })
    guard.position.release()
    expect(guard.told.at(-1)).toEqual(['guard-latched lifted', 'a person has released the position'])
    expect(guard.renew((count += 1))).toMatchObject({ fence: 4 })
  })
})

describe('While the daemon lives a guard', () => {
  let count = 0

  /** Renews each second; the guard looks twice a minute. */
  async function living(
    guard: ReturnType<typeof watched>,
    ms: number,
    change: Partial<PositionRenewal> = {},
  ) {
    let requests = 0
    for (let passed = 0; passed < ms; passed += 1_000) {
      requests += guard.renew((count += 1), change).requestsAgoMs.length
      await guard.pass(1_000, 500)
    }
    return requests
  }

  test('compares the quote with what is called confirmed, twice a minute, and hands its requests over', async () => {
    const guard = watched()
    const requests = await living(guard, 121_000)
    expect(guard.done.length).toBe(8)
    expect(requests).toBe(8)
    expect(guard.told).toEqual([])
  })

  test('tells once of a quote that differs at two looks in a row, and changes nothing', async () => {
    const guard = watched()
    guard.venue.quote.ask = 90
    await living(guard, 120_000)
    expect(guard.told).toEqual([
      [
        'guard-mismatch',
        'the venue quotes 90 bps on the ask where the daemon calls 70 confirmed for desk; the daemon lives, so the guard changes nothing',
      ],
    ])
    expect(guard.done.every((one) => one.startsWith('read'))).toBe(true)
  })

  test('looks more often after a difference, and never more than ten times a minute', async () => {
    const guard = watched()
    guard.venue.quote.ask = 90
    await living(guard, 90_000)
    const counted = guard.done.length
    expect(counted).toBeGreaterThan(8)
    expect(counted).toBeLessThanOrEqual(20)
  })

  test('takes a quote that cannot be read, or that moved meanwhile, for no difference', async () => {
    const unread = watched()
    unread.venue.quote = { bid: null, ask: null }
    await living(unread, 120_000)
    expect(unread.told).toEqual([])
    const moving = watched()
    moving.venue.quote.ask = 90
    let answer = (): void => undefined
    moving.venue.until = new Promise<void>((resolve) => (answer = resolve))
    await living(moving, 31_000)
    moving.renew(9_999_999, { quote: { bidBps: 60, askBps: 90 } })
    answer()
    await moving.settle()
    expect(moving.told).toEqual([])
  })

  test('looks whether it could act also where the lease names no confirmed quote, and not where it may not act', async () => {
    const none = watched()
    none.venue.quote.ask = 90
    await living(none, 61_000, { quote: null })
    expect(none.done).toEqual(['read bid', 'read ask', 'read bid', 'read ask'])
    const dry = watched({ acts: false, actsNot: 'dry' })
    await living(dry, 61_000)
    expect([...none.told, ...dry.told, ...dry.done]).toEqual([])
  })

  test('notices at two looks in a row that it could not act, notifies once, shows it, and lifts it at the next answer', async () => {
    const guard = watched()
    await living(guard, 31_000)
    guard.venue.blind = 'the venue refuses the key (401)'
    await living(guard, 30_000)
    expect(guard.codes()).toEqual([])
    expect(guard.position.status().blind).toBeNull()
    await living(guard, 70_000)
    expect(guard.told).toEqual([
      ['guard-blind', 'the venue refuses the key (401): if the daemon died now, the guard could do nothing'],
    ])
    expect(guard.position.status()).toMatchObject({
      state: 'held',
      blind: expect.stringContaining('(401)'),
    })
    guard.venue.blind = null
    await living(guard, 31_000)
    expect(guard.codes()).toEqual(['guard-blind', 'guard-blind lifted'])
    expect(guard.position.status().blind).toBeNull()
  })

  test('does not call itself blind for one look without an answer, nor for a refusal that its key did not cause', async () => {
    const guard = watched()
    guard.venue.quote.bid = null
    await living(guard, 120_000)
    guard.venue.quote.bid = 60
    await living(guard, 30_000)
    const before = guard.done.length
    guard.venue.blind = 'no answer'
    await guard.settle()
    while (guard.done.length === before) await living(guard, 1_000)
    guard.venue.blind = null
    await living(guard, 120_000)
    expect(guard.told).toEqual([])
  })

  test('that is drained for ten minutes notifies of it once, and shows it', async () => {
    const guard = watched()
    guard.renew(1)
    guard.position.drain()
    await guard.pass(599_900, 100)
    expect(guard.codes()).toEqual([])
    await guard.pass(600_000, 1_000)
    expect(guard.told).toEqual([['guard-drained', 'the guard was drained 10 minutes ago: no one watches']])
    expect(guard.position.status().isDrained).toBe(true)
  })
})

describe("The venue's minute", () => {
  test('is waited for where the limit refuses the safe quote, and then the quote is set at once', async () => {
    const guard = watched()
    guard.venue.outcome = () => ({ kind: 'limited', words: 'the venue answers 429' })
    guard.venue.answer = { status: 429, headers: { 'retry-after': '9' } }
    guard.renew(1)
    await guard.pass(4_500)
    expect(guard.done).toEqual(['safe'])
    await guard.pass(8_900)
    expect(guard.done).toEqual(['safe'])
    guard.venue.outcome = () => DONE
    guard.venue.answer = { status: 200, headers: {} }
    await guard.pass(100)
    expect(guard.done).toEqual(['safe', 'safe', 'read bid', 'read ask'])
  })

  test('is left to writes where the venue states that two requests are left', async () => {
    const guard = watched()
    guard.venue.answer = { status: 200, headers: { 'ratelimit-remaining': '2', 'ratelimit-reset': '20' } }
    guard.renew(1)
    await guard.pass(4_500)
    expect(guard.done).toEqual(['safe'])
    guard.venue.answer = { status: 200, headers: {} }
    await guard.pass(20_000)
    expect(guard.done.slice(0, 3)).toEqual(['safe', 'read bid', 'read ask'])
  })

  test('is used beyond the share of ten once the guard has fired, and never beyond the limit of the key', async () => {
    const guard = watched({ requestsPerMinute: 20 })
    guard.renew(1)
    await guard.pass(4_500)
    // Someone sets the quote again and again: every read-back differs.
    for (let times = 0; times < 55; times += 1) {
      guard.venue.quote = { bid: 60, ask: 70 }
      await guard.pass(1_000, 200)
    }
    expect(guard.done.length).toBeGreaterThan(10)
    expect(guard.done.length).toBeLessThanOrEqual(20)
  })
})
