import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RfqView } from '../../../src/daemon/view/rfq-view.ts'
import { chainVenue, rfqSection } from '../../support/chain-venue.ts'
import { needs } from '../../support/needs.ts'
import { positionFolder, type PositionFolder } from '../daemon/position-folder.ts'
import { PROGRAM, SHORT_LIFE } from '../daemon/program.ts'
import { endDaemons, runDaemon, TEST_ENV, type RunningDaemon } from '../daemon/running-daemon.ts'
import { runHere } from '../daemon/run-here.ts'
import { until } from '../daemon/until.ts'
import { freePort } from '../../support/free-port.ts'

// One wallet from the shared pool to signed orders and back, as a person would walk it, against the real
// contract on a chain in a box.

const KILLS = 8
/** All that a command which works says on stderr. */
const KEY_IN_ENVIRONMENT =
  'warning: the key comes from the environment (allowInLive); prefer a keystore file\n'

/** Three asks and a bid, far enough from the mid that nothing has to be replaced while a test looks. */
const LADDER = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'steps',
  params: z.strictObject({}),
  init: () => null,
  quote: ({ mid }) => ({
    bidBps: 60,
    askBps: 60,
    reasons: ['steps'],
    orders: [
      { side: 'ask', stable: 'USDC', usd: 100, tzsPerUsd: mid * 0.98 },
      { side: 'ask', stable: 'USDC', usd: 200, tzsPerUsd: mid * 0.975 },
      { side: 'ask', stable: 'USDC', usd: 300, tzsPerUsd: mid * 0.97 },
      { side: 'bid', stable: 'USDC', usd: 150, tzsPerUsd: mid * 1.02 },
    ],
  }),
})
`

type Shown = RfqView & { readonly running: boolean }

const openOrders = ({ orders }: RfqView): number => orders.filter(({ phase }) => phase === 'open').length

describe.skipIf(needs('anvil'))('the walk into self-custody and back', () => {
  const venue = chainVenue({ isActive: true, chain: { blockSeconds: 1 } })
  let folder: PositionFolder
  let config = ''
  let sections: Record<string, unknown> = {}
  let running: Record<string, unknown> = {}
  let daemon: RunningDaemon

  beforeAll(() => {
    const { server, chain } = venue()
    folder = positionFolder(server.url)
    sections = {
      strategy: { use: folder.write('steps.ts', LADDER), params: {} },
      rfq: rfqSection(chain),
    }
    config = folder.configure(sections)
  })
  afterAll(async () => {
    await endDaemons()
    folder.remove()
  })

  const env = () => ({ MIZANI_TEST_KEY: venue().chain.accounts.maker.key })
  const cli = async (...args: string[]) => {
    const { code, out, err } = await runHere([...args, '--config', config], env())
    return { code, out, err, json: () => JSON.parse(out) as Record<string, unknown> }
  }
  /** A command that is not waited for. */
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [...SHORT_LIFE, PROGRAM, ...args, '--config', config], {
      env: { ...process.env, ...TEST_ENV, ...env() },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const code = once(child, 'close').then(([exitCode]) => exitCode as number | null)
    return { child, code, told: () => err }
  }
  const isSelfCustody = () => venue().server.model.state.selfCustody
  const isPooled = () => venue().server.model.state.ours.isActive
  const allowance = (asset: 'NTZS' | 'USDC' | 'USDT') => {
    const { tokens, accounts, exchange } = venue().chain
    return tokens.allowance(asset, accounts.maker.address, exchange)
  }
  const allowances = () => Promise.all((['NTZS', 'USDC', 'USDT'] as const).map(allowance))
  const nonce = () =>
    venue().chain.client.getTransactionCount({ address: venue().chain.accounts.maker.address })
  const APPROVED = [30_000_000n * 10n ** 18n, 9_000_500_000n, 0n]

  test('nothing changes before key, chain, tokens and venue all fit the configuration', async () => {
    const { chain } = venue()
    const { NTZS, USDC, USDT } = chain.tokens.address
    const stranger = { MIZANI_TEST_KEY: chain.accounts.stranger.key }
    const other = chain.accounts.stranger.address
    const wrong: readonly (readonly [object, Record<string, string>, number, string])[] = [
      [{}, stranger, 1, 'but the configuration has'],
      [{ maker: other }, stranger, 3, 'WRONG_MAKER'],
      [{ solver: other }, env(), 3, 'GET /rfq/info returns solver'],
      [{ tokens: { NTZS: USDC, USDC: NTZS, USDT } }, env(), 1, 'decimals'],
      [{ chainId: 31_337 }, env(), 1, 'chain 8453'],
      [{ exchange: chain.accounts.taker.address }, env(), 1, 'no contract'],
      [{ rpc: { urls: ['http://127.0.0.1:9'] } }, env(), 1, 'ECONNREFUSED'],
    ]
    const done = await Promise.all(
      wrong.map(async ([change, keys, code, says]) => {
        const own = positionFolder(venue().server.url)
        const rfq = { ...(sections['rfq'] as object), ...change }
        const ended = await runHere(
          ['custody', 'enable', '--config', own.configure({ ...sections, rfq })],
          keys,
        )
        own.remove()
        return { wanted: [code, says], found: [ended.code, ended.err.includes(says) ? says : ended.err] }
      }),
    )
    expect(done.map(({ found }) => found)).toEqual(done.map(({ wanted }) => wanted))
    config = folder.configure({ ...sections, mode: 'dry-run' })
    expect(await cli('custody', 'enable')).toMatchObject({
      code: 3,
      err: expect.stringContaining('dry run') as string,
    })
    config = folder.configure({ strategy: sections['strategy'] })
    expect(await cli('custody', 'enable')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no section rfq') as string,
    })
    config = folder.configure(sections)
    // The venue's solver is shown, and no one has confirmed it; then someone names another one.
    const { address } = chain.accounts.solver
    const shown = await cli('custody', 'enable')
    expect(shown).toMatchObject({
      code: 3,
      err: expect.stringContaining(`--solver ${address.toLowerCase()}`),
    })
    expect(await cli('custody', 'enable', '--solver', other)).toMatchObject({
      code: 3,
      err: expect.stringContaining('ask the venue'),
    })
    expect([isPooled(), isSelfCustody(), await nonce()]).toEqual([true, false, 0])
  })

  test(`killed ${KILLS} times between any two steps it still ends with the pool left and exactly the amounts approved`, async () => {
    for (let run = 0; run < KILLS; run++) {
      const { child, code } = start('custody', 'enable', '--solver', venue().chain.accounts.solver.address)
      setTimeout(() => child.kill('SIGKILL'), 300 + run * 230)
      await code
      expect((await allowances()).every((amount, index) => amount === 0n || amount === APPROVED[index])).toBe(
        true,
      )
      expect(isSelfCustody() && isPooled()).toBe(false)
    }
    const { address } = venue().chain.accounts.solver
    const done = await cli('custody', 'enable', '--solver', address, '--json')
    expect([done.code, done.err.replaceAll(/^waiting: .*\n/gm, '')]).toEqual([0, KEY_IN_ENVIRONMENT])
    expect([isPooled(), isSelfCustody(), await allowances()]).toEqual([false, true, APPROVED])
    expect(await nonce()).toBe(2)
  })

  test('repeated it sends nothing but the word to the venue, and says what was so already', async () => {
    const done = await cli('custody', 'enable')
    expect(done.code).toBe(0)
    expect(done.out).toContain('self-custody is on')
    expect(done.err).toMatch(/position is inactive/)
    expect(done.err).toMatch(/so already: .* 30000000 NTZS/)
    expect(done.err).toMatch(/so already: USDT .* rfq\.approve/)
    expect(done.err).toMatch(/self-custody is on/)
    expect(await nonce()).toBe(2)
    const steps = (await cli('custody', 'enable', '--json')).json()['steps'] as {
      step: string
      isChange: boolean
    }[]
    expect(steps.filter(({ isChange }) => isChange).map(({ step }) => step)).toEqual(['custody'])
  })

  test('a running daemon places the orders, lists them, and keeps custody from being switched', async () => {
    running = { ...sections, http: { port: await freePort() } }
    config = folder.configure(running)
    daemon = runDaemon({ configs: [config], env: env() })
    let list: Shown | null = null
    await until(
      'four orders stand, and nothing blocks them',
      async () => {
        const answer = await cli('rfq', 'list', '--json')
        if (answer.code !== 0) return false
        list = answer.json() as unknown as Shown
        return list.running && list.blocked === null && openOrders(list) === 4 && list.orders.length === 4
      },
      { otherwise: () => list },
    )
    expect((await cli('rfq', 'list')).out).toMatch(/^salt +side/)
    expect((await cli('status')).out).toMatch(/^orders +4 open: 1 bid, 3 ask/m)
    for (const what of ['enable', 'disable'])
      expect(await cli('custody', what)).toMatchObject({
        code: 3,
        err: expect.stringContaining('held by process') as string,
      })
  })

  test('prices, sizes and times of orders are taken over while running; the key, the chain and the endpoints are not', async () => {
    const reload = async (change: object) => {
      config = folder.configure({ ...running, rfq: { ...(running['rfq'] as object), ...change } })
      return (await daemon.post('reload', { position: 'desk-1' })).status
    }
    expect(await reload({ maxOrders: 30, expiryMs: 110_000, approve: { USDC: '1' } })).toBe(200)
    expect(await reload({ rpc: { urls: [venue().chain.url, 'http://127.0.0.1:9'] } })).toBe(409)
    expect(await reload({ signer: { web3signer: 'http://127.0.0.1:9' } })).toBe(409)
    expect(await reload({})).toBe(200)
  })

  test('an order is cancelled through the daemon, by its salt or by its hash, and one that is not owed is refused', async () => {
    const { orders } = (await cli('rfq', 'list', '--json')).json() as unknown as Shown
    const [first, second] = orders.filter(({ phase }) => phase === 'open')
    if (first === undefined || second === undefined || second.hash === null) throw new Error('no orders')
    const bySalt = await cli('rfq', 'cancel', '--salt', first.salt, '--json')
    expect([bySalt.code, bySalt.json()['via']]).toEqual([0, 'daemon'])
    expect((await cli('rfq', 'cancel', '--hash', second.hash)).code).toBe(0)
    await until('both are cancelled on the chain', async () => {
      const view = (await daemon.state()).rfq
      return [first, second].every(({ salt }) => {
        const left = view?.orders.find((order) => order.salt === salt)
        return left === undefined || left.status === 'CANCELLED'
      })
    })
    expect((await cli('rfq', 'cancel', '--salt', '1')).code).toBe(3)
    expect((await cli('rfq', 'cancel', '--hash', `0x${'0'.repeat(64)}`)).code).toBe(3)
    expect((await cli('rfq', 'cancel')).code).toBe(2)
    expect((await cli('rfq', 'cancel', '--salt', '0x1')).code).toBe(2)
  })

  test('after kill -9 the store lists what is owed, and custody is not given up while it can be filled', async () => {
    await until('four orders stand again', async () => {
      const open = (await daemon.state()).rfq?.orders.filter(({ phase }) => phase === 'open') ?? []
      return open.length === 4
    })
    const { orders: before } = (await cli('rfq', 'list', '--json')).json() as unknown as Shown
    await daemon.kill('SIGKILL')
    const list = (await cli('rfq', 'list', '--json')).json() as unknown as Shown
    expect(list.running).toBe(false)
    expect(list.orders.map(({ salt }) => salt)).toEqual(
      expect.arrayContaining(before.filter(({ status }) => status !== 'CANCELLED').map(({ salt }) => salt)),
    )
    const refused = await cli('custody', 'disable')
    expect(refused.code).toBe(3)
    expect(refused.err).toMatch(/can still .*--cancel/)
    for (const { salt } of list.orders.filter(({ phase }) => phase === 'open'))
      expect(refused.err).toContain(salt)
    expect([await allowances(), isSelfCustody()]).toEqual([APPROVED, true])
    expect((await cli('custody', 'disable', '--cancel', '--wait')).code).toBe(2)
  })

  test('without a daemon an order is cancelled on chain from here, and the others stay', async () => {
    const { orders } = (await cli('rfq', 'list', '--json')).json() as unknown as Shown
    const bid = orders.find(({ side, phase }) => side === 'bid' && phase === 'open')
    if (bid === undefined) throw new Error('no bid')
    const done = await cli('rfq', 'cancel', '--salt', bid.salt, '--json')
    expect([done.code, done.json()['via']]).toEqual([0, 'chain'])
    const again = await cli('rfq', 'cancel', '--salt', bid.salt)
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('nothing was sent') as string })
    expect((await cli('custody', 'disable')).err).not.toContain(bid.salt)
  })

  test('disable --cancel ends the rest in one transaction a pair, takes the allowances back, and is safe to repeat', async () => {
    const sent = await nonce()
    const done = await cli('custody', 'disable', '--cancel', '--json')
    expect([done.code, done.err]).toEqual([0, KEY_IN_ENVIRONMENT])
    const steps = done.json()['steps'] as { step: string; isChange: boolean; text: string }[]
    expect(steps.filter(({ step }) => step === 'cancel').map(({ text }) => text)).toEqual([
      expect.stringContaining('their pair'),
    ])
    expect([await allowances(), isSelfCustody(), (await nonce()) - sent]).toEqual([[0n, 0n, 0n], false, 3])
    const again = await cli('custody', 'disable')
    expect(again.code).toBe(0)
    expect(again.err).toMatch(/shows no order/)
    expect((await nonce()) - sent).toBe(3)
    expect((await cli('rfq', 'cancel-all')).out).toContain('nothing was sent')
  })

  test('disable --wait waits for the last expiry by the clock of the chain', async () => {
    expect((await cli('custody', 'enable')).code).toBe(0)
    const { orders } = (await cli('rfq', 'list', '--json')).json() as unknown as Shown
    const former = orders.map(({ salt }) => salt)
    daemon = runDaemon({ configs: [config], env: env() })
    // What the last daemon placed is owed, and shown as it was, until this one has read its end.
    await until('a new order stands', async () =>
      (await daemon.state()).rfq?.orders.some(
        ({ salt, status }) => status === 'FILLABLE' && !former.includes(salt),
      ),
    )
    await daemon.kill('SIGKILL')
    const waiting = start('custody', 'disable', '--wait')
    await until('it waits', () => waiting.told().includes('waiting: '))
    expect(waiting.told()).toMatch(/waiting: \d+ /)
    expect(isSelfCustody()).toBe(true)
    await venue().chain.advance(125_000)
    expect(await waiting.code).toBe(0)
    expect([await allowances(), isSelfCustody()]).toEqual([[0n, 0n, 0n], false])
  })
})
