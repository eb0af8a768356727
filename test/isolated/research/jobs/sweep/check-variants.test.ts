import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkEach } from '../../../../../src/research/jobs/sweep/check-variants.ts'

const CONFIG = (data: string) => `name: own
venue: { baseUrl: http://127.0.0.1, apiKey: !env MIZANI_API_KEY }
strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 60 } }
backtest: { data: ${data} }
`

/** Returns the hash of a configuration in a folder of its own, or its problem. */
async function hashWith(data: string | null, place = '.'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'own-'))
  mkdirSync(join(folder, place), { recursive: true })
  if (data !== null) writeFileSync(join(folder, place, 'own.csv'), data)
  const config = join(folder, 'mizani.yaml')
  writeFileSync(config, CONFIG(data === null ? 'null' : `${place}/own.csv`))
  const [checked] = await checkEach(config, [{ index: 0, label: 'unchanged', changes: {} }])
  return checked?.ok === true ? checked.value : (checked?.error.join() ?? '')
}

test("a sweep's identity has the content of the own data and not its place", async () => {
  const data = 'time,fx\n2026-11-02,2500\n'
  const one = await hashWith(data)
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(await hashWith(data, 'elsewhere')).toBe(one)
  expect(new Set([one, await hashWith(data.replace('2500', '2501')), await hashWith(null)]).size).toBe(3)
})

test('own data that cannot be read refuse the sweep before it runs', async () => {
  expect(await hashWith('time,fx\n2026-11-02,abc\n')).toContain('row 1: fx = abc is not a number')
})
