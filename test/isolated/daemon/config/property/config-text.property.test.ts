import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatProblem } from '../../../../../src/daemon/config/source/problem.ts'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { ENV, folderWith, STRATEGIES, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const SECRET = ENV.MIZANI_API_KEY
const FILE = join(folderWith({}), 'live.yaml')

/** Loads the text and returns everything that it would tell a person; throws only if loading throws. */
async function toldAbout(text: string): Promise<{ readonly accepted: boolean; readonly told: string }> {
  writeFileSync(FILE, text)
  const loaded = await loadConfig(FILE, ENV, { strategiesFolder: STRATEGIES })
  if (loaded.ok) return { accepted: true, told: encodeJson({ ...loaded.value, core: null, strategy: null }) }
  for (const problem of loaded.error) {
    expect(problem.line).toBeGreaterThan(0)
    expect(problem.column).toBeGreaterThan(0)
    expect(problem.message).not.toBe('')
  }
  expect(loaded.error.length).toBeGreaterThan(0)
  return { accepted: false, told: loaded.error.map(formatProblem).join('\n') }
}

const yamlish = fc.array(
  fc.oneof(
    fc.constantFrom(
      ': ',
      '\n',
      '  ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '|',
      '>',
      '&a ',
      '*a',
      '!env ',
      '!file ',
      '#',
      '\t',
      '<<: ',
      '? ',
      '---\n',
      '%',
      ',',
    ),
    fc.constantFrom(
      'name',
      'venue',
      'apiKey',
      'risk',
      'strategy',
      'use',
      'params',
      '__proto__',
      'constructor',
      '.nan',
      '-.inf',
      '1e999',
      '0x10',
      'null',
      '~',
    ),
    fc.string({ maxLength: 5 }),
  ),
  { maxLength: 40 },
)

test('no text makes loading throw or be accepted without a name', async () => {
  await fc.assert(
    fc.asyncProperty(yamlish, async (pieces) => {
      expect((await toldAbout(pieces.join(''))).accepted).toBe(false)
    }),
    { numRuns: 100 },
  )
})

/** One edit of the text, at a place where the secret is not. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.integer({ min: 0, max: 12 }),
  insert: fc.oneof(
    fc.string({ maxLength: 4 }),
    fc.constantFrom('\n', '\t', '"', "'", ': ', '{', '}', '[', '&a ', '*a ', '!x ', '|', '#', '- '),
  ),
})

function mutated(text: string, edits: readonly { at: number; remove: number; insert: string }[]): string {
  return edits.reduce((before, { at, remove, insert }) => {
    const start = Math.floor(at * before.length)
    const from = before.indexOf(SECRET)
    const end = Math.min(before.length, start + remove)
    // An edit inside the secret would make another secret of it, which the test could not look for.
    const touches = from >= 0 && start < from + SECRET.length && end > from
    return touches ? before : before.slice(0, start) + insert + before.slice(end)
  }, text)
}

test('a mutated configuration never throws, and never tells the value of a secret', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      expect((await toldAbout(mutated(VALID, edits))).told).not.toContain(SECRET)
    }),
    { numRuns: 100 },
  )
})

test('a key that was pasted in plain text is not repeated, however the text around it is broken', async () => {
  const pasted = VALID.replace('!env MIZANI_API_KEY', SECRET)
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 4 }), async (edits) => {
      expect((await toldAbout(mutated(pasted, edits))).told).not.toContain(SECRET)
    }),
    { numRuns: 100 },
  )
})
