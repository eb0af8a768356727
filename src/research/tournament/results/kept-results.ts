import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { EntrantVariant } from '../entrant.ts'
import type { PlayedWorld, PlayResult } from '../job.ts'

const FILE = 'results.jsonl'

/** Results of played worlds, stored in a folder as they arrive. */
export type KeptResults = {
  readonly get: (key: string) => PlayedWorld | undefined
  /** Appends results, on disk when it returns. Throws if the folder cannot be written. */
  readonly add: (results: readonly PlayResult[]) => void
  readonly count: () => number
  readonly close: () => void
}

/**
 * Returns the key of a result: it contains everything that determines the result, including the code, so that a folder can
 * hold the results of many tournaments without confusion.
 */
export function resultKey(
  identity: { readonly product: string; readonly sourceHash: string },
  world: { readonly scenario: Scenario; readonly days: number; readonly seed: number },
  { use: _name, entrant: _entrant, label: _label, ...variant }: EntrantVariant,
): string {
  const text = JSON.stringify([identity, world, variant])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Opens the folder and reads its results. An incomplete last line from a killed process is cut off. */
export function openResults(folder: string): Result<KeptResults, string> {
  const path = join(folder, FILE)
  try {
    mkdirSync(folder, { recursive: true })
    const read = existsSync(path) ? readLines(path) : ok(new Map<string, PlayedWorld>())
    if (!read.ok) return read
    const results = read.value
    const file = openSync(path, 'a')
    return ok({
      get: (key) => results.get(key),
      count: () => results.size,
      add(added) {
        const lines = added.map((one) => `${JSON.stringify(one)}\n`).join('')
        writeSync(file, lines)
        for (const { key, result } of added) results.set(key, result)
      },
      close() {
        fsyncSync(file)
        closeSync(file)
      },
    })
  } catch (thrown) {
    return err(`--out ${folder}: ${errorText(thrown)}`)
  }
}

const number = z.number('a number was expected')
const count = z.int('a whole number was expected')
const playSchema = z.object({
  key: z.string('a text was expected'),
  result: z
    .object(
      {
        pnlUsd: number,
        retailUsd: number,
        informedUsd: number,
        restockingUsd: number,
        carryUsd: number,
        dailyUsd: z.array(number, 'a list was expected'),
        drawdownUsd: number,
        emptyShare: number,
        inventoryUsd: number,
        fills: z.object({ retail: count, informed: count }, 'two numbers were expected'),
        tradedUsd: number,
        restockings: count,
        policy: z
          .object({ compared: count, meanBps: number, p99Bps: number, switchedShare: number })
          .optional(),
      },
      'figures were expected',
    )
    .refine(addsUp, 'its parts, or its days, do not add up to pnlUsd'),
})

/** See `WorldResult`: the days are not rounded. */
function addsUp(world: Omit<PlayedWorld, 'policy'>): boolean {
  const { pnlUsd, retailUsd, informedUsd, restockingUsd, carryUsd, dailyUsd } = world
  const parts = retailUsd + informedUsd + restockingUsd + carryUsd
  const days = dailyUsd.reduce((sum, day) => sum + day, 0)
  return Math.abs(parts - pnlUsd) < 1e-6 && Math.abs(days - pnlUsd) < 1e-6 * (dailyUsd.length + 1)
}

/** Two processes with one folder may play a world twice, with equal results. */
function readLine(line: string, results: ReadonlyMap<string, PlayedWorld>): z.output<typeof playSchema> {
  const read = playSchema.safeParse(JSON.parse(line))
  if (!read.success)
    throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  const before = results.get(read.data.key)
  if (before !== undefined && worldText(before) !== worldText(read.data.result))
    throw new Error('an earlier line has another result under its key')
  return read.data
}

/** Whether quotes were compared with exact ones is not part of the key. */
function worldText({ policy: _difference, ...world }: PlayedWorld): string {
  return JSON.stringify(world)
}

function readLines(path: string): Result<Map<string, PlayedWorld>, string> {
  const results = new Map<string, PlayedWorld>()
  const text = readFileSync(path, 'utf8')
  const whole = text.lastIndexOf('\n') + 1
  if (whole < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, whole)))
  const lines = text.slice(0, whole).split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    try {
      const { key, result } = readLine(line, results)
      results.set(key, result)
    } catch (thrown) {
      return err(
        `${path}:${index + 1} is not a result (${errorText(thrown)}); remove the line, and its world is played again`,
      )
    }
  }
  return ok(results)
}
