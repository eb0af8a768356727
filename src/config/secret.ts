import { inspect } from 'node:util'

/**
 * A value that prints as '[secret]' wherever it is logged, inspected, joined or serialised. Only `reveal`
 * gives it away, so that a search for that word finds every place where a key leaves our hands.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
