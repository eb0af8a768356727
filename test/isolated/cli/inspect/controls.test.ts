import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CONTROLS } from '../../../../src/research/diagnosis/controls/catalogue.ts'
import { controlsReport } from '../../../../src/research/diagnosis/controls/controls-report.ts'
import { evidenceOf } from '../../../../src/research/diagnosis/controls/evidence.ts'
import { controls } from '../../../../src/cli/inspect/controls/controls.ts'
import { DRILL_NAMES } from '../../../../src/simulator/drills/catalogue.ts'
import { readKept } from '../../../../src/store/kept-drills.ts'
import { loadOrExplain } from '../../../../src/cli/load-or-explain.ts'
import { keepResult } from '../../../../src/daemon/runtime/position/result-files.ts'
import { exampleRisk } from '../../../unit/daemon/view/results/example-risk.ts'
import { captured } from '../../../support/captured.ts'
import { freshFolder } from '../../../unit/research/close/close-fixture.ts'

afterEach(() => {
  process.exitCode = 0
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Articles of RTS 6 and paragraphs of SEC rule 15c3-5 about algorithms and their controls, and what ESMA asks beyond them. */
const RULES_OF_A_DESK = [
  ...['5(7)', '6', '7', '8', '9', '10', '11', '12(1)', '12(3)', '14'].map((article) => `RTS 6 ${article}`),
  ...['(1)(a)', '(1)(b)', '(1)(c)', '(1)(d)', '(2)', '(3)', '(4)', '(5)', '(6)'].map((of) => `RTS 6 15${of}`),
  ...['16', '16(5)', '17', '18'].map((article) => `RTS 6 ${article}`),
  ...['(c)(1)(i)', '(c)(1)(ii)', '(c)(2)(ii)', '(c)(2)(iii)', '(c)(2)(iv)', '(e)'].map((of) => `15c3-5${of}`),
  'ESMA briefing of February 2026',
]

const NOW = Date.parse('2026-11-23T12:00:00Z')

function configure(risk: object = {}): { readonly file: string; readonly store: string } {
  vi.stubEnv('MIZANI_API_KEY', 'mm_test_x')
  const folder = freshFolder()
  const config = {
    name: 'desk-1',
    venue: { baseUrl: 'http://127.0.0.1:1' },
    strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 70 } },
    risk: { priceCorridor: { min: '2300', max: '2900' }, ...risk },
    store: { path: folder },
  }
  const file = join(folder, 'live.yaml')
  writeFileSync(file, JSON.stringify(config).replace('"venue":{', '"venue":{"apiKey": !env MIZANI_API_KEY,'))
  return { file, store: folder }
}

describe('the catalogue of controls', () => {
  test.each(CONTROLS.map(({ name, test: of }) => [name, of] as const))(
    'names for %s a test that is there under that title',
    (_name, of) => {
      if (of === null) return expect(of).toBeNull()
      const [file, title] = of
      expect([file, existsSync(file)]).toEqual([file, true])
      const text = readFileSync(file, 'utf8')
      const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``]
      expect([title, quoted.some((one) => text.includes(one))]).toEqual([title, true])
    },
  )

  test('has a control for each rule that binds such a desk, and names no rule that is not of the list', () => {
    const named = new Set(CONTROLS.flatMap(({ rules }) => rules))
    expect([...named].toSorted()).toEqual([...RULES_OF_A_DESK].toSorted())
  })

  test('names only drills that there are', () => {
    const drills = new Set<string>([...DRILL_NAMES, 'restore'])
    expect(CONTROLS.flatMap((control) => control.drills).filter((name) => !drills.has(name))).toEqual([])
  })

  test('names every control once', () => {
    const names = CONTROLS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(CONTROLS.every(({ rules }) => rules.length > 0)).toBe(true)
  })
})

describe('the report of controls', () => {
  test('shows each with its value, and as missing what is not configured', async () => {
    const { file } = configure({ maxVolumePerDayUsd: '2500.5', maxLossTzs: '1000000' })
    const config = await loadOrExplain(file, {})
    if (config === null) throw new Error('no configuration')
    const report = controlsReport(config, [], NOW)
    const value = (name: string) => report.controls.find((one) => one.name === name)?.value
    expect(value('price collar of every quote and order')).toBe('2300 to 2900 TZS per USD')
    expect(value('maximum volume of a day')).toBe('2500.5 USD')
    expect(value('loss and drawdown thresholds')).toBe('loss 1000000 TZS')
    expect(value('exposure of orders that were entered')).toBeNull()
    expect(value('alert within 5 s of what shows an event')).toBeNull()
    expect(value('dead-man guard: the quote does not outlive the daemon')).toBe(
      'safe quote after 4.5 s, worse side off 1m 0s later, out of the market 15m 0s later',
    )
    expect(value('hard block that no one at the desk can override')).toContain('needs a restart')
    expect(value('override of a price control: one value, named in full by a person')).toContain(
      '--accept-mid',
    )
    expect(report.missing).toBe(report.controls.filter((one) => one.value === null).length)
  })

  test('shows the limits over a whole fleet, from the defaults beside the file, and as missing where the fleet has none', async () => {
    const { file, store } = configure()
    const limits = async (fleet: string | null) => {
      if (fleet !== null) writeFileSync(join(store, 'defaults.yaml'), `fleet: ${fleet}\n`)
      const config = await loadOrExplain(file, {})
      if (config === null) throw new Error('no configuration')
      const { controls: all } = controlsReport(config, [], NOW)
      return all.find(({ name }) => name === 'limits over all positions of the fleet')?.value
    }
    expect(await limits(null)).toBe('the position is not in a fleet')
    expect(await limits('{}')).toBeNull()
    expect(await limits("{ limits: { maxLossUsd: '2500.5', maxDeployedUsd: '90000' } }")).toBe(
      'loss 2500.5 USD, deployed 90000 USD',
    )
  })

  test('has the last drill of each, and notes one that is older than 90 days', async () => {
    const { file, store } = configure()
    const drills = [
      { name: 'mid-lies', at: '2026-11-01T00:00:00.000Z', passed: false, noticeMs: 1, safeMs: 2, costUsd: 0 },
      { name: 'mid-lies', at: '2026-11-20T00:00:00.000Z', passed: true, noticeMs: 1, safeMs: 2, costUsd: 0 },
      {
        name: 'feed-frozen',
        at: '2026-01-20T00:00:00.000Z',
        passed: true,
        noticeMs: 1,
        safeMs: 2,
        costUsd: 0,
      },
    ]
    writeFileSync(join(store, 'drills.json'), JSON.stringify(drills))
    const [config, kept] = [await loadOrExplain(file, {}), readKept(store)]
    if (config === null || !kept.ok) throw new Error('no configuration or no drills')
    const { controls: all } = controlsReport(config, kept.value, NOW)
    const drill = (name: string) => all.find((one) => one.name === name)?.lastDrill
    expect(drill('price collar of every quote and order')).toMatchObject({ passed: true, isStale: false })
    expect(drill('age of the price')).toMatchObject({ name: 'feed-frozen', isStale: true })
    expect(drill('code that may run')).toBeNull()
  })

  test('is refused where the file of drills is damaged, and has no drill where none exists', () => {
    const folder = freshFolder()
    expect(readKept(folder)).toEqual({ ok: true, value: [] })
    for (const text of ['{', '{}', '[{"name":"leak"}]', '']) {
      writeFileSync(join(folder, 'drills.json'), text)
      const read = readKept(folder)
      expect(read.ok ? '' : read.error).toContain('not written by mizani')
    }
    expect(readKept(join(folder, 'drills.json'))).toMatchObject({ ok: false })
  })

  test('is printed as a table with the missing ones counted, and names the configuration by its digest', async () => {
    const { file } = configure()
    const { text, exitCode } = await captured(() => controls({ config: file }))
    expect(exitCode).toBe(0)
    expect(text).toMatch(/^Controls of desk-1, /)
    expect(text).toMatch(/configuration sha-256 [0-9a-f]{64}/)
    expect(text).toContain('MISSING: ')
    expect(text).toMatch(/\d+ of \d+ controls .* \d+ .*missing\n$/)
  })
})

test('the evidence of a close has the measured risk in cents, and null where it is missing or too old', async () => {
  const config = await loadOrExplain(configure().file, {}, { offline: true, strategy: 'load-apart' })
  if (config === null) throw new Error('no configuration')
  const riskAt = (now: number) => {
    const evidence = evidenceOf(config, now)
    return evidence.ok ? evidence.value.risk : evidence.error
  }
  expect(riskAt(NOW)).toBeNull()
  await keepResult(config, 'risk', exampleRisk(NOW))
  expect(riskAt(NOW)).toMatchObject({
    at: '2026-11-23T11:30:00.000Z',
    isCalibrated: true,
    losses: expect.arrayContaining([{ name: 'model without trades, a day', usd: '86', tzs: '223600' }]),
  })
  expect(riskAt(NOW + 27 * 3_600_000)).toBeNull()
})
