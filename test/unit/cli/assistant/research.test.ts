import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { err, ok } from '../../../../src/base/result.ts'
import { createResearch } from '../../../../src/cli/assistant/research.ts'

const CONFIG = fileURLToPath(new URL('../../../../config/backtest.yaml', import.meta.url))
const WEEK = fileURLToPath(new URL('../../../../examples/week', import.meta.url))
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mizani-research-'))
})

function research(files: { readonly tape?: string; readonly tournament?: string } = {}) {
  return createResearch([{ name: 'desk-1', file: CONFIG, store: ok(join(folder, 'data')) }], files)
}

describe('what an assistant may compute', { timeout: 120_000 }, () => {
  test('a backtest over the tape that a person named runs in a thread, one at a time, and never prints', async () => {
    const { backtest } = research({ tape: WEEK })
    const params = { bidBps: 40, askBps: 50 }
    const running = backtest({ strategy: 'fixed-spread', params, to: '2026-09-09T00:00:00Z' })
    expect(await backtest({ params })).toMatchObject({
      ok: false,
      error: expect.stringContaining('another computation'),
    })
    const done = await running
    expect(done.ok || done.error).toBe(true)
    expect(done).toMatchObject({ value: { from: expect.any(String), fillModel: 'recorded' } })
    expect(await backtest({ strategy: 'no-such-strategy' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('no strategy of'),
    })
  })

  test('parameters and changes that name code, or that only a file may hold, are refused before a thread starts', async () => {
    const { backtest, whatIf } = research()
    expect(await backtest({ params: { inner: { use: './evil.ts' } } })).toMatchObject({
      ok: false,
      error: expect.stringContaining('selects the strategy'),
    })
    for (const path of ['risk.maxMidAgeMs', 'withdraw.enabled', 'venue.apiKey', 'store.path', 'strategy.use'])
      expect(await whatIf({ changes: { [path]: 1 } })).toMatchObject({
        ok: false,
        error: expect.stringContaining(`${path} cannot be set`),
      })
  })

  test('nothing is explained or computed where the store is not there or cannot be reached, and no example stands in for it', async () => {
    expect(await research().explain(undefined)).toMatchObject({
      ok: false,
      error: expect.stringContaining('no moment: '),
    })
    const secret = err('its store cannot be read here: environment variable STORE is not set')
    const away = createResearch([{ name: 'desk-1', file: CONFIG, store: secret }], {})
    const changes = { 'quote.safeBps': 450 }
    expect([await away.explain(undefined), await away.whatIf({ position: undefined, changes })]).toEqual([
      secret,
      secret,
    ])
  })

  test('a position that is not served is refused with the names of those that are', async () => {
    expect(await research().explain('desk-2')).toEqual({
      ok: false,
      error: 'position: expected one of desk-1',
    })
  })

  test('results of a tournament are those of the folder that a person named', () => {
    expect(research().tournament()).toMatchObject({
      ok: false,
      error: expect.stringContaining('--tournament'),
    })
    expect(research({ tournament: folder }).tournament()).toMatchObject({
      ok: false,
      error: expect.stringContaining('ENOENT'),
    })
    writeFileSync(join(folder, 'result.json'), '{"scenarios":[]}')
    expect(research({ tournament: folder }).tournament()).toEqual({ ok: true, value: { scenarios: [] } })
    writeFileSync(join(folder, 'result.json'), '{')
    expect(research({ tournament: folder }).tournament()).toMatchObject({ ok: false })
  })
})
