import { expect, test } from 'vitest'
import { lastSeqOf } from './daemon/compare-books.ts'
import { digestsOf } from './daemon/digests-of.ts'
import { openMarket } from './daemon/open-market.ts'
import { replayStore } from './daemon/replay-store.ts'
import { until } from './daemon/until.ts'

test(
  'The same journal gives the same decisions: every digest that the living daemon showed is the one that a replay has there, after crashes and at the end, twice',
  { timeout: 150_000 },
  async () => {
    await using market = await openMarket({ speed: 600 })
    const shown = new Map<number, string>()
    for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
      const daemon = market.start()
      const { total } = (await daemon.state()).fills
      const before = shown.size
      await until('two more fills, and half a dozen looks at it', async () => {
        const { lastSeq, digest, fills } = await daemon.state()
        shown.set(lastSeq, digest)
        return fills.total >= total + 2 && shown.size >= before + 6
      })
      await daemon.kill(signal)
      // What was shown in the last moment before a kill may not have reached the disk, and its number is
      // given again.
      const written = lastSeqOf(market.folder.store)
      for (const seq of shown.keys()) if (seq > written) shown.delete(seq)
    }
    const digests = await digestsOf(market.config)
    expect(shown.size).toBeGreaterThan(10)
    expect([...shown.keys()].map((seq) => [seq, digests.get(seq)])).toEqual([...shown])

    const first = await replayStore(market.config)
    expect(first).toMatchObject({ equal: true, warnings: [], digest: digests.get(digests.size) })
    expect(first.events).toBe(digests.size)
    expect(first.effects['setQuote']).toBeGreaterThan(0)
    expect(await replayStore(market.config)).toEqual(first)
  },
)
