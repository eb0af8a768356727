import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { openConsole } from './open-console.ts'
import { startPictured, structureOf } from './pictured-console.ts'

const RECORDED = new URL('../../../docs/pictures/console.json', import.meta.url)

test.skipIf(needs('chromium'))(
  'the console has the structure of its picture (node scripts/screenshots.ts makes both)',
  async () => {
    const pictured = await startPictured(0, 1)
    const browser = await launchBrowser()
    try {
      const { page } = await openConsole(browser, pictured.url)
      await page.waitForSelector('.calendar .plus, .calendar .minus, .calendar time')
      await page.waitForSelector('.chart canvas')
      await page.waitForTimeout(2_000)
      const structure = await structureOf(page)
      expect(structure.length).toBeGreaterThan(40)
      expect(structure).toEqual(JSON.parse(readFileSync(RECORDED, 'utf8')))
    } finally {
      await browser.close()
      await pictured.close()
    }
  },
  120_000,
)
