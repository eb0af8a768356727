import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPolicyStore } from '../../../src/custody/signing/policy/policy-store.ts'
import { freePort } from '../../support/free-port.ts'
import { needs } from '../../support/needs.ts'
import { expectBooksOfChain } from '../custody/books-of-chain.ts'
import { openCustodyMarket } from '../custody/custody-market.ts'
import { watchPromises } from '../custody/watch-promises.ts'
import { runDaemon } from '../daemon/running-daemon.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import { until } from '../daemon/until.ts'
import { knowsItsPromises } from '../kills/kill-custody.ts'
import { besidePostgres } from './beside-postgres.ts'
import { standsBy } from './shared-desk.ts'

/** Two machines with one key, on a chain of their own; only the first one's signer knows the solver. */
async function makersOnTwoMachines(databaseUrl: string) {
  const market = await openCustodyMarket({
    venue: { seed: 5, solver: { fillEveryMs: 700, parts: 3 } },
    // Nearly all of the wallet: anyone who forgets an order promises the same tokens again.
    ladder: { levels: 4, usd: 1_150, stepBps: 15 },
    rfq: { solver: null, cancel: { policy: 'always' }, expiryMs: 90_000 },
    patch: { guard: null, risk: { maxMidAgeMs: null, unexplainedGraceMs: 60_000 } },
  })
  onTestFinished(market.close)
  async function machine(name: 'a' | 'b') {
    const path = join(market.folder.path, name)
    const http = { port: await freePort(), token: '!env MIZANI_HTTP_TOKEN' }
    const written = market.configure({ http, store: { path, postgres: databaseUrl } })
    const config = market.folder.write(`${name}.yaml`, readFileSync(written, 'utf8'))
    return { path, config, start: () => runDaemon({ configs: [config], env: market.env }) }
  }
  const [a, b] = [await machine('a'), await machine('b')]
  const { accounts, chainId, exchange } = market.chain
  const file = openPolicyStore(
    join(a.path, 'signer.sqlite'),
    { wallet: accounts.maker.address, chainId, exchange },
    'note',
  )
  if (!file.ok) throw new Error(file.error)
  file.value.pinSolver(accounts.solver.address)
  file.value.close()
  return { market, a, b }
}

describe.skipIf(needs('anvil'))('self-custody', () => {
  besidePostgres('Two daemons of one position in self-custody', (databaseUrl) => {
    test('hand over every outstanding order after kill -9: no unit is promised twice, each fill is booked once, and a stop given on one machine stops both', async () => {
      const { market, a, b } = await makersOnTwoMachines(databaseUrl())
      const watch = watchPromises(market)
      const first = a.start()
      await until('the first daemon has orders in the market', () => market.sent.length >= 6, {
        otherwise: () => first.output() + first.errors(),
      })
      await using second = b.start()
      await standsBy(second)
      await first.kill('SIGKILL')
      const [signedBefore, live] = [market.sent.length, watch.live().length]
      await until(
        'the second daemon has taken over',
        () => second.output().includes('taken the position over'),
        {
          otherwise: () => second.output() + second.errors(),
        },
      )
      expect(live).toBeGreaterThan(0)
      // Its signer had no solver of its own.
      await until('the second daemon signs', () => market.sent.length > signedBefore, {
        withinMs: 60_000,
        otherwise: () => second.state(),
      })
      expect(await knowsItsPromises(market, watch, second)).toBe(true)

      // On the machine of the one that died.
      const stopped = await runMizani(['rfq', 'stop-at', 'now', '--config', a.config], market.env)
      expect(stopped.code).toBe(0)
      await until('the second daemon reports the stop', () => second.output().includes('SIGN_STOPPED'), {
        withinMs: 60_000,
        otherwise: () => second.state(),
      })
      const signed = market.sent.length
      await second.post('halt', { why: 'the end of the test' })
      await until('nothing is owed', async () => (await second.state()).rfq?.orders.length === 0, {
        withinMs: 60_000,
        otherwise: () => second.state(),
      })
      await watch.stop()
      expect(market.sent).toHaveLength(signed)
      const place = { url: databaseUrl(), position: 'desk-1', folder: b.path }
      await expectBooksOfChain({ ...market, place }, second)
      const salts = market.sent.map(({ order }) => order.salt)
      expect(new Set(salts).size).toBe(salts.length)
      expect(watch.problems()).toEqual([])
    })
  })
})
