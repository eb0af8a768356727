import type { PathStep } from './config-problem.ts'
import type { HiddenRange } from './excerpt.ts'

/** Offsets of a key and of its value in the text. */
export type Place = { readonly key: readonly [number, number]; readonly value: readonly [number, number] }

/** The configuration as plain data, and where each piece of it stands. */
export type YamlTree = {
  readonly data: Readonly<Record<string, unknown>>
  readonly places: ReadonlyMap<string, Place>
  readonly hidden: readonly HiddenRange[]
}

/** Something wrong at a range of the text, before line and column are counted. */
export type RawProblem = {
  readonly path: readonly PathStep[]
  readonly range: readonly [number, number]
  readonly message: string
}

/** The key under which `places` keeps a path. */
export function placeKey(path: readonly PathStep[]): string {
  return JSON.stringify(path)
}
