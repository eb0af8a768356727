import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { err, ok } from '../../../../src/base/result.ts'
import {
  rememberedFile,
  rememberedScript,
  type ScriptOrigin,
} from '../../../../src/daemon/confinement/script-cache.ts'

const SOURCE = { file: '/desk/skew.ts', name: 'skew.ts', text: 'export default 1' }
const OTHER = { file: '/desk/base.ts', name: 'base.ts', text: 'export const base = 2' }
const ORIGIN: ScriptOrigin = { kind: 'strategy', entry: 'skew.ts', sources: [OTHER, SOURCE] }

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-scripts-'))))

/** What the cache gives for `origin`, and whether the bundler had to run. */
async function ask(origin: ScriptOrigin = ORIGIN, script = 'var strategy = 1', into = folder) {
  let made = 0
  const given = await rememberedScript(
    origin,
    () => {
      made += 1
      return Promise.resolve(ok(script))
    },
    into,
  )
  return { given, made }
}

const file = (): string => join(folder, readdirSync(folder)[0] ?? '')

describe('the script of a strategy', () => {
  test('is bundled once for equal sources', async () => {
    expect(await ask()).toEqual({ given: ok('var strategy = 1'), made: 1 })
    expect(await ask(ORIGIN, 'another')).toEqual({ given: ok('var strategy = 1'), made: 0 })
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test.each<[string, Partial<ScriptOrigin>]>([
    ['the text of a source', { sources: [OTHER, { ...SOURCE, text: 'export default 2' }] }],
    ['the name of a source', { sources: [OTHER, { ...SOURCE, name: 'sub/skew.ts' }] }],
    ['the number of sources', { sources: [SOURCE] }],
    [
      'where one source ends',
      {
        sources: [
          { ...OTHER, text: '' },
          { ...SOURCE, text: OTHER.text + SOURCE.text },
        ],
      },
    ],
    ['which of them is the entry', { entry: 'base.ts' }],
    ['what it is', { kind: 'kit' }],
  ])('is bundled again when this is another: %s', async (_, change) => {
    await ask()
    expect(await ask({ ...ORIGIN, ...change }, 'new')).toEqual({ given: ok('new'), made: 1 })
    expect(await ask(ORIGIN, 'new')).toEqual({ given: ok('var strategy = 1'), made: 0 })
  })

  test('is the same wherever its folder lies', async () => {
    await ask()
    const moved = ORIGIN.sources.map((source) => ({ ...source, file: `/elsewhere${source.file}` }))
    expect(await ask({ ...ORIGIN, sources: moved })).toMatchObject({ made: 0 })
  })

  test('is bundled again and kept anew whatever byte of the kept file has changed, and where it was cut off', async () => {
    await ask()
    const whole = readFileSync(file())
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, by, cut) => {
          const bytes = Buffer.from(whole)
          bytes[at]! ^= by
          writeFileSync(file(), cut ? whole.subarray(0, at) : bytes)
          expect(await ask()).toEqual({ given: ok('var strategy = 1'), made: 1 })
          expect(readFileSync(file())).toEqual(whole)
        },
      ),
    )
  })

  test('is not kept where it could not be bundled', async () => {
    const failed = await rememberedScript(ORIGIN, () => Promise.resolve(err('no such name')), folder)
    expect(failed).toEqual(err('no such name'))
    expect(readdirSync(folder)).toEqual([])
    expect(await ask()).toMatchObject({ made: 1 })
  })

  test('is bundled each time where nothing can be kept', async () => {
    writeFileSync(join(folder, 'taken'), 'a file where the folder would be')
    const taken = join(folder, 'taken')
    expect(await ask(ORIGIN, 'one', taken)).toEqual({ given: ok('one'), made: 1 })
    expect(await ask(ORIGIN, 'two', taken)).toEqual({ given: ok('two'), made: 1 })
  })

  test('is a file that another program runs, and no file where none can be kept', async () => {
    const origin: ScriptOrigin = { ...ORIGIN, kind: 'process' }
    const make = () => Promise.resolve(ok('export const answer = 42'))
    const kept = (await rememberedFile(origin, make, folder)) ?? ''
    expect(await import(kept)).toMatchObject({ answer: 42 })
    writeFileSync(join(folder, 'taken'), 'a file where the folder would be')
    expect(await rememberedFile(origin, make, join(folder, 'taken'))).toBeNull()
    const unmade = { ...origin, entry: 'base.ts' }
    expect(await rememberedFile(unmade, () => Promise.resolve(err('no such name')), folder)).toBeNull()
  })
})
