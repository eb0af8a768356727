import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { encodeJson } from '../../src/base/codec.ts'
import { loadConfig } from '../../src/config/load/load-config.ts'
import type { StrategyReference } from '../../src/config/strategy/load-strategy.ts'
import type { ChallengerAnswer, ChallengerJob } from '../../src/runtime/review/challenger-worker.ts'
import { judgeChallenger, newChallenger } from '../../src/runtime/review/judge-challenger.ts'
import { createReviewThreads } from '../../src/runtime/review/review-thread.ts'
import { halfHourJournal } from '../support/written-store.ts'

// A challenger in the thread that it runs in: what hostile code does there, and that nothing else is changed by it.

const folder = mkdtempSync(join(tmpdir(), 'mizani-challenger-'))
const threads = createReviewThreads()
afterAll(async () => {
  await threads.close()
  rmSync(folder, { recursive: true, force: true })
})

const CONFIG = new URL('../../config/backtest.yaml', import.meta.url).pathname
const WEEK = new URL('../../examples/week', import.meta.url).pathname
const STRATEGIES = new URL('../../strategies', import.meta.url).pathname
const WORKER = new URL('../../src/runtime/review/challenger-worker.ts', import.meta.url)
const WINDOW = { from: Date.UTC(2026, 8, 8), to: Date.UTC(2026, 8, 10) }

async function loaded(changes: Readonly<Record<string, unknown>> = {}) {
  const options = { strategiesFolder: STRATEGIES, offline: true, changes }
  const config = await loadConfig(CONFIG, {}, { ...options, probe: { timeLimitMs: 20_000, only: 'load' } })
  if (!config.ok) throw new Error(config.error.map(({ message }) => message).join('\n'))
  return config.value
}

const { core, backtest, venue } = await loaded()

function run(challenger: StrategyReference, window = WINDOW) {
  const job: ChallengerJob = {
    challenger,
    where: { folder: STRATEGIES, baseFolder: folder, allow: null, owner: 'example' },
    core,
    settings: backtest,
    toleranceBps: venue.toleranceBps,
    recorded: { tapeFolder: WEEK, store: join(folder, 'none'), mode: 'live' },
    window,
  }
  return threads.run<ChallengerAnswer>(WORKER, job)
}

async function compared(challenger: StrategyReference) {
  const answer = await run(challenger)
  if (!answer.ok || !('compared' in answer.value)) throw new Error(JSON.stringify(answer))
  return answer.value
}

/** A strategy whose hundredth quote does what is written here. */
function hostile(name: string, body: string, top = ''): StrategyReference {
  writeFileSync(
    join(folder, `${name}.ts`),
    `import { defineStrategy, z } from '#kit'
    ${top}
    export default defineStrategy({
      name: '${name}',
      params: z.strictObject({}),
      init: () => ({ asked: 0 }),
      quote({ now }, state) {
        state.asked += 1
        if (state.asked > 100) { ${body} }
        return { bidBps: 60, askBps: 60, because: [] }
      },
    })`,
  )
  return { use: `./${name}.ts`, params: {} }
}

describe('a challenger', { timeout: 120_000 }, async () => {
  const champion = { use: core.strategy.use, params: core.strategy.params }
  const itself = await compared(champion)

  test('that is the champion itself trades exactly as it does: no day differs, and neither does the digest', () => {
    const { challenger, champion: ours, difference, days } = itself.compared
    expect(challenger).toEqual(ours)
    expect(difference).toEqual({ days: 2, meanUsd: 0, seUsd: 0, p: 1 })
    expect(days).toHaveLength(2)
    expect(ours.fills).toBeGreaterThan(500)
  })

  test('gives the same result when it runs again, as after a restart', async () => {
    const other = { use: 'fixed-spread', params: { bidBps: 80, askBps: 45 } }
    const first = await compared(other)
    expect(await compared(other)).toEqual(first)
    const { difference, challenger, champion: ours } = first.compared
    expect(difference?.seUsd).toBeGreaterThan(0)
    expect(challenger.quote).toMatchObject({ bidBps: 80, askBps: 45 })
    expect(challenger.quoteUpdates).toBeLessThan(ours.quoteUpdates)
    expect(ours).toEqual(itself.compared.champion)
  })

  test.each([
    ['throws', "throw new Error('no more')", /no more/],
    ['wants NaN', 'return { bidBps: NaN, askBps: 60, because: [] }', /NaN|number/],
    ['answers with nothing', 'return undefined', /./],
  ])(
    'that %s is suspended by its own core with the reason, and changes nothing of the champion',
    async (name, body, why) => {
      const { suspension, compared: both } = await compared(hostile(name.replaceAll(' ', '-'), body))
      expect(suspension?.why).toMatch(why)
      expect(suspension?.since).toBeGreaterThan(WINDOW.from)
      expect(encodeJson(both.champion)).toBe(encodeJson(itself.compared.champion))
      // The safe quote that stands from then on is not its own.
      expect(both.days.every(({ to }) => to <= (suspension?.since ?? 0))).toBe(true)
    },
  )

  test('that sells at both bounds earns less in the shadow, and changes nothing of the champion', async () => {
    const { suspension, compared: both } = await compared(
      hostile('narrow', 'return { bidBps: 10, askBps: 10, because: [] }'),
    )
    expect(suspension).toBeNull()
    expect(both.difference?.meanUsd).toBeLessThan(-100)
    expect(both.challenger.syntheticFills).toBeGreaterThan(both.champion.syntheticFills)
    expect(encodeJson(both.champion)).toBe(encodeJson(itself.compared.champion))
  })

  test('that loops, fills memory or cannot be loaded is suspended with the reason', async () => {
    const hogs = 'const kept = []; for (;;) kept.push(new Array(1e6).fill(now))'
    const answers = [
      [hostile('loops', 'while (now > 0);'), /did not answer within 1000 ms/],
      [hostile('hogs', hogs), /memory|did not answer/],
      [hostile('top', '', "throw new Error('at the top')"), /at the top/],
      [{ use: 'fixed-spread', params: { bidBps: 'wide' } }, /bidBps/],
      [{ use: './gone.ts', params: {} }, /there is no file/],
    ] as const
    for (const [challenger, why] of answers) {
      const known = newChallenger({ ...challenger, fingerprint: '' }, 0)
      expect(judgeChallenger(known, await run(challenger), 1).suspended?.why).toMatch(why)
    }
    // The next one runs as if nothing had been.
    expect(await compared(champion)).toEqual(itself)
  })

  test('of a time without a recording is a problem, and no suspension; where it begins now it is loaded', async () => {
    expect(await run(champion, { from: 1, to: 1 })).toEqual({ ok: true, value: { isLoaded: true } })
    expect(await run(champion, { from: 0, to: 1 })).toEqual({
      ok: true,
      value: { problem: expect.stringContaining('nothing is recorded') },
    })
  })

  test('is nothing that the core of the position knows of: what it decides and sends is byte-equal with and without', async () => {
    const changes = { 'record.path': folder, challenger: hostile('beside', 'while (now > 0);') }
    const beside = await loaded(changes)
    expect(beside.challenger).toEqual(changes.challenger)
    expect(encodeJson(beside.core)).toBe(encodeJson(core))
    const alone = encodeJson(halfHourJournal(champion))
    const looping = run(changes.challenger)
    expect(encodeJson(halfHourJournal(champion))).toBe(alone)
    expect(await looping).toMatchObject({ value: { refused: expect.stringContaining('did not answer') } })
  })
})
