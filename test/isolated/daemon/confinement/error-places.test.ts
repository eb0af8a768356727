import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkQuotes } from '../../../../src/research/diagnosis/check/run-checks.ts'
import { tryStrategy } from '../../../../src/daemon/config/strategy/try-strategy.ts'

const SHIPPED = new URL('../../../../strategies', import.meta.url).pathname

const OWN = { use: './own.ts', params: {} }

/** What trying a strategy reports whose quote() is this text, which begins on line 9 of its file. */
async function problemOf(
  body: string,
  { top = '', wish = OWN }: { readonly top?: string; readonly wish?: object } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-places-'))
  const text = `/**
 * A comment that no bundle keeps, and types that none has.
 */
import { defineStrategy, z } from '#kit'
import { fail } from './part.ts'
interface Nothing { readonly none?: string }
${top}
export default defineStrategy({ name: 'own', params: z.strictObject({}), init: (): Nothing => ({}), quote(context) {
${body}
  return { bidBps: 60, askBps: fail(context.mid), reasons: [] }
} })
`
  writeFileSync(join(folder, 'own.ts'), text)
  writeFileSync(
    join(folder, 'part.ts'),
    'const text = `a\nb`\n\nexport function fail(mid: number | null) {\n  throw new RangeError(text + mid)\n  return 1\n}\n',
  )
  const tried = await tryStrategy(wish as never, { folder: SHIPPED, baseFolder: folder })
  return tried.ok ? 'no problem' : (tried.error[0]?.message ?? '')
}

const SCHEDULE = {
  use: 'schedule',
  params: { strategy: { use: './own.ts' }, windows: [{ name: 'night', cron: '* 1 * * *', off: true }] },
}

test.each([
  ['in quote()', "  throw new Error('boom')", {}, 'boom (own.ts, line 9)'],
  ['in an imported file', '', {}, 'a\nb2500 (part.ts, line 5)'],
  ['of the language', '\n  ;(undefined as unknown as () => void)()', {}, '(own.ts, line 10)'],
  ['without an end', '  const f = (): number => f() + 1\n  f()', {}, '(own.ts, line 9)'],
  ['at load', '', { top: "if (z) throw new TypeError('early')" }, 'TypeError: early (own.ts, line 7)'],
  ['in a schedule', "  throw new Error('b')", { wish: SCHEDULE }, 'schedule threw: b (own.ts, line 9)'],
])('an error %s names file and line of the source once', async (_where, body, options, words) => {
  expect(await problemOf(body, options)).toContain(`${words}; repair the file`)
})

test.each([
  ['no error', "  throw 'words'", 'words'],
  ['an error without a stack', "  const e = new Error('words'); e.stack = undefined; throw e", 'words'],
  [
    'a stack that throws',
    "  const e = new Error('words'); Object.defineProperty(e, 'stack', { get() { throw 1 } }); throw e",
    'words',
  ],
  [
    'a stack of lies',
    "  const e = new Error('words'); e.stack = 'at mizani-strategy-1:99999:1'.repeat(9999); throw e",
    'words',
  ],
])('%s keeps its words and has no place', async (_what, body, words) => {
  expect(await problemOf(body)).toContain(`threw: ${words}; `)
})

test('a long message keeps its place', async () => {
  const message = await problemOf("  throw new Error('x'.repeat(9_000))")
  expect(message).toMatch(/x{500,590} \(own\.ts, line 9\); /)
})

test('check warns of a strategy whose trial has shown no quote, with its reason, and of no other', () => {
  const strategy = { use: 'own', quotesNothing: 'out of hours' } as never
  expect(checkQuotes(strategy)).toMatchObject([
    { status: 'warn', detail: expect.stringMatching(/own.*out of hours/) },
  ])
  expect(checkQuotes({ use: 'own' } as never)).toEqual([])
})
