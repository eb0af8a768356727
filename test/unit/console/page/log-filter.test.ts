import { expect, test } from 'vitest'
import type { NoticeRow } from '../../../../src/console/api-types.ts'
import { NO_FILTER, passesFilter } from '../../../../src/console/page/log/log-filter.ts'

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
