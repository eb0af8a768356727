import { expect, test } from 'vitest'
import { bucketsOf, quantileBetween, samplesOf } from '../../../../bench/fleet/exposition.ts'

const exposition = (counts: readonly number[]) =>
  ['p1', 'p2']
    .flatMap((position) => [
      `d_bucket{le="0.001",position="${position}"} ${counts[0]}`,
      `d_bucket{le="0.01",position="${position}"} ${counts[1]}`,
      `d_bucket{le="+Inf",position="${position}"} ${counts[2]}`,
      `d_count{position="${position}"} ${counts[2]}`,
    ])
    .join('\n')

test('a quantile is the bound of its bucket, over all positions and only of what was counted in between', () => {
  const [before, after] = [
    bucketsOf(exposition([100, 100, 100]), 'd'),
    bucketsOf(exposition([150, 199, 200]), 'd'),
  ]
  expect(after.get(Infinity)).toBe(400)
  expect(quantileBetween(before, after, 0.5)).toBe(0.001)
  expect(quantileBetween(before, after, 0.51)).toBe(0.01)
  expect(quantileBetween(before, after, 1)).toBe(Infinity)
  expect(quantileBetween(before, before, 0.5)).toBeNull()
})

test('a metric is not taken for another one whose name begins with its own', () => {
  const text = '# HELP a b\na_total{x="1"} 3\na{x="1"} 2\na 1\n'
  expect(samplesOf(text, 'a')).toEqual([
    { labels: 'x="1"', value: 2 },
    { labels: '', value: 1 },
  ])
})
