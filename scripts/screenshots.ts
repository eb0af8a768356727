// Writes docs/pictures/console-*.png, README's pictures, and console.json, which a test compares with the page, from the real thing: the daemon makes a market at the
// simulated venue for a while, and a browser looks at its console. `node scripts/screenshots.ts [--minutes 12]`
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BrowserContextOptions } from 'playwright-core'
import { openConsole } from '../test/e2e/console/open-console.ts'
import { startPictured, structureOf } from '../test/e2e/console/pictured-console.ts'
import { launchBrowser } from '../test/support/launch-browser.ts'

const PICTURES = fileURLToPath(new URL('../docs/pictures', import.meta.url))
const MAX_BYTES = 200_000
const FILLS = 12

const SHOTS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 1260 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 1260 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', deviceScaleFactor: 2 },
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '12' } } })
mkdirSync(PICTURES, { recursive: true })
const { url, close } = await startPictured(Number(values.minutes), FILLS)
try {
  for (const [name, options] of Object.entries(SHOTS)) await shoot(name, url, options)
} finally {
  await close()
}

async function shoot(name: string, url: string, options: BrowserContextOptions): Promise<void> {
  const browser = await launchBrowser()
  const { page } = await openConsole(browser, url, { ...options, reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'all', exact: true }).click()
  await page.waitForSelector('.chart canvas')
  await page.waitForTimeout(2_000)
  await page.evaluate('scrollTo(0, 0)')
  if (name === 'light') {
    const structure = await structureOf(page)
    writeFileSync(join(PICTURES, 'console.json'), `${JSON.stringify(structure, null, 2)}\n`)
  }
  const path = join(PICTURES, `console-${name}.png`)
  await page.screenshot({ path })
  await browser.close()
  const { size } = statSync(path)
  if (size >= MAX_BYTES)
    throw new Error(`${path} has ${size} bytes; a picture in README has less than ${MAX_BYTES}`)
  process.stdout.write(`${path} ${size} bytes\n`)
}
