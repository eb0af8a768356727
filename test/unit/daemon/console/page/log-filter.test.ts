import { expect, test } from 'vitest'
import type { NoticeRow } from '../../../../../src/daemon/console/answers.ts'
import { logRows, NO_FILTER, passesFilter } from '../../../../../src/daemon/console/page/log/log-panel.tsx'

const NOTICE: NoticeRow = {
  id: '1.0',
  t: 1,
  kind: 'alert',
  severity: 'warning',
  text: 'The mid is Stale',
}

test.each([
  [{}, true],
  [{ severity: 'warning' }, true],
  [{ severity: 'critical' }, false],
  [{ kind: 'alert' }, true],
  [{ kind: 'fill' }, false],
  [{ text: 'mid is stale' }, true],
  [{ text: 'balance' }, false],
  [{ severity: 'warning', kind: 'alert', text: 'MID' }, true],
  [{ severity: 'warning', kind: 'fill', text: 'MID' }, false],
])('a line passes only what it is all of: %j, %s', (filter, passes) => {
  expect(passesFilter(NOTICE, { ...NO_FILTER, ...filter })).toBe(passes)
})

test('what came live and what is stored is one list, newest first, without repeats or holes', () => {
  const rows = (...ids: readonly string[]) => ids.map((id) => ({ ...NOTICE, id }))
  const idsOf = (hasOlder: boolean) =>
    logRows(rows('12.0', '10.3', '9.0', '2.0'), rows('10.3', '10.1', '7.0'), hasOlder).map(({ id }) => id)
  expect(idsOf(false)).toEqual(['12.0', '10.3', '10.1', '9.0', '7.0', '2.0'])
  // The page before has what is between 7.0 and 2.0.
  expect(idsOf(true)).toEqual(['12.0', '10.3', '10.1', '9.0', '7.0'])
})
