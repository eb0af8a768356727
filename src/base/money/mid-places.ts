import type { Rate } from './rate.ts'

/** Room for mids from outside of a column. */
const ROOM = 16

/** Mids by place: exactly, and as doubles, which have the order of the exact mids unless they are equal. */
export class MidPlaces {
  readonly rates: Rate[]
  /** TZS per USD. */
  readonly tzs: Float64Array
  readonly #column: readonly Rate[]

  constructor(column: readonly Rate[]) {
    this.rates = [...column]
    this.#column = column
    this.tzs = new Float64Array(column.length + ROOM)
    for (const [place, rate] of column.entries()) this.tzs[place] = Number(rate) / 1e18
  }

  isOf(column: readonly Rate[]): boolean {
    return column === this.#column
  }

  /** Forgets the mids from outside of the column. */
  clear(): void {
    this.rates.length = this.#column.length
  }

  /** Returns a place for a mid from outside of the column. */
  add(rate: Rate): number {
    this.tzs[this.rates.length] = Number(rate) / 1e18
    return this.rates.push(rate) - 1
  }

  /** Two places of a column may have one mid. */
  isEqual(one: number, other: number): boolean {
    return one === other || (this.tzs[one] === this.tzs[other] && this.rates[one] === this.rates[other])
  }
}
