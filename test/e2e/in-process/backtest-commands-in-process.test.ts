import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { parquetReadObjects } from 'hyparquet'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import type { runApart as RunApart } from '../../../src/cli/apart/run-apart.ts'
import { buildProgram } from '../../../src/cli/program.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/base/time.ts'
import { loadStrategy } from '../../../src/daemon/config/strategy/load-strategy.ts'
import type { CoreConfig } from '../../../src/core/engine/model/config.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import { strategiesFolder } from '../../../src/daemon/runtime/position/strategy-registry.ts'
import { parseDecimalText } from '../../../src/base/money/decimal-text.ts'
import { csvRows } from '../../../src/treasury/statement/read-csv.ts'
import { captured } from '../../support/captured.ts'
import { halfHourJournal, writtenStore } from '../../support/written-store.ts'

// What a quant types, from inside this process, so that every answer can be looked at.

const folder = mkdtempSync(join(tmpdir(), 'mizani-research-'))

const CONFIG = new URL('../../../config/backtest.yaml', import.meta.url).pathname
const WEEK = new URL('../../../examples/week', import.meta.url).pathname
const DAY = ['--from', '2026-09-08T00:00:00Z', '--to', '2026-09-09T00:00:00Z'] as const

function usd54(text: string): bigint {
  const parsed = parseDecimalText(text, 54)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

// The thread of its own is tried in looping-strategy.test.ts; here a command costs none.
vi.mock('../../../src/cli/apart/run-apart.ts', async () => {
  const { runCommand } = await import('../../../src/cli/apart-commands.ts')
  const { UNWATCHED } = await import('../../../src/research/jobs/apart/watch-strategy.ts')
  const runApart: typeof RunApart = (command, options) => runCommand(command, options, UNWATCHED)
  return { runApart }
})

const mizani = (...args: readonly string[]) =>
  captured(async () => (await buildProgram(args[0])).parseAsync([...args], { from: 'user' }))

async function backtest(...args: readonly string[]) {
  const { out, exitCode } = await mizani('backtest', '--config', CONFIG, '--json', ...args)
  return { result: JSON.parse(out), exitCode }
}

describe('mizani backtest', () => {
  test('says the same twice, in text what it says in JSON, and writes the report', async () => {
    const report = join(folder, 'report.html')
    const once = await backtest(...DAY)
    const { out, exitCode } = await mizani('backtest', '--config', CONFIG, ...DAY, '--report', report)
    expect([once.exitCode, exitCode]).toEqual([0, 0])
    expect(out).toContain(once.result.digest)
    expect(readFileSync(report, 'utf8')).toContain('inventory-skew')
    const { pnl, identityResidual, fills } = once.result
    expect(fills).toBeGreaterThan(50)
    expect(identityResidual).toEqual({ tzs: '0', usd: '0' })
    for (const terms of [pnl.tzs, pnl.usd]) {
      const { total, ...parts } = terms
      const sum = Object.values(parts).reduce((so, part) => Number(so) + Number(part), 0)
      expect(sum).toBeCloseTo(Number(total), 4)
    }
  })

  test('of two configurations is compared by day, and of two windows is refused', async () => {
    const write = async (name: string, ...args: readonly string[]) => {
      const path = join(folder, name)
      writeFileSync(path, JSON.stringify((await backtest(...args)).result))
      return path
    }
    const [a, b] = [
      await write('a.json', ...DAY),
      await write('b.json', ...DAY, '--params', '{"halfSpreadBps":45}'),
    ]
    const page = join(folder, 'compare.html')
    const compared = await mizani('report', 'compare', a, b, '--out', page, '--json')
    expect(compared.exitCode).toBe(0)
    const { paired, configuration, a: first, b: second } = JSON.parse(compared.out)
    expect(paired.meanUsd * paired.days).toBeCloseTo(
      Number(second.pnl.usd.total) - Number(first.pnl.usd.total),
      6,
    )
    expect(configuration).toContainEqual({ key: 'strategy.params.halfSpreadBps', a: '60', b: '45' })
    expect(readFileSync(page, 'utf8')).toContain('B less A')
    const later = await write('later.json', '--from', '2026-09-09T00:00:00Z')
    const refused = await mizani('report', 'compare', a, later)
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('--from and --to')])
  })

  test('lists every trade and every decision, in CSV and in Parquet alike, and the run is the same', async () => {
    const [trades, decisions] = [join(folder, 'trades.csv'), join(folder, 'decisions.parquet')]
    const plain = await backtest(...DAY)
    const { result } = await backtest(...DAY, '--trades', trades, '--decisions', decisions)
    expect(result.digest).toBe(plain.result.digest)
    const [head, ...rows] = csvRows(readFileSync(trades, 'utf8'), ',').rows.map(({ cells }) => cells)
    const column = (name: string) => rows.map((cells) => cells[head?.indexOf(name) ?? -1] ?? '')
    expect(rows).toHaveLength(result.fills)
    const edge = column('edgeUsd').reduce((sum, text) => sum + usd54(text), 0n)
    expect(edge).toBe(usd54(result.pnl.usd.spreadCapture) + usd54(result.pnl.usd.staleMid))
    expect(column('side').filter((side) => side === 'bid')).toHaveLength(result.bySide.bid.fills)
    expect(new Set(column('because')).size).toBeGreaterThan(10)
    const known = column('markout1HBps').filter((text) => text !== '')
    const { fills } = result.markouts.find((markout: { horizon: string }) => markout.horizon === '1 h')
    expect(known).toHaveLength(fills)

    const compressors = { ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed)) }
    const file = new Uint8Array(readFileSync(decisions)).buffer
    const listed = await parquetReadObjects({ file, compressors })
    expect(listed.filter(({ sent }) => sent)).toHaveLength(result.quoteUpdates)
    expect(listed.filter(({ sent, unsent }) => (sent === true) === (unsent !== null))).toEqual([])
    expect(result.lists).toEqual({
      trades: { path: trades, rows: rows.length },
      decisions: { path: decisions, rows: listed.length },
    })
  })

  test('with drawn takers it says how much of the result is what is not known of them', async () => {
    const { result } = await backtest(...DAY, '--fills', 'thinned', '--replicates', '3', '--seed', '4')
    expect(result.replicates).toMatchObject({ count: 3 })
    expect(result.replicates.pnlUsd.q05).toBeLessThanOrEqual(result.replicates.pnlUsd.q95)
    expect(result.syntheticFills).toBeGreaterThan(0)
    expect(result.warnings.join()).toContain('the same tape')
    const { out } = await mizani(
      'backtest',
      '--config',
      CONFIG,
      ...DAY,
      '--fills',
      'simulated',
      '--replicates',
      '2',
    )
    expect(out).toContain('2 with A')
  })

  test('another strategy, other parameters and another model give another result', async () => {
    const [base, ...others] = [
      await backtest(...DAY),
      await backtest(...DAY, '--params', '{"halfSpreadBps":45}'),
      await backtest(...DAY, '--strategy', 'fixed-spread', '--params', '{"bidBps":50,"askBps":50}'),
      await backtest(...DAY, '--fills', 'thinned'),
    ]
    const digests = others.map(({ result }) => result.digest as string)
    expect(new Set([base.result.digest, ...digests]).size).toBe(4)
    expect(others[1]?.result.strategy).toBe('fixed-spread')
  })

  test.each([
    ['parameters that are no JSON', ['--params', '{'], 2, '--params is not JSON'],
    ['parameters that are no object', ['--params', '[1]'], 2, 'not a JSON object'],
    ['a parameter that there is not', ['--params', '{"halfSpred":1}'], 2, 'did you mean halfSpreadBps'],
    ['a tape that is not there', ['--tape', join(folder, 'none')], 1, 'cannot be read'],
    [
      'a report in a folder that is not there',
      [...DAY, '--report', '/nowhere/r.html'],
      1,
      'cannot be written',
    ],
    ['a list that is neither CSV nor Parquet', ['--trades', 'trades.json'], 2, '.csv or .parquet'],
    ['two lists in one file', ['--trades', 'a.csv', '--decisions', './a.csv'], 2, 'name the same file'],
    ['a list in a folder that is not there', ['--trades', '/nowhere/t.csv'], 1, 'cannot be written'],
    ['a window without a row', ['--from', '2030-01-01T00:00:00Z'], 1, 'is after the end of the tape'],
  ])('%s: exit code and what to do', async (_what, args, code, says) => {
    const { result, exitCode } = await backtest(...args)
    expect(exitCode).toBe(code)
    expect(JSON.stringify(result)).toContain(says)
  })

  test('--like settles as the learned venue does: the same as a configuration that says so, and another result than before', async () => {
    const learned = join(folder, 'venue.json')
    const terms = { bidFormula: 'multiply', protocolFeeBps: 30, toleranceBps: 1 } as const
    const rest = { venue: null, requestsPerMinute: null, publicRequestsPerMinute: null }
    const about = { version: 1, position: 'example', from: null, to: null, events: 0, traits: [] }
    writeFileSync(learned, JSON.stringify({ ...about, sandbox: { ...terms, ...rest, feeFrom: 'pool' } }))
    const own = join(folder, 'own.yaml')
    const text = readFileSync(CONFIG, 'utf8')
    writeFileSync(
      own,
      text
        .replace('protocolFeeBps: 10', 'protocolFeeBps: 30')
        .replace('toleranceBps: 5', 'toleranceBps: 1\n  bidFormula: multiply')
        .replace('tape: ../examples/week', `tape: ${WEEK}`),
    )
    const like = await mizani('backtest', '--config', CONFIG, ...DAY, '--json', '--like', learned)
    expect(like.err).toMatch(/^warning: .*protocol fee/)
    const { result: configured } = await backtest('--config', own, ...DAY)
    const { digest } = JSON.parse(like.out) as { readonly digest: string }
    expect(digest).toBe(configured.digest)
    expect(digest).not.toBe((await backtest(...DAY)).result.digest)
    const { result, exitCode } = await backtest(...DAY, '--like', join(folder, 'absent.json'))
    expect([exitCode, result.error]).toEqual([2, expect.stringContaining('no profile')])
  })

  test('without a tape anywhere it asks for one', async () => {
    const config = join(folder, 'no-tape.yaml')
    const text = readFileSync(CONFIG, 'utf8').replace(/^ {2}tape: .*/m, '  tape: null')
    writeFileSync(config, text)
    const { err, exitCode } = await mizani('backtest', '--config', config)
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--tape PATH')])
  })
})

describe('mizani calibrate', () => {
  test('writes what the configuration then names, and a strategy quotes from it', async () => {
    const file = join(folder, 'calibration.json')
    const made = await mizani('calibrate', '--tape', WEEK, ...DAY, '--out', file)
    expect([made.exitCode, existsSync(file)]).toEqual([0, true])
    const config = join(folder, 'glft.yaml')
    const text = readFileSync(CONFIG, 'utf8')
      .replace(/strategy: .*/, 'strategy: { use: glft, params: {} }\ncalibration: calibration.json')
      .replace(/^ {2}tape: .*/m, `  tape: ${WEEK}`)
    writeFileSync(config, text)
    const { out, exitCode } = await mizani('backtest', '--config', config, '--json', ...DAY)
    expect([exitCode, JSON.parse(out).strategy]).toEqual([0, 'glft'])
    writeFileSync(file, '{"version":2}')
    const refused = await mizani('backtest', '--config', config)
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('is not a calibration')])
  })
})

const storeOf = (name: string, journal: readonly Event[]) => writtenStore(join(folder, name), journal)

function configOf(journal: readonly Event[]): CoreConfig {
  const started = journal.find((event) => event.type === 'started')
  if (started === undefined) throw new Error('the journal has no start')
  return started.config
}

describe('a journal', () => {
  test('of code that was edited since says that whatif runs today’s in its place', async () => {
    const edited = await mizani(
      'whatif',
      '--store',
      await storeOf('edited', halfHourJournal({ sourceHash: 'of old' })),
      '--config',
      CONFIG,
    )
    expect(edited.out).toContain('code of fixed-spread')
    const loaded = await loadStrategy(
      { use: 'fixed-spread', params: { bidBps: 60, askBps: 60 } },
      { folder: strategiesFolder(), baseFolder: folder },
    )
    const today = loaded.ok ? loaded.value.strategy.sourceHash : 'not loaded'
    const same = await mizani(
      'whatif',
      '--store',
      await storeOf('same', halfHourJournal({ sourceHash: today })),
      '--config',
      CONFIG,
    )
    expect(same.out).not.toContain("today's code")
  })

  test('meets the same takers with both configurations, whatever each believes of them', async () => {
    const file = join(folder, 'takers.json')
    await mizani('calibrate', '--tape', WEEK, ...DAY, '--out', file)
    const config = join(folder, 'with-takers.yaml')
    const text = readFileSync(CONFIG, 'utf8')
      .replace(/strategy: .*/, 'strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 60 } }')
      .replace(/^ {2}tape: .*/m, `  tape: ${WEEK}`)
    writeFileSync(config, `${text}calibration: takers.json\n`)
    const store = await storeOf('takers', halfHourJournal())
    const args = ['--store', store, '--config', config, '--fills', 'simulated', '--json']
    const { out } = await mizani('whatif', ...args)
    const { running, wanted } = JSON.parse(out)
    expect(running.fills).toBeGreaterThan(0)
    expect([running.fills, running.turnoverUsd]).toEqual([wanted.fills, wanted.turnoverUsd])
    // A cautious model needs no calibration, and is held against the same one in both columns all the same.
    const cautious = await mizani('whatif', '--store', store, '--config', config, '--json')
    const both = JSON.parse(cautious.out)
    expect(both.running.observedToExpected.expected).toBeGreaterThan(0)
    expect(both.running.observedToExpected).toEqual(both.wanted.observedToExpected)
  })

  test('with two configurations of one strategy says so', async () => {
    const journal = halfHourJournal()
    const last = journal.at(-1)?.t ?? 0
    const config = configOf(journal)
    const longer = { ...config, risk: { ...config.risk, maxMidAgeMs: 3 * DAY_MS + 1 } }
    const reloaded: Event = { type: 'reloaded', t: last, config: longer }
    const path = await storeOf('reloaded', [...journal, reloaded])
    expect((await mizani('parity', '--store', path)).out).toContain('2 configurations')
  })

  test('is decided again as it was, and another configuration is held against it', async () => {
    const path = await storeOf('store', halfHourJournal())

    const parity = await mizani('parity', '--store', path, '--json')
    expect(JSON.parse(parity.out)).toMatchObject({ equal: true, decisions: { differing: 0 } })
    expect((await mizani('parity', '--store', path)).out).toContain('the same decisions')
    const report = join(folder, 'whatif.html')
    const tried = await mizani('whatif', '--store', path, '--config', CONFIG, '--report', report)
    expect([tried.exitCode, tried.out]).toEqual([0, expect.stringContaining('inventory-skew')])
    expect(readFileSync(report, 'utf8')).toContain('wanted less running')
    const asJson = await mizani(
      'whatif',
      '--store',
      path,
      '--config',
      CONFIG,
      '--json',
      '--fills',
      'recorded',
    )
    expect(JSON.parse(asJson.out)).toMatchObject({ running: { strategy: 'fixed-spread' } })
    const nowhere = await mizani('parity', '--store', join(folder, 'none'))
    expect([nowhere.exitCode, nowhere.err]).toEqual([1, expect.stringContaining('no store')])
  })
})

describe('a tape with invalid rows', () => {
  const tape = join(folder, 'broken.jsonl')
  const row = (minute: number) =>
    JSON.stringify({ t: new Date(MINUTE_MS * minute).toISOString(), type: 'rate', midRateTZS: '2500' })
  const balances = JSON.stringify({
    t: new Date(0).toISOString(),
    type: 'balances',
    ntzs: '1000',
    usdc: '10',
  })
  const rows = [row(0), balances, ...Array.from({ length: 50 }, (_, minute) => row(minute + 1))]
  writeFileSync(tape, [...rows, 'no row', 'nor this'].join('\n'))
  const run = ['backtest', '--config', CONFIG, '--tape', tape, '--json'] as const

  test('is refused with exit code 1 where more than 1 % is skipped, and accepted with --allow-skipped', async () => {
    const refused = await mizani(...run)
    expect(refused.exitCode).toBe(1)
    expect(JSON.parse(refused.out).error).toContain('2 of 54 rows')
    const accepted = await mizani(...run, '--allow-skipped')
    expect(accepted.exitCode).toBe(0)
    expect(JSON.parse(accepted.out).warnings[0]).toContain('2 of 54 rows')
    const calibrated = await mizani('calibrate', '--tape', tape, '--json')
    expect(calibrated.exitCode).toBe(1)
    expect(JSON.parse(calibrated.out).error).toContain('--allow-skipped')
  })

  test('with a window beyond its end is refused with the moments that it has', async () => {
    for (const command of [run, ['calibrate', '--tape', tape, '--json']]) {
      const { out, exitCode } = await mizani(...command, '--from', '2026-01-01')
      expect(exitCode).toBe(1)
      expect(JSON.parse(out).error).toContain('rows are from 1970-01-01 00:00')
    }
  })
})

describe('a window beyond the end', () => {
  test('of a journal is refused by whatif with the moments that there are', async () => {
    const store = await storeOf('short', halfHourJournal())
    const args = ['--store', store, '--config', CONFIG, '--from', '2030-01-01T00:00:00Z', '--json']
    const { out, exitCode } = await mizani('whatif', ...args)
    expect(exitCode).toBe(1)
    expect(JSON.parse(out).error).toMatch(/rows are from 2026-09-0[67]/)
  })

  test('of a tape is refused by sweep', async () => {
    const grid = JSON.stringify({ 'strategy.params.halfSpreadBps': [45] })
    const args = ['--config', CONFIG, '--from', '2030-01-01T00:00:00Z', '--grid', grid]
    const { out, exitCode } = await mizani('sweep', ...args, '--out', join(folder, 'beyond'), '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(out).error).toContain('UTC is after')
  })
})

test('console.log of a strategy writes nothing: the answer of --json is one document with the reason', async () => {
  const chatty = join(folder, 'chatty.ts')
  writeFileSync(
    chatty,
    `import { defineStrategy, z } from '#kit'
    export default defineStrategy({
      name: 'chatty',
      params: z.strictObject({}),
      init: () => ({}),
      quote() {
        console.log('hello')
        return { bidBps: 60, askBps: 60, reasons: [] }
      },
    })`,
  )
  const { result, exitCode } = await backtest(...DAY, '--strategy', chatty)
  expect([exitCode, result.exitCode]).toEqual([1, 1])
  expect(result.error).toMatch(
    /^the strategy was suspended before its first fill, at 2026-09-08T.*\(reading 'log'\)/,
  )
  expect(result.suspension).toMatchObject({ fillsBefore: 0 })
  expect(result.warnings.join(' ')).toContain("(reading 'log')")
})
