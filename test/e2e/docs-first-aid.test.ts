import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowMaker, chainVenue, rfqSection } from '../support/chain-venue.ts'
import { needs } from '../support/needs.ts'
import { openMarket, type Market } from './daemon/open-market.ts'
import { positionFolder, type PositionFolder } from './daemon/position-folder.ts'
import { API_KEY, endDaemons, HTTP_TOKEN, runDaemon, type RunningDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'
import { docBlocks, type DocBlock } from './docs/doc-blocks.ts'
import { scratchCheckout } from './docs/scratch-checkout.ts'

// docs/first-aid.md: every line of it is run against the simulated venue, with the daemon dead.

const page = readFileSync(join(import.meta.dirname, '../../docs/first-aid.md'), 'utf8')
const blocks = docBlocks(page).filter(({ language }) => language === 'sh')
const checkout = scratchCheckout()

afterAll(async () => {
  await endDaemons()
  await checkout.remove()
})

function shown(word: string): DocBlock {
  const found = blocks.filter(({ words }) => words.includes(word))
  const [only] = found
  if (only === undefined || found.length > 1)
    throw new Error(`the page has ${found.length} blocks named ${word}`)
  return only
}

/** The lines of the page as a person types them, after those that name the venue and the key. */
async function typed(word: string, names: Readonly<Record<string, string>>): Promise<string> {
  const lines = Object.entries(names).map(([name, value]) => `${name}='${value}'`)
  const ran = await checkout.run(`${lines.join('\n')}\n${shown(word).text}`)
  expect({ word, ...ran }).toMatchObject({ code: 0 })
  return ran.out
}

test('every block of the page is run by one of these tests, and the first names what the others use', () => {
  expect(blocks.map(({ words }) => words.join())).toEqual(
    'setup halt quote read deactivate account cancel balances'.split(' '),
  )
  expect(shown('setup').text.match(/^[A-Z]+(?==)/gm)).toEqual(['VENUE', 'KEY', 'DAEMON', 'TOKEN'])
  for (const { text } of blocks) expect(text.match(/\$(?!VENUE|KEY|DAEMON|TOKEN|\()\w+/g)).toBeNull()
})

test('with a daemon that answers, the first line halts it and shows what the venue has confirmed', async () => {
  await using market = await openMarket()
  await using daemon = market.start()
  await market.quoted(60, 70)
  const names = { DAEMON: (await daemon.url()).replace(/\/$/, ''), TOKEN: HTTP_TOKEN }
  expect(JSON.parse(await typed('halt', names))).toMatchObject({ accepted: true, confirmed: true, held: [] })
  expect((await daemon.state()).tradingState).toBe('HALTED')
  const wrong = await checkout.run(`DAEMON='${names.DAEMON}'\nTOKEN=wrong\n${shown('halt').text}`)
  expect(wrong.code).not.toBe(0)
})

describe('with a daemon that is dead', () => {
  let market: Market
  const names = () => ({ VENUE: `${market.venue.url}/api/v1/mm`, KEY: API_KEY })

  beforeAll(async () => {
    market = await openMarket()
    const daemon = market.start()
    await market.quoted(60, 70)
    await daemon.kill('SIGKILL')
  })
  afterAll(() => market.close())

  test('the page sets the safe quote, reads both sides back, leaves the market and shows what there is', async () => {
    const { ours } = market.venue.model.state
    expect([ours.bidBps, ours.askBps, ours.isActive]).toEqual([60, 70, true])
    expect(JSON.parse(await typed('quote', names()))).toMatchObject({ bidBps: 500, askBps: 500 })
    expect([ours.bidBps, ours.askBps, ours.quoteBid, ours.quoteAsk]).toEqual([500, 500, true, true])
    expect((await typed('read', names())).match(/"spreadBps":500\b/g)).toHaveLength(2)
    expect(await typed('deactivate', names())).toMatch(/"isActive":\s*false/)
    expect(await typed('account', names())).toMatch(/"isActive":\s*false/)
    // The model brings itself up to now with each request.
    expect(ours.isActive).toBe(false)
    const seen = await typed('balances', names())
    for (const word of ['ntzs', 'usdc']) expect(seen.toLowerCase()).toContain(word)
  })

  test('a line that the venue refuses fails, so that no one takes it for done', async () => {
    const refused = await checkout.run(`VENUE='${names().VENUE}'\nKEY=mm_test_nobody\n${shown('quote').text}`)
    expect([refused.code === 0, refused.err]).toEqual([false, expect.stringContaining('401')])
  })
})

const LADDER = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'steps',
  params: z.strictObject({}),
  init: () => null,
  quote: ({ mid }) => ({
    bidBps: 60,
    askBps: 60,
    reasons: ['steps'],
    orders: [{ side: 'ask', stable: 'USDC', usd: 100, tzsPerUsd: mid * 0.98 }],
  }),
})
`

describe.skipIf(needs('anvil'))('with a daemon in self-custody that is dead', () => {
  const venue = chainVenue({ isActive: false, chain: { blockSeconds: 1 } })

  const env = () => ({
    MIZANI_TEST_KEY: venue().chain.accounts.maker.key,
    MIZANI_API_KEY: API_KEY,
    MIZANI_HTTP_TOKEN: 'a-token-of-enough-characters',
  })

  beforeAll(async () => {
    const { chain, ask } = venue()
    await allowMaker(chain)
    await ask('PUT', '/custody', { enabled: true })
  })

  /** The folder of a daemon that was killed while an order stood. */
  async function killedWithAnOrder(rfq: object): Promise<PositionFolder> {
    const { server, chain } = venue()
    const folder = positionFolder(server.url)
    const config = folder.configure({
      strategy: { use: folder.write('steps.ts', LADDER), params: {} },
      rfq: { ...rfqSection(chain), solver: chain.accounts.solver.address, ...rfq },
    })
    const daemon: RunningDaemon = runDaemon({ configs: [config], env: env() })
    await until(
      'an order stands',
      async () => (await daemon.state()).rfq?.orders.some(({ phase }) => phase === 'open') === true,
    )
    await daemon.kill('SIGKILL')
    return folder
  }

  const cancelAll = ({ path }: PositionFolder) =>
    checkout.run(shown('cancel').text.replace('live.yaml', join(path, 'mizani.yaml')), env())

  test('the page cancels on chain what was signed', async () => {
    const folder = await killedWithAnOrder({})
    expect(await cancelAll(folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('cancelled on chain') as string,
    })
    folder.remove()
  })
})
