import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerModel, figureLines } from '../../../../../src/cli/research/model/answer.ts'
import { defineDoor, figurePaths, infiniteFigures } from '../../../../../src/research/jobs/model/door.ts'
import { DOORS } from '../../../../../src/research/jobs/model/doors.ts'
import { modelProgram, runModel } from '../../../../../src/cli/research/model/model-program.ts'
import { parameterRows } from '../../../../../src/research/jobs/model/parameter-rows.ts'
import { readModelParams } from '../../../../../src/research/jobs/model/read-params.ts'
import { z } from 'zod'
import { folderWith } from '../../../daemon/config/config-fixture.ts'

let printed = { out: '', error: '' }
beforeEach(() => {
  printed = { out: '', error: '' }
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed.out += String(text))))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((printed.error += String(text))))
  process.exitCode = undefined
})
afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

const toyDoor = defineDoor({
  name: 'toy',
  summary: 'a model for this test',
  source: 'this test',
  params: z.strictObject({
    gamma: z.number().min(0).max(10).describe('1 per bps and lot'),
    lots: z.array(z.int().min(-5).max(5)).default([0]).describe('lots'),
    flow: z
      .strictObject({ perDay: z.number().min(0).max(9).describe('a day') })
      .optional()
      .describe('flow'),
  }),
  example: '{"gamma":2}',
  figures: { half: 'bps', 'inner.none': 'nothing', 'rows[].q': 'lots', 'rows[].bid': 'bps' },
  run: ({ gamma, lots }, warn) => {
    if (gamma > 9) warn('gamma above 9 falls back to the closed form')
    return { half: gamma / 3, inner: { none: null }, rows: lots.map((q) => ({ q, bid: q / gamma })) }
  },
})

describe('every model of the command line', () => {
  // Some examples take a second.
  const answers = new Map(
    DOORS.map((door) => [door, door.answer(JSON.parse(door.example), () => undefined)] as const),
  )

  test.each(DOORS.map((door) => [door.name, door] as const))(
    '%s answers its own example with finite figures',
    (_, door) => {
      const answer = answers.get(door)!
      if (!answer.ok) throw new Error(JSON.stringify(answer.error))
      expect(Object.keys(answer.value).length).toBeGreaterThan(0)
      expect(infiniteFigures(answer.value)).toEqual([])
    },
  )

  test.each(DOORS.map((door) => [door.name, door] as const))(
    '%s describes each parameter, with its range where it is a number',
    (_, door) => {
      const rows = parameterRows(door)
      expect(rows.filter(({ meaning }) => /^(;|$)/.test(meaning))).toEqual([])
      const numbers = rows.filter(({ type }) => /number|integer/.test(type))
      expect(numbers.filter(({ type }) => !/ (above )?-?[\d.e+-]+ \.\. [\d.e+-]+$/.test(type))).toEqual([])
    },
  )

  test.each(DOORS.map((door) => [door.name, door] as const))(
    '%s names every field of its answer, and no other',
    (_, door) => {
      const answer = answers.get(door)!
      const named = Object.keys(door.figures)
      const patterns = named.map(
        (path) => new RegExp(`^${path.replaceAll(/[.[\]]/g, '\\$&').replace('*', '[^.]+')}$`),
      )
      const paths = answer.ok ? figurePaths(answer.value) : []
      expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
      expect(named.filter((_name, index) => !paths.some((path) => patterns[index]?.test(path)))).toEqual([])
    },
  )

  test('has a name of its own', () => {
    expect(new Set(DOORS.map(({ name }) => name)).size).toBe(DOORS.length)
  })
})

describe('mizani model', () => {
  test('without a name lists every model with its summary, as text and as JSON', async () => {
    await runModel([], false)
    for (const { name, summary } of DOORS)
      expect(printed.out).toMatch(new RegExp(`^${name} +.*${summary.slice(0, 20)}`, 'm'))
    printed.out = ''
    await runModel(['--json'], true)
    expect(
      (JSON.parse(printed.out) as { models: { name: string }[] }).models.map(({ name }) => name),
    ).toEqual(DOORS.map(({ name }) => name))
  })

  test('computes the model that is named, and takes its parameters as JSON on the command line', async () => {
    const { name, example } = DOORS.find((door) => door.name === 'glft')!
    await runModel([name, '--params', example, '--json'], true)
    expect(process.exitCode).toBeUndefined()
    expect(Object.keys(JSON.parse(printed.out) as object).length).toBeGreaterThan(0)
  })

  test('that is not there exits with 2 and names the nearest one', async () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${String(code)}`)
    })
    await expect(runModel(['deflated-sharp', '--params', '{}'], false)).rejects.toThrow('exit 2')
    expect(printed.error).toContain('mean deflated-sharpe?')
    await expect(runModel(['deflated-sharp', '--json'], true)).rejects.toThrow('exit 2')
    expect(JSON.parse(printed.out)).toMatchObject({ exitCode: 2 })
    exit.mockRestore()
  })

  test('has a help text for each model with every parameter and the example', () => {
    for (const command of modelProgram().commands) {
      const door = DOORS.find(({ name }) => name === command.name())
      let help = ''
      command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp()
      expect(help).toContain(`--params '${door?.example}'`)
      for (const key of Object.keys(door?.params.shape ?? {})) expect(help).toContain(key)
    }
  })
})

describe('an answer of a model', () => {
  test('as JSON has exactly the named fields with unrounded numbers', () => {
    answerModel(toyDoor, { params: '{"gamma":2,"lots":[1]}', json: true })
    expect(JSON.parse(printed.out)).toEqual({
      half: 2 / 3,
      inner: { none: null },
      rows: [{ q: 1, bid: 0.5 }],
    })
  })

  test('as text has names and seven digits, and a table for a list of records', () => {
    expect(
      figureLines({
        half: 2 / 3,
        inner: { none: null },
        list: [1, 2],
        rows: [
          { q: 1, bid: 0.5 },
          { q: -10, bid: null },
        ],
      }),
    ).toEqual([
      'half        0.6666667',
      'inner.none          -',
      'list              1 2',
      '',
      'rows',
      '  q  bid',
      '  1  0.5',
      '-10    -',
    ])
  })

  test('that falls back is printed with a warning on stderr alone', () => {
    answerModel(toyDoor, { params: '{"gamma":9.5}', json: true })
    expect(printed.error).toMatch(/^warning: toy: gamma .*\n$/)
    expect(JSON.parse(printed.out)).toHaveProperty('half')
  })

  test('that no float can hold is an error with the figure that it is about, never NaN or null', () => {
    answerModel(toyDoor, { params: '{"gamma":0}', json: true })
    expect(process.exitCode).toBe(1)
    expect(JSON.parse(printed.out)).toEqual({
      error: 'toy: rows.0.bid would not be finite; use less extreme parameters',
      exitCode: 1,
    })
  })
})

describe('parameters that are wrong', () => {
  test.each([
    [
      'an unknown name',
      '{"gama":2,"gamma":1}',
      '--params:1:2 gama: unknown key; did you mean gamma?\n  1 | {"gama" …\n    |  ^',
    ],
    [
      'an unknown name inside',
      '{"gamma":1,"flow":{"perday":1}}',
      '--params:1:20 flow.perday: unknown key; did you mean perDay?',
    ],
    ['a missing one', '{}', '--params:1:1 gamma: missing; a number is needed here'],
    ['a text', '{"gamma":"2"}', '--params:1:10 gamma: text where a number was expected'],
    ['too large a number', '{"gamma":11}', '--params:1:10 gamma: too large; expected at most 10'],
    [
      'an infinite number',
      '{"gamma":1e999}',
      '--params:1:10 gamma: no finite number where a number was expected',
    ],
    [
      'a fraction in a list',
      '{"gamma":1,"lots":[1,2.5]}',
      '--params:1:22 lots[1]: a fraction where a whole number was expected',
    ],
    [
      'one that is set twice',
      '{"gamma":1,"gamma":2}',
      '--params:1:12 (params): this key was set before in the same mapping; keep one of them',
    ],
    ['text without an end', '{"gamma":1', '--params:1:11 (params): a character is missing'],
    [
      'no object',
      '[1,2]',
      '--params:1:1 (params): this is not a mapping; expected a JSON object of parameters',
    ],
    ['nothing', '', '--params:1:1 (params): this is empty; expected a JSON object of parameters'],
    [
      'a file that is not there',
      '@/nowhere/params.json',
      '/nowhere/params.json:1:1 (params): there is no such file',
    ],
  ])('%s: exit code 2 and its place', (_, params, expected) => {
    answerModel(toyDoor, { params })
    expect(process.exitCode).toBe(2)
    expect(printed.error).toContain(expected)
    expect(printed.out).toBe('')
  })

  test('in a file are placed by its line and column', () => {
    const file = join(folderWith({}), 'params.json')
    writeFileSync(file, '{\n  "gamma": 2,\n  "lots": [9]\n}\n')
    answerModel(toyDoor, { params: `@${file}`, json: true })
    const { problems } = JSON.parse(printed.out) as { problems: object[] }
    expect(problems).toEqual([expect.objectContaining({ file, line: 3, column: 12, path: 'lots[0]' })])
  })

  test('that name a prototype are unknown keys', () => {
    answerModel(toyDoor, { params: '{"gamma":1,"__proto__":{"a":1},"constructor":2}' })
    expect(printed.error).toContain('__proto__: unknown key')
    expect(printed.error).toContain('constructor: unknown key')
  })

  test('of aliases that multiply are refused before they fill the memory', () => {
    const bomb = ['{a: &a [1,1,1,1,1,1,1,1,1,1], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]']
    for (const [name, inner] of ['cb', 'dc', 'ed', 'fe', 'gf'].map((pair) => pair.split('')))
      bomb.push(`${name}: &${name} [${Array(10).fill(`*${inner}`).join(',')}]`)
    const read = readModelParams(`${bomb.join(', ')}}`)
    expect(read.ok ? [] : read.error.map(({ message }) => message).slice(0, 1)).toEqual([
      expect.stringContaining('too many values'),
    ])
  })
})
