import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../src/rfq/exchange-abi.ts'
import { parseSealed, SEALED_FILE } from '../../../src/rfq/sealed/sealed-cancels.ts'
import { freePort } from '../../support/free-port.ts'
import { needs } from '../../support/needs.ts'
import { chainTruth } from '../custody/chain-truth.ts'
import { type CustodyMarket, openCustodyMarket } from '../custody/custody-market.ts'
import { endDaemons, runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

afterAll(endDaemons)

describe.skipIf(needs('anvil'))('Orders that live for minutes, and a daemon that is killed', () => {
  let market: CustodyMarket
  beforeAll(async () => {
    const [port, guardPort] = [await freePort(), await freePort()]
    market = await openCustodyMarket({
      venue: { solver: { policy: 'never' } },
      ladder: { levels: 2 },
      rfq: { maxLifeMs: 600_000, expiryMs: 590_000, refreshMs: 20_000 },
      patch: { http: { port, token: '!env MIZANI_HTTP_TOKEN' }, guard: { port: guardPort } },
    })
  })
  afterAll(() => market.close())

  const liveOrders = async () =>
    (await chainTruth(market.chain, market.sent)).orders.filter(({ status }) => status === 'FILLABLE')

  async function started(what: 'run' | 'guard'): Promise<RunningDaemon> {
    return runDaemon({ configs: [market.config], command: [what], env: market.env })
  }

  test('the guard ends every signed order on chain, minutes before it would expire, and nobody can fill one', async () => {
    const guard = await started('guard')
    await until('the guard listens', () => guard.output().includes('"msg":"guarding"'), {
      otherwise: () => Promise.resolve(guard.errors()),
    })
    const daemon = await started('run')
    await until(
      'orders stand under a lease',
      async () => (await daemon.state()).guard?.watch === 'held' && (await liveOrders()).length >= 4,
      { otherwise: async () => [daemon.errors(), await daemon.state()] },
    )
    const file = join(market.folder.store, SEALED_FILE)
    const sealed = parseSealed(readFileSync(file, 'utf8'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const salts = market.sent.map(({ order }) => order.salt)
    expect(salts.every((salt) => salt < (sealed?.minValidSalt ?? 0n))).toBe(true)
    await daemon.kill('SIGKILL')
    const began = performance.now()
    await until('no order can be filled', async () => (await liveOrders()).length === 0, {
      otherwise: () => Promise.resolve(guard.output()),
    })
    process.stdout.write(`from kill -9 to no live order: ${Math.round(performance.now() - began)} ms\n`)
    const { orders } = await chainTruth(market.chain, market.sent)
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['CANCELLED']))
    await expect(fillFirst()).rejects.toThrow('OrderNotFillableError')
    await until('the guard knows', () => guard.output().includes('every signed order is cancelled'), {
      otherwise: () => Promise.resolve(guard.output()),
    })
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${guard.child.pid}/status`, 'utf8'))?.[1]
    process.stdout.write(`the guard that sent it: ${Math.round(Number(rss) / 1_024)} MB\n`)
    expect(Number(rss) / 1_024).toBeLessThan(75)
    await guard.kill('SIGKILL')
  })

  /** As the solver would, with the signature that the venue had got. */
  async function fillFirst(): Promise<unknown> {
    const [first] = market.sent
    if (first === undefined) throw new Error('no order was signed')
    const { client, exchange, accounts } = market.chain
    return client.simulateContract({
      account: privateKeyToAccount(accounts.solver.key),
      address: exchange,
      abi: parseAbi(EXCHANGE_ABI),
      functionName: 'fillRfqOrder',
      args: [first.order, first.signature, 1n],
    })
  }
})
