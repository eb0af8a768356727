import { type ConfigProblem, excerptAt, type PathStep, pathText, type SecretRange } from './problem.ts'
import type { LineCounter } from 'yaml'

/** Offsets of a key and of its value in the text. */
export type SourcePlace = {
  readonly key: readonly [number, number]
  readonly value: readonly [number, number]
}

/** The configuration as plain data, with the position of each part. */
export type YamlTree = {
  readonly data: Readonly<Record<string, unknown>>
  readonly places: ReadonlyMap<string, SourcePlace>
  readonly hidden: readonly SecretRange[]
}

/** A problem with a range of the text, before line and column are counted. */
export type RawProblem = {
  readonly path: readonly PathStep[]
  readonly range: readonly [number, number]
  readonly message: string
}

/** Returns the key of a path in `places`. */
export function placeKey(path: readonly PathStep[]): string {
  return JSON.stringify(path)
}

/** Turns findings into problems with file, line, column and an excerpt. */
export class ProblemLocator {
  readonly #file: string
  readonly #text: string
  readonly #lines: LineCounter
  readonly #hidden: readonly SecretRange[]

  constructor(file: string, text: string, lines: LineCounter, hidden: readonly SecretRange[]) {
    this.#file = file
    this.#text = text
    this.#lines = lines
    this.#hidden = hidden
  }

  at(problem: RawProblem): ConfigProblem {
    const { line, col } = this.#lines.linePos(problem.range[0])
    return {
      file: this.#file,
      line: Math.max(1, line),
      column: Math.max(1, col),
      path: pathText(problem.path),
      message: problem.message,
      excerpt: excerptAt(this.#text, problem.range, this.#hidden),
    }
  }
}
