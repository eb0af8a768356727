import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Credential } from '../../../src/daemon/console/auth/credentials.ts'
import { balanceOf } from '../../../src/treasury/books/books.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { PAYOUT, TreasuryHarness, TZS } from '../../support/treasury-harness.ts'
import { consoleOf, position } from '../../unit/daemon/console/console-fixture.ts'
import { busyTreasury, LOST_ID, RENT_ID } from './busy-treasury.ts'
import { openConsole, PHONE, WIDE } from './open-console.ts'

// The real server and the real core of a treasury; only the thread between them is left out.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PEOPLE: readonly Credential[] = [
  { name: 'anna', token: 'anna-token', may: ['read', 'operate', 'withdraw', 'approve'], isShared: false },
  { name: 'bertha', token: 'bertha-token', may: ['read', 'operate', 'approve'], isShared: false },
  { name: 'carla', token: 'carla-token', may: ['read', 'operate'], isShared: false },
]

let browser: Browser
beforeAll(async () => {
  if (!needs('chromium')) browser = await launchBrowser()
})
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
})
afterAll(() => browser?.close())

async function treasuryPage(harness: TreasuryHarness | null, options: object, token = 'bertha-token') {
  const { port } = position('desk-1', {
    treasury: async () => harness?.reading ?? null,
    async treasuryOrder(order, by) {
      const [verdict = '', ...words] = harness?.order(order, by).split(': ') ?? []
      return { accepted: verdict === 'yes', answer: words.join(': ') }
    },
  })
  const console = await consoleOf({ positions: [port], credentials: PEOPLE, answerWithinMs: 2_000 })
  // Not by way of the trading page: its charts ask for a past that the stand-in position does not have.
  const url = `http://127.0.0.1:${console.port}/#/desk-1/treasury`
  return openConsole(browser, url, { reducedMotion: 'reduce', ...options, token })
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['MIZANI_TEST_PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/treasury ${name}.png`, fullPage: true })
}

describe.skipIf(needs('chromium'))('the page of a treasury', () => {
  test.each([
    ['a wide screen', { viewport: WIDE, colorScheme: 'dark' }],
    ['a phone', { viewport: PHONE, colorScheme: 'light' }],
  ] as const)(
    'fits %s, has no serious fault of accessibility, complains of nothing, and its band is beside the inventory of the trading page',
    async (name, options) => {
      const { page, complaints } = await treasuryPage(busyTreasury(), options)
      await page.getByRole('heading', { name: 'Where every unit is' }).waitFor()
      await page.waitForTimeout(300)
      await page.evaluate(AXE)
      const faults = await page.evaluate<string[]>(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`,
      )
      expect(faults).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(options.viewport.width)
      expect(await page.locator('body').innerText()).not.toMatch(/NaN|Infinity|undefined|null/)
      expect(complaints).toEqual([])
      await picture(page, name)

      const refused: string[] = []
      page.on('response', (answer) => {
        if (answer.status() >= 400) refused.push(new URL(answer.url()).pathname)
      })
      await page.getByRole('link', { name: 'Trading' }).click()
      const inventory = page.locator('.inventory')
      await inventory.getByText('refill below 20,000,000, target 60,000,000, skim above 90,000,000').waitFor()
      await inventory.locator('.band svg .range').waitFor({ state: 'attached' })
      await picture(page, `inventory ${name}`)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(options.viewport.width)
      // The clock of the stand-in position begins at 0, so the charts have no hour before it, and it has no research.
      const missing = ['/api/v1/history', '/api/v1/research']
      expect([...new Set(refused)].filter((path) => !missing.includes(path))).toEqual([])
    },
  )

  test('shows the envelope and the account before an approval, and the core approves exactly that', async () => {
    const harness = busyTreasury()
    const { page, complaints } = await treasuryPage(harness, { viewport: PHONE })
    const rent = page.locator('.intent', { hasText: 'waits for approval' })
    await rent.getByText('anna approved. 1 more approval needed: from bertha.').waitFor()
    await rent.getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog')
    const shown = await dialog.innerText()
    for (const words of [
      'landlord, CRDB 0150',
      'at most 404,000.00 NTZS',
      'the registered name was not looked up yet',
    ])
      expect(shown.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(shown).toContain('"mostSpent":"404000000000000000000000"')
    expect(harness.intent(RENT_ID).stage).toBe('awaiting_approval')
    await dialog.getByLabel('Who').fill('bertha')
    await dialog.getByLabel('Why').fill('the rent of November')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText('approved', { exact: true }).waitFor()
    expect(harness.intent(RENT_ID).approvals.map(({ by }) => by)).toEqual(['anna', 'bertha'])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await rent.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('shows a registered name as the text that it is, and a changed one in words that ask to look', async () => {
    const harness = busyTreasury()
    harness.order({ name: 'cancel', intent: RENT_ID, why: 'once more' }, 'anna')
    const id = 'd'.repeat(32)
    harness.order(
      { name: 'payout', payee: 'landlord', asset: 'NTZS', amount: 500_000n * TZS, why: 'rent' },
      'anna',
      { id, step: { ...PAYOUT, mostSpent: 404_000n * TZS }, isNamed: true },
    )
    const { page, complaints } = await treasuryPage(harness, { viewport: PHONE })
    const rent = page.locator('.intent', { hasText: 'waits for approval' })
    await rent.getByText('the registered name is being looked up').waitFor()
    harness.name(id, '<img src=x onerror=alert(1)>', 'it has characters that names do not have: < = >')
    await page.reload()
    await rent.getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('registered as “<img src=x onerror=alert(1)>”').waitFor()
    expect(await dialog.locator('img').count()).toBe(0)
    await picture(page, 'registered name')
    await dialog.getByRole('button', { name: 'Back' }).click()
    harness.name(id, 'JOHN ROE')
    await page.reload()
    await rent.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText('now registered as “JOHN ROE”, before as “<img').waitFor()
    await dialog.getByLabel('Who').fill('bertha')
    await dialog.getByLabel('Why').fill('the rent')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText('confirm the payee first, or cancel it').waitFor()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Confirm the name' }).click()
    await dialog.getByText('bank CRDB 0150').waitFor()
    await dialog.getByLabel('Who').fill('bertha')
    await dialog.getByLabel('Why').fill('called her')
    await dialog.getByRole('button', { name: 'Confirm the name' }).click()
    await dialog.getByText('landlord is a new payee').waitFor()
    expect(harness.intent(id).stage).toBe('cancelled')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width)
    // The refusal of the core is one of the server's answers.
    expect(complaints.filter((one) => !one.includes('409 (Conflict)'))).toEqual([])
  })

  test('shows the refusal of the core where the token that ordered it approves again', async () => {
    const { page } = await treasuryPage(busyTreasury(), { viewport: WIDE }, 'anna-token')
    await page
      .locator('.intent', { hasText: 'waits for approval' })
      .getByRole('button', { name: 'Approve' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who').fill('anna')
    await dialog.getByLabel('Why').fill('again')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText('anna has already approved it: another token has to approve').waitFor()
  })

  test('stops the treasury, shows that in words, and matches a pasted bank file', async () => {
    const harness = busyTreasury()
    const { page } = await treasuryPage(harness, { viewport: WIDE })
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who').fill('bertha')
    await dialog.getByLabel('Why').fill('the bank called')
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('stopped by bertha: the bank called').waitFor()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page
      .getByLabel('or its text')
      .fill('Date,Description,Debit,Credit\n2026-11-25,EFT REF-ABC123,39000000,')
    await page.getByRole('button', { name: 'Match' }).click()
    await page.getByText('1 exception,').waitFor()
    await page.getByText('short, line 2').waitFor()
  })

  test('resolves a claim with what came back, after its evidence was shown, and the books have it', async () => {
    const harness = busyTreasury()
    const { page, complaints } = await treasuryPage(harness, { viewport: PHONE })
    await page.getByRole('button', { name: 'Resolve' }).click()
    const dialog = page.getByRole('dialog')
    const shown = (await dialog.innerText()).replaceAll(/\s+/g, ' ')
    for (const words of [
      'Outcome of 503,000.00 NTZS',
      'resource resource-0',
      '{"key":"key-2"',
      'Evidence of the balances: treasury holds 60000000 NTZS',
      'This is not proof: if it is right, resolve the claim as returned with 503,000.00 NTZS.',
    ])
      expect(shown).toContain(words)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width)
    await picture(page, 'claim')
    await dialog.getByLabel('Who').fill('bertha')
    await dialog.getByLabel('Why').fill('ticket 17')
    await dialog.getByRole('button', { name: 'Book it' }).click()
    expect(harness.intent(LOST_ID).stage).toBe('claim')
    await dialog.getByLabel('What became of it').selectOption('It is lost')
    expect(await dialog.getByLabel('How much').count()).toBe(0)
    await dialog.getByLabel('What became of it').selectOption('It came back')
    await dialog.getByLabel('How much came back, NTZS').fill('499,000.5')
    const before = balanceOf(harness.state.books, 'treasury', 'NTZS')
    await dialog.getByRole('button', { name: 'Book it' }).click()
    await dialog.getByText('bertha resolved the claim as returned: ticket 17').waitFor()
    expect(balanceOf(harness.state.books, 'treasury', 'NTZS') - before).toBe((4_990_005n * TZS) / 10n)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'Claims' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('books a lost claim as nothing received, and shows the refusal of a token that may not', async () => {
    const harness = busyTreasury()
    const { page } = await treasuryPage(harness, { viewport: WIDE }, 'carla-token')
    const resolve = async () => {
      await page.getByRole('button', { name: 'Resolve' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('What became of it').selectOption('It is lost')
      await dialog.getByLabel('Who').fill('somebody')
      await dialog.getByLabel('Why').fill('the venue closed')
      await dialog.getByRole('button', { name: 'Book it' }).click()
      return dialog
    }
    const refused = await resolve()
    await refused.locator('.bad', { hasText: 'approve' }).waitFor()
    expect(harness.intent(LOST_ID).stage).toBe('claim')
    await refused.getByRole('button', { name: 'Back' }).click()
    await page.evaluate(`sessionStorage.setItem('mizani-token', 'bertha-token')`)
    await page.reload()
    await (await resolve()).getByText('resolved the claim as lost: the venue closed').waitFor()
    expect(harness.intent(LOST_ID).legs[0]?.stage).toBe('reverted')
  })

  test('hides a place that nothing reads, and shows that the reading of another one failed', async () => {
    const harness = busyTreasury()
    harness.look({ ...harness.state.holdings!, platform: null, float: null })
    harness.give({ type: 'railFailed', rail: 'float', words: 'HTTP 503' })
    const { page } = await treasuryPage(harness, { viewport: WIDE })
    await page.getByRole('row', { name: 'Ramp float could not be read' }).waitFor()
    expect(await page.getByRole('row', { name: 'Platform wallet' }).count()).toBe(0)
  })

  test('says in words that no flow is recorded yet, and shows the standing as large as the heading', async () => {
    const harness = new TreasuryHarness()
    harness.look()
    const { page } = await treasuryPage(harness, { viewport: WIDE })
    await page.getByText('NTZS: no flow recorded yet, so nothing is forecast.').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('From none')
    const sizes = await page.evaluate<string[]>(
      `['#treasury', '#treasury b'].map((one) => getComputedStyle(document.querySelector(one)).fontSize)`,
    )
    expect(sizes[1]).toBe(sizes[0])
  })

  test('says that a position has no treasury, and how it gets one', async () => {
    const { page } = await treasuryPage(null, { viewport: PHONE })
    await page.getByRole('heading', { name: 'No treasury' }).waitFor()
    await page.getByRole('link', { name: 'Trading' }).click()
    await page.waitForSelector('.quote')
  })
})
