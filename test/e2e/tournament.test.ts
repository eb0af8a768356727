import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TournamentResult } from '../../src/research/tournament/summarise.ts'
import { runMizani } from './daemon/run-mizani.ts'

const folder = mkdtempSync(join(tmpdir(), 'tournament-'))

const SMALL = ['--scenarios', 'normal,toxic-taker', '--seeds', '2', '--training-seeds', '2', '--days', '14']
const out = (name: string) => join(folder, name)
const tournament = (name: string, ...words: readonly string[]) =>
  runMizani(['tournament', '--out', out(name), '--workers', '2', ...SMALL, ...words])
const parsed = (text: string) => JSON.parse(text) as TournamentResult

describe('mizani tournament', () => {
  test('plays what is asked for, the four parts sum to the PnL, and a second run of the same plays nothing', async () => {
    const first = await tournament('one', '--strategies', 'constant,glft', '--json')
    expect([first.code, first.err]).toEqual([0, expect.stringMatching(/of \d+ plays/)])
    const result = parsed(first.out)
    expect(result.scenarios.map(({ name }) => name)).toEqual(['normal', 'toxic-taker'])
    for (const { standings } of result.scenarios) {
      expect(standings.map(({ strategy }) => strategy)).toEqual(['constant', 'glft'])
      for (const { pnl, parts } of standings) {
        const sum = parts.retailUsd + parts.informedUsd + parts.restockingUsd + parts.carryUsd
        expect(Math.abs(sum - pnl.mean)).toBeLessThan(1e-6)
      }
      expect(standings[0]?.tuning?.variants).toBe(6)
      expect(standings[0]?.tuning?.luckUsd).toBeGreaterThan(0)
      expect(standings[1]?.tuning).toBeNull()
      expect(standings[1]?.against[0]?.baseline).toBe('constant')
    }
    const lines = () => readFileSync(join(out('one'), 'results.jsonl'), 'utf8')
    const before = lines()
    appendFileSync(join(out('one'), 'results.jsonl'), '{"key":"half a li')
    const second = await tournament('one', '--strategies', 'constant,glft', '--json')
    expect(parsed(second.out)).toEqual(result)
    expect(lines()).toBe(before)
    expect(readFileSync(join(out('one'), 'report.html'), 'utf8')).toContain('toxic-taker')
  })

  test('tells a strategy of your own, and what is wrong with it, before anything is played', async () => {
    const file = join(folder, 'wide.ts')
    const strategy = (bps: string) =>
      `import { defineStrategy, z } from '#kit'\nexport default defineStrategy({ name: 'wide', params: z.strictObject({}), init: () => ({}), quote: ({ recentFills }) => ({ bidBps: ${bps}, askBps: 30, reasons: ['wide'] }) })\n`
    writeFileSync(file, strategy('90'))
    // Relative to where one stands; the configuration is the shipped one.
    const good = await tournament('own', '--strategies', relative(process.cwd(), file))
    expect(good.code).toBe(0)
    expect(good.out).toMatch(/wide .*written/s)
    writeFileSync(file, strategy('({}).missing.bps'))
    const bad = await tournament('own', '--strategies', file)
    expect([bad.code, bad.err]).toEqual([2, expect.stringMatching(/wide: .*threw/s)])
    writeFileSync(file, strategy('recentFills.length > 3 ? recentFills.missing.bps : 90'))
    const late = await tournament('own', '--strategies', file)
    expect([late.code, late.err]).toEqual([1, expect.stringMatching(/normal, seed \d+: .*suspended/s)])
    const none = await tournament('own', '--strategies', 'glfd')
    expect([none.code, none.err]).toEqual([2, expect.stringMatching(/mean glft/)])
    const seeds = await tournament('own', '--strategies', 'constant', '--first-seed', '2')
    expect([seeds.code, seeds.err]).toEqual([2, expect.stringMatching(/overlap/)])
  })
})
