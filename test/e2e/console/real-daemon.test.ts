import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { NoticesAnswer } from '../../../src/daemon/console/answers.ts'
import { needs } from '../../support/needs.ts'
import { openMarket, type Market } from '../daemon/open-market.ts'
import { endDaemons, HTTP_TOKEN, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { cuttableProxy } from './cuttable-proxy.ts'
import { openConsole } from './open-console.ts'
import { launchBrowser } from '../../support/launch-browser.ts'

const noChromium = needs('chromium')
const SOON = { timeout: 10_000 }
const HOSTILE = `<img src=x onerror="alert('why')"></script><script>alert(1)</script>`
/** No slash: it is a file's name too. */
const HOSTILE_STRATEGY = `<img src=x onerror=alert(2)>`

let browser: Browser
let market: Market
let daemon: RunningDaemon
let url = ''

beforeAll(async () => {
  if (noChromium) return
  market = await openMarket()
  market.folder.write(
    `${HOSTILE_STRATEGY}.ts`,
    `import { defineStrategy, z } from '#kit'
     export default defineStrategy({
       name: 'hostile',
       params: z.strictObject({ bidBps: z.number().min(10).max(500), askBps: z.number().min(10).max(500) }),
       init: () => ({}),
       quote: (_context, _state, { bidBps, askBps }) =>
         ({ bidBps, askBps, reasons: [${JSON.stringify(HOSTILE)}, 'and so on'] }),
     })`,
  )
  market.folder.configure({
    strategy: { use: `./${HOSTILE_STRATEGY}.ts`, params: { bidBps: 40, askBps: 45 } },
  })
  daemon = market.start()
  ;[browser] = await Promise.all([launchBrowser(), market.quoted(40, 45)])
  url = `${await daemon.url()}/`
})

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
})

afterAll(async () => {
  await browser?.close()
  await endDaemons()
  await market?.close()
})

const word = (page: Page) => page.locator('.banner h1 b').innerText()
const text = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map((one) => one.replaceAll(/\s+/g, ' ').trim())

describe.skipIf(needs('chromium'))('the console on a running daemon', () => {
  test('shows a strategy called like an attack, its reasons and an operator’s words as the text that they are', async () => {
    await daemon.post('pause', { who: HOSTILE, why: HOSTILE })
    await daemon.post('resume', { who: HOSTILE, why: HOSTILE })
    const { page, complaints } = await openConsole(browser, url)
    await page.waitForSelector('.quote')
    expect(await text(page, '.facts')).toEqual([expect.stringContaining(HOSTILE_STRATEGY)])
    await expect.poll(() => text(page, '.because-first'), SOON).toEqual([HOSTILE])
    await page.locator('.quote > details summary').click()
    expect(await text(page, '.quote .because li')).toEqual([HOSTILE, 'and so on'])
    await expect.poll(async () => (await text(page, '.events .text')).join('\n'), SOON).toContain(HOSTILE)
    expect(await page.locator('img, script:not([src]), [onerror]').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('filters the events in the store, by kind and by what they say', async () => {
    const { page } = await openConsole(browser, url)
    await page.waitForSelector('.events li')
    await page.getByLabel('Text').fill('no such words anywhere')
    await expect.poll(() => text(page, '.events .text'), SOON).toEqual([])
    await page.getByLabel('Text').fill('')
    await page.getByLabel('Kind').selectOption('operator')
    await expect
      .poll(async () => new Set(await text(page, '.events .kind')), SOON)
      .toEqual(new Set(['· operator']))
  })

  test('tries parameters out before it sets them, and only what was tried is set', async () => {
    const { page, complaints } = await openConsole(browser, url)
    await page.getByRole('button', { name: 'Parameters' }).click()
    await page.getByLabel('bidBps').fill('52')
    await page.getByLabel('Access key').fill(HTTP_TOKEN)
    await page.getByRole('button', { name: 'What if?' }).click()
    await expect
      .poll(() => text(page, '.preview tbody tr'), SOON)
      .toEqual(['Bid, bps4052', 'Ask, bps4545', 'StateACTIVEACTIVE'])
    expect((await daemon.state()).quote.bidBps).toBe(40)
    await page.getByLabel('askBps').fill('55')
    expect(await page.locator('.preview').count()).toBe(0)
    await page.getByRole('button', { name: 'What if?' }).click()
    await page.getByLabel('Who', { exact: true }).fill('amina')
    await page.getByLabel('Why').fill('wider on the bid')
    await page.getByRole('button', { name: 'Set these' }).click()
    await market.quoted(52, 55)
    await expect.poll(() => text(page, '.ruler .flag .bps'), SOON).toEqual(['52', '55'])
    const set = 'on top of the file: strategy.params.bidBps = 52, strategy.params.askBps = 55'
    await expect.poll(() => text(page, '.banner .overrides'), SOON).toEqual([`Changed by operators, ${set}`])
    await page.getByRole('button', { name: 'Close' }).click()
    expect(complaints).toEqual([])
  })

  test('is plainly stale within five seconds of a cut or a pulled cable, and recovers by itself', async () => {
    const wire = await cuttableProxy(url)
    const { page } = await openConsole(browser, wire.url)
    await page.waitForSelector('.quote')
    for (const [lose, find] of [
      [wire.cut, wire.restore],
      [() => wire.freeze(true), () => wire.freeze(false)],
    ] as const) {
      expect(await page.getByText('STALE', { exact: true }).count()).toBe(0)
      const began = performance.now()
      await lose()
      await page.getByText('STALE', { exact: true }).waitFor({ timeout: 10_000 })
      expect(performance.now() - began).toBeLessThan(5_000)
      expect(await page.title()).toMatch(/^STALE/)
      expect(await page.locator('main').getAttribute('class')).toBe('stale')
      expect(await page.locator('.linkbar.bad').innerText()).toMatch(/No news/)
      expect(await page.locator('.unseen[role=status]').innerText()).toContain('connection is lost')
      await find()
      await page.waitForSelector('main:not(.stale)', { timeout: 15_000 })
      expect(await word(page)).toBe('ACTIVE')
    }
    await wire.close()
  })

  test('halts the daemon by keyboard alone, with who and why in the journal; a wrong token does nothing', async () => {
    const { page, requests } = await openConsole(browser, url)
    await page.waitForSelector('.quote')
    const focused = () =>
      page.evaluate<string>(`document.activeElement.innerText || document.activeElement.type`)
    for (let i = 0; (await focused()) !== 'Halt'; i++) {
      expect(i).toBeLessThan(20)
      await page.keyboard.press('Tab')
    }
    const fillIn = async (token: string) => {
      await page.keyboard.press('Enter')
      await page.waitForSelector('dialog[open]')
      for (const words of ['amina', 'a look at the books', token]) {
        for (let i = 0; !/^(text|password)$/.test(await focused()) && i < 9; i++)
          await page.keyboard.press('Tab')
        await page.keyboard.press('Control+A')
        await page.keyboard.type(words)
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
    }
    await fillIn('a-wrong-token')
    await page.locator('dialog .outcome .bad').waitFor()
    expect(await page.locator('dialog .outcome').innerText()).toContain('this access key is not valid here')
    expect((await daemon.state()).tradingState).toBe('ACTIVE')
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      const isInside = `document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)`
      expect(await page.evaluate<boolean>(isInside)).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Halt')
    await fillIn(HTTP_TOKEN)
    await page.locator('dialog .outcome .good').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => word(page), SOON).toBe('HALTED')
    expect((await daemon.state()).tradingState).toBe('HALTED')
    await until('the journal has it', async () => {
      const { body } = await daemon.get('/api/v1/notices?kind=operator&text=a%20look%20at%20the%20books')
      const [notice] = (body as NoticesAnswer).notices
      return notice?.text.includes('amina')
    })
    expect(await page.locator('.unseen[role=status]').innerText()).toContain('desk-1 is HALTED')
    expect(requests.some((asked) => asked.includes(HTTP_TOKEN))).toBe(false)
    await page.getByRole('button', { name: 'Resume' }).click()
    expect(await page.locator('dialog .reasons').innerText()).toContain('look at the books')
  })
})
