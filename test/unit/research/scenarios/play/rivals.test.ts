import { describe, expect, test } from 'vitest'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { Rivals, shownQuotes } from '../../../../../src/research/scenarios/play/rivals.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const OFF = { bidBps: null, askBps: null }

function rivalsOf(name: string): Rivals {
  return new Rivals(drawWorld(prepareScenario(shippedScenario(name), 28), 1))
}

describe('rivals', () => {
  test('that follow the rate shift both quotes by it, and are off while it is far from the mid', () => {
    const rivals = rivalsOf('normal')
    rivals.requote(10, 60, OFF)
    const [follower] = rivals.all
    const { bid, ask } = follower!.quote
    expect((bid ?? 0) - (ask ?? 0)).toBeGreaterThan(20)
    rivals.requote(10, 900, OFF)
    expect(follower!.quote).toEqual({ bid: null, ask: null })
  })

  test('that undercut stand 6 bps under our quote, never below 22, and not under a side that cannot pay', () => {
    const rivals = rivalsOf('undercut')
    const undercutter = rivals.all.at(-1)!
    rivals.requote(0, 0, { bidBps: 40, askBps: 30 })
    expect(undercutter.quote).toEqual({ bid: 34, ask: 24 })
    rivals.requote(1, 0, { bidBps: 25, askBps: 30 })
    expect([22, 75]).toContain(undercutter.quote.bid)
    const empty = shownQuotes({ bidBps: 20, askBps: 20 }, (side) => (side === 'bid' ? 400 : 15_000))
    expect(empty).toEqual({ bidBps: null, askBps: 20 })
  })

  test('that have given up wait at 75 until there is room again', () => {
    const rivals = rivalsOf('undercut')
    const undercutter = rivals.all.at(-1)!
    let step = 0
    while (undercutter.quote.bid !== 75 && step < 1_000) rivals.requote(step++, 0, { bidBps: 20, askBps: 60 })
    expect(step).toBeGreaterThan(1)
    rivals.requote(step, 0, { bidBps: 20, askBps: 60 })
    expect(undercutter.quote.bid).toBe(75)
    rivals.requote(step + 1, 0, { bidBps: 40, askBps: 60 })
    expect(undercutter.quote.bid).toBe(34)
  })

  test('that an informed taker has emptied are full again a day after the first take', () => {
    const rivals = rivalsOf('normal')
    const [rival] = rivals.all
    rivals.take(rival!, 'bid', 10, 15_000)
    rivals.take(rival!, 'bid', 20, 0)
    expect(rivals.stock(rival!, 'bid', 33.9)).toBe(0)
    expect(rivals.stock(rival!, 'ask', 33.9)).toBe(15_000)
    expect(rivals.stock(rival!, 'bid', 34)).toBe(15_000)
  })
})
