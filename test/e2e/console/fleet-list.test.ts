import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { absentSummary } from '../../../src/daemon/view/position-summary.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { exampleAnswers, fleetOf } from './example-console.ts'
import { fakeDaemon, type FakeDaemon } from './fake-daemon.ts'
import { openConsole, PHONE, WIDE } from './open-console.ts'

const ROWS = '.list tbody tr'
const NAMES = '.list tbody th'

let browser: Browser
const daemons: FakeDaemon[] = []

beforeAll(async () => {
  if (!needs('chromium')) browser = await launchBrowser()
})

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
  await Promise.all(daemons.splice(0).map((daemon) => daemon.close()))
})

afterAll(() => browser?.close())

const BROKEN = absentSummary('broken', 'fleet/broken.yaml:3:5: unknown key strateggy', null)

async function fleetDaemon(): Promise<FakeDaemon> {
  const daemon = await fakeDaemon(exampleAnswers())
  daemons.push(daemon)
  const positions = [...fleetOf(), BROKEN]
  const names = positions.filter(({ mode }) => mode !== null).map(({ name }) => name)
  daemon.tell({ type: 'hello', version: '0.1.0', now: 0, positions: names, takesCommands: true })
  daemon.tell({ type: 'summaries', whole: true, positions, gone: [] })
  return daemon
}

const texts = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map((one) => one.replaceAll(/\s+/g, ' ').trim())

describe.skipIf(needs('chromium'))('the list of five hundred positions', () => {
  test('shows one page of them, what needs a person first, with the place of a broken file', async () => {
    const daemon = await fleetDaemon()
    const { page, complaints } = await openConsole(browser, daemon.url)
    await page.waitForSelector(ROWS)
    expect(await page.locator(ROWS).count()).toBe(25)
    const words = await texts(page, '.list .state b')
    expect(words.slice(0, 4)).toEqual(Array(4).fill('HALTED'))
    expect(words.slice(4, 10)).toEqual(['NOT RUNNING', ...Array<string>(5).fill('SILENT')])
    expect(await texts(page, '.list .state small')).toContainEqual(
      expect.stringContaining('fleet/broken.yaml:3:5'),
    )
    expect(await page.getByRole('link', { name: 'broken' }).count()).toBe(0)
    expect(await page.title()).toMatch(/^HALTED desk-008 · mizani$/)
    expect(complaints).toEqual([])
  })

  test('shows 25 of them, each with its last days, on a screen of 1280 by 900', async () => {
    const daemon = await fleetDaemon()
    const { page } = await openConsole(browser, daemon.url, { viewport: { width: 1280, height: 900 } })
    await page.waitForSelector(ROWS)
    await expect.poll(() => page.locator(`${ROWS} .spark`).count()).toBe(25)
    const last = await page.locator(ROWS).last().boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(900)
  })

  test('halts the chosen ones after naming them, and claims of each only what it answered', async () => {
    const daemon = await fleetDaemon()
    const { page } = await openConsole(browser, daemon.url, { token: 'the-token' })
    const answers: Readonly<Record<string, { readonly status: number; readonly json: object }>> = {
      'desk-008': { status: 200, json: { accepted: true, confirmed: true, answer: 'halted' } },
      'desk-006': { status: 503, json: { accepted: false, answer: 'no answer from position desk-006' } },
      'desk-012': { status: 409, json: { accepted: false, answer: 'it is being replaced' } },
      'desk-014': {
        status: 200,
        json: { accepted: true, confirmed: false, answer: 'NOT confirmed at the venue' },
      },
    }
    const sent: string[] = []
    await page.route('**/api/v1/halt', async (route) => {
      const { position } = route.request().postDataJSON() as { readonly position: string }
      sent.push(position)
      const answer = answers[position]
      await (answer === undefined ? route.abort() : route.fulfill(answer))
    })
    await page.getByLabel('Name or strategy').fill('desk-0')
    for (const name of [...Object.keys(answers), 'desk-001']) await page.getByLabel(`Choose ${name}`).check()
    const bar = page.getByRole('group', { name: 'Chosen positions' })
    expect(await bar.innerText()).toContain('5 chosen')
    await bar.getByRole('button', { name: 'Halt' }).click()
    const dialog = page.locator('dialog')
    expect(await texts(page, 'dialog h2')).toEqual(['Halt 5 positions?'])
    expect(await texts(page, 'dialog li')).toEqual([...Object.keys(answers), 'desk-001'])
    expect(sent).toEqual([])
    await dialog.getByRole('button', { name: 'Halt 5' }).click()
    await expect
      .poll(() => texts(page, 'dialog li'))
      .toEqual([
        'desk-008 done halted',
        'desk-006 no answer no answer from position desk-006',
        'desk-012 refused it is being replaced',
        'desk-014 accepted, not confirmed NOT confirmed at the venue',
        'desk-001 no answer the daemon cannot be reached',
      ])
    expect(sent.toSorted()).toEqual([...Object.keys(answers), 'desk-001'].toSorted())
  })

  test('has their sums and counts above it', async () => {
    const daemon = await fleetDaemon()
    const { page } = await openConsole(browser, daemon.url)
    await page.waitForSelector('.sums')
    const sums = (await texts(page, '.sums div')).join('; ')
    expect(sums).toMatch(/Deployed, USD574,750/)
    expect(sums).toMatch(/Halted4; Silent6;/)
    expect(await texts(page, '.list > .note')).toEqual([
      'One position has an unknown figure and is in no sum.',
    ])
  })

  test('is searched, filtered, sorted and paged by keyboard alone', async () => {
    const daemon = await fleetDaemon()
    const { page } = await openConsole(browser, daemon.url)
    await page.waitForSelector(ROWS)
    await page.getByLabel('Name or strategy').focus()
    await page.keyboard.type('DESK-04')
    await expect.poll(() => page.locator(ROWS).count()).toBe(10)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.getByLabel('Order').selectOption('name')
    await expect.poll(async () => (await texts(page, NAMES))[1]).toMatch(/^desk-001/)
    const next = page.getByRole('button', { name: 'Next' })
    await next.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => texts(page, '.pager span')).toEqual(['Page 2 of 21, 501 positions'])
    await expect.poll(async () => (await texts(page, NAMES))[0]).toMatch(/^desk-025/)
    await page.getByLabel('State').selectOption('halted')
    await expect.poll(() => page.locator(ROWS).count()).toBe(4)
    await page.getByLabel('Order').selectOption('pnlTotalUsd')
    await expect.poll(async () => (await texts(page, NAMES))[0]).toMatch(/^desk-383/)
    await page.locator(`${NAMES} a`).first().focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.banner')
    await page.goBack()
    await expect.poll(() => page.locator(ROWS).count()).toBe(4)
  })

  test('follows five hundred changes a second', async () => {
    const daemon = await fleetDaemon()
    const { page } = await openConsole(browser, daemon.url)
    await page.waitForSelector(ROWS)
    await page.getByLabel('Order').selectOption('pnlTodayUsd')
    for (let second = 1; second <= 5; second++) {
      const positions = fleetOf().map((one, n) => ({ ...one, pnlTodayUsd: String(second * 1_000 + n) }))
      daemon.tell({ type: 'summaries', whole: false, positions, gone: [] })
      await expect
        .poll(async () => (await texts(page, `${ROWS} td:nth-child(5)`))[0])
        .toBe(`+${second},499.00`)
      await page.waitForTimeout(700)
    }
  })

  test('tells those who do not see it of three changes, and how many more there are', async () => {
    const daemon = await fleetDaemon()
    const { page } = await openConsole(browser, daemon.url)
    await page.waitForSelector(ROWS)
    const positions = fleetOf()
      .slice(20, 30)
      .map((one) => ({
        ...one,
        tradingState: 'HALTED' as const,
        severity: 'critical' as const,
        why: ['halted: x'],
      }))
    daemon.tell({ type: 'summaries', whole: false, positions, gone: [] })
    await expect
      .poll(() => texts(page, '[role=status]'))
      .toEqual([
        'desk-021 is HALTED. Halted: x desk-022 is HALTED. Halted: x desk-023 is HALTED. Halted: x 7 more positions changed.',
      ])
  })

  test.each([
    ['a wide screen in the dark', { viewport: WIDE, colorScheme: 'dark' }],
    ['a phone', { viewport: PHONE, colorScheme: 'light' }],
  ] as const)('fits on %s', async (_name, options) => {
    const daemon = await fleetDaemon()
    const { page, complaints } = await openConsole(browser, daemon.url, options)
    await page.waitForSelector(ROWS)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(options.viewport.width)
    expect(await page.locator('body').innerText()).not.toMatch(/NaN|Infinity|undefined|null/)
    expect(complaints).toEqual([])
  })
})
