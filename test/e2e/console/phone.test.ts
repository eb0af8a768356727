import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { EXAMPLE_PAGES } from './example-pages.ts'
import type { FakeDaemon } from './fake-daemon.ts'
import { openConsole } from './open-console.ts'

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

async function openExample(name: keyof typeof EXAMPLE_PAGES, width: number) {
  const { daemon, url } = await EXAMPLE_PAGES[name]()
  daemons.push(daemon)
  const opened = await openConsole(browser, url, {
    viewport: { width, height: 844 },
    reducedMotion: 'reduce',
  })
  await opened.page.waitForSelector('.panel')
  // The panels that ask for more draw it.
  await opened.page.waitForTimeout(700)
  return opened
}

/** Names of the elements that reach over the edge of the screen, or whose content is wider than they are. */
function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')].filter((element) => {
    if (element.closest('.unseen, .skip, .u-over')) return false
    const { left, right, width } = element.getBoundingClientRect()
    const isCut = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
    return width > 0 && (left < -1 || right > innerWidth + 1 || (isCut && element.clientWidth > 0))
  }).map((element) => element.tagName + '.' + (element.getAttribute('class') ?? '') + ': ' + element.textContent.slice(0, 40))`)
}

/** Texts of a drawing that lie on each other. */
function overlapping(page: Page, selector: string): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const texts = [...document.querySelectorAll(${JSON.stringify(selector)})]
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    return texts.flatMap((one, i) => texts.slice(i + 1)
      .filter((other) => over(one.getBoundingClientRect(), other.getBoundingClientRect()))
      .map((other) => one.textContent + ' over ' + other.textContent))
  })()`)
}

/** What the first row of fills shows before each value. */
function labelsIn(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelector('.fills tbody tr').querySelectorAll('td')].map((cell) => getComputedStyle(cell, '::before').content)`,
  )
}

describe.skipIf(needs('chromium'))('on a phone of 390 px', () => {
  test.each(Object.keys(EXAMPLE_PAGES) as (keyof typeof EXAMPLE_PAGES)[])(
    'nothing of the page "%s" is wider than the screen, cut or over something else, with every explanation open',
    async (name) => {
      const { page, complaints } = await openExample(name, 390)
      expect(await tooWide(page)).toEqual([])
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
      expect(await tooWide(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      expect(await overlapping(page, '.ruler text')).toEqual([])
      expect(await overlapping(page, '.calendar b, .calendar time')).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test('a row of a table is a card: its values are below each other, each with its label', async () => {
    const { page } = await openExample('trading', 390)
    await page.waitForSelector('.fills tbody tr')
    const labels = await labelsIn(page)
    expect(labels.slice(0, 4)).toEqual(['"Time, UTC"', '"Side"', '"In"', '"Out"'])
    await page.setViewportSize({ width: 768, height: 900 })
    const wide = await labelsIn(page)
    expect(new Set(wide)).toEqual(new Set(['none']))
  })
})

describe.skipIf(needs('chromium'))('on a tablet of 768 px', () => {
  test.each(Object.keys(EXAMPLE_PAGES) as (keyof typeof EXAMPLE_PAGES)[])(
    'the page "%s" does not scroll sideways',
    async (name) => {
      const { page } = await openExample(name, 768)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(768)
    },
  )
})
