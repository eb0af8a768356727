import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { withFigure } from '../../scripts/kill-figures.ts'
import { figureRows, reliabilityPage } from '../../scripts/reliability-page.ts'
import { drawDay } from '../campaign/fault-world.ts'
import { type CampaignHead } from '../campaign/kept.ts'
import { keyOf, seedOf, type Unit, type UnitResult, worldIds } from '../campaign/plan.ts'
import { repeatDay, runCampaign, type CampaignPorts } from '../campaign/run-campaign.ts'
import { runUnit } from '../campaign/run-unit.ts'
import { WORLDS } from '../campaign/worlds/all.ts'
import { ANSWERS } from '../campaign/worlds/answers.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'campaign-'))
  folders.push(folder)
  return folder
}

function headOf(days: number, version = 'test'): CampaignHead {
  const plan = { days, firstSeed: 1, fuzz: days === 8 ? 2_000 : 0, kills: 0 }
  return { ...plan, worlds: worldIds(version), version, commit: 'none', node: process.versions.node }
}

function portsOf(change: Partial<CampaignPorts> = {}): CampaignPorts & { readonly lines: string[] } {
  const lines: string[] = []
  const print = (line: string): void => void lines.push(line)
  return {
    size: 1,
    run: runUnit,
    print,
    now: () => 0,
    signal: new AbortController().signal,
    lines,
    ...change,
  }
}

/** A unit that was lived, without living it. */
function lived(what: Unit, change: Partial<UnitResult> = {}): UnitResult {
  const seen: Record<string, number> = what.kind === 'canary' ? { [what.canary]: 1 } : { events: 3 }
  const { kind, world } = what
  return {
    key: keyOf(what),
    kind,
    world,
    seed: seedOf(what),
    ms: 1,
    cpuMs: 1,
    faults: { crash: 2 },
    seen,
    failure: null,
    ...change,
  }
}

const quick = (unit: Unit) => Promise.resolve(lived(unit))

describe('A campaign', { timeout: 900_000 }, () => {
  test('finds every planted bug, and nothing in the first fault-days of each world and in 2,000 spoilt answers', async () => {
    const ended = await runCampaign(headOf(8), newFolder(), portsOf())
    if (!ended.ok) throw new Error(ended.error)
    const { summary, problem } = ended.value
    expect(summary.failures).toEqual([])
    expect(summary.canaries.filter(({ found }) => found === null)).toEqual([])
    expect(summary.canaries).toHaveLength(
      [...WORLDS, ANSWERS].reduce((sum, { canaries }) => sum + canaries.length, 0),
    )
    expect(summary.fuzz).toMatchObject({ planned: 2_000, answers: 2_000, failed: 0 })
    expect(problem).toBeNull()
    expect(summary.worlds.map(({ days }) => days)).toEqual([2, 1, 2, 2, 1])
    for (const { seen } of summary.worlds) {
      expect(Object.values(seen).some((count) => count > 0)).toBe(true)
    }
  })

  test('lives a day alone as the campaign does: with the kinds of faults that are drawn for its seed', async () => {
    const treasury = WORLDS.find(({ name }) => name === 'treasury')
    if (treasury === undefined) throw new Error('there is no treasury')
    const day = drawDay(treasury, 3)
    const live = async (without: readonly string[] | null) => {
      const lines: string[] = []
      const only = { world: 'treasury', seed: 3, hours: 6, without }
      expect(await repeatDay(only, (line) => void lines.push(line))).toEqual({ ok: true, value: null })
      return lines.join('')
    }
    const drawn = await live(null)
    expect(drawn).toBe(await live(day.without))
    expect(drawn).not.toBe(await live([]))
  })

  test('continues where it was ended: a unit with a result is not lived again, and half a line is no result', async () => {
    const folder = newFolder()
    const stop = new AbortController()
    let units = 0
    const first = await runCampaign(
      headOf(12),
      folder,
      portsOf({
        signal: stop.signal,
        run(unit) {
          units += 1
          if (units === 5) stop.abort()
          return quick(unit)
        },
      }),
    )
    expect(units).toBe(5)
    expect(first).toMatchObject({
      ok: true,
      value: { problem: expect.stringMatching(/only 5 of \d+ /) },
    })
    const file = join(folder, 'results.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -10))
    const again: string[] = []
    const second = await runCampaign(
      headOf(12),
      folder,
      portsOf({
        run(unit) {
          again.push(keyOf(unit))
          return quick(unit)
        },
      }),
    )
    expect(again[0]).toBe('canary pool profit-off-by-one')
    expect(second).toMatchObject({
      ok: true,
      value: { problem: null, summary: { lived: 12, failed: 0 } },
    })
    const third = await runCampaign(
      headOf(12),
      folder,
      portsOf({ run: () => Promise.reject(new Error('again')) }),
    )
    expect(third).toMatchObject({ ok: true, value: { problem: null } })
  })

  test('names the commit of every result, and looks for the planted bugs again where it continues at another one', async () => {
    const folder = newFolder()
    await runCampaign({ ...headOf(4), commit: 'aaaaaaaa' }, folder, portsOf({ run: quick }))
    const again: Unit[] = []
    const second = await runCampaign(
      { ...headOf(9), commit: 'bbbbbbbb' },
      folder,
      portsOf({
        run(unit) {
          again.push(unit)
          return quick(unit)
        },
      }),
    )
    const planted = WORLDS.reduce((sum, { canaries }) => sum + canaries.length, 0)
    expect(again.filter(({ kind }) => kind === 'canary')).toHaveLength(planted)
    const found = { node: process.versions.node, failed: 0, answers: 0, planted, missed: 0 }
    expect(second).toMatchObject({
      ok: true,
      value: {
        problem: null,
        summary: {
          lived: 9,
          commits: [
            { commit: 'aaaaaaaa', days: 4, ...found },
            { commit: 'bbbbbbbb', days: 5, ...found },
          ],
        },
      },
    })
    const third = await runCampaign(
      { ...headOf(10), commit: 'cccccccc' },
      folder,
      portsOf({
        run: (unit) =>
          Promise.resolve(
            unit.kind === 'canary' ? lived(unit, { seen: {}, failure: 'missed' }) : lived(unit),
          ),
      }),
    )
    expect(third).toMatchObject({
      value: { summary: { lived: 9 }, problem: expect.stringMatching(/missed/) },
    })
    const fourth = await runCampaign({ ...headOf(10), commit: 'bbbbbbbb' }, folder, portsOf({ run: quick }))
    expect(fourth).toMatchObject({ value: { problem: null, summary: { lived: 10 } } })
  })

  test('publishes no days of a commit in which the planted bugs were missed or not looked for', async () => {
    const folder = newFolder()
    await runCampaign({ ...headOf(4), commit: 'aaaaaaaa' }, folder, portsOf({ run: quick }))
    const file = join(folder, 'results.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.filter((line) => !line.includes('canary')).join('\n'))
    expect(
      await runCampaign({ ...headOf(5), commit: 'bbbbbbbb' }, folder, portsOf({ run: quick })),
    ).toMatchObject({
      value: {
        problem: '4 days are of commit aaaaaaaa, in which planted bugs were missed or not looked for',
      },
    })
  })

  test('shrinks a failing day once, with its journal, and saves a day that does not end as it is', async () => {
    const folder = newFolder()
    let tries = 0
    const failing = (unit: Unit): Promise<UnitResult> => {
      if (unit.kind !== 'day' || unit.day.seed !== 1) return quick(unit)
      if (unit.world === 'guard')
        return Promise.resolve(lived(unit, { failure: 'its thread was ended: 30 min' }))
      if (unit.world !== 'pool') return quick(unit)
      tries += 1
      const journal = unit.keepsJournal === true ? { journal: ['{"type":"started"}'] } : {}
      return Promise.resolve(lived(unit, { failure: 'lost', ...journal }))
    }
    await runCampaign(headOf(4), folder, portsOf({ run: failing }))
    const file = (name: string) => readFileSync(join(folder, 'failures', name), 'utf8')
    expect(JSON.parse(file('pool-1.json'))).toMatchObject({ failure: 'lost', commit: 'none' })
    expect(file('pool-1.journal.jsonl')).toBe('{"type":"started"}\n')
    expect(JSON.parse(file('guard-1.json'))).toMatchObject({
      day: { hours: 24 },
      command: expect.stringContaining('--only guard:1 --hours 24'),
    })
    const before = tries
    expect(before).toBeGreaterThan(2)
    await runCampaign(headOf(4), folder, portsOf({ run: failing }))
    expect(tries).toBe(before)
  })

  test('lives more days in the same folder, and none of another version', async () => {
    const folder = newFolder()
    await runCampaign(headOf(4), folder, portsOf({ run: quick }))
    let units = 0
    const run = (unit: Unit) => {
      units += 1
      return quick(unit)
    }
    const more = await runCampaign(headOf(9), folder, portsOf({ run }))
    expect(more).toMatchObject({ ok: true, value: { problem: null, summary: { lived: 9 } } })
    expect(units).toBe(5)
    const other = await runCampaign(headOf(9, 'later'), folder, portsOf({ run }))
    expect(other).toEqual({
      ok: false,
      error: expect.stringMatching(/\(version test, commit none;/),
    })
  })

  test('continues after a world has come, and refuses a folder of other faults', async () => {
    const folder = newFolder()
    await runCampaign(headOf(7), folder, portsOf({ run: quick }))
    const file = join(folder, 'campaign.json')
    const { worlds, ...before } = JSON.parse(readFileSync(file, 'utf8')) as CampaignHead
    const { handover: _new, ...older } = worlds
    const again: string[] = []
    const run = (unit: Unit) => {
      again.push(unit.world)
      return quick(unit)
    }
    writeFileSync(file, JSON.stringify({ ...before, worlds: older }))
    const lines = join(folder, 'results.jsonl')
    const kept = readFileSync(lines, 'utf8').split('\n')
    writeFileSync(lines, kept.filter((line) => !line.includes('handover')).join('\n'))
    expect(await runCampaign(headOf(7), folder, portsOf({ run }))).toMatchObject({
      ok: true,
      value: { problem: null, summary: { lived: 7 } },
    })
    expect(new Set(again)).toEqual(new Set(['handover']))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ worlds })
    writeFileSync(file, JSON.stringify({ ...before, worlds: { ...worlds, guard: 'of other faults' } }))
    expect(await runCampaign(headOf(7), folder, portsOf({ run }))).toEqual({
      ok: false,
      error: expect.stringContaining(': guard'),
    })
  })

  test('publishes nothing where a planted bug is missed or a day has failed, and bounds no chance then', async () => {
    const missing = portsOf({
      run: (what) =>
        Promise.resolve(what.kind === 'canary' ? lived(what, { seen: {}, failure: 'missed' }) : lived(what)),
    })
    const missed = await runCampaign(headOf(4), newFolder(), missing)
    expect(missed).toMatchObject({
      ok: true,
      value: { problem: expect.stringMatching(/missed.*proves nothing/) },
    })
    const failing = portsOf({
      run: (what) =>
        Promise.resolve(
          lived(
            what,
            what.world === 'treasury' && what.kind === 'day' && what.day.seed === 1
              ? { failure: 'lost' }
              : {},
          ),
        ),
    })
    const folder = newFolder()
    const failed = await runCampaign(headOf(3), folder, failing)
    expect(failed).toMatchObject({ ok: true, value: { problem: '1 days and 0 batches of answers failed' } })
    expect(failing.lines).toContain('treasury: 1 of 1')
    expect(failing.lines).toContain('guard: 1 days without a failure, p < 100 % (3/n)')
    const saved = JSON.parse(readFileSync(join(folder, 'failures', 'treasury-1.json'), 'utf8')) as {
      readonly command: string
    }
    expect(saved.command).toMatch(/^npm run campaign -- --only treasury:1 --hours 0\.25 --without /)
  })

  test('shows its progress and the time that is left', async () => {
    let now = 0
    const ports = portsOf({ run: quick, now: () => (now += 6_000) })
    await runCampaign(headOf(8), newFolder(), ports)
    expect(ports.lines.find((line) => line.includes('min left'))).toMatch(
      /^\d+\/\d+ units, 0 failed, .*\d+ min/,
    )
  })
})

describe('docs/reliability.md', () => {
  test('is what the kept figures and the worlds say now (node scripts/reliability-page.ts)', () => {
    expect(readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8')).toBe(
      reliabilityPage(),
    )
  })

  test('says nothing else than the rows of other pages that repeat its figures', () => {
    for (const row of figureRows()) {
      const text = readFileSync(join(import.meta.dirname, '../..', row.page), 'utf8')
      expect(withFigure(text, row)).toBe(text)
    }
  })

  test('names a file that is there for every invariant, and a planted bug that breaks it', () => {
    for (const { invariants, canaries, faults } of [...WORLDS, ANSWERS]) {
      expect(new Set(canaries.map(({ breaks }) => breaks))).toEqual(
        new Set(invariants.map(({ name }) => name)),
      )
      for (const { checkedBy } of invariants)
        expect(readFileSync(join(import.meta.dirname, '../..', checkedBy), 'utf8')).not.toBe('')
      for (const { needs } of canaries) expect(needs.filter((fault) => !faults.includes(fault))).toEqual([])
    }
  })
})
