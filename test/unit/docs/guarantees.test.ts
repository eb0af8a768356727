import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** The rows of all tables of a text, each as its cells. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '))
}

/** The text under a heading. */
function under(page: string, heading: string): string {
  const [, after = ''] = page.split(`\n## ${heading}\n`)
  return after.split('\n## ')[0] ?? ''
}

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

const TESTS = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => ({ name: `test/${name}`, text: readFileSync(join(ROOT, 'test', name), 'utf8') }))

/** Titles as they stand in the sources; what a title computes cannot be named by a document. */
function titlesOf(text: string): readonly string[] {
  const title = /\b(?:describe|test|it)\b[^'"`\n]*\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g
  const found = text.replaceAll(/needs\('[^']*'\)/g, '').matchAll(title)
  return [...found].map(([, , name = '']) => name.replaceAll(/\\(.)/g, '$1'))
}

describe('what is promised is attacked', () => {
  test('every guarantee of README has a hostile test of its name', () => {
    const promised = rowsOf(under(read('README.md'), 'Guarantees'))
      .slice(1)
      .map(([guarantee = '']) => guarantee.replaceAll('**', ''))
    expect(promised.length).toBeGreaterThan(8)
    const titles = TESTS.flatMap(({ text }) => titlesOf(text))
    const isAttacked = (guarantee: string) =>
      titles.some((title) => title === guarantee || title.startsWith(`${guarantee}: `))
    expect(promised.filter((guarantee) => !isAttacked(guarantee))).toEqual([])
  })

  test('every lie and attack of docs/attacks.md names a test file that exists', () => {
    const rows = rowsOf(read('docs/attacks.md')).filter(([first = '']) => first !== 'Lie or attack')
    const named = rows.map((cells) => cells.at(-1) ?? '')
    expect(named.length).toBeGreaterThan(50)
    const files = named.flatMap((cell) => [...cell.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file))
    expect(files.length).toBeGreaterThanOrEqual(named.length)
    expect(files.filter((file) => !TESTS.some(({ name }) => name === file))).toEqual([])
  })
})
