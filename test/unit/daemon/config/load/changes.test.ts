import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkChanges } from '../../../../../src/daemon/config/load/changes.ts'
import { parseConfig } from '../../../../../src/daemon/config/load/parse-config.ts'
import { folderWith, VALID } from '../config-fixture.ts'

test.each([
  [{ 'strategy.params.maxSkewBps': 70, quote: { safeBps: 400 } }, null],
  [{ 'venue.baseUrl': 'http://127.0.0.1' }, 'venue.baseUrl cannot be set here'],
  [{ 'strategy.params.inner.use': './other.ts' }, 'can only be set in the file'],
  [{ 'strategy.params': { inner: { use: './other.ts' } } }, 'can only be set in the file'],
  // A schema would pass over it in silence, and the answer would be that it was set.
  [{ 'strategy.params.__proto__.maxSkewBps': 70 }, 'is the name of no setting'],
  [{ 'strategy.params': { inner: [{ constructor: 1 }] } }, 'is the name of no setting'],
] as const)('changes %j are refused with: %s', (changes, said) => {
  const checked = checkChanges(changes)
  expect(checked.ok ? null : checked.error).toEqual(said === null ? null : expect.stringContaining(said))
})

test.each(['__proto__', 'constructor', 'toString'])('a change of %s is an unknown key', (name) => {
  const file = join(folderWith({ 'a.yaml': VALID }), 'a.yaml')
  const parsed = parseConfig(file, { changes: { [`strategy.params.${name}`]: 1 } })
  expect(parsed.ok ? [] : parsed.error).toMatchObject([{ path: `strategy.params.${name}` }])
})

test('a problem of a changed value is not shown with the line of the file, which holds another value', () => {
  const file = join(folderWith({ 'live.yaml': VALID }), 'live.yaml')
  const changed = parseConfig(file, { changes: { 'inventory.target': 7 } })
  expect(changed).toMatchObject({
    ok: false,
    error: [{ path: 'inventory.target', excerpt: expect.stringMatching(/set by the command/) }],
  })
  const own = parseConfig(
    join(folderWith({ 'live.yaml': VALID.replace('target: 0.5', 'target: 7') }), 'live.yaml'),
    {
      changes: { 'inventory.targets': 7 },
    },
  )
  if (own.ok) throw new Error('accepted')
  expect(own.error.map(({ path, excerpt }) => [path, excerpt?.includes('set by the command')])).toEqual([
    ['inventory.target', false],
    ['inventory.targets', true],
  ])
})
