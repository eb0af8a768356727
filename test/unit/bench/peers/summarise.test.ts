import { describe, expect, test } from 'vitest'
import { peersTable } from '../../../../bench/figures/peers-table.ts'
import { childrensSeconds } from '../../../../bench/peers/run-engine.ts'
import type { Engine, TapeName } from '../../../../bench/peers/plan.ts'
import { engineRunOf, summarise, type Sample } from '../../../../bench/peers/summarise.ts'

const exact = { fills: 100, lots: 0, cash: 0n, pnl: 0n, ownBps: new Int16Array(0) }

function sample(name: string, tapeName: TapeName, cpuSeconds: number, fills = 100, cash = '0'): Sample {
  const engine: Engine = {
    name,
    tapes: [tapeName],
    share: 1,
    isCommand: name.startsWith('`'),
    isRepeated: true,
    program: () => ({ program: 'true', words: [] }),
  }
  const choice = { kind: 'walk', mids: 1, takerEvery: null, stepMs: 1 } as const
  return {
    engine,
    tapeName,
    tape: { choice, rows: 1_000_000, exact: { ...exact, fills }, folder: '', parquet: null },
    lastMid: 2_500,
    run: { cpuSeconds, wallSeconds: 9, peakMiB: 50, fills, lots: 0, cash },
    process: { stdout: '', cpuSeconds: 2, wallSeconds: 3 },
  }
}

describe('the comparison with the peers', () => {
  test('takes the median of the rounds, and the ratio to the fastest peer of the tape', () => {
    const walk = 'walk, .5 %'
    const { lines, toBestPeer } = summarise([
      sample('mizani, warm', walk, 9),
      sample('mizani, warm', walk, 0.5),
      sample('mizani, warm', walk, 0.4),
      sample('mizani, first run', walk, 0.1),
      sample('fast peer', walk, 1),
      sample('slow peer', walk, 20),
    ])
    expect(lines.map(({ rowsPerSecond }) => rowsPerSecond)).toEqual([2e6, 1e7, 1e6, 5e4])
    expect(toBestPeer).toEqual({ [walk]: { ratio: 2, peer: 'fast peer' } })
  })

  test('has no ratio where no peer ran, and one fill more from both still tapes', () => {
    const { toBestPeer, fillMoreUs } = summarise([
      sample('mizani, warm', 'still, .5 %', 1, 1_000),
      sample('mizani, warm', 'still, 1 %', 1.01, 3_000),
    ])
    expect(toBestPeer).toEqual({})
    expect(fillMoreUs).toEqual({ 'mizani, warm': 5 })
  })

  test('one inexact round makes the line inexact', () => {
    const { lines } = summarise([
      sample('peer', 'still, 1 %', 1),
      sample('peer', 'still, 1 %', 1, 100, '0.5'),
    ])
    expect(lines[0]).toMatchObject({
      isExact: false,
      judged: expect.stringMatching(/^100 fills right, .* 5\.0e-1 TZS$/),
    })
  })

  test('is shown with losses, commands apart and what is missing', () => {
    const summary = summarise([
      sample('mizani, warm', 'walk, 1 %', 2),
      sample('peer', 'walk, 1 %', 1, 100, '-0.25'),
      sample('`mizani backtest`', 'year', 2),
    ])
    const table = peersTable({ ...summary, missing: ['cargo is missing.'] })
    expect(table).toContain('| mizani, warm |  |  |  | 0.5 |  | 50 | exact |')
    expect(table).toContain(
      '| peer |  |  |  | 1 |  | 50 | walk, 1 %: 100 fills right, money off by -2.5e-1 TZS |',
    )
    expect(table).toContain('| **mizani, warm, by the fastest peer** |  |  |  | **0.5** (peer) |')
    expect(table).toContain('| `mizani backtest`, a year of mids, one per minute, 1000000 rows | 2 | 3 |')
    expect(table.endsWith('\n\ncargo is missing.')).toBe(true)
  })
})

describe('what a program printed', () => {
  test("is the last line of an engine, and the command's document with its cash to the last unit", () => {
    const ran = { cpuSeconds: 2, wallSeconds: 3 }
    expect(engineRunOf({ ...ran, stdout: 'loading\n{"lots":3}\n' }, false)).toEqual({ lots: 3 })
    const document = {
      fills: 7,
      opening: { NTZS: '130000000', USDC: '50000' },
      finalBalances: { NTZS: '129999999.000000000000000001', USDC: '50200' },
    }
    expect(engineRunOf({ ...ran, stdout: JSON.stringify(document) }, true)).toMatchObject({
      fills: 7,
      lots: 2,
      cash: '-0.999999999999999999',
    })
  })

  test("ends with the shell's times, of which the children's are the program's processor time", () => {
    expect(childrensSeconds('a warning\n0m0.010s 0m0.020s\n1m2.500s 0m0.750s\n')).toBe(63.25)
    expect(() => childrensSeconds('killed')).toThrow('shell printed killed')
  })
})
