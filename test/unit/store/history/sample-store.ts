import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { openHistory, type HistoryReader } from '../../../../src/store/history/open-history.ts'
import { appendTicks, durable, freshFolder, openHere, valueOf } from '../store-fixture.ts'

export const MINUTE_MS = 60_000
/** The first minute of the samples. */
export const T = 1_700_000_000_000 - (1_700_000_000_000 % MINUTE_MS)

export function sample(
  t: number,
  change: Partial<Extract<Observation, { type: 'sample' }>> = {},
): Observation {
  return {
    type: 'sample',
    t,
    mid: 2_600_500_000_000_000_000_000n,
    fairValue: 2_601n * 10n ** 18n,
    bidBps: 40,
    askBps: null,
    bestBidBps: 55,
    bestAskBps: null,
    balances: {
      NTZS: 1_500_000_000_000_000_000n,
      USDC: 25n * 10n ** 17n,
      USDT: 10n ** 12n,
      'USDT.bnb': 10n ** 18n,
    },
    pnl: {
      tzs: {
        spreadCapture: 12n * 10n ** 36n,
        staleMid: -(10n ** 35n),
        inventory: 0n,
        costs: -(10n ** 36n),
        unreconciled: 0n,
      },
      totalUsd: 5n * 10n ** 53n,
    },
    ...change,
  }
}

/** A store with these observations, an event each. */
export async function storeWith(observations: readonly Observation[]): Promise<string> {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  for (const [index, observation] of observations.entries()) {
    appendTicks(store, index + 1, index + 1)
    store.project(index + 1, [observation])
  }
  await durable(store, observations.length)
  await store.close()
  return folder
}

export async function reading<T>(folder: string, work: (reader: HistoryReader) => T): Promise<T> {
  const reader = valueOf(openHistory(folder))
  try {
    return work(reader)
  } finally {
    reader.close()
  }
}
