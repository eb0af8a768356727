import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../../src/core/engine/model/observation.ts'
import { policyHashOf } from '../../../../../src/daemon/runtime/treasury/configured-event.ts'
import { createFlowMeter } from '../../../../../src/daemon/runtime/treasury/flow-meter.ts'
import { runSkimClock } from '../../../../../src/daemon/runtime/treasury/skim-clock.ts'
import { readStoreOrigin } from '../../../../../src/daemon/runtime/treasury/store-origin.ts'
import { findInWebhooks } from '../../../../../src/daemon/runtime/treasury/finders/webhook-finder.ts'
import type { Leg } from '../../../../../src/treasury/model/intent.ts'

const UNIT = 10n ** 18n

describe('the flow of the position', () => {
  const fill = (amount: bigint): Observation => ({
    type: 'entryPosted',
    entry: {
      number: 1,
      t: 0,
      kind: 'fill',
      reason: '',
      fillId: 'f',
      postings: [
        { account: 'pool', asset: 'NTZS', amount },
        { account: 'external', asset: 'NTZS', amount: -amount },
      ],
    },
  })

  test('is the sum of the fills since it was taken last, with the event that it counts up to', () => {
    const meter = createFlowMeter(0)
    expect(meter.take()).toBeNull()
    meter.record(4, [fill(5n), fill(-2n)])
    expect(meter.take()).toEqual({ flow: { NTZS: 3n, USDC: 0n, USDT: 0n }, upTo: 4 })
    expect(meter.take()).toBeNull()
  })

  test('is in units of the token, of which the book has finer parts: what is less than one waits', () => {
    const meter = createFlowMeter(0)
    const dollars = (amount: bigint): Observation => {
      const one = fill(amount) as Extract<Observation, { type: 'entryPosted' }>
      const postings = one.entry.postings.map((posting) => ({ ...posting, asset: 'USDC' as const }))
      return { ...one, entry: { ...one.entry, postings } }
    }
    meter.record(1, [dollars(12_345_678_900_000_000_000n)])
    expect(meter.take()).toEqual({ flow: { NTZS: 0n, USDC: 12_345_678n, USDT: 0n }, upTo: 1 })
    meter.record(2, [dollars(100_000_000_000n)])
    expect(meter.take()?.flow.USDC).toBe(1n)
    meter.record(3, [dollars(-1n)])
    expect(meter.take()?.flow.USDC).toBe(-1n)
    meter.record(4, [dollars(1n)])
    expect(meter.take()?.flow.USDC).toBe(1n)
  })

  test('shows what was opened later apart from what was traded', () => {
    const meter = createFlowMeter(0)
    const opening = fill(9n) as Extract<Observation, { type: 'entryPosted' }>
    meter.record(1, [{ ...opening, entry: { ...opening.entry, kind: 'opening' } }])
    const none = { NTZS: 0n, USDC: 0n, USDT: 0n }
    expect(meter.take()).toEqual({ flow: none, opened: { ...none, NTZS: 9n }, upTo: 1 })
  })

  test('leaves out what the treasury knew before a restart, however much of it is replayed', () => {
    const meter = createFlowMeter(10)
    for (const seq of [8, 9, 10, 11]) meter.record(seq, [fill(1n)])
    expect(meter.take()).toEqual({ flow: { NTZS: 1n, USDC: 0n, USDT: 0n }, upTo: 11 })
  })

  test('counts fills alone: a top-up of our own is no flow', () => {
    const meter = createFlowMeter(0)
    const deposit = fill(9n) as Extract<Observation, { type: 'entryPosted' }>
    meter.record(1, [{ ...deposit, entry: { ...deposit.entry, kind: 'deposit' } }])
    expect(meter.take()).toBeNull()
  })
})

describe('the origin of a store', () => {
  test('is noticed to be a copy where a treasury has run in it, and adopted once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-origin-'))
    writeFileSync(join(folder, 'mizani.db'), 'x')
    expect(readStoreOrigin({ path: folder, place: folder }, false).isRestored).toBe(false)
    await readStoreOrigin({ path: folder, place: folder }, false).adopt()
    expect(readStoreOrigin({ path: folder, place: folder }, true).isRestored).toBe(false)
    const copy = join(folder, 'copy')
    mkdirSync(copy)
    for (const name of ['mizani.db', 'treasury.origin']) copyFileSync(join(folder, name), join(copy, name))
    expect(readStoreOrigin({ path: copy, place: copy }, true).isRestored).toBe(true)
    await readStoreOrigin({ path: copy, place: copy }, true).adopt()
    expect(readStoreOrigin({ path: copy, place: copy }, true).isRestored).toBe(false)
  })

  test('is not known where the folder lacks its mark though a treasury has run: that counts as restored', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-origin-'))
    writeFileSync(join(folder, 'mizani.db'), 'x')
    expect(readStoreOrigin({ path: folder, place: folder }, true).isRestored).toBe(true)
  })
})

describe('the clock of the skim', () => {
  // Friday 2026-11-20, 17:59:30 in Dar es Salaam.
  const start = Date.parse('2026-11-20T14:59:30Z')

  test('fires once in its minute, East Africa Time, also when it is looked at late', () => {
    let now = start
    let due = 0
    const clock = runSkimClock(
      () => '0 18 * * 5',
      () => now,
      () => (due += 1),
    )
    const lookAt = (ms: number) => {
      now = start + ms
      clock.look()
      return due
    }
    expect([lookAt(20_000), lookAt(40_000), lookAt(50_000), lookAt(600_000)]).toEqual([0, 1, 1, 1])
    expect(lookAt(7 * 86_400_000 + 300_000)).toBe(2)
    clock.close()
  })

  test('never fires without an expression', () => {
    let now = start
    const clock = runSkimClock(
      () => null,
      () => now,
      () => expect.unreachable(),
    )
    now += 86_400_000
    clock.look()
    clock.close()
  })
})

describe('a webhook that was kept', () => {
  const leg = { kind: 'deposit', amount: 500_000n * UNIT, leastReceived: 0n } as Leg
  const event = (data: object, t = 10) => ({
    type: 'webhookSeen' as const,
    t,
    event: 'deposit.completed',
    resourceId: 'd1',
    reference: null,
    status: 'completed',
    hash: 'h',
    body: JSON.stringify({ type: 'deposit.completed', data }),
  })
  const mine = { depositId: 'd1', userId: 'u', amountTzs: 500_000 }

  test('finds the deposit whose answer was lost by user, exact amount and time', () => {
    const found = findInWebhooks([event(mine)], leg, { userId: 'u', since: 5 })
    expect(found).toEqual({ reference: 'd1', received: 500_000n * UNIT, resourceId: 'd1' })
  })

  test.each([
    ['another user', { ...mine, userId: 'v' }, 10],
    ['another amount', { ...mine, amountTzs: 500_001 }, 10],
    ['before it was sent', mine, 4],
    ['no figure', { ...mine, amountTzs: '500000' }, 10],
    ['no id', { userId: 'u', amountTzs: 500_000 }, 10],
    ['an id that is no text', { ...mine, depositId: { toString: 1 } }, 10],
  ])('of %s proves nothing', (_what, data, t) => {
    expect(findInWebhooks([event(data, t)], leg, { userId: 'u', since: 5 })).toBeNull()
  })

  test('is never taken for a kind of step that has no event', () => {
    const transfer = { ...leg, kind: 'transfer' } as Leg
    expect(findInWebhooks([event(mine)], transfer, { userId: 'u', since: 5 })).toBeNull()
  })
})

describe('the hash of a policy', () => {
  const config = {
    mode: 'live',
    userId: 'u',
    policy: { bands: {}, caps: [{ perDay: 5n, route: null }], routes: ['payout'] },
    payees: [],
    approval: { people: 2 },
    pollEveryMs: 5,
  } as never

  test('is of what an approval rests on alone, in whatever order it is written', () => {
    const { policy, ...rest } = config as { policy: object }
    const reordered = { policy: Object.fromEntries(Object.entries(policy).toReversed()), ...rest } as never
    expect(policyHashOf(config)).toMatch(/^[0-9a-f]{64}$/)
    expect(policyHashOf(reordered)).toBe(policyHashOf(config))
    expect(policyHashOf({ ...(config as object), pollEveryMs: 9 } as never)).toBe(policyHashOf(config))
    expect(policyHashOf({ ...(config as object), mode: 'plan' } as never)).not.toBe(policyHashOf(config))
  })
})
