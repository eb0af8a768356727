import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { strategiesFolder } from '../../../../../src/daemon/runtime/position/strategy-registry.ts'
import { coreUnder, createTurns } from '../../../../../src/daemon/runtime/worker/preview-changes.ts'

const YAML = `name: desk-1
venue: { baseUrl: https://venue.example, apiKey: !env MIZANI_API_KEY }
strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 70 } }
risk: { priceCorridor: { min: '2000', max: '3000' } }
feeds: [{ name: bank, http: { url: !env MIZANI_FEED, path: rate } }]
`

test('what changes would run differs from what runs in nothing else, feeds and approvals of a live key included', async () => {
  // A key that is not a test key: withdrawals wait for a second person by default.
  vi.stubEnv('MIZANI_API_KEY', 'mm_live_key')
  vi.stubEnv('MIZANI_FEED', 'https://bank.example/rates')
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = join(mkdtempSync(join(tmpdir(), 'mizani-preview-')), 'mizani.yaml')
  writeFileSync(file, YAML)
  const running = await loadConfig(file, process.env, { strategiesFolder: strategiesFolder() })
  if (!running.ok) throw new Error(JSON.stringify(running.error))
  const { core } = running.value
  expect([core.feeds?.length, core.withdraw.approvalAboveUsd]).toEqual([1, 0n])
  const under = await coreUnder({ current: () => running.value }, { 'strategy.params.bidBps': 45 })
  const { strategy } = core
  expect(under).toEqual({
    ok: true,
    value: { ...core, strategy: { ...strategy, params: { bidBps: 45, askBps: 70 } } },
  })
})

test('a preview waits for the one before it, and is refused once it has waited long enough', async () => {
  const takeTurn = createTurns(0)
  const endFirst = await takeTurn()
  const second = takeTurn()
  endFirst?.()
  const endSecond = await second
  expect(endSecond).not.toBeNull()
  expect(await takeTurn()).toBeNull()
  endSecond?.()
  expect(await takeTurn()).not.toBeNull()
})
