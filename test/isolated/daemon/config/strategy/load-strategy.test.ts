import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { askStrategy } from '../../../../../src/core/strategy/ask-strategy.ts'
import { freshMemory } from '../../../../../src/core/strategy/memory.ts'
import {
  loadStrategy,
  loadStrategyHere,
  type LoadStrategyOptions,
  type StrategyWithSources,
} from '../../../../../src/daemon/config/strategy/load-strategy.ts'
import { KIT_NAMES } from '../../../../../src/daemon/confinement/bundle-strategy.ts'
import * as kit from '../../../../../src/core/strategy/kit.ts'
import { neutralContext } from '../../../../../src/daemon/config/strategy/try-strategy.ts'
import { folderWith, STRATEGIES } from '../../../../unit/daemon/config/config-fixture.ts'

const OPTIONS = { folder: STRATEGIES, baseFolder: STRATEGIES }

async function loaded(use: string, params: unknown, options: LoadStrategyOptions = OPTIONS) {
  const result = await loadStrategy({ use, params }, options)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

async function firstMessage(
  use: string,
  params: unknown,
  options: LoadStrategyOptions = OPTIONS,
): Promise<string> {
  const result = await loadStrategy({ use, params }, options)
  return result.ok ? 'loaded' : `${result.error[0]?.path.join('.')}: ${result.error[0]?.message}`
}

test('wrapped strategies are loaded with it, each with parameters of its own', async () => {
  const windows = [
    { use: 'plain', params: { halfSpreadBps: 40 } },
    { use: './plain.ts', params: {} },
  ]
  const { strategy, sources } = await loaded('wrapping', { windows })
  expect(Object.keys(strategy.inner)).toEqual(['window0', 'window1'])
  expect(strategy.inner['window1']?.params).toEqual({ halfSpreadBps: 60 })
  expect(askStrategy(strategy, freshMemory(strategy), neutralContext())).toMatchObject({
    ok: true,
    value: { bidBps: 40 },
  })
  expect(sources).toEqual([join(STRATEGIES, 'wrapping.ts'), join(STRATEGIES, 'plain.ts')])
})

test('the hash follows the source, what it imports and what it wraps, and nothing else', async () => {
  const folder = folderWith({
    'one.mjs':
      "import './part.mjs'\nexport default { name: 'one', params: { safeParse: (data) => ({ success: true, data }) }, init: () => ({}), quote: () => null }\n",
    'part.mjs': 'export const part = 1\n',
  })
  const options = { folder, baseFolder: folder }
  const hash = async () => (await loaded('one', {}, options)).strategy.sourceHash
  const first = await hash()
  expect(await hash()).toBe(first)
  expect((await loaded('one', { a: 1 }, options)).strategy.sourceHash).toBe(first)
  writeFileSync(join(folder, 'part.mjs'), 'export const part = 2\n')
  expect(await hash()).not.toBe(first)
  const copy = folderWith({
    'one.mjs': readFileSync(join(folder, 'one.mjs')),
    'part.mjs': 'export const part = 1\n',
  })
  expect((await loaded('one', {}, { ...options, folder: copy })).strategy.sourceHash).toBe(first)
})

test.each([
  [
    'code that throws when it is loaded',
    "throw new Error('boom')",
    'use: its file cannot be loaded: Error: boom (own.mjs, line 1); repair the file',
  ],
  [
    'a file that imports what is not there',
    "import './gone.mjs'",
    "use: gone.mjs cannot be read (ENOENT); repair the import or the file's rights",
  ],
  [
    'an empty file',
    '',
    "use: its file has no strategy as default export; use 'export default defineStrategy({ name, params, init, quote })'",
  ],
  [
    'a schema that throws',
    "export default { name: 'x', params: { safeParse() { throw new Error('bad schema') } }, init: () => ({}), quote: () => null }",
    "params: the strategy's own check of its parameters threw: Error: bad schema; repair the file",
  ],
  [
    'an inner choice without a name',
    "export default { name: 'x', params: { safeParse: (data) => ({ success: true, data }) }, init: () => ({}), quote: () => null, inner: () => ({ night: {} }) }",
    "params: the strategy wrapped as 'night' has no 'use'; expected { use, params }",
  ],
  [
    'an inner choice that throws',
    "export default { name: 'x', params: { safeParse: (data) => ({ success: true, data }) }, init: () => ({}), quote: () => null, inner: () => { throw 'no' } }",
    'params: the strategy could not list the strategies it wraps: no; repair the file',
  ],
])('%s is a value, not a throw', async (_claim, source, message) => {
  const folder = folderWith({ 'own.mjs': source })
  expect(await firstMessage('own', {}, { folder, baseFolder: folder })).toBe(message)
})

test('a missing strategies folder, a text file and a NUL are reported with different messages', async () => {
  const folder = folderWith({ 'notes.txt': '' })
  const options = { folder: join(folder, 'none'), baseFolder: folder }
  expect(await firstMessage('plain', {}, options)).toContain('none exist in the')
  expect(await firstMessage('./notes.txt', {}, options)).toContain('must end')
  expect(await firstMessage('a\0b', {}, options)).toContain('not a path')
})

test('strategies that wrap each other in a circle or too deep are refused', async () => {
  let params: unknown = { windows: [{ use: './9.ts', params: {} }] }
  const text = readFileSync(join(STRATEGIES, 'wrapping.ts'), 'utf8')
  const folder = folderWith(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${i}.ts`, text])))
  for (let i = 8; i >= 1; i--) params = { windows: [{ use: `./${i}.ts`, params }] }
  const options = { folder, baseFolder: folder }
  expect(await firstMessage('./0.ts', params, options)).toContain('each other 8 deep')
})

const OUTSIDE = `import { defineStrategy, z } from '#kit'
import { bps } from './part.ts'
type Nothing = Record<string, never>
export default defineStrategy({ name: 'own', params: z.strictObject({}), init: (): Nothing => ({}), quote: () => ({ bidBps: bps, askBps: 20, reasons: ['v1'] }) })
`

test('a file anywhere on disk gets the kit, and what was edited since is evaluated anew', async () => {
  const folder = folderWith({ 'own.ts': OUTSIDE, 'part.ts': 'export const bps: number = 11\n' })
  const options = { folder, baseFolder: folder }
  const ask = async () => {
    const { strategy } = await loaded('./own.ts', {}, options)
    return askStrategy(strategy, freshMemory(strategy), neutralContext())
  }
  const quote = (bidBps: number) => ({ ok: true, value: { bidBps, askBps: 20, reasons: ['v1'] } })
  expect(await ask()).toEqual(quote(11))
  writeFileSync(join(folder, 'part.ts'), 'export const bps: number = 12\n')
  expect(await ask()).toEqual(quote(12))
})

test.each([
  ['{ n: 12n }', 'params.n: the strategy makes a bigint of it'],
  ['{ a: [{ d: new Date(0) }] }', 'params.a.0.d: the strategy makes a Date of it'],
  ['{ m: new Map() }', 'params.m: the strategy makes a Map of it'],
  ['{ f: () => 1 }', 'params.f: the strategy makes a function of it'],
  ['{ x: Infinity }', 'params.x: the strategy makes Infinity of it'],
  ["{ s: 'a', t: true, l: [1, null], o: undefined }", 'loaded'],
])('parameters that a strategy makes into %s: %s', async (made, said) => {
  const folder = folderWith({
    'one.mjs': `export default { name: 'one', params: { safeParse: () => ({ success: true, data: ${made} }) }, init: () => ({}), quote: () => null }\n`,
  })
  expect(await firstMessage('one', {}, { folder, baseFolder: folder })).toContain(said)
})

test('the kit that strategies get exports what its module does', () => {
  expect(Object.keys(kit).sort()).toEqual([...KIT_NAMES])
})

describe('strategy.allow', () => {
  const folder = folderWith({ 'own.ts': OUTSIDE, 'part.ts': 'export const bps: number = 11\n' })
  const options = { folder, baseFolder: folder }

  test('refuses code that is not listed before any of it runs, and names its digest', async () => {
    const { strategy } = await loaded('./own.ts', {}, options)
    const listed = { ...options, allow: [strategy.sourceHash] }
    expect((await loaded('./own.ts', {}, listed)).strategy.sourceHash).toBe(strategy.sourceHash)
    writeFileSync(join(folder, 'part.ts'), "export const bps: number = 12\nthrow new Error('it ran')\n")
    const said = await firstMessage('./own.ts', {}, listed)
    expect(said).toMatch(/^use: .* sha-256 [0-9a-f]{64}, .* strategy.allow /)
    expect(said).not.toContain('it ran')
    const [digest = ''] = /[0-9a-f]{64}/.exec(said) ?? []
    writeFileSync(join(folder, 'part.ts'), 'export const bps: number = 11\n')
    expect(await firstMessage('./own.ts', {}, { ...options, allow: [digest] })).toContain('does not list')
  })

  test('holds for what a listed strategy wraps as well', async () => {
    const windows = [{ use: 'plain', params: {} }]
    const own = (await firstMessage('wrapping', { windows }, { ...OPTIONS, allow: ['0'.repeat(64)] })).match(
      /[0-9a-f]{64}/,
    )
    const allow = [String(own)]
    const said = await firstMessage('wrapping', { windows }, { ...OPTIONS, allow })
    expect(said).toMatch(/^params\.windows\.0\.use: .* sha-256/)
    const inner = String(/[0-9a-f]{64}/.exec(said))
    expect(await firstMessage('wrapping', { windows }, { ...OPTIONS, allow: [...allow, inner] })).toBe(
      'loaded',
    )
  })
})

const COUNTS = `import { defineStrategy, z } from '#kit'
let asked = 0
export default defineStrategy({
  name: 'counts',
  params: z.strictObject({}),
  init: () => ({}),
  quote() { asked += 1; return { bidBps: 50 + asked, askBps: 50, reasons: ['asked'] } },
})
`

function askedOnce({ strategy }: StrategyWithSources) {
  const answer = askStrategy(strategy, freshMemory(strategy), neutralContext())
  return answer.ok ? answer.value.bidBps : answer.error
}

test('a file of the user that remembers something in a variable of its own does not carry it from one position to another', async () => {
  const baseFolder = folderWith({ 'counts.ts': COUNTS })
  const ask = async (owner: string) =>
    askedOnce(await loaded('./counts.ts', {}, { folder: STRATEGIES, baseFolder, owner }))
  expect(await ask('desk-1')).toBe(51)
  expect(await ask('desk-1')).toBe(52)
  expect(await ask('desk-2')).toBe(51)
})

test('... nor from one simulated run to the next, which would show a variant the future of its market', async () => {
  const options = { folder: STRATEGIES, baseFolder: folderWith({ 'counts.ts': COUNTS }), owner: 'desk-1' }
  for (let run = 0; run < 2; run++) {
    const result = await loadStrategyHere({ use: './counts.ts', params: {} }, options)
    if (!result.ok) throw new Error(JSON.stringify(result.error))
    expect(askedOnce(result.value)).toBe(51)
  }
})

test('a shipped strategy is evaluated once a thread, no matter who runs it, and has no variable of its own to remember in', async () => {
  const folder = new URL('../../../../../strategies/', import.meta.url).pathname
  const options = { folder, baseFolder: folder }
  const params = { bidBps: 60, askBps: 70 }
  const [one, two] = await Promise.all(
    ['desk-1', 'desk-2'].map((owner) => loaded('fixed-spread', params, { ...options, owner })),
  )
  expect(one?.strategy.definition).toBe(two?.strategy.definition)
  const remembering = readdirSync(folder).filter((name) =>
    /^(export )?(let|var) |^(export )?const \w+.* = (new |\[\]|\{\})/m.test(
      readFileSync(join(folder, name), 'utf8'),
    ),
  )
  expect(remembering).toEqual([])
})
