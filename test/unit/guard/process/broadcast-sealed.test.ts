import { describe, expect, test } from 'vitest'
import type { ChainSight, SentOutcome } from '../../../../src/guard/position/sealed-step.ts'
import { createSealedBroadcast } from '../../../../src/guard/process/broadcast-sealed.ts'
import type { SealedCancels } from '../../../../src/rfq/sealed/sealed-cancels.ts'
import { MAKER, sealOf } from '../sealed-cancels.ts'

/** A broadcast on a virtual clock, a file and a chain that do what the test says. */
function broadcasting() {
  const clock = { at: 1_000_000 }
  const told: [string, string][] = []
  const lines: string[] = []
  const sent: string[] = []
  const world = {
    file: sealOf([7, 8]) as SealedCancels | string,
    sight: { nonce: { least: 7, most: 7 }, ended: new Map() } as ChainSight | null,
    outcome: (_raw: string): { kind: SentOutcome['kind']; words: string } => ({ kind: 'taken', words: '' }),
    /** The chain is looked at no longer than this. */
    until: Promise.resolve() as Promise<unknown>,
    looks: 0,
  }
  const broadcast = createSealedBroadcast({
    readFile: () => world.file,
    hand: {
      async look(maker) {
        expect(maker).toBe(MAKER)
        world.looks += 1
        await world.until
        return world.sight
      },
      async send(raw) {
        sent.push(raw)
        return world.outcome(raw)
      },
    },
    maxLifeMs: 600_000,
    clock: { now: () => clock.at, wall: () => clock.at },
    log: (_level, message) => void lines.push(message),
    notify: (code, message) => void told.push([code, message]),
  })
  return {
    world,
    broadcast,
    sent,
    lines,
    told,
    codes: () => told.map(([code]) => code),
    mine: (hash: string) =>
      void (world.sight = { nonce: { least: 8, most: 8 }, ended: new Map([[hash, 'done' as const]]) }),
    async pass(ms: number) {
      for (const end = clock.at + ms; clock.at < end;) {
        clock.at += 100
        broadcast.act()
        for (let times = 0; times < 20; times += 1) await Promise.resolve()
      }
    },
  }
}

describe('The guard sends sealed cancels', () => {
  test('once, and tells a person when one is in a block', async () => {
    const one = broadcasting()
    expect(one.broadcast.status()).toBeNull()
    await one.pass(2_000)
    expect([one.sent, one.broadcast.status()?.state]).toEqual([['0x02f871'], 'open'])
    one.mine('0x71')
    await one.pass(60_000)
    expect(one.sent).toEqual(['0x02f871'])
    expect(one.told).toEqual([['guard-cancelled', 'every signed order is cancelled by transaction 0x71']])
    expect(one.broadcast.status()?.state).toBe('mined')
  })

  test('level by level while none is in a block, and tells a person that it takes long', async () => {
    const one = broadcasting()
    await one.pass(31_500)
    expect(one.sent).toEqual(['0x02f871', '0x02f872', '0x02f873', '0x02f873'])
    expect(one.codes()).toEqual(['guard-not-cancelled'])
    expect(one.told[0]?.[1]).toContain('they end by themselves within 600 s')
    one.mine('0x72')
    await one.pass(2_000)
    expect(one.codes()).toEqual(['guard-not-cancelled', 'guard-cancelled'])
  })

  test('again where a reorganisation undoes the block, and not because of a file that is newer than the block', async () => {
    const one = broadcasting()
    await one.pass(1_000)
    one.mine('0x71')
    await one.pass(2_000)
    // Of a daemon that lives, which the guard does not hear: its new orders are not for the guard to end.
    one.world.file = sealOf([8, 9])
    await one.pass(20_000)
    expect(one.sent).toEqual(['0x02f871'])
    one.world.sight = { nonce: { least: 7, most: 7 }, ended: new Map() }
    await one.pass(20_000)
    expect(one.sent.length).toBeGreaterThan(1)
    expect(new Set(one.sent.map((raw) => raw.slice(0, 7)))).toEqual(new Set(['0x02f87']))
  })

  test('of the nonce after it where another transaction of the wallet was in time, and calls them void where all are', async () => {
    const one = broadcasting()
    one.world.outcome = (raw) =>
      raw.startsWith('0x02f87') ? { kind: 'void', words: 'nonce too low' } : { kind: 'taken', words: '' }
    one.world.sight = { nonce: { least: 7, most: 8 }, ended: new Map() }
    await one.pass(3_000)
    expect(one.sent).toEqual(['0x02f871', '0x02f881'])
    one.world.sight = { nonce: { least: 9, most: 9 }, ended: new Map() }
    await one.pass(20_000)
    expect(one.broadcast.status()?.state).toBe('void')
    expect(one.codes()).toEqual(['guard-not-cancelled'])
  })

  test('not at all once the daemon is back, also where the chain was just being looked at, and anew at the next firing', async () => {
    const one = broadcasting()
    let answer: (value?: unknown) => void = () => undefined
    one.world.until = new Promise((resolve) => (answer = resolve))
    await one.pass(100)
    one.broadcast.rest()
    answer()
    for (let times = 0; times < 20; times += 1) await Promise.resolve()
    expect([one.world.looks, one.sent, one.broadcast.status()]).toEqual([1, [], null])
    await one.pass(1_000)
    expect(one.sent).toEqual(['0x02f871'])
  })

  test('as soon as their file is there and the chain answers, and tells a person once that it cannot', async () => {
    const one = broadcasting()
    one.world.file = '/data/sealed-cancels.json cannot be read (ENOENT)'
    await one.pass(30_000)
    expect([one.sent, one.broadcast.status()?.state]).toEqual([[], 'absent'])
    expect(one.told).toEqual([['guard-not-cancelled', expect.stringContaining('ENOENT') as string]])
    one.world.file = sealOf([7, 8])
    one.world.sight = null
    await one.pass(5_000)
    expect(one.broadcast.status()?.words).toBe('no endpoint of the chain answers')
    one.world.sight = { nonce: { least: 7, most: 7 }, ended: new Map() }
    await one.pass(2_000)
    expect([one.sent, one.told.length]).toEqual([['0x02f871'], 1])
  })

  test('not where every order that they cover ended long ago', async () => {
    const one = broadcasting()
    one.world.file = sealOf([7, 8], { usefulUntil: 1_000_000 - 900_000 })
    await one.pass(30_000)
    expect([one.sent, one.told, one.broadcast.status()?.state]).toEqual([[], [], 'over'])
  })
})
