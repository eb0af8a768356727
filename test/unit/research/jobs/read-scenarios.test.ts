import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScenarios, readYamlFile, shippedConfig } from '../../../../src/research/jobs/read-scenarios.ts'
import { tournamentSchema } from '../../../../src/research/tournament/entrant.ts'

const readTournament = (file: string) => readYamlFile(file, tournamentSchema, 'a list of strategies')

function fileOf(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'tournament-')), name)
  writeFileSync(file, text)
  return file
}

describe('reading a tournament', () => {
  test('the shipped file tunes nothing that has no effect, and a skew beyond what any scenario chose', () => {
    const read = readTournament(shippedConfig('tournament.yaml'))
    const grids = (read.ok ? read.value.strategies : []).map(({ name, grid }) => [name, grid] as const)
    // By default fair-value-skew estimates by the filter, which reads no feedWeight.
    for (const [, grid] of grids) expect(Object.keys(grid)).not.toContain('feedWeight')
    expect(Object.fromEntries(grids)['skew']?.['maxSkewBps']?.at(-1)).toBe(360)
  })

  test('the shipped file parses, and names twelve scenarios', () => {
    const read = readTournament(shippedConfig('tournament.yaml'))
    expect(read.ok && read.value.strategies.map(({ name }) => name)).toEqual([
      'constant',
      'skew',
      'shift-10',
      'shift-25',
      'shift-50',
      'optimal-10',
      'optimal-25',
      'optimal-50',
      'optimal-none',
      'optimal-25-blind',
      'glft',
      'guarded-reply',
    ])
    expect(read.ok && read.value.firstSeed).toBeGreaterThan(1_000)
  })

  test('a mistake is reported with its place and the nearest key', () => {
    const file = fileOf('t.yaml', 'strategies:\n  - { name: a, use: glft, grd: { x: [1] } }\nseeds: one\n')
    const read = readTournament(file)
    expect(!read.ok && read.error).toMatch(/t\.yaml:2:\d+ strategies\[0\]\.grd: .* grid\?/)
    expect(!read.ok && read.error).toMatch(/t\.yaml:3:8 seeds: /)
  })

  test('a scenario of your own lists what differs from normal and is called like its file', () => {
    const file = fileOf('busy-market.yaml', 'retail: { askPerDay: 300 }\n')
    const read = readScenarios([file, 'normal'], 'config/tournament.yaml')
    expect(read.ok && read.value.map(({ name, retail }) => [name, retail.askPerDay])).toEqual([
      ['busy-market', 300],
      ['normal', 60],
    ])
  })

  test('an unknown scenario, one given twice and one with an unknown parameter are refused', () => {
    const here = 'config/tournament.yaml'
    const error = (names: readonly string[]) => {
      const read = readScenarios(names, here)
      return read.ok ? null : read.error
    }
    expect(error(['devaluaton'])).toMatch(/devaluaton; .* devaluation\?/)
    expect(error(['calm', 'calm'])).toMatch(/calm is given twice/)
    expect(error([fileOf('odd.yaml', 'rate: { sigmaBp: 3 }\n')])).toMatch(/rate\.sigmaBp: .* sigmaBps/)
    expect(error([fileOf('Odd.yaml', 'rate: { sigmaBps: 3 }\n')])).toMatch(/this-one\.yaml/)
  })

  test.each([
    ['terms: { suspensions: 3 }', /terms\.suspensions: .*suspensionDays is 0; set suspensionDays/],
    ['terms: { feeFromDay: 20 }', /terms\.feeFromDay: .*feeBps/],
    ['terms: { feeBps: 9, feeFromDay: 90 }', /terms\.feeFromDay: .*90 days/],
    ['rate: { runBps: 90 }', /rate\.runBps: .*runs/],
    ['publication: { holdDays: 3 }', /publication\.holdDays: .*holds/],
    ['publication: { typos: 3 }', /publication\.typos: .*typoBps/],
    ['informed: { looksAfterTypo: 3 }', /informed\.looksAfterTypo: .*typos/],
    ['rivals: { undercutByBps: 3 }', /rivals\.undercutByBps: .*undercut is false/],
    ['feed: { stuckDays: 3 }', /feed\.stuckDays: .*stuckSpells/],
    ['incidents: { outagesPerDay: 3 }', /incidents\.outagesPerDay: .*outageHours/],
    ['restocking: { isWeekly: false, costBps: 9 }', /restocking\.costBps: .*isWeekly/],
    ['regime: { fromDay: 9 }', /regime\.fromDay: no effect alone/],
    ['regime: { fromDay: 90, askFactor: 2 }', /regime\.fromDay: .*90 days/],
  ])('%s is refused, because it has no effect', (text, problem) => {
    const read = readScenarios([fileOf('idle.yaml', `${text}\n`)], 'config/tournament.yaml', 90)
    expect(!read.ok && read.error).toMatch(problem)
  })

  test('parameters of normal, and those that have what they need, are accepted', () => {
    const text =
      'terms: { suspensions: 0, suspensionDays: 0, feeBps: 9, feeFromDay: 89 }\nrate: { runs: 2 }\n'
    expect(readScenarios([fileOf('fine.yaml', text)], 'config/tournament.yaml', 90).ok).toBe(true)
  })

  test('an empty scenario, one that is missing and an open bracket are refused once, each in words of its own', () => {
    const error = (file: string) => {
      const read = readScenarios([file], 'config/tournament.yaml')
      return read.ok ? '' : read.error
    }
    expect(error(fileOf('none.yaml', ''))).toMatch(/is empty; expected the differences from normal/)
    expect(error('/nowhere/none.yaml')).toMatch(/no such file; give the path of a file with the differences/)
    const open = error(fileOf('open.yaml', 'retail: { scripts: [3 }\nrate: { runs: 2 }\n'))
    expect(open.match(/none|no \] closes the bracket/g)).toEqual(['no ] closes the bracket'])
    expect(open.match(/:\d+:\d+ /g)).toHaveLength(1)
  })
})
