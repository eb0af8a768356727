import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFillModel } from '../../../src/research/backtest/fill-models/create-fill-model.ts'
import { FILL_MODELS, type FillModelName } from '../../../src/core/models/fill-models.ts'
import { encodeRow } from '../../../src/store/tape/model/encode-row.ts'
import { openTape } from '../../../src/store/tape/folder/open-tape.ts'
import type { TapeSource } from '../../../src/store/tape/model/batch.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { calibrationOf, runTape, sourceOf } from '../../support/backtest-tape.ts'
import { WATCHERS } from '../../support/backtest-strategies.ts'
import { happenings, tapeOf } from './any-tape.ts'

const folder = mkdtempSync(join(tmpdir(), 'order-'))

const strategy = fc.constantFrom('inventory-skew', 'looks at the competition', 'looks at its fills')
const model = fc.constantFrom(...FILL_MODELS)
const seed = 20_261_102

async function outcomeOf(source: TapeSource, name: string, fills: FillModelName) {
  const chosen = createFillModel({
    name: fills,
    seed: 3,
    calibration: calibrationOf(200, 1 / 60),
    draws: false,
  })
  const watcher = WATCHERS[name]?.()
  const { outcome, told } = await runTape(source, {
    fills: chosen,
    ...(watcher === undefined ? {} : { strategy: watcher }),
  })
  const { digest, from, to, events, fills: count, held } = outcome
  return { digest, from, to, events, count, held, told }
}

function fromText(lines: readonly string[]): TapeSource {
  const file = join(folder, 'tape.jsonl')
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  const tape = openTape(file)
  if (!tape.ok) throw new Error(tape.error)
  return tape.value
}

/** The lines of a tape with those of equal time in an order of their own. */
function shuffled(rows: readonly TapeRow[], keys: readonly number[]): string[] {
  const keyed = rows.map((row, index) => ({ row, key: keys[index % keys.length] ?? 0, index }))
  keyed.sort((a, b) => a.row.t - b.row.t || a.key - b.key || b.index - a.index)
  return keyed.map(({ row }) => encodeRow(row))
}

describe('the order of a tape', () => {
  test('lines of equal time may stand in any order', async () => {
    let moved = 0
    await fc.assert(
      fc.asyncProperty(
        happenings(20_000, 30),
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 30 }),
        strategy,
        model,
        async (list, keys, name, fills) => {
          // Often nothing passes between two things that happen.
          const rows = tapeOf(
            list.map(({ afterMs, row }, index) => ({ afterMs: index % 3 === 0 ? afterMs : 0, row })),
          )
          const [straight, mixed] = [rows.map(encodeRow), shuffled(rows, keys)]
          moved += mixed.filter((line, index) => line !== straight[index]).length
          const one = await outcomeOf(fromText(straight), name, fills)
          expect(await outcomeOf(fromText(mixed), name, fills)).toEqual(one)
          expect(await outcomeOf(sourceOf(rows), name, fills)).toEqual(one)
        },
      ),
      { numRuns: 20, seed },
    )
    expect(moved).toBeGreaterThan(60)
  })

  test('where a tape is cut into batches does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(
        happenings(600_000, 30),
        fc.array(fc.nat(32), { minLength: 1, maxLength: 33 }),
        strategy,
        model,
        async (list, cuts, name, fills) => {
          const rows = tapeOf(list)
          const inside = cuts.map((cut) => cut % rows.length)
          const whole = await outcomeOf(sourceOf(rows), name, fills)
          expect(await outcomeOf(sourceOf(rows, inside), name, fills)).toEqual(whole)
          expect(
            await outcomeOf(
              sourceOf(
                rows,
                rows.map((_, index) => index),
              ),
              name,
              fills,
            ),
          ).toEqual(whole)
        },
      ),
      { numRuns: 20, seed },
    )
  })

  test('another seed changes only what is drawn', async () => {
    const digest = async (rows: readonly TapeRow[], fills: FillModelName, of: number) => {
      const chosen = createFillModel({
        name: fills,
        seed: of,
        calibration: calibrationOf(200, 1 / 60),
        draws: false,
      })
      return (await runTape(rows, { fills: chosen })).outcome.digest
    }
    const differing = new Set<FillModelName>()
    await fc.assert(
      fc.asyncProperty(
        happenings(600_000, 20),
        fc.integer({ min: 1, max: 1e6 }),
        model,
        async (list, of, fills) => {
          const rows = tapeOf(list)
          const one = await digest(rows, fills, of)
          expect(await digest(rows, fills, of)).toBe(one)
          if ((await digest(rows, fills, of + 1)) !== one) differing.add(fills)
        },
      ),
      { numRuns: 20, seed },
    )
    expect([...differing].toSorted()).toEqual(['simulated', 'thinned'])
  })
})
