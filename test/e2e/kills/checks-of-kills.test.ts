import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { CHAIN_TOKENS } from '../../../src/simulator/sandbox/chain/etch-contracts.ts'
import { storeFiles } from '../../../src/store/store-files.ts'
import { overPromisedTokens } from '../custody/chain-truth.ts'
import { expectEqualBooks } from '../daemon/compare-books.ts'
import { runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { expectOwed, expectOwnSalts } from './kill-custody.ts'
import { expectReplays, openPool, provenView } from './kill-pool.ts'
import { expectPaidOnce } from './kill-treasury.ts'

const TOKEN = 10n ** 18n

// What kills are checked with finds what is wrong, without a kill: each check is given something sound, and then the same sabotaged.

test('a fill that is missing in the store, and a digest that was altered, are found after a run of kills of a position', async () => {
  const pool = await openPool({ seed: 1 })
  onTestFinished(() => pool.close())
  const { venue, folder, config } = pool
  const daemon = runDaemon({ configs: [config] })
  await daemon.url()
  await until('it has fills', async () => (await daemon.state()).fills.total > 3, { withinMs: 90_000 })
  venue.model.inject({ faults: { routes: [] } })
  pool.stop()
  const view = await provenView(pool, daemon)
  await daemon.kill('SIGTERM')
  await expectEqualBooks(venue.model, folder.store, view)
  await expectReplays(config)
  sabotage(
    folder.store,
    // Another first digit whatever it was: one digest in sixteen begins with any that is named.
    "UPDATE snapshots SET digest = iif(digest LIKE '0%', '1', '0') || substr(digest, 2) WHERE seq = (SELECT max(seq) FROM snapshots)",
  )
  await expect(expectReplays(config)).rejects.toThrow()
  sabotage(folder.store, 'DELETE FROM fills WHERE seq = (SELECT min(seq) FROM fills)')
  await expect(expectEqualBooks(venue.model, folder.store, view)).rejects.toThrow()
}, 240_000)

function sabotage(folder: string, sql: string): void {
  const store = new DatabaseSync(storeFiles(folder).database)
  try {
    expect(Number(store.prepare(sql).run().changes)).toBeGreaterThan(0)
  } finally {
    store.close()
  }
}

/** A treasury whose journal has two payouts and a transfer that have settled, and what its partner has paid. */
function paid(...amounts: readonly bigint[]) {
  const leg = (kind: string, reference: string, received: bigint) => ({
    kind,
    stage: 'settled',
    reference,
    received,
  })
  const payout = (received: bigint) => ({
    rule: 'payout',
    stage: 'settled',
    endedAt: 1,
    legs: [leg('withdrawal', `payout ${received}`, received * TOKEN)],
  })
  const refill = {
    rule: 'rebalance',
    stage: 'settled',
    endedAt: 1,
    legs: [leg('transfer', 'transfer 1', 5n)],
  }
  const withdrawals = new Map(amounts.map((receiveTzs, index) => [String(index), { receiveTzs }]))
  const intents = { a: payout(10_000n), b: payout(10_037n), c: refill }
  return { market: { state: () => ({ intents }), partner: { withdrawals } } as never, intents }
}

test('a payout that the partner has paid twice, or not at all, and a transfer that went twice are found after kills of a treasury', async () => {
  const silent = { output: () => '' }
  expect(await expectPaidOnce(paid(10_000n, 10_037n).market, silent)).toEqual({ payouts: 2, transfers: 1 })
  await expect(expectPaidOnce(paid(10_000n, 10_037n, 10_037n).market, silent)).rejects.toThrow()
  await expect(expectPaidOnce(paid(10_000n).market, silent)).rejects.toThrow()
  const { market, intents } = paid(10_000n, 10_037n)
  Object.assign(intents, { d: intents.c })
  await expect(expectPaidOnce(market, silent)).rejects.toThrow()
})

test('an order that is forgotten, a salt that was used and a unit that is committed twice are found after kills in self-custody', () => {
  const order = (salt: bigint) => ({ order: { salt }, status: 'FILLABLE' as const })
  expectOwed([order(1n), order(2n), { ...order(3n), status: 'FILLED' }], new Set(['1', '2']))
  expect(() => expectOwed([order(1n), order(2n)], new Set(['1']))).toThrow(/not owed/)
  expectOwnSalts([order(1n), order(2n)])
  expect(() => expectOwnSalts([order(1n), order(2n), order(1n)])).toThrow()
  const makerToken = CHAIN_TOKENS.find(({ asset }) => asset === 'USDC')?.address.toLowerCase()
  const held = { NTZS: 0n, USDC: 100n, USDT: 0n }
  const truth = (...lefts: readonly bigint[]) =>
    ({
      block: 1n,
      orders: lefts.map((left) => ({ order: { makerToken }, status: 'FILLABLE', left })),
      fills: [],
      balances: held,
      allowances: held,
    }) as never
  expect(overPromisedTokens(truth(60n, 40n))).toEqual([])
  expect(overPromisedTokens(truth(60n, 40n, 1n))).toEqual(['101 USDC promised by 3 orders, 100 there'])
})
