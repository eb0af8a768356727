import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'

/** Prints a sentence to stderr, so that `--json` remains one document. */
type Warn = (sentence: string) => void

/** A model as computed by `mizani model NAME`. */
export type Door = {
  /** The name on the command line. */
  readonly name: string
  /** One line in the list of models. */
  readonly summary: string
  /** Who published it, and when. */
  readonly source: string
  /** Every parameter describes its unit in `.describe`. */
  readonly params: z.ZodObject
  /** Example parameters as JSON. */
  readonly example: string
  /** Description and unit of each field of the answer by its path: `base`, `exact[].bid`; `*` is any name. */
  readonly figures: Readonly<Record<string, string>>
  /** Returns the figures by name, or the problems of the parameters. */
  readonly answer: (data: unknown, warn: Warn) => Result<object, readonly z.core.$ZodIssue[]>
}

type Definition<Shape extends z.core.$ZodLooseShape> = Omit<Door, 'params' | 'answer'> & {
  readonly params: z.ZodObject<Shape, z.core.$strict>
  /** Pure except for `warn`, for a model that falls back to a simpler one; a field of the answer names it too. */
  readonly run: (params: z.output<z.ZodObject<Shape, z.core.$strict>>, warn: Warn) => object
}

/** Creates a door: `run` receives only validated parameters. */
export function defineDoor<Shape extends z.core.$ZodLooseShape>({
  params,
  run,
  ...names
}: Definition<Shape>): Door {
  return {
    ...names,
    params,
    answer(data, warn) {
      const parsed = params.safeParse(data)
      return parsed.success ? ok(run(parsed.data, warn)) : err(parsed.error.issues)
    },
  }
}

/** A number from `min` to `max`; `meaning` includes its unit. */
export function real(min: number, max: number, meaning: string) {
  return z.number().min(min).max(max).describe(meaning)
}

/** A whole number from `min` to `max`; `meaning` includes its unit. */
export function whole(min: number, max: number, meaning: string) {
  return z.int().min(min).max(max).describe(meaning)
}

/** A spread, an error or a volatility of at most 10,000 bps. */
export function bps(meaning: string) {
  return real(0, 1e4, meaning)
}

/** The tolerance of the venue's router. */
export const toleranceBps = whole(0, 490, 'the router picks round-robin within this many bps of the lowest')

/** Returns the paths of numbers that are NaN or infinite: such a figure is an error and never printed. */
export function infiniteFigures(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    infiniteFigures(inner, path === '' ? key : `${path}.${key}`),
  )
}

/** Returns the paths of all fields of an answer in the form of `figures`: `base`, `exact[].bid`. */
export function figurePaths(value: object, path = ''): readonly string[] {
  const paths = Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const name = path === '' ? key : `${path}.${key}`
    if (Array.isArray(inner)) return inner.flatMap((item: unknown) => pathsOf(item, `${name}[]`))
    return pathsOf(inner, name)
  })
  return [...new Set(paths)]
}

function pathsOf(value: unknown, path: string): readonly string[] {
  return typeof value === 'object' && value !== null ? figurePaths(value, path) : [path]
}
