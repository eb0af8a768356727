import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { acceptedTexts } from '../../../../../src/daemon/config/load/parse-config.ts'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { createStrategyProber } from '../../../../../src/daemon/config/strategy/probe-strategy.ts'
import type { Notice } from '../../../../../src/daemon/notify/notice.ts'
import { strategiesFolder } from '../../../../../src/daemon/runtime/position/strategy-registry.ts'
import type { PositionInit } from '../../../../../src/daemon/runtime/worker/messages.ts'
import {
  createWaitingConfig,
  type WaitingConfig,
} from '../../../../../src/daemon/runtime/worker/waiting-config.ts'
import { createLog } from '../../../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'

let folder = ''
const open: WaitingConfig[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mizani-waiting-'))
  writeFileSync(join(folder, 'key'), 'mm_test_1')
})
afterEach(() => {
  for (const waiting of open.splice(0)) waiting.end()
  vi.unstubAllEnvs()
})

const YAML = `name: desk-1
venue: { baseUrl: http://127.0.0.1:9, apiKey: !file key }
strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 70 } }
risk: { priceCorridor: { min: '2000', max: '3000' } }
inventory: { limits: { USDC: { min: '10', max: '1000' } } }
store: { path: ./data }
`
const TIGHTER = YAML.replace("max: '1000'", "max: '500'")
const BROKEN = `${YAML}no-such-key: 1\n`

/** A busy machine takes its time to start a thread. */
const PATIENT_MS = 60_000
const prober = createStrategyProber(PATIENT_MS)
afterAll(() => prober.close())

/** A position whose configuration was read, and that stands by where `stand` was called. */
async function waitingFor(yaml = YAML, more: Partial<PositionInit> = {}) {
  const file = join(folder, 'mizani.yaml')
  writeFileSync(file, yaml)
  const loaded = await loadConfig(file, process.env, { strategiesFolder: strategiesFolder() })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const waiting = createWaitingConfig({ configFile: file, suspension: null, ...more }, loaded.value)
  open.push(waiting)
  const notices: Notice[] = []
  const keys: string[] = []
  let wake = () => {}
  const stand = () =>
    waiting.standBy({
      log: createLog({ position: 'desk-1', level: 'silent' }),
      metrics: createMetrics('desk-1'),
      probe: { timeLimitMs: PATIENT_MS, prober },
      notify(notice) {
        notices.push(notice)
        wake()
      },
      exchangeKey: async ({ apiKey }) => {
        keys.push(apiKey.reveal())
        return apiKey.reveal().includes('wrong') ? 'the venue does not take the new key' : null
      },
    })
  const told = () => notices.map(({ kind, code }) => `${kind} ${code}`)
  const noticed = async (times: number) => {
    while (notices.length < times) await new Promise<void>((resolve) => (wake = resolve))
  }
  return {
    waiting,
    noticed,
    loaded: loaded.value,
    stand,
    notices,
    told,
    keys,
    write: (text: string) => writeFileSync(file, text),
  }
}

async function limitAfter(waiting: WaitingConfig): Promise<unknown> {
  const granted = await waiting.granted()
  return granted.ok ? granted.value.core.inventory.limits : granted.error
}

test('a standby takes the position over with the limits that its file has then, not those of its own start', async () => {
  const { waiting, loaded, stand, write } = await waitingFor()
  stand()
  await waiting.reload('the first try is over')
  write(TIGHTER)
  const limits = await limitAfter(waiting)
  expect(limits).not.toEqual(loaded.core.inventory.limits)
  expect(encodeJson(limits)).toContain('500000000')
})

test('a file that is broken while a standby waits is reported at once, and once; and so is that it was mended', async () => {
  const { stand, write, told, notices, noticed, waiting } = await waitingFor()
  stand()
  write(BROKEN)
  await noticed(1)
  expect(notices[0]?.text).toContain('no-such-key')
  await waiting.reload('asked to')
  expect(told()).toEqual(['raised standby-config'])
  write(YAML)
  await noticed(2)
  expect(told()).toEqual(['raised standby-config', 'lifted standby-config'])
  expect((await waiting.granted()).ok).toBe(true)
})

test('a file that is broken at the take-over lets the position not begin, whatever was right before', async () => {
  const { waiting, stand, write, told } = await waitingFor()
  stand()
  await waiting.reload('asked to')
  write(BROKEN)
  expect(await waiting.granted()).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('no-such-key') as string, mayStartAgain: false },
  })
  expect(told()).toEqual(['raised standby-config'])
})

test('what cannot change while a daemon runs is reported, and a take-over asks for a restart', async () => {
  const { waiting, stand, write, told } = await waitingFor()
  stand()
  write(YAML.replace("max: '3000'", "max: '2500'"))
  const answer = await waiting.reload('asked to')
  expect(answer).toMatchObject({
    accepted: false,
    answer: expect.stringContaining('risk.priceCorridor') as string,
  })
  expect(told()).toEqual(['raised standby-config'])
  expect(await waiting.granted()).toMatchObject({ ok: false, error: { mayStartAgain: true } })
})

test('a key that was rotated while a standby waits is in use before the take-over, and one that the venue refuses is reported', async () => {
  const { waiting, stand, keys, noticed } = await waitingFor()
  stand()
  await waiting.reload('asked to')
  expect(keys).toEqual([])
  writeFileSync(join(folder, 'key'), 'mm_test_wrong')
  await noticed(1)
  writeFileSync(join(folder, 'key'), 'mm_test_2')
  const granted = await waiting.granted()
  expect(granted.ok ? granted.value.apiKey.reveal() : granted.error).toBe('mm_test_2')
  expect(keys.at(-1)).toBe('mm_test_2')
})

test('in a fleet a standby takes what the fleet accepted, whatever its file holds by then', async () => {
  const { loaded, write } = await waitingFor()
  const texts = acceptedTexts(loaded.sources)
  const { waiting, stand, write: rewrite } = await waitingFor(YAML, { texts })
  stand()
  write(TIGHTER)
  const again = await loadConfig(join(folder, 'mizani.yaml'), process.env, {
    strategiesFolder: strategiesFolder(),
  })
  if (!again.ok) throw new Error('the file is right')
  rewrite(BROKEN)
  const answer = await waiting.reload('asked to', acceptedTexts(again.value.sources))
  expect(answer).toMatchObject({ accepted: true })
  const granted = await waiting.granted()
  expect(granted.ok && granted.value.core.inventory.limits).toEqual(again.value.core.inventory.limits)
})

test('a position that need not wait starts with what was read, and is shown that its files changed meanwhile', async () => {
  const { waiting, loaded, write } = await waitingFor()
  expect(await waiting.granted()).toEqual({ ok: true, value: loaded })
  write(TIGHTER)
  expect(waiting.end()).toBe(true)
})
