import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { infiniteFigures } from '../../../../../src/research/jobs/model/door.ts'
import { DOORS } from '../../../../../src/research/jobs/model/doors.ts'

type Schema = {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
}

/** Lists and sizes of grids are drawn small, as a test has seconds where the command has a minute. */
const SHORT = 4
const SMALL: Readonly<Record<string, number>> = { Q: 12, paths: 20 }
/** A simulation of more steps takes a second. */
const MOST_STEPS = 10_000
const RUNS = 8

/** Whatever a schema admits, with the ends of each range and every order of magnitude. */
function anyOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const { type, minimum = -1e6, maximum = 1e6, items, properties } = schema
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (type === 'integer') return fc.integer({ min: minimum, max: Math.min(SMALL[name] ?? maximum, maximum) })
  if (type === 'number') return anyNumber(minimum, Math.min(SMALL[name] ?? maximum, maximum))
  if (type === 'array')
    return fc.array(anyOf(items ?? {}), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.max(schema.minItems ?? 0, Math.min(SHORT, schema.maxItems ?? SHORT)),
    })
  if (type === 'boolean') return fc.boolean()
  if (type === 'string') return fc.string({ maxLength: 5 })
  if (properties === undefined)
    return fc.dictionary(
      fc.string({ minLength: 1, maxLength: 3 }),
      anyOf(schema.additionalProperties as Schema),
      { maxKeys: 3 },
    )
  const fields = Object.entries(properties).map(([key, inner]) => [key, anyOf(inner, key)] as const)
  const required = Object.keys(properties).filter((key) => schema.required?.includes(key))
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

function anyNumber(least: number, most: number): fc.Arbitrary<number> {
  const smallest = Math.max(least, Math.min(most, 1e-6))
  const plain = fc.double({ min: least, max: most, noNaN: true })
  if (!(smallest > 0)) return plain
  const magnitudes = fc
    .double({ min: Math.log10(smallest), max: Math.log10(most), noNaN: true })
    .map((x) => Math.min(most, Math.max(smallest, 10 ** x)))
  return fc.oneof(magnitudes, fc.constantFrom(least, most), plain)
}

function figureAt(answer: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>>)[step], answer)
}

/** JSON has no -0. */
function plainZeros(value: unknown): unknown {
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map(plainZeros)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainZeros(inner)]))
}

describe('any parameters that a schema admits', () => {
  test.each(DOORS.map((door) => [door.name, door] as const))(
    '%s answers with finite figures, or with an error that names the parameters or an overflow, never with NaN',
    (_, door) => {
      const params = anyOf(z.toJSONSchema(door.params, { io: 'input' }) as Schema)
      const example = JSON.parse(door.example) as Record<string, number>
      for (const [name, most] of Object.entries(SMALL)) if (name in example) example[name] = most
      let answered = 0
      fc.assert(
        fc.property(params, fc.double({ min: 0, max: 1, noNaN: true }), (drawn, kept) => {
          // Parameters that must fit together rarely do when all are drawn: some are those of the example.
          const names = Object.entries({ ...(drawn as object) }).filter(
            (_entry, index) => ((index + 1) * 0.618 + kept) % 1 > kept,
          )
          const asked: Readonly<Record<string, unknown>> = { ...example, ...Object.fromEntries(names) }
          fc.pre(!(Number(asked['T']) / Number(asked['dt']) > MOST_STEPS))
          const answer = door.answer(asked, () => undefined)
          if (!answer.ok) {
            expect(answer.error.every(({ message }) => message.length > 0)).toBe(true)
            return
          }
          answered++
          // The command refuses an answer that overflows and names the figure; NaN would be a mistake of the model.
          const infinite = infiniteFigures(answer.value)
          expect(infinite.filter((path) => Number.isNaN(figureAt(answer.value, path)))).toEqual([])
          if (infinite.length > 0) return
          expect(JSON.parse(JSON.stringify(answer.value))).toEqual(plainZeros(answer.value))
        }),
        // The example alone, so that one is answered however the others are drawn.
        { numRuns: RUNS, examples: [[{}, 0]] },
      )
      expect(answered).toBeGreaterThan(0)
    },
  )
})
