import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MUTATION_ROOMS, roomNamed } from '../../mutation/rooms.ts'
import {
  LEAST_SCORE,
  type MutationRecord,
  type MutationReport,
  scoreOf,
  withScoreTable,
} from '../../mutation/score.ts'
import { strykerOptions } from '../../mutation/stryker-options.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const reportOf = (...statuses: string[]): MutationReport => ({
  files: {
    'src/a.ts': { mutants: statuses.slice(0, 1).map((status) => ({ status })) },
    'src/b.ts': { mutants: statuses.slice(1).map((status) => ({ status })) },
  },
})

describe('the mutation score', () => {
  test('is the share of the mutants that a failing test killed; a time-out or a line without a test does not count', () => {
    const statuses = ['Killed', 'Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored']
    expect(scoreOf(reportOf(...statuses, 'RuntimeError'))).toEqual({
      mutants: 6,
      killed: 3,
      timedOut: 1,
      survived: 2,
      score: 50,
    })
  })

  test('is rounded down, so that no room is above a limit that it does not reach', () => {
    const killed = Array.from({ length: 1_699 }, () => 'Killed')
    const survived = Array.from({ length: 301 }, () => 'Survived')
    expect(scoreOf(reportOf(...killed, ...survived)).score).toBe(84.9)
  })

  test('is refused where a mutant has no result, or none was tried', () => {
    expect(() => scoreOf(reportOf('Killed', 'Pending'))).toThrow('src/b.ts has the status "Pending"')
    expect(() => scoreOf(reportOf('Ignored'))).toThrow('nothing was measured')
  })
})

describe('the rooms that are mutated', () => {
  test('have sources and tests, and none of those stands for a room that is not there', () => {
    const places = MUTATION_ROOMS.flatMap(({ source, tests }) => [source, ...tests])
    expect(places.filter((place) => globSync(place, { cwd: ROOT }).length === 0)).toEqual([])
  })

  test('leave out only tests that exist', () => {
    const texts = (globs: readonly string[]) =>
      globs.flatMap((glob) => globSync(glob, { cwd: ROOT }).map((file) => read(file))).join('')
    const absent = MUTATION_ROOMS.flatMap(({ tests, except = [] }) =>
      except.filter((title) => !texts(tests).includes(title)),
    )
    expect(absent).toEqual([])
  })

  test('a room that does not exist is refused with those that do', () => {
    expect(roomNamed('risk').source).toBe('src/core/risk')
    expect(() => roomNamed('charts')).toThrow(
      'there is no room "charts"; those whose code is mutated are ledger,',
    )
  })

  test('a whole room fails below the limit, and a few files of it never do', () => {
    const room = roomNamed('rfq')
    const whole = strykerOptions(room, { files: null, concurrency: 2, force: false })
    expect(whole).toMatchObject({ mutate: ['src/core/rfq/**/*.ts'], thresholds: { break: LEAST_SCORE } })
    const some = strykerOptions(room, { files: ['src/core/rfq/state.ts'], concurrency: 1, force: true })
    expect(some).toMatchObject({
      mutate: ['src/core/rfq/state.ts'],
      force: true,
      thresholds: { break: null },
    })
  })
})

describe('docs/mutation.json', () => {
  const record = JSON.parse(read('docs/mutation.json')) as MutationRecord

  test('has each of these rooms and no other, none below the limit, and figures that add up', () => {
    expect(Object.keys(record.rooms).toSorted()).toEqual(MUTATION_ROOMS.map(({ name }) => name).toSorted())
    const wrong = Object.entries(record.rooms).filter(
      ([, { mutants, killed, timedOut, survived, score }]) =>
        score < LEAST_SCORE ||
        killed + timedOut + survived !== mutants ||
        score !== Math.floor((1_000 * killed) / mutants) / 10,
    )
    expect(wrong).toEqual([])
  })

  test('is of the versions that are installed, with its day and its seed', () => {
    const tool = JSON.parse(read('test/mutation/package.json')) as { devDependencies: Record<string, string> }
    const product = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    expect(record.versions).toEqual({
      stryker: tool.devDependencies['@stryker-mutator/core'],
      vitest: product.devDependencies['vitest'],
      node: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    expect(record.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(record.seed).toMatch(/^\d+$/)
  })

  test('is what the table of docs/mutation.md shows', () => {
    expect(read('docs/mutation.md')).toBe(withScoreTable(read('docs/mutation.md'), record))
    expect(() => withScoreTable('no marks', record)).toThrow('lost the marks')
  })
})
