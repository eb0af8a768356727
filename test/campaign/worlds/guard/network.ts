import type { Ms } from '../../../../src/base/time.ts'
import type { Dice } from '../../../world/dice.ts'
import type { Machine, Reality } from './machine.ts'

/** Two ends, in either order. */
export type LinkName = `${string}-${string}`

const USUAL_MS: Ms = 5

/**
 * Connections between machines. A link that is cut keeps what was given to it, as a kernel does, and delivers it when it is
 * mended: also what a process wrote that has been killed since. Only a reset drops it.
 */
export class Network {
  /** The mean of what a packet takes on its way; exponential. */
  slowMs: Ms = 0
  readonly #reality: Reality
  readonly #dice: Dice
  readonly #cut = new Set<LinkName>()
  readonly #waiting: { readonly link: LinkName; readonly deliver: () => void; isReset: boolean }[] = []

  constructor(reality: Reality, dice: Dice) {
    this.#reality = reality
    this.#dice = dice
  }

  isCut(link: LinkName): boolean {
    return this.#cut.has(link)
  }

  cut(link: LinkName): void {
    this.#cut.add(link)
  }

  mend(link: LinkName): void {
    this.#cut.delete(link)
    const due = this.#waiting.filter((one) => one.link === link)
    for (const one of due) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1)
      this.#carry(link, one)
    }
  }

  /** Carries something over a link; the returned function resets it on its way. */
  send(link: LinkName, deliver: () => void): () => void {
    const packet = { link, deliver, isReset: false }
    this.#carry(link, packet)
    return () => void (packet.isReset = true)
  }

  #carry(
    link: LinkName,
    packet: { readonly link: LinkName; readonly deliver: () => void; isReset: boolean },
  ): void {
    const { scheduler, now } = this.#reality
    const slowMs = this.slowMs === 0 ? 0 : this.#dice.exponential(this.slowMs)
    scheduler.add(now() + USUAL_MS + slowMs, () => {
      if (packet.isReset) return
      if (this.#cut.has(link)) this.#waiting.push(packet)
      else packet.deliver()
    })
  }
}

export type Exchange<Answer> = {
  readonly from: Machine
  readonly link: LinkName
  /** At the other end; null = it answers nothing. */
  readonly handle: () => Answer | null
  /** On the clock of the machine that asks; then the connection is reset. */
  readonly timeoutMs: Ms
  /** Null = no answer came in time. Never called in another process than the one that asked. */
  readonly done: (answer: Answer | null) => void
}

export function exchange<Answer>(
  network: Network,
  { from, link, handle, timeoutMs, done }: Exchange<Answer>,
): void {
  const { life } = from
  let isOver = false
  const finish = (answer: Answer | null): void => {
    if (isOver) return
    isOver = true
    done(answer)
  }
  const reset = network.send(link, () => {
    const answer = handle()
    if (answer !== null) network.send(link, () => from.wake(life, () => finish(answer)))
  })
  from.later(timeoutMs, () => {
    if (!isOver) reset()
    finish(null)
  })
}
