import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/time.ts'
import { readCalibration } from '../../src/daemon/config/load/calibration.ts'
import type { Calibration } from '../../src/core/models/calibration.ts'
import { encodeRow } from '../../src/store/tape/model/encode-row.ts'
import { ROW_KINDS } from '../../src/store/tape/model/row.ts'
import { drawRows, GOLDEN_MARKET, MONDAY } from '../unit/research/calibration/drawn-tape.ts'
import { positionFolder } from './daemon/position-folder.ts'
import { runMizani } from './daemon/run-mizani.ts'

// From a recording of a market with known takers to the file that strategies read, as a person would.

const folder = mkdtempSync(join(tmpdir(), 'mizani-calibrate-'))
const position = positionFolder('http://127.0.0.1:9')
const tape = join(folder, 'tape.jsonl')

beforeAll(() => {
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled')
  const rows = drawRows({ ...GOLDEN_MARKET, rivalReachBps: 40 }).toSorted(
    (a, b) => a.t - b.t || ROW_KINDS.indexOf(a.type) - ROW_KINDS.indexOf(b.type),
  )
  writeFileSync(tape, rows.map((row) => `${encodeRow(row)}\n`).join(''))
})

afterAll(() => {
  position.remove()
})

const calibrate = (...args: string[]) => runMizani(['calibrate', ...args])

describe.concurrent('mizani calibrate', () => {
  test('says A, k, sigma, markouts and sizes, each with what it rests on', async () => {
    const report = join(folder, 'calibration.html')
    const { code, out, err } = await calibrate('--tape', tape, '--report', report)
    expect(readFileSync(report, 'utf8')).toContain('Fills against half-spread')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^A {12}\d\d\.\d \(90 % CI [\d.]+ to [\d.]+\) /m)
    expect(out).toMatch(/^k {12}0\.01\d+ .* {3}1\/k = \d\d\.\d \(90 % CI .*\) bps$/m)
    expect(out).toMatch(/ {3}\d{3} fills in \d\d\.\d days /)
    expect(out).toMatch(/^A bid .*\n.*k bid .*\n.*\n^A ask .*\n^k ask /m)
    expect(out).toMatch(/^sigma .* {3}by 21 prints$/m)
    expect(out).toMatch(/^markouts {5}.* \d{3} fills by \d\d /m)
    expect(out).toMatch(/^sizes {8}5 % below [\d.]+ .* {3}95 % below [\d.]+$/m)
    expect(out).toMatch(/^warning {6}For \d+ % of /m)
  })

  test('writes the file that a configuration names before it is there, equal to what it prints as JSON', async () => {
    const config = position.configure({ calibration: 'learned.json', backtest: { tape } })
    const out = join(position.path, 'learned.json')
    const { code, out: printed } = await calibrate('--config', config, '--out', out, '--json')
    expect(code).toBe(0)
    const document = JSON.parse(printed) as Calibration
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(document)
    const read = readCalibration(out)
    expect(read.ok && read.value.learned).toEqual(document)
    expect(document.both.k.low).toBeLessThan(1 / 60)
    expect(document.both.k.high).toBeGreaterThan(1 / 60)
    expect(document.both.a.low).toBeLessThan(40)
    expect(document.both.a.high).toBeGreaterThan(40)
    expect(readdirSync(position.path).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('is the same again with the same seed, and its window and tolerance count', async () => {
    const run = async (...args: string[]) =>
      JSON.parse((await calibrate('--tape', tape, '--json', ...args)).out) as Calibration
    const [first, again, half, exact] = await Promise.all([
      run('--seed', '7'),
      run('--seed', '7'),
      run('--to', new Date(MONDAY + 10 * DAY_MS).toISOString()),
      run('--tolerance-bps', '0'),
    ])
    expect(again).toEqual(first)
    expect(half.to).toBeLessThan(MONDAY + 10 * DAY_MS)
    expect(half.fills).toBeLessThan(0.7 * first.fills)
    expect(exact.both.exposureDays).not.toBe(first.both.exposureDays)
  })

  test.each([
    ['no tape', [], 2, /no tape: give --tape PATH/],
    ['a tape that is not there', ['--tape', '/no/such/tape'], 1, /\/no\/such\/tape cannot be read/],
    [
      'a tolerance out of range',
      ['--tape', 'x', '--tolerance-bps', '501'],
      2,
      /Expected a .*number from 0 to 500/,
    ],
    ['a text that is no time', ['--tape', 'x', '--from', 'monday'], 2, /Expected a time like /],
  ] as const)('refuses %s and names what is expected', async (_what, args, code, message) => {
    const refused = await calibrate(...args)
    expect(refused.code).toBe(code)
    expect(refused.err).toMatch(message)
  })

  test('leaves nothing behind where it cannot write, and speaks JSON about it', async () => {
    const out = join(folder, 'no-such-folder', 'learned.json')
    const refused = await calibrate('--tape', tape, '--out', out, '--json')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({ exitCode: 1 })
    expect(refused.out).toMatch(/\(ENOENT\)/)
    expect(existsSync(out)).toBe(false)
  })
})
