import { describe, expect, test } from 'vitest'
import type { NoticeDelivery, OutgoingNotice } from '../../../../../src/daemon/guard/notices/notice.ts'
import { createOutbox } from '../../../../../src/daemon/guard/notices/outbox.ts'
import { outgoingNotice } from './outgoing-notice.ts'

let drawn = 0

function notice(change: Partial<OutgoingNotice> = {}): OutgoingNotice {
  return outgoingNotice({ id: `id-${(drawn += 1)}`, ...change })
}

const sent = ({ id }: OutgoingNotice): NoticeDelivery => ({ id, left: [], why: null })
const refused = ({ id }: OutgoingNotice): NoticeDelivery => ({ id, left: ['0/slack'], why: 'slack: 503' })

/** An outbox on a virtual clock, whose attempts end as `world.answer` has it. */
function opened() {
  const world = {
    now: 0,
    answer: (one: OutgoingNotice): NoticeDelivery | null => sent(one),
    until: Promise.resolve() as Promise<unknown>,
  }
  const batches: (readonly OutgoingNotice[])[] = []
  const lines: string[] = []
  const outbox = createOutbox({
    async send(notices) {
      batches.push(notices)
      await world.until
      return notices.map(world.answer).filter((one) => one !== null)
    },
    log: (_level, _position, line) => void lines.push(line),
    now: () => world.now,
  })
  return {
    outbox,
    world,
    batches,
    lines,
    pass: async (ms: number, stepMs = 100) => {
      for (const end = world.now + ms; world.now < end;) {
        world.now += stepMs
        outbox.tick()
        for (let times = 0; times < 10; times += 1) await Promise.resolve()
      }
    },
  }
}

describe('The notices of a guard', () => {
  test('of a fleet that dies at once leave in one attempt, and another one starts only when that has ended', async () => {
    const { outbox, world, batches, pass } = opened()
    let end = (): void => undefined
    world.until = new Promise<void>((resolve) => (end = resolve))
    for (let at = 0; at < 100; at += 1) outbox.add(notice({ position: `desk-${at}` }))
    await pass(1_000)
    expect(batches.map((batch) => batch.length)).toEqual([100])
    outbox.add(notice({ position: 'late' }))
    await pass(5_000)
    expect(batches).toHaveLength(1)
    end()
    await pass(500)
    expect(batches.map((batch) => batch.length)).toEqual([100, 1])
    expect(outbox.waiting()).toBe(0)
  })

  test('are tried again at growing pauses for as long as a channel does not take them, on that channel alone', async () => {
    const { outbox, world, batches, lines, pass } = opened()
    world.answer = refused
    const at: number[] = []
    outbox.add(notice())
    for (let second = 0; second < 1_800; second += 1) {
      const before = batches.length
      await pass(1_000, 1_000)
      if (batches.length > before) at.push(second)
    }
    expect(at).toEqual([0, 10, 40, 100, 220, 520, 820, 1_120, 1_420, 1_720])
    expect(batches[0]?.[0]?.only).toBeNull()
    expect(batches[1]?.[0]?.only).toEqual(['0/slack'])
    expect(new Set(batches.map(([one]) => one?.id)).size).toBe(1)
    expect(lines).toEqual(['guard-fired: slack: 503; it is sent again until it is taken'])
    world.answer = sent
    await pass(300_000, 1_000)
    expect(outbox.waiting()).toBe(0)
  })

  test('that nothing was reported of were not sent, and go to every channel again', async () => {
    const { outbox, world, batches, lines, pass } = opened()
    world.answer = () => null
    outbox.add(notice())
    await pass(1_000)
    world.answer = sent
    await pass(11_000)
    expect(batches.map(([one]) => one?.only)).toEqual([null, null])
    expect(lines[0]).toContain('did not answer')
    expect(outbox.waiting()).toBe(0)
  })

  test('that wait go before a newer one of their position, in the order in which they began', async () => {
    const { outbox, world, batches, pass } = opened()
    world.answer = refused
    outbox.add(notice())
    await pass(60_000, 1_000)
    world.answer = sent
    outbox.add(notice({ code: 'guard-returned' }))
    await pass(1_000)
    expect(batches.at(-1)?.map(({ code }) => code)).toEqual(['guard-fired', 'guard-returned'])
  })

  test('of the same code and kind that wait are one with a count, the first and the last text', async () => {
    const { outbox, world, batches, pass } = opened()
    world.answer = refused
    outbox.add(notice({ kind: 'reminder', first: { t: 1, text: 'one' }, last: { t: 1, text: 'one' } }))
    await pass(1_000)
    for (const t of [2, 3])
      outbox.add(
        notice({
          kind: 'reminder',
          first: { t, text: `at ${t}` },
          last: { t, text: `at ${t}` },
          audience: [0, 1],
        }),
      )
    expect(outbox.waiting()).toBe(1)
    world.answer = sent
    await pass(1_000)
    expect(batches.at(-1)).toMatchObject([
      { count: 3, first: { t: 1 }, last: { t: 3, text: 'at 3' }, audience: [0, 1], only: null },
    ])
  })

  test('are bounded: of two thousand that wait the oldest gives way, with a line', async () => {
    const { outbox, lines } = opened()
    for (let at = 0; at < 2_001; at += 1) outbox.add(notice({ position: `desk-${at}` }))
    expect(outbox.waiting()).toBe(2_000)
    expect(lines).toEqual(['guard-fired was not sent: too many notices wait'])
  })
})
