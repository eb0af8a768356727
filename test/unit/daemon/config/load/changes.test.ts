import { expect, test } from 'vitest'
import { checkChanges } from '../../../../../src/daemon/config/load/changes.ts'

test.each([
  [{ 'strategy.params.maxSkewBps': 70, quote: { safeBps: 400 } }, null],
  [{ 'venue.baseUrl': 'http://127.0.0.1' }, 'venue.baseUrl cannot be set here'],
  [{ 'strategy.params.inner.use': './other.ts' }, 'can only be set in the file'],
  [{ 'strategy.params': { inner: { use: './other.ts' } } }, 'can only be set in the file'],
  // A schema would pass over it in silence, and the answer would be that it was set.
  [{ 'strategy.params.__proto__.maxSkewBps': 70 }, 'is the name of no setting'],
] as const)('changes %j are refused with: %s', (changes, said) => {
  const checked = checkChanges(changes)
  expect(checked.ok ? null : checked.error).toEqual(said === null ? null : expect.stringContaining(said))
})
