import { describe, expect, test } from 'vitest'
import { compareRows } from '../../../../src/store/tape/model/encode-row.ts'
import { ROW_KINDS, type TapeRow } from '../../../../src/store/tape/model/row.ts'
import { createFillModel } from '../../../../src/research/backtest/fill-models/create-fill-model.ts'
import {
  balancesRow,
  bringsUsdc,
  MID,
  NTZS,
  quoteRow,
  rateRow,
  referenceRow,
  rivalRow,
  runTape,
  START,
} from '../../../support/backtest-tape.ts'
import { testStrategy } from '../../../support/test-strategy.ts'

const at = (seconds: number) => START + seconds * 1_000
const opening = [rateRow(START, MID), balancesRow(START), quoteRow(START, 500, 500)]
const end = rateRow(at(100), MID + NTZS)
const inOrder = (rows: readonly TapeRow[]) => rows.toSorted(compareRows)

describe('rows of equal time', () => {
  test('a fill is priced at the mid that was published in its millisecond, and marked at its reference', async () => {
    const rows = [
      bringsUsdc(at(50), 'f', 10),
      rateRow(at(50), MID + NTZS),
      referenceRow(at(50), MID + 3n * NTZS),
    ]
    const { told } = await runTape(inOrder([...opening, ...rows, end]))
    expect(told.fills.map(({ mid, fair }) => [mid, fair])).toEqual([[MID + NTZS, MID + 3n * NTZS]])
  })

  test('a fill is held against the quote that was confirmed in its millisecond', async () => {
    const narrow = [bringsUsdc(at(50), 'lost', 10), quoteRow(at(50), 50, 50)]
    expect((await runTape(inOrder([...opening, ...narrow, end]))).outcome.fills).toBe(0)
    const wide = [quoteRow(at(40), 50, 50), bringsUsdc(at(50), 'won', 10), quoteRow(at(50), 70, 70)]
    expect((await runTape(inOrder([...opening, ...wide, end]))).outcome.fills).toBe(1)
  })

  test('a fill meets the rival that was shown in its millisecond', async () => {
    const fills = () => createFillModel({ name: 'routed', seed: 1, calibration: null, draws: false })
    const rows = [bringsUsdc(at(50), 'lost', 10), rivalRow(at(50), 'ask', 40), bringsUsdc(at(49), 'won', 10)]
    const { told } = await runTape(inOrder([...opening, ...rows, end]), { fills: fills() })
    expect(told.fills.map(({ id }) => id)).toEqual(['won'])
  })

  test('fills of one millisecond trade in the order of their text, until the pool is empty', async () => {
    const rows = [bringsUsdc(at(50), 'b', 30), bringsUsdc(at(50), 'a', 20), bringsUsdc(at(50), 'c', 20)]
    const settings = { opening: { NTZS: 130_000n * NTZS } }
    const { told } = await runTape(inOrder([...opening, ...rows, end]), { settings })
    expect(told.fills.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(told.rejected).toEqual([{ t: at(50), side: 'ask', why: 'inventory' }])
  })

  test('what the core does at a moment comes after what the tape says of it', async () => {
    const { told } = await runTape([...opening, bringsUsdc(START + 250, 'as the PATCH lands', 10), end])
    expect(told.fills.map(({ bps }) => bps)).toEqual([500])
    expect(told.quotes[0]?.t).toBe(START + 250)
  })

  test('decisions on the tape are no input', async () => {
    const decision: TapeRow = {
      type: 'decision',
      t: at(20),
      state: 'HALTED',
      bidBps: null,
      askBps: null,
      because: ['a daemon of long ago'],
    }
    const rows = [...opening, bringsUsdc(at(50), 'f', 10), end]
    const strategy = testStrategy()
    const [without, given] = [
      await runTape(rows, { strategy }),
      await runTape(inOrder([...rows, decision]), { strategy }),
    ]
    expect(given.outcome.digest).toBe(without.outcome.digest)
    expect(ROW_KINDS.at(-1)).toBe('decision')
  })
})
