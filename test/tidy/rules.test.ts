import { describe, expect, test } from 'vitest'
import { checkFloorPlan, parseFloorPlan } from './floor-plan.ts'
import { checkImports, checkUnusedRights, roomOf } from './import-rules.ts'
import { checkLockFile, checkReadme, checkVersions } from './package-rules.ts'
import { checkShape } from './shape-rules.ts'
import { parseSourceFile, type Violation } from './source-file.ts'
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

describe('shape', () => {
  const check = (path: string, text: string) => messages(checkShape(parseSourceFile(path, text)))

  test.each([
    ['src/money/rate.ts', 'export type Rate = bigint\nexport function parseRate() {}'],
    ['src/store/journal/journal-worker.ts', 'listen()'],
    ['src/main.ts', 'run()'],
    [
      'strategies/fixed-spread.ts',
      "export default defineStrategy({ name: 'fixed-spread', params: z.object({ name: 1 }) })",
    ],
  ])('%s may be %s', (path, text) => {
    expect(check(path, text)).toEqual([])
  })

  test.each([
    ['src/money/rate.ts', 'const rate = 1', /exports nothing/],
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
