import { expect, test } from 'vitest'
import { createStandbys } from '../../../../src/core/lease/standbys.ts'

const MINUTE = 60_000

function watched() {
  let now = 0
  const standbys = createStandbys(() => now)
  return { standbys, at: (ms: number) => void (now = ms) }
}

test('one that stands by lives for three seconds after its counter was seen to move, and not for being there', () => {
  const { standbys, at } = watched()
  standbys.saw([{ holder: 'one', count: 7 }])
  expect(standbys.hasLive()).toBe(false)
  standbys.saw([{ holder: 'one', count: 8 }])
  expect(standbys.hasLive()).toBe(true)
  at(2_999)
  expect(standbys.hasLive()).toBe(true)
  at(3_000)
  expect(standbys.hasLive()).toBe(false)
})

test('one whose counter has stood still for ten minutes is dead, whether it was seen to move before or not', () => {
  const { standbys, at } = watched()
  const rows = (moving: number) => [
    { holder: 'found', count: 3 },
    { holder: 'died', count: moving === 0 ? 1 : 2 },
    { holder: 'lives', count: moving },
  ]
  standbys.saw(rows(0))
  at(MINUTE)
  standbys.saw(rows(1))
  at(10 * MINUTE - 1)
  standbys.saw(rows(2))
  expect(standbys.dead()).toEqual([])
  at(10 * MINUTE)
  expect(standbys.dead()).toEqual(['found'])
  at(11 * MINUTE)
  standbys.saw(rows(3))
  expect(standbys.dead()).toEqual(['found', 'died'])
  // Once its row is gone it is no one any longer.
  standbys.saw([{ holder: 'lives', count: 4 }])
  expect(standbys.dead()).toEqual([])
})
