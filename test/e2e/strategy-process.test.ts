import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCalendar } from '../../src/daemon/runtime/position/calendar.ts'
import { seededRandom } from '../../src/base/random.ts'
import { loadStrategy, loadStrategyApart } from '../../src/daemon/config/strategy/load-strategy.ts'
import { neutralContext } from '../../src/daemon/config/strategy/try-strategy.ts'
import { askStrategy, StrategyLost } from '../../src/core/strategy/ask-strategy.ts'
import type { StrategyContext } from '../../src/core/strategy/context.ts'
import type { LoadedStrategy } from '../../src/core/strategy/define-strategy.ts'
import { freshMemory } from '../../src/core/strategy/memory.ts'

const SHIPPED = fileURLToPath(new URL('../../strategies', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mizani-process-'))

/** Reads all of its context, keeps some of it, draws numbers, and wraps another one with a changed context. */
const CURIOUS = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'curious',
  params: z.strictObject({ inner: z.string() }),
  init: () => ({ asked: 0, mids: [], last: null, big: 1n }),
  inner: ({ inner }) => ({ wrapped: { use: inner, params: {} } }),
  quote(context, state, params, inner) {
    state.asked += 1
    state.mids.push(context.mid)
    state.last = { ...context.fairValue, ...context.standing }
    if (state.asked % 3 === 0) delete state.last
    state.big *= 3n
    const random = context.random('a')
    const drawn = Array.from({ length: 40 }, random).reduce((sum, one) => sum + one, 0)
    const { inventory, competition, markouts } = context
    const seen = { ...context, mid: context.mid + 1 }
    const same = inner.wrapped(context)
    const other = inner.wrapped(seen)
    const text = JSON.stringify([context, inventory, competition, markouts, context.recentFills, drawn, same, other])
    return {
      bidBps: same.bidBps + drawn, askBps: other.askBps,
      reasons: [text.slice(0, 900), String(context.inWindow('* 8-17 * * 1-5', 'Africa/Dar_es_Salaam'))],
    }
  },
})
`
writeFileSync(join(folder, 'curious.js'), CURIOUS)

const places = { folder, baseFolder: folder, owner: 'desk' }

async function both(use: string, params: object): Promise<readonly [LoadedStrategy, LoadedStrategy]> {
  // As names these would be shipped ones; as files from elsewhere they are the user's.
  const options = { ...places, folder: tmpdir() }
  const [here, apart] = await Promise.all([
    loadStrategy({ use, params }, options),
    loadStrategyApart({ use, params }, options),
  ])
  if (!here.ok || !apart.ok) throw new Error(JSON.stringify([here, apart]))
  return [here.value.strategy, apart.value.strategy]
}

const calendar = createCalendar()
const contexts = fc
  .record({
    now: fc.integer({ min: 1_767_000_000_000, max: 1_768_000_000_000 }),
    mid: fc.double({ min: 2_400, max: 2_700, noNaN: true }),
    midAgeMs: fc.option(fc.nat(100_000)),
    imbalance: fc.double({ min: -1, max: 1, noNaN: true }),
    best: fc.option(fc.integer({ min: 10, max: 200 })),
    fills: fc.array(
      fc.record({
        at: fc.nat(),
        side: fc.constantFrom('bid', 'ask'),
        stable: fc.constant('USDC'),
        usd: fc.integer({ min: 1, max: 900 }),
      }),
      { maxLength: 5 },
    ),
  })
  .map(({ now, mid, midAgeMs, imbalance, best, fills }) => {
    const neutral = neutralContext()
    const side = best === null ? null : { bestBps: best, ageMs: 5 }
    return {
      ...neutral,
      now,
      mid,
      midAgeMs,
      inventory: { ...neutral.inventory, imbalance },
      competition: { bid: side, ask: null },
      recentFills: fills,
      inWindow: (cron: string, zone: string) => calendar(cron, zone, now),
      random: (label: string) => seededRandom(now, label),
    }
  })

describe('a strategy in a process of its own', { timeout: 120_000 }, () => {
  test.each([
    ['./curious.js', { inner: join(SHIPPED, 'avellaneda-stoikov.ts') }],
    [join(SHIPPED, 'optimal.ts'), {}],
    [join(SHIPPED, 'inventory-skew.ts'), {}],
  ])('answers and remembers what it does in the thread: %s', async (use, params) => {
    const [here, apart] = await both(use, params)
    expect({ ...(apart.params as object), hash: apart.sourceHash }).toEqual({
      ...(here.params as object),
      hash: here.sourceHash,
    })
    const [memory, other] = [freshMemory(here), freshMemory(apart)]
    for (const context of fc.sample(contexts, 25)) {
      expect(askStrategy(apart, other, context)).toEqual(askStrategy(here, memory, context))
      expect(other).toEqual(memory)
    }
  })

  test('is asked for each part of its context that it reads, and for no other', async () => {
    writeFileSync(
      join(folder, 'reads.js'),
      CURIOUS.replace(
        /quote\([^]*\},\n\}\)/,
        'quote: ({ mid, inventory }) => ({ bidBps: 60 + inventory.imbalance, askBps: mid / 50, reasons: [] }),\n})',
      ).replace(/ {2}inner: [^\n]*\n/, ''),
    )
    const loaded = await loadStrategyApart(
      { use: './reads.js', params: { inner: '' } },
      { ...places, folder: tmpdir() },
    )
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
    const { strategy } = loaded.value
    const read: string[] = []
    const note = (path: string, value: object): object =>
      new Proxy(value, {
        get(target, key) {
          const part: unknown = Reflect.get(target, key)
          if (typeof part === 'object' && part !== null) return note(`${path}${String(key)}.`, part)
          read.push(`${path}${String(key)}`)
          return part
        },
      })
    const context = note('', neutralContext()) as StrategyContext
    const memory = freshMemory(strategy)
    for (let time = 0; time < 3; time++) {
      read.length = 0
      expect(askStrategy(strategy, memory, context).ok).toBe(true)
      expect(read.toSorted()).toEqual(['inventory.imbalance', 'mid'])
    }
  })

  test('that reads an old name of its context gets an error with the new one', async () => {
    writeFileSync(
      join(folder, 'old.js'),
      CURIOUS.replace(/quote\([^]*\},\n\}\)/, 'quote: (context) => context.promisable,\n})').replace(
        / {2}inner: [^\n]*\n/,
        '',
      ),
    )
    const old = await loadStrategyApart(
      { use: './old.js', params: { inner: '' } },
      { ...places, folder: tmpdir() },
    )
    if (!old.ok) throw new Error(JSON.stringify(old.error))
    const { strategy } = old.value
    expect(askStrategy(strategy, freshMemory(strategy), neutralContext())).toEqual({
      ok: false,
      error: expect.stringMatching(/context\.promisable .*context\.available/) as string,
    })
  })

  test.each([
    ['loops', 'for (;;);', /did not answer within 1000 ms \(bad\.js\)/],
    [
      'draws random numbers without an end',
      'const draw = context.random("a"); for (;;) draw()',
      /did not answer/,
    ],
    [
      'fills the memory',
      'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))',
      /ended its process twice|did not answer/,
    ],
    [
      'answers more than any quote holds',
      'return { bidBps: 60, askBps: 60, reasons: [new Array(4e6).fill("twenty letters or so")] }',
      /./,
    ],
  ])('that %s is lost to its position, and the next one is answered', async (_, body, why) => {
    const code = (text: string) =>
      CURIOUS.replace(/quote\([^]*\},\n\}\)/, `quote(context) { ${text} },\n})`).replace(
        / {2}inner: [^\n]*\n/,
        '',
      )
    writeFileSync(join(folder, 'bad.js'), code(body))
    const bad = await loadStrategyApart(
      { use: './bad.js', params: { inner: '' } },
      { ...places, folder: tmpdir() },
    )
    if (!bad.ok) throw new Error(JSON.stringify(bad.error))
    const { strategy } = bad.value
    const memory = freshMemory(strategy)
    const ask = () => {
      try {
        const answer = askStrategy(strategy, memory, neutralContext())
        return answer.ok ? 'answered' : answer.error
      } catch (thrown) {
        return thrown instanceof StrategyLost ? thrown.message : 'no StrategyLost'
      }
    }
    expect(ask()).toMatch(why)
    expect(freshMemory(strategy)).toEqual(memory)
  })
})
