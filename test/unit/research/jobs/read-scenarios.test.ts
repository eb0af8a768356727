import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScenarios, readYamlFile, shippedConfig } from '../../../../src/research/jobs/read-scenarios.ts'
import { tournamentSchema } from '../../../../src/research/tournament/entrant.ts'

const readTournament = (file: string) => readYamlFile(file, tournamentSchema)

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
})
