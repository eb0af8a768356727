import { describe, expect, test } from 'vitest'
import { checkFloorPlan, parseFloorPlan } from './floor-plan.ts'
import { checkImports, checkUnusedRights, roomOf } from './import-rules.ts'
import { checkLockFile, checkReadme, checkVersions } from './package-rules.ts'
import { checkPurity } from './purity-rules.ts'
import { checkShape } from './shape-rules.ts'
import { parseSourceFile, type Violation } from './source-file.ts'
import { checkTests, mayLeaveOut } from './test-rules.ts'
import { checkMentions, checkPath, checkText } from './text-rules.ts'

const TABLE = `# Plan

## Rooms and who may enter

Some words.

| Room | Ring | Imports | Packages | What it is for |
|---|---|---|---|---|
| base | 0 | | | words |
| money | 0 | base | decimal.js | amounts |
| engine | 2 | base, money | | the machine |
| venue | 3 | base, engine | zod, @scope/wire | the client |
| commands | 4 | * | * | wiring |

## Decisions

| Room | this | is | another table |
`
const ROOMS = parseFloorPlan(TABLE)
const FOLDERS = ['base', 'money', 'engine', 'venue', 'commands']
const DEPENDENCIES = ['decimal.js', 'zod', '@scope/wire', 'commander']

const messages = (violations: readonly Violation[]) => violations.map(({ message }) => message)

describe('the table of rooms', () => {
  test('is read with its rings, imports, packages and stars, and ends with its section', () => {
    expect(ROOMS).toHaveLength(5)
    expect(ROOMS[3]).toEqual({
      name: 'venue',
      ring: 3,
      imports: ['base', 'engine'],
      packages: ['zod', '@scope/wire'],
    })
    expect(ROOMS[4]).toEqual({ name: 'commands', ring: 4, imports: '*', packages: '*' })
  })

  test('is refused where its heading, a column or a ring is not as expected', () => {
    expect(() => parseFloorPlan('# Plan')).toThrow(/no heading/)
    expect(() => parseFloorPlan(TABLE.replace('| Ring |', '| Level |'))).toThrow(/columns/)
    expect(() => parseFloorPlan(TABLE.replace('| base | 0 |', '| base | low |'))).toThrow(/not a room/)
  })

  test('passes when rooms, folders and packages agree', () => {
    expect(checkFloorPlan(ROOMS, FOLDERS, DEPENDENCIES)).toEqual([])
  })

  test.each([
    ['a room without a folder', TABLE, FOLDERS.slice(1), /src\/base is missing/],
    ['a folder without a room', TABLE, [...FOLDERS, 'attic'], /src\/attic is not in the table/],
    [
      'an import of a room that is none',
      TABLE.replace('| base, money |', '| base, cellar |'),
      FOLDERS,
      /cellar, which is no room/,
    ],
    [
      'an import from a higher ring',
      TABLE.replace('| base | 0 | |', '| base | 0 | venue |'),
      FOLDERS,
      /higher ring/,
    ],
    [
      'rooms in a circle',
      TABLE.replace('| base | 0 | |', '| base | 0 | money |'),
      FOLDERS,
      /base is in a circle/,
    ],
    ['a room listed twice', TABLE.replace('| money | 0', '| base | 0'), FOLDERS, /listed twice/],
    [
      'a package that package.json lacks',
      TABLE.replace('zod,', 'zodiac,'),
      FOLDERS,
      /zodiac, which package.json lacks/,
    ],
  ])('fails for %s', (_what, table, folders, message) => {
    expect(checkFloorPlan(parseFloorPlan(table), folders, DEPENDENCIES)).toContainEqual(
      expect.stringMatching(message),
    )
  })
})

describe('a right to import that no file of the room uses', () => {
  test('is reported by room and by package, type-only imports count as use, and a star is no right of its own', () => {
    const files = [
      parseSourceFile('src/money/rate.ts', "import type { Ms } from '../base/ms.ts'; import 'decimal.js'"),
      parseSourceFile('src/engine/a.ts', "import { b } from './b.ts'; import('../money/rate.ts')"),
      parseSourceFile('src/venue/a.ts', "import '@scope/wire/deep'; import { a } from '../engine/a.ts'"),
    ]
    expect(checkUnusedRights(ROOMS, files)).toEqual([
      'engine does not import base',
      'venue does not import base',
      'venue does not import zod',
    ])
  })
})

describe('a folder with a row of its own', () => {
  const rooms = [{ name: 'treasury' }, { name: 'treasury/api' }]

  test('is a room apart from the one around it, and its other folders are not', () => {
    expect(roomOf('src/treasury/api/client.ts', rooms)).toBe('treasury/api')
    expect(roomOf('src/treasury/model/intent.ts', rooms)).toBe('treasury')
    expect(roomOf('src/treasury/api.ts', rooms)).toBe('treasury')
  })
})

describe('imports', () => {
  const EXISTING = [
    'src/base/ms.ts',
    'src/money/rate.ts',
    'src/engine/fact.ts',
    'src/venue/client.ts',
    'src/main.ts',
    'package.json',
    'test/x.ts',
  ]
  const check = (path: string, text: string) =>
    messages(
      checkImports(parseSourceFile(path, text), ROOMS, DEPENDENCIES, (target) => EXISTING.includes(target)),
    )

  test.each([
    ['src/money/rate.ts', "import { ms } from '../base/ms.ts'"],
    ['src/money/asset.ts', "import type { Rate } from './rate.ts'"],
    ['src/money/rate.ts', "import { Decimal } from 'decimal.js'"],
    [
      'src/venue/client.ts',
      "import { z } from 'zod/v4'; import w from '@scope/wire/deep'; import fs from 'node:fs'",
    ],
    ['src/venue/client.ts', "import manifest from '../../package.json' with { type: 'json' }"],
    ['src/venue/client.ts', 'const module = await import(path)'],
    ['src/venue/client.ts', "const kit = new URL('./kit.js', import.meta.url)"],
    ['src/commands/walk.ts', "import { c } from '../venue/client.ts'; import { Command } from 'commander'"],
    ['src/money/rate.ts', "// import x from 'node:fs'\nconst text = `import y from 'left-pad'`"],
    ['strategies/fixed.ts', "import { z } from '#kit'"],
    ['src/main.ts', "import { Command } from 'commander'; import process from 'node:process'"],
  ])('%s may say %s', (path, text) => {
    expect(check(path, text)).toEqual([])
  })

  test.each([
    [
      'src/money/rate.ts',
      "import type { Event } from '../engine/fact.ts'",
      /money may not import from engine/,
    ],
    ['src/money/rate.ts', "type E = import('../engine/fact.ts').Event", /money may not import from engine/],
    ['src/money/rate.ts', "export { e } from '../engine/fact.ts'", /money may not import from engine/],
    ['src/money/rate.ts', "export * from '../engine/fact.ts'", /money may not import from engine/],
    ['src/venue/client.ts', "const r = await import('../money/rate.ts')", /venue may not import from money/],
    ['src/venue/client.ts', 'const r = await import(`../money/rate.ts`)', /venue may not import from money/],
    [
      'src/venue/client.ts',
      "const w = new Worker(new URL('../money/rate.ts', import.meta.url))",
      /venue may not import from money/,
    ],
    ['src/venue/client.ts', "const r = require('left-pad')", /the package left-pad/],
    ['src/engine/fact.ts', "import { z } from 'zod'", /engine may not import the package zod/],
    ['src/engine/fact.ts', "import { readFileSync } from 'node:fs'", /node:fs in ring 2/],
    ['src/venue/client.ts', "import { readFileSync } from 'fs'", /the package fs/],
    ['src/engine/fact.ts', 'const f = () => import(path)', /computed import/],
    ['src/engine/fact.ts', "import m from '../../package.json'", /rings 3 and 4/],
    ['src/money/rate.ts', "import { ms } from '../base/ms'", /does not exist/],
    ['src/venue/client.ts', "import { x } from '../../test/x.ts'", /leaves src/],
    ['src/venue/client.ts', "import '../main.ts'", /is an entry point/],
    ['src/commands/walk.ts', "import x from 'vitest'", /the package vitest/],
    ['src/attic/x.ts', "import { ms } from '../base/ms.ts'", /in no room/],
    ['src/main.ts', "import { ms } from './venue/client.ts'", /main.ts may not import from venue/],
    ['strategies/fixed.ts', "import { z } from 'zod'", /only '#kit', not 'zod'/],
    ['strategies/fixed.ts', "import { ms } from '../src/base/ms.ts'", /only '#kit'/],
    ['strategies/fixed.ts', 'const x = import(name)', /not a computed import/],
  ])('%s may not say %s', (path, text, message) => {
    expect(check(path, text)).toEqual([expect.stringMatching(message)])
  })

  test('a violation names the file and the line', () => {
    const file = parseSourceFile('src/engine/fact.ts', "\n\nimport { z } from 'zod'\n")
    expect(checkImports(file, ROOMS, DEPENDENCIES, () => true)).toEqual([
      { path: 'src/engine/fact.ts', line: 3, message: 'engine may not import the package zod' },
    ])
  })
})

describe('purity', () => {
  const check = (text: string) => messages(checkPurity(parseSourceFile('src/engine/x.ts', text)))

  test.each([
    "// Date.now() and setTimeout\nconst text = 'process.exit() console.log'",
    'const t = `at ${event.t}: performance`',
    'const r = /console|fetch/',
    'export function process(event: Event) { return event }\nprocess(first)',
    "import { process } from './process.ts'\nprocess(first)",
    'function make() { function process() {} return { process } }',
    'const f = (process: number) => process + 1',
    'for (const fetch of fetches) fetch()',
    'try { f() } catch (console) { g(console) }',
    'engine.process(event); venue.fetch(); x?.console',
    'const o = { process: 1, Date: 2, fetch() {} }',
    'type T = { readonly process: (fetch: number) => void; Date: number }',
    'class C { process() { return this.process } }',
    'const m = Math.max(1, Math["min"](2, 3))',
    'type Whatever = unknown; const any = 1; const asyncThing = any',
    'const { process: mine } = engine; mine()',
  ])('lets pass: %s', (text) => {
    expect(check(text)).toEqual([])
  })

  test.each([
    ['const t = Date.now()', /^Date/],
    ['const t = new Date(0)', /^Date/],
    ['let d: Date', /^Date/],
    ['const t = performance.now()', /^performance/],
    ['setTimeout(f, 1)', /^setTimeout/],
    ['const later = setInterval', /^setInterval/],
    ['setImmediate(f)', /^setImmediate/],
    ['queueMicrotask(f)', /^queueMicrotask/],
    ['const { env } = process', /^process/],
    ['type P = typeof process', /^process/],
    ['const o = { process }', /^process/],
    ['const o = { [process]: 1 }', /^process/],
    ['const t = `${process.pid}`', /^process/],
    ['console.log(1)', /^console/],
    ['const get = fetch', /^fetch/],
    ['const x = globalThis.Date', /^globalThis/],
    ['const id = crypto.randomUUID()', /^crypto/],
    ['const p = Promise.resolve()', /^Promise/],
    ['function f({ a = process.pid }) {}', /^process/],
    ['function f() { const process = 1 }\nprocess.exit()', /^process/],
    ['const f = (process: number) => 1\nprocess.exit()', /^process/],
    ['{ let console = 1 }\nconsole.log()', /^console/],
    ['const r = Math.random()', /^Math\.random/],
    ["const r = Math['random']()", /^Math\.random/],
    ['const r = Math?.random()', /^Math\.random/],
    ['const { random } = Math', /^Math as a whole/],
    ['const m = Math', /^Math as a whole/],
    ['const r = Math[name]()', /^Math is asked/],
    ['async function f() {}', /^async/],
    ['const f = async () => 1', /^async/],
    ['const o = { async f() {} }', /^async/],
    ['const x = await y', /^await/],
    ['for await (const x of y) {}', /^for await/],
    ['let x: any', /^any/],
    ['const x = y as any[]', /^any/],
    ['const u = import.meta.url', /^import\.meta/],
  ])('refuses: %s', (text, message) => {
    expect(check(text)).toEqual([expect.stringMatching(message)])
  })
})

describe('shape', () => {
  const check = (path: string, text: string) => messages(checkShape(parseSourceFile(path, text)))
  const filler = (lines: number) => '\n'.repeat(lines)

  test.each([
    ['src/money/rate.ts', 'export type Rate = bigint\nexport function parseRate() {}'],
    ['src/money/decimal-text.ts', 'export function parseDecimalText() {}'],
    [
      'src/engine/requests/requests.ts',
      'export function openRequest() {}\nexport function closeRequest() {}',
    ],
    ['src/base/time.ts', 'export const TIME_MS = 1, A = 1, B = 2, C = 3, D = 4'],
    [
      'src/venue/client.ts',
      'export class Client {}\nexport class ClientError extends Error {}\nexport const a = 1, b = 2',
    ],
    ['src/store/journal/journal-worker.ts', 'listen()'],
    ['src/main.ts', 'run()'],
    ['src/money/rate.ts', `export const rate = 1${filler(297)}// the last of 298`],
    ['src/money/rate.ts', `export function rate() {${filler(58)}}`],
    [
      'strategies/fixed-spread.ts',
      "export default defineStrategy({ name: 'fixed-spread', params: z.object({ name: 1 }) })",
    ],
  ])('%s may be %s', (path, text) => {
    expect(check(path, text)).toEqual([])
  })

  test.each([
    ['src/money/rate.ts', `export const rate = 1${filler(299)}//`, /300 lines/],
    ['src/money/rate.ts', `export function rate() {${filler(59)}}`, /^rate has 60 lines/],
    ['src/money/rate.ts', `export const rate = () => {${filler(59)}}`, /^rate has 60 lines/],
    ['src/money/rate.ts', `export const rate = { make() {${filler(59)}} }`, /^make has 60 lines/],
    ['src/money/rate.ts', 'const rate = 1', /exports nothing/],
    ['src/money/myRate.ts', 'export const myRate = 1', /not kebab-case/],
    ['src/money/index.ts', 'export type Index = 1', /an index file/],
    ['src/money/rate.ts', "export const rate = 1\nexport * from './amount.ts'", /a re-export/],
    ['src/money/rate.ts', "export type { Rate } from './amount.ts'", /a re-export/],
    [
      'strategies/fixed-spread.ts',
      "export default defineStrategy({ name: 'fixed' })",
      /name: 'fixed-spread'/,
    ],
    ['strategies/fixed-spread.ts', "export const x = defineStrategy({ name: 'fixed-spread' })", /one export/],
    ['strategies/fixed-spread.ts', "export default { name: 'fixed-spread' }", /name: 'fixed-spread'/],
  ])('%s may not be %s', (path, text, message) => {
    expect(check(path, text)).toEqual([expect.stringMatching(message)])
  })

  test('an excepted rule is not applied, the others are', () => {
    const file = parseSourceFile('src/strategy/kit.ts', `export { z } from 'zod'${filler(300)}//`)
    expect(messages(checkShape(file, ['no-barrel', 'one-idea']))).toEqual([
      expect.stringMatching(/301 lines/),
    ])
  })
})

describe('tests', () => {
  const check = (text: string) => messages(checkTests(parseSourceFile('test/x.test.ts', text)))

  test.each([
    "test('a', () => {})",
    "test.concurrent.each([1])('a %s', () => {})",
    "test.skipIf(needs('promtool'))('a', () => {})",
    "describe.runIf(!needs('psql'))('a', () => {})",
    "test('a', { skip: needs('promtool') }, () => {})",
    "test('a', { only: false, timeout: 1 }, () => {})",
    "test('a', (context) => { context.skip('the venue says no') })",
    "test('names .only and it.skip in its title', () => { list.skip(1); rule.only = 1 })",
  ])('lets pass: %s', (text) => {
    expect(check(text)).toEqual([])
  })

  test.each([
    ["test.only('a', () => {})", /^\.only/],
    ["it.skip('a', () => {})", /^\.skip/],
    ["describe['only']('a', () => {})", /^\.only/],
    ["test.concurrent.skip('a', () => {})", /^\.skip/],
    ["test.skip.each([1])('a', () => {})", /^\.skip/],
    ["test.todo('a')", /^\.todo/],
    ["xit('a', () => {})", /^xit/],
    ["fdescribe('a', () => {})", /^fdescribe/],
    ["test.skipIf(process.platform === 'win32')('a', () => {})", /^\.skipIf/],
    ["test('a', { skip: true }, () => {})", /skip/],
    ["test('a', { only: true }, () => {})", /only/],
    ["test('a', (context) => { context.skip() })", /no reason/],
  ])('refuses: %s', (text, message) => {
    expect(mayLeaveOut(text)).toBe(true)
    expect(check(text)).toEqual([expect.stringMatching(message)])
  })
})

describe('text, paths and packages', () => {
  const check = (text: string) => messages(checkText('x.md', text, ['/srv/somewhere/checkout']))

  test.each([
    'nothing left to do, and mastodons are no to-dos',
    'WORKDIR /app, /home/node/app, /config/live.yaml and https://example.org/home/page',
    'npm registry, the venue at http://127.0.0.1:8787/registry',
    'see https://www.npmjs.com/package/zod',
  ])('a text may say: %s', (text) => {
    expect(check(text)).toEqual([])
  })

  test.each([
    ['// TO_DO: later', /unfinished/],
    ['# FIX_ME', /unfinished/],
    ['cd /ho_me/somebody/mizani', /one machine/],
    ['cd /Us_ers/somebody', /one machine/],
    ['cd /ro_ot/mizani', /one machine/],
    ['in /srv/somewhere/checkout/src', /checkout/],
    ['"resolved": "https://reg_istry.npmjs.org/zod.tgz"', /registry/],
    ['registry=https://packages.nex_us.internal/npm/', /registry/],
  ])('a text may not say: %s (without the underscore)', (text, message) => {
    expect(check(text.replace(/(?<=[A-Za-z])_(?=[A-Za-z])/, ''))).toContainEqual(
      expect.stringMatching(message),
    )
  })

  test('a file that a text names is there, from the root or, in src/README.md, from src', () => {
    const exists = (path: string) =>
      ['src/money/rate.ts', 'src/money/', 'test/tidy/a-b.test.ts'].includes(path)
    const named = (path: string, text: string) => messages(checkMentions(path, text, exists))
    const there =
      'see src/money/rate.ts, `test/tidy/a-b.test.ts`, and `src/a/b.ts` or src/venue/NAME.ts for any file'
    expect(named('docs/a.md', there)).toEqual([])
    expect(named('docs/a.md', 'see [it](../src/money/gone.ts) and `money/gone.ts`')).toEqual([])
    expect(named('docs/a.md', 'see `src/money/gone.ts`')).toEqual([
      'names src/money/gone.ts, which is not there',
    ])
    expect(named('src/a.ts', 'see docs/404.md')).toEqual(['names docs/404.md, which is not there'])
    expect(named('src/README.md', '`money/`, `money/rate.ts`, `money/gone.ts`, `attic/`')).toEqual([
      'names src/money/gone.ts, which is not there',
      'names src/attic/, which is not there',
    ])
  })

  test('a folder says what is in it', () => {
    expect(checkPath('src/money/rate.ts')).toEqual([])
    expect(messages(checkPath('src/utils/rate.ts'))).toEqual([expect.stringMatching(/'utils'/)])
    expect(messages(checkPath('test/helpers.ts'))).toEqual([expect.stringMatching(/'helpers'/)])
    expect(messages(checkPath('src/common/x.ts'))).toEqual([expect.stringMatching(/'common'/)])
  })

  test('versions are exact', () => {
    expect(checkVersions({ dependencies: { a: '1.2.3' }, devDependencies: { b: '1.0.0-rc.1' } })).toEqual([])
    const loose = { dependencies: { a: '^1.2.3', b: '*' }, optionalDependencies: { c: 'github:a/b' } }
    expect(checkVersions(loose)).toHaveLength(3)
  })

  test('the lock file has a hash for every package and a host for none', () => {
    expect(checkLockFile({ packages: { '': {}, 'node_modules/a': { integrity: 'sha512-x' } } })).toEqual([])
    const resolved = { 'node_modules/a': { integrity: 'sha512-x', resolved: 'https://example.org/a.tgz' } }
    expect(checkLockFile({ packages: resolved })).toEqual([expect.stringMatching(/resolved to/)])
    expect(checkLockFile({ packages: { 'node_modules/a': {} } })).toEqual([
      expect.stringMatching(/no integrity/),
    ])
  })

  test('the README shows both commands', () => {
    expect(checkReadme('`npm ci && npm start` then `npm ci && npm test`')).toEqual([])
    expect(checkReadme('`npm ci && npm start`')).toEqual([expect.stringMatching(/npm test/)])
    expect(checkReadme(null)).toEqual(['README.md is missing'])
  })
})
