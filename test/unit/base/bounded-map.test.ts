import { expect, test } from 'vitest'
import { keepNewest } from '../../../src/base/bounded-map.ts'

test('a map keeps its newest entries, however many come, and one that is set again is new', () => {
  const map = new Map<number, string>()
  for (let key = 0; key < 100_000; key += 1) expect(keepNewest(map, key, `${key}`, 3)).toBe(`${key}`)
  keepNewest(map, 99_997, 'again', 3)
  keepNewest(map, 7, 'seven', 3)
  expect([...map.keys()]).toEqual([99_999, 99_997, 7])
})
