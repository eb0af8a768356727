import { describe, expect, test } from 'vitest'
import {
  checkCircles,
  checkCohesion,
  checkOrder,
  checkSizes,
  folderGraph,
  importGraph,
} from './graph-rules.ts'
import { parseSourceFile } from './source-file.ts'
import { checkWalks, parseWalks } from './walks.ts'
import { checkWords } from './word-rules.ts'

const filesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => parseSourceFile(path, text))

const circles = (texts: Readonly<Record<string, string>>) =>
  checkCircles(importGraph(filesOf(texts))).map(({ path, message }) => `${path} ${message}`)

describe('a circle of files', () => {
  test('is found once, whatever kind of import closes it', () => {
    for (const back of [
      "import { a } from './a.ts'",
      "import type { A } from './a.ts'",
      "type A = import('./a.ts').A",
      "const a = await import('./a.ts')",
      "new Worker(new URL('./a.ts', import.meta.url))",
    ]) {
      const texts = {
        'src/x/a.ts': "import { b } from './b.ts'",
        'src/x/b.ts': "import '../y/c.ts'",
        'src/y/c.ts': '',
      }
      expect(circles({ ...texts, 'src/y/c.ts': back.replace('./a.ts', '../x/a.ts') })).toEqual([
        'src/x/a.ts is in a circle with src/x/b.ts, src/y/c.ts',
      ])
    }
  })

  test('is not found where two ways lead to one file, or where a file names itself', () => {
    const texts = {
      'src/a.ts': "import './b.ts'; import './c.ts'",
      'src/b.ts': "import './c.ts'",
      'src/c.ts': '',
    }
    expect(circles(texts)).toEqual([])
    expect(circles({ 'src/a.ts': "import './a.ts'" })).toEqual([])
  })
})

describe('folders beside each other', () => {
  const TEXTS = {
    'src/x/a/one.ts': "import '../b/deep/two.ts'; import '../top.ts'; import './own/three.ts'",
    'src/x/a/own/three.ts': '',
    'src/x/b/deep/two.ts': '',
    'src/x/b/four.ts': '',
    'src/x/top.ts': "import './b/four.ts'",
  }
  const BACK = { ...TEXTS, 'src/x/b/four.ts': "import type { A } from '../a/own/three.ts'" }

  test('are in a circle where their files import each other, though no two files do', () => {
    const found = (texts: Readonly<Record<string, string>>) =>
      checkCircles(folderGraph(importGraph(filesOf(texts))))
    expect(circles(BACK)).toEqual([])
    expect(found(TEXTS)).toEqual([])
    expect(found(BACK)).toEqual([{ path: 'src/x/a', line: 1, message: 'is in a circle with src/x/b' }])
  })

  test('import only from folders that come before them in a list', () => {
    const folders = folderGraph(importGraph(filesOf(TEXTS)))
    expect(checkOrder(['src/x/b', 'src/x/a'], folders)).toEqual([])
    const late = 'src/x/a imports src/x/b, which is not before it in the list'
    expect(checkOrder(['src/x/a', 'src/x/b'], folders)).toEqual([late])
    expect(checkOrder(['src/x/a'], folders)).toEqual([late])
  })
})

describe('a small file', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, line) => `export const x${line} = 1`).join('\n')
  const found = (texts: Readonly<Record<string, string>>) => {
    const files = filesOf(texts)
    return checkCohesion(files, importGraph(files)).map(({ path }) => path)
  }

  test('that one file of its room imports is to be merged; one with two importers, a longer one and one of another room are not', () => {
    const importer = "import '../a/small.ts'; import '../a/long.ts'"
    const texts = { 'src/a/small.ts': lines(24), 'src/a/long.ts': lines(25), 'src/a/one.ts': importer }
    expect(found(texts)).toEqual(['src/a/small.ts'])
    expect(found({ ...texts, 'src/a/two.ts': importer })).toEqual([])
    expect(found({ 'src/a/small.ts': lines(3), 'src/b/one.ts': importer })).toEqual([])
    expect(found({ 'src/main.ts': lines(3), 'src/launch.mjs': "import './main.ts'" })).toEqual([])
  })
})

describe('sizes', () => {
  const many = (count: number, text: string, folder: (file: number) => string) =>
    Array.from({ length: count }, (_, file) => ({ path: `src/${folder(file)}/f${file}.ts`, text }))

  test('twenty files fit into a folder, and twelve long files into the house', () => {
    expect(checkSizes(many(20, '', () => 'a'))).toEqual([])
    expect(checkSizes(many(21, '', () => 'a'))).toEqual([
      { path: 'src/a', line: 1, message: '21 files: a folder has at most 20' },
    ])
    const long = '\n'.repeat(400) + 'x'
    expect(checkSizes(many(12, long, (file) => `r${file}`))).toEqual([])
    expect(checkSizes(many(13, long, (file) => `r${file}`))).toHaveLength(13)
  })
})

describe('a retired word', () => {
  const found = (text: string) => checkWords(parseSourceFile('src/a.ts', text)).map(({ message }) => message)

  test('is refused in an exported name, whole words only, with the word to write', () => {
    expect(found('export function pumpQuote() {}')).toEqual(["pumpQuote: 'pump' is retired, write reconcile"])
    expect(found('export type ContextDesk = 1')).toEqual([
      "ContextDesk: 'desk' is retired, write provider, service, reader or clients",
    ])
    expect(found('export const TURN_MS = 1')).toEqual(["TURN_MS: 'turn' is retired, write transition"])
    expect(
      found(
        'const desk = 1; export const returned = desk; export const deskTop = 1'.replace(
          'deskTop',
          'desktop',
        ),
      ),
    ).toEqual([])
  })

  test('is refused in a local, a field and a file name, unless locals still use it', () => {
    expect(found('const f = (x: { cure: 1 }) => { const seat = x.cure; return seat }')).toEqual([
      "cure: 'cure' is retired, write remedy",
      "seat: 'seat' is retired, write handle",
    ])
    const file = parseSourceFile('src/base/old-pump.ts', 'const turn = 1')
    expect(checkWords(file).map(({ message }) => message)).toEqual([
      "pump: 'pump' is retired, write reconcile",
    ])
  })
})

describe('a walk', () => {
  const README =
    '# Plan\n\n## Walks\n\n- **A fill**: `a.ts` -> `b.ts` ->\n  `d.ts`, then `x/e.ts`\n\n## Decisions\n\n`b.ts` -> `a.ts`\n'
  const graph = new Map([
    ['src/a.ts', ['src/b.ts']],
    ['src/b.ts', ['src/c.ts']],
    ['src/c.ts', ['src/d.ts']],
    ['src/d.ts', ['src/a.ts']],
  ])

  test('is read from its section of the README, and its steps are imports with at most one file between', () => {
    expect(parseWalks(README)).toEqual([['src/a.ts', 'src/b.ts', 'src/d.ts']])
    expect(checkWalks(parseWalks(README), graph)).toEqual([])
    expect(checkWalks([['src/a.ts', 'src/d.ts']], graph)).toEqual(['src/a.ts does not lead to src/d.ts'])
    expect(checkWalks([['src/a.ts', 'src/x.ts']], graph)).toEqual([
      'src/a.ts does not lead to src/x.ts',
      'src/x.ts is no file',
    ])
    expect(() => parseWalks('# Plan')).toThrow("no heading '## Walks'")
  })
})
