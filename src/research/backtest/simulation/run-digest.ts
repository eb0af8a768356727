import { createHash } from 'node:crypto'
import type { Spread } from '../../../core/engine/model/effect.ts'
import type { Ms } from '../../../base/time.ts'

const SIZE = 32_768
const ASCII = 127
const MILLION = 1e6
/** A larger number is converted to text first. */
const LARGEST = 1e15

/**
 * sha-256 over every PATCH, every other request, every fill, every refill and the final balances of a run, one UTF-8
 * line each. Lines are written as bytes, because with a quote that moves with every mid, building and joining text
 * would cost as much as the decisions.
 */
export class RunDigest {
  readonly #hash = createHash('sha256')
  readonly #bytes = Buffer.alloc(SIZE)
  #length = 0

  /** A PATCH was sent. */
  quote(t: Ms, { bidBps, askBps, quoteBid, quoteAsk }: Spread): void {
    this.#text('q ')
    this.#number(t)
    this.#text(' ')
    this.#number(bidBps)
    this.#text(' ')
    this.#number(askBps)
    this.#text(quoteBid ? ' true' : ' false')
    this.#text(quoteAsk ? ' true\n' : ' false\n')
  }

  /** Another request was sent. */
  effect(t: Ms, type: string): void {
    this.#text('e ')
    this.#number(t)
    this.#text(` ${type}\n`)
  }

  fill(t: Ms, id: string, bps: number): void {
    this.#text('f ')
    this.#number(t)
    this.#text(' ')
    this.#text(id)
    this.#text(' ')
    this.#number(bps)
    this.#text('\n')
  }

  /** A refill of the simulated treasury arrived. */
  refill(t: Ms, asset: string, units: bigint): void {
    this.#text(`r ${t} ${asset} ${units}\n`)
  }

  balance(asset: string, units: bigint): void {
    this.#text(`${asset} ${units}\n`)
  }

  /** Returns the digest in hex; call it last. */
  end(): string {
    this.#flush()
    return this.#hash.digest('hex')
  }

  #text(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    const room = 3 * text.length
    if (this.#length + room > SIZE) this.#flush()
    if (room > SIZE) {
      this.#hash.update(text)
      return
    }
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code > ASCII) {
        this.#length += bytes.write(text, this.#length)
        return
      }
      bytes[at++] = code
    }
    this.#length = at
  }

  /** Appends a number as text; writes whole numbers, by far the most frequent, digit by digit. */
  #number(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= LARGEST) return this.#text(String(value))
    if (this.#length + 16 > SIZE) this.#flush()
    const millions = Math.floor(value / MILLION)
    if (millions === 0) return this.#digits(value, digitsOf(value))
    this.#digits(millions, digitsOf(millions))
    this.#digits(value - millions * MILLION, 6)
  }

  /** Appends `count` digits, padded with zeros. */
  #digits(value: number, count: number): void {
    const bytes = this.#bytes
    // Below 10^9: a division of 32-bit integers takes a fraction of the time of one of doubles.
    let left = value | 0
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const tenth = (left / 10) | 0
      bytes[at] = 48 + left - 10 * tenth
      left = tenth
    }
    this.#length += count
  }

  #flush(): void {
    this.#hash.update(this.#bytes.subarray(0, this.#length))
    this.#length = 0
  }
}

function digitsOf(value: number): number {
  let count = 1
  for (let power = 10; power <= value; power *= 10) count += 1
  return count
}
