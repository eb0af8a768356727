import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judgeNext } from '../../../../../src/cli/research/calibrate.ts'
import { DAY_MS } from '../../../../../src/base/time.ts'
import { readCalibration } from '../../../../../src/daemon/config/load/calibration.ts'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { readResult } from '../../../../../src/daemon/runtime/position/result-files.ts'
import { UNWATCHED } from '../../../../../src/research/jobs/apart/watch-strategy.ts'
import { judgeCalibration } from '../../../../../src/research/jobs/recalibrate/judge-calibration.ts'
import { compareRows, encodeRow } from '../../../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../../../src/store/tape/model/row.ts'
import { balancesRow } from '../../../../support/backtest-tape.ts'
import { runCommand } from '../../../../support/run-command.ts'
import {
  calibrationUntil,
  EARLIER_END,
  END,
  twoMarkets,
} from '../../../../unit/research/jobs/recalibrate/two-markets.ts'

const STRATEGIES = new URL('../../../../../strategies', import.meta.url).pathname

/** As in two-markets.ts. */
const ONE_OVER_K = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'one-over-k',
  params: z.strictObject({}),
  init: () => ({}),
  quote({ calibration, inventory: { imbalance } }) {
    const bps = 1 / (calibration?.both.k.value ?? 1 / 60)
    const skew = 20 * Math.round(5 * imbalance)
    return { bidBps: bps - skew, askBps: bps + skew, reasons: ['1/k'] }
  },
})`

const CONFIG = `name: desk-1
venue: { baseUrl: http://127.0.0.1, apiKey: !env MIZANI_API_KEY }
strategy: { use: ./one-over-k.ts }
calibration: calibration.json
risk: { maxMidAgeMs: 345600000 }
`

/** A position whose takers have changed, in a folder of its own: its recording, its calibration of before, its store. */
function deskOf(rows: readonly TapeRow[]) {
  const folder = mkdtempSync(join(tmpdir(), 'recalibrate-'))
  const [config, calibration, tape] = ['mizani.yaml', 'calibration.json', 'tape.jsonl'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  mkdirSync(join(folder, 'store'))
  writeFileSync(config, `${CONFIG}store: { path: ${join(folder, 'store')} }\n`)
  writeFileSync(join(folder, 'one-over-k.ts'), ONE_OVER_K)
  writeFileSync(calibration, JSON.stringify(calibrationUntil(rows, EARLIER_END)))
  const balances = Array.from({ length: 90 }, (_, day) => balancesRow(END - day * DAY_MS))
  writeFileSync(
    tape,
    [...rows, ...balances]
      .toSorted(compareRows)
      .map((row) => `${encodeRow(row)}\n`)
      .join(''),
  )
  return { folder, config, calibration, tape }
}

async function judged({ config, tape }: ReturnType<typeof deskOf>, adopt: boolean, meanwhile = () => {}) {
  const loaded = await loadConfig(
    config,
    {},
    { strategiesFolder: STRATEGIES, offline: true, skipStrategy: true },
  )
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  meanwhile()
  const order = { tape, weeks: 4, to: END, adopt }
  return { loaded: loaded.value, answer: await judgeCalibration(loaded.value, order, UNWATCHED) }
}

describe('a judged calibration', { timeout: 60_000 }, () => {
  const changed = deskOf(twoMarkets(5, 25))
  const before = readFileSync(changed.calibration, 'utf8')

  test('that is better is a candidate next to the configured one, and a result in the store', async () => {
    const { loaded, answer } = await judged(changed, false)
    const { result, candidateFile } = answer.ok ? answer.value : {}
    expect(result).toMatchObject({ verdict: 'adopt', adopted: false })
    expect(readResult(loaded, 'recalibration')).toEqual({ ok: true, value: result })
    expect(candidateFile).toBe(`${changed.calibration}.candidate`)
    const candidate = readCalibration(candidateFile ?? '')
    expect(candidate.ok && candidate.value.learned.both.k).toEqual(result?.candidate?.k)
    expect(readFileSync(changed.calibration, 'utf8')).toBe(before)
    expect(existsSync(`${changed.calibration}.before`)).toBe(false)
  })

  test('does not replace a file that has changed since it was read', async () => {
    const desk = deskOf(twoMarkets(5, 25))
    const others = `${before} `
    const { answer } = await judged(desk, true, () => writeFileSync(desk.calibration, others))
    expect(!answer.ok && answer.error).toContain('has changed since it was read')
    expect(readFileSync(desk.calibration, 'utf8')).toBe(others)
    expect(existsSync(`${desk.calibration}.before`)).toBe(false)
  })

  test('that is adopted replaces the configured one whole, which stays next to it', async () => {
    const { answer } = await judged(changed, true)
    expect(answer.ok && answer.value.result).toMatchObject({ verdict: 'adopt', adopted: true })
    const candidate = readFileSync(`${changed.calibration}.candidate`, 'utf8')
    expect(readFileSync(changed.calibration, 'utf8')).toBe(candidate)
    expect(readFileSync(`${changed.calibration}.before`, 'utf8')).toBe(before)
    expect(readdirSync(changed.folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('that is not better changes nothing, also when it may be adopted', async () => {
    const same = deskOf(twoMarkets(7, 60))
    const calibration = readFileSync(same.calibration, 'utf8')
    const { answer } = await judged(same, true)
    expect(answer.ok && answer.value.result).toMatchObject({ verdict: 'keep', adopted: false })
    expect(readFileSync(same.calibration, 'utf8')).toBe(calibration)
  })
})

describe('mizani calibrate --judge', { timeout: 60_000 }, () => {
  const desk = deskOf(twoMarkets(7, 60))
  const run = (options: Parameters<typeof judgeNext>[0]) => runCommand(() => judgeNext(options, UNWATCHED))

  test('prints the verdict with its reason, and as JSON all figures', async () => {
    const { text, exitCode } = await run({ config: desk.config, tape: desk.tape, to: END, judge: 2 })
    expect(exitCode).toBe(0)
    expect(text).toMatch(/^keep: in 14 days the candidate earned /m)
    expect(text).toContain(`candidate: ${desk.calibration}.candidate`)
    expect(text).not.toContain('replaced')
  })

  test('exits with 1 and the reason if nothing could be replayed', async () => {
    const { text, exitCode } = await run({
      config: desk.config,
      tape: desk.tape,
      to: EARLIER_END,
      json: true,
    })
    expect(exitCode).toBe(1)
    expect(JSON.parse(text)).toMatchObject({
      verdict: 'unknown',
      adopted: false,
      candidateFile: null,
      exitCode: 1,
    })
  })

  test('is wrong usage without a configuration, a tape, or a calibration to replace', async () => {
    const bare = join(desk.folder, 'bare.yaml')
    writeFileSync(bare, CONFIG.replace(/^calibration.*$/m, ''))
    for (const options of [
      { tape: desk.tape },
      { config: desk.config },
      { config: bare, tape: desk.tape, adopt: true },
    ])
      expect(await run(options)).toMatchObject({ exitCode: 2 })
  })
})
