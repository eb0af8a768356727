import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type KeptKills, killsSection } from '../../../scripts/campaign-kills-section.ts'
import { checkPhrases } from '../../tidy/phrase-rules.ts'
import { plannedIn, type CampaignHead } from '../../campaign/kept.ts'
import { parseOptions, planOf } from '../../campaign/options.ts'
import { keyOf, seedOf, type Unit, type UnitResult } from '../../campaign/plan.ts'
import { runCampaign, type CampaignPorts } from '../../campaign/run-campaign.ts'
import { killUnits } from '../../campaign/kills/kill-units.ts'
import { KILL_WORLDS } from '../../campaign/kills/kill-worlds.ts'
import { runKills } from '../../campaign/kills/run-kills.ts'

const HEAD: CampaignHead = {
  days: 0,
  firstSeed: 1,
  fuzz: 0,
  kills: 90,
  worlds: {},
  version: 'test',
  commit: 'none',
  node: process.versions.node,
}

/** Kills that kill nobody, of which those of `lost` lose a fill at the third. */
function quickKills(lost: string | null = null) {
  const begun: string[] = []
  const lines: string[] = []
  let cleaned = 0
  const stop = new AbortController()
  const worldOf = (name: string) => ({
    name,
    about: '',
    invariants: [],
    async kill({ seed, kills, onKill }: Parameters<(typeof KILL_WORLDS)[number]['kill']>[0]) {
      for (let kill = 1; kill <= kills; kill += 1) {
        if (kill === 3 && `${name}:${seed}` === lost)
          throw new Error('a fill is missing\n  expected 4, got 3')
        onKill?.()
      }
      return Promise.resolve({ fills: 7 })
    },
  })
  const clean = () => Promise.resolve(void (cleaned += 1))
  const ports: CampaignPorts = {
    size: 1,
    now: () => 0,
    signal: stop.signal,
    print: (line) => void lines.push(line),
    run: async (unit: Unit): Promise<UnitResult> => {
      begun.push(keyOf(unit))
      if (unit.kind !== 'kills') throw new Error('kills alone have no other units')
      const { kind, world } = unit
      const run = await runKills(unit, { worldOf, clean })
      return { key: keyOf(unit), kind, world, seed: seedOf(unit), ms: 36_000, cpuMs: 0, ...run }
    },
  }
  return { ports, begun, lines, stop, cleaned: () => cleaned }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'campaign-kills-'))
  return folder
}

test('a campaign of kills alone plants no bugs, counts the kills of each kind, and continues where it was ended', async () => {
  const folder = newFolder()
  const first = quickKills()
  const { run } = first.ports
  const ended = await runCampaign(HEAD, folder, {
    ...first.ports,
    run(unit) {
      if (first.begun.length === 2) first.stop.abort()
      return run(unit)
    },
  })
  expect(ended).toMatchObject({
    ok: true,
    value: { problem: expect.stringContaining('60 of 90 kills') },
  })
  expect(plannedIn(folder)).toEqual({ ok: true, value: { days: 0, firstSeed: 1, fuzz: 0, kills: 90 } })
  const second = quickKills()
  const all = await runCampaign(HEAD, folder, second.ports)
  expect(second.begun).toEqual(['kills-fleet 1, 20 kills', 'kills-pool 2, 10 kills'])
  expect(all).toMatchObject({
    ok: true,
    value: {
      problem: null,
      summary: {
        canaries: [],
        failures: [],
        kills: {
          planned: 90,
          done: 90,
          failed: 0,
          hours: 0.05,
          commit: 'none',
          byKind: { pool: 30, custody: 20, treasury: 20, fleet: 20 },
        },
      },
    },
  })
  expect(second.lines.at(-1)).toBe('kills: 90 kills without a failure, p < 3.3 % (3/n)')
})

test('a run of kills that fails is reported and saved with its seed and the command that repeats it, and its processes are ended', async () => {
  const folder = newFolder()
  const kills = quickKills('kills-custody:1')
  const ended = await runCampaign(HEAD, folder, kills.ports)
  const failure = 'a fill is missing expected 4, got 3'
  expect(ended).toMatchObject({
    ok: true,
    value: {
      problem: '1 runs of kills failed',
      summary: {
        failures: [{ world: 'kills-custody', seed: 1, failure }],
        kills: { done: 72, failed: 1, byKind: { custody: 2 } },
      },
    },
  })
  const command = 'npm run campaign -- --only kills-custody:1 --kills 20'
  const saved: unknown = JSON.parse(readFileSync(join(folder, 'failures/kills-custody-1.json'), 'utf8'))
  expect(saved).toMatchObject({ seed: 1, kills: 20, command, failure: expect.stringMatching(/missing\n/) })
  expect(kills.lines.at(-1)).toContain('1 runs failed, of 72')
  expect(kills.cleaned()).toBe(5)
  expect(parseOptions(command.split(' ').slice(4))).toEqual({
    ok: true,
    value: { do: 'repeat-kills', world: 'kills-custody', seed: 1, kills: 20 },
  })
})

test('a run of kills in which nothing happened is a failure, and what fails while the campaign is stopped is no result', async () => {
  const unit = { kind: 'kills', world: 'idle', seed: 1, kills: 10 } as const
  const world = { name: 'idle', about: '', invariants: [], kill: () => Promise.resolve({ fills: 0 }) }
  const idle = await runKills(unit, { worldOf: () => world, clean: () => Promise.resolve() })
  expect(idle.failure).toContain('0 fills')
  const stopped = quickKills('kills-pool:1')
  const { run } = stopped.ports
  const ended = await runCampaign(HEAD, newFolder(), {
    ...stopped.ports,
    run(one) {
      stopped.stop.abort()
      return run(one)
    },
  })
  expect(ended).toMatchObject({
    ok: true,
    value: { summary: { failures: [], kills: { done: 0, failed: 0 } } },
  })
})

test('kills go through all worlds, up to 20 a run, and a folder keeps what a command does not name', () => {
  expect(killUnits(40, 5).map(({ world, seed, kills }) => `${world}:${seed} ${kills}`)).toEqual(
    KILL_WORLDS.map(({ name }) => `${name}:5 10`),
  )
  expect(killUnits(1_000, 1).reduce((sum, { kills }) => sum + kills, 0)).toBe(1_000)
  expect(killUnits(0, 1)).toEqual([])
  const known = { days: 10_000, firstSeed: 3, fuzz: 1_000, kills: 0 }
  expect(planOf({ kills: 1_000 }, known)).toEqual({ ...known, kills: 1_000 })
  expect(planOf({ kills: 40 }, null)).toEqual({ days: 0, firstSeed: 1, fuzz: 0, kills: 40 })
  expect(planOf({}, null).days).toBe(200)
  expect(parseOptions(['--kills', '1.5'])).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^--kills:/),
  })
})

test('the page has a section on kills where the kept figures have some', () => {
  const kills: KeptKills = {
    planned: 1_000,
    done: 1_000,
    failed: 0,
    hours: 3.2,
    commit: 'abc',
    byKind: { pool: 260 },
    seen: { pool: { fills: 12_000 } },
  }
  expect(killsSection(undefined)).toEqual([])
  const text = killsSection(kills).join('\n')
  expect(text).toMatch(/^## Kills of/)
  expect(text).toContain('below 0.3 %')
  expect(text).toMatch(/\| pool: .* \| 260 \| 12,000 fills \|/)
  expect(checkPhrases('docs/reliability.md', text)).toEqual([])
  expect(killsSection({ ...kills, failed: 1 }).join('\n')).toContain('no chance')
  for (const { invariants } of KILL_WORLDS)
    for (const { checkedBy } of invariants)
      expect(readFileSync(join(import.meta.dirname, '../../..', checkedBy), 'utf8')).toContain('expect(')
})
