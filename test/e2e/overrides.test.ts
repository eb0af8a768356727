import { expect, onTestFinished, test } from 'vitest'
import { openMarket } from './daemon/open-market.ts'
import { type PositionHere, startPositionHere } from './daemon/position-here.ts'
import { until } from './daemon/until.ts'

const FILE = { quote: { safeBps: 300 }, inventory: { limits: { USDC: { min: '10', max: '1000000' } } } }
/** Of inventory.limits.USDC.max, in book units of 18 decimals. */
const BOOKED = { file: String(10n ** 24n), set: String(9n * 10n ** 23n) }
const SET = {
  'strategy.params.bidBps': 66,
  'quote.safeBps': 400,
  'inventory.limits.USDC.max': '900000',
}

/** What it runs with unlike by its file: path, value of the file, value now. */
async function changed(position: PositionHere): Promise<readonly unknown[]> {
  const { changed: all } = await position.ask({ method: 'parameters' })
  return all.map(({ path, file, now }) => [path, file, now])
}

/** What is in the event log since a place, and the latest place. */
async function look(position: PositionHere, notice: string | null) {
  const { notices, lastNotice } = await position.ask({ method: 'look', since: { seq: null, notice } })
  return { texts: notices.map(({ text }) => text), lastNotice }
}

test('what a person set over HTTP lasts through restarts, until the file is stricter or takes it no more', async () => {
  const market = await openMarket({}, FILE)
  onTestFinished(market.close)
  const first = await startPositionHere(market.config)
  const order = { who: 'ann', by: 'ann', why: 'a bad night', fromFile: false }
  const answer = await first.ask({ method: 'reload', request: { ...order, changes: SET } })
  expect(answer).toMatchObject({ accepted: true })
  await first.leave()

  const second = await startPositionHere(market.config)
  await market.quoted(66, 70)
  expect(await changed(second)).toEqual([
    ['strategy.params.bidBps', 60, 66],
    ['quote.safeBps', 300, 400],
    ['inventory.limits.USDC.max', BOOKED.file, BOOKED.set],
  ])
  const { lastNotice } = await look(second, null)
  await second.leave()

  // Its owner raises one limit beyond what was set, lowers no other one, and changes the strategy.
  const strategy = { use: 'inventory-skew', params: { halfSpreadBps: 80 } }
  market.folder.configure({ ...FILE, quote: { safeBps: 450 }, strategy })
  const third = await startPositionHere(market.config)
  await until('the quote is that of the file', async () => (await third.state()).quote.status === 'confirmed')
  expect(await changed(third)).toEqual([['inventory.limits.USDC.max', BOOKED.file, BOOKED.set]])
  const { texts } = await look(third, lastNotice)
  expect(texts).toContainEqual(
    expect.stringMatching(/dropped: strategy\.params\.bidBps \(.*unknown.*\), quote\.safeBps \(.*from 450/i),
  )
  expect(texts).toContainEqual(expect.stringContaining('inventory.limits.USDC.max = "900000"'))
  const forgotten = await third.ask({ method: 'reload', request: { ...order, changes: {}, fromFile: true } })
  expect(forgotten).toMatchObject({ accepted: true })
  await third.leave()

  const fourth = await startPositionHere(market.config)
  expect(await changed(fourth)).toEqual([])
  await fourth.leave()
})
