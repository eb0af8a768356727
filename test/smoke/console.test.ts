import { expect, onTestFinished, test } from 'vitest'
import { ASSETS, formatTokens } from '../../src/base/money/asset.ts'
import { openConsole } from '../e2e/console/open-console.ts'
import { openMarket } from '../e2e/daemon/open-market.ts'
import { endDaemons, HTTP_TOKEN } from '../e2e/daemon/running-daemon.ts'
import { until } from '../e2e/daemon/until.ts'
import { launchBrowser } from '../support/launch-browser.ts'
import { needs } from '../support/needs.ts'

test.skipIf(needs('chromium'))(
  "the console shows the numbers of the daemon's state and of the venue's own book, and asks no other host",
  async () => {
    const market = await openMarket(
      {},
      { strategy: { use: 'fixed-spread', params: { bidBps: 40, askBps: 45 } } },
    )
    onTestFinished(market.close)
    const daemon = market.start()
    onTestFinished(endDaemons)
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    await market.quoted(40, 45)
    const url = `${await daemon.url()}/`
    const { page, complaints, requests } = await openConsole(browser, url)
    const text = async (selector: string) =>
      (await page.locator(selector).allTextContents()).map((one) => one.replaceAll(/\s+/g, ' ').trim())
    const titles = (selector: string) =>
      page.locator(selector).evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')))

    // The venue gives swaps in turn to providers within a few bps of the best, so not every swap is ours.
    await until('the venue has two fills of ours', () => {
      market.venue.model.swap({ from: 'USDC', to: 'NTZS', amountIn: 25_000_001n })
      return market.venue.model.book().ours.fills.length >= 2
    })
    const { ours } = market.venue.model.book()
    await until('they are booked', async () => (await daemon.state()).fills.total === ours.fills.length)
    const fills = ours.fills.map((fill) => `${formatTokens(fill.amountOut, fill.to)} ${fill.to}`).toReversed()
    await expect.poll(() => titles('.fills td:nth-child(4)')).toEqual(fills)
    // The venue states no USDT of the other chain, so that nothing is shown of it.
    const stated = ASSETS.filter((asset) => asset !== 'USDT.bnb')
    const atVenue = stated.map((asset) => formatTokens(ours.pool[asset] + ours.wallet[asset], asset))
    await expect.poll(() => titles('.holdings td:nth-child(2)')).toEqual(atVenue)
    const state = await daemon.state()
    expect(stated.map((asset) => state.balances[asset])).toEqual(atVenue)
    expect(await page.locator('.banner h1 b').innerText()).toBe('ACTIVE')
    expect(await text('.ruler .flag .bps')).toEqual(['40', '45'])
    expect((await text('.sides .ours dd:nth-child(2)')).map((one) => Number.parseInt(one, 10))).toEqual([
      state.quote.bidBps,
      state.quote.askBps,
    ])
    expect(await titles('.big div:last-child dd')).toContain(`${state.pnl?.usd.total} USD`)
    expect(await text('.pnl .note')).toEqual([expect.stringContaining('the last digit')])
    expect(requests.filter((asked) => !asked.startsWith(url) && asked !== 'data:,')).toEqual([])
    expect(requests.some((asked) => asked.includes(HTTP_TOKEN))).toBe(false)
    expect(complaints).toEqual([])
  },
  300_000,
)
