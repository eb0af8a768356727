/** What came of a schedule of mids. Milliseconds on the venue's clock. */
export type MidsMoved = {
  readonly due: number
  /** From the fixed time at which a mid was due to the arrival of the PATCH, the wait for the next poll included. */
  readonly dueToPatchMs: readonly number[]
  /** From the moment at which the answer with the new mid was written to the arrival of the PATCH. */
  readonly answerToPatchMs: readonly number[]
  /** Mids to which no PATCH came before the next one was due. */
  readonly missed: number
}

export type MidSchedule = {
  /** Moves the mid of a position where one is due; whether it did. Called before its rate is answered. */
  readonly moves: (position: number, at: number, jump: (bps: number) => void) => boolean
  /** The answer with the new mid was written. */
  readonly answered: (position: number, at: number) => void
  readonly patched: (position: number, at: number) => void
  readonly result: () => MidsMoved
}

export type MidScheduleParts = {
  readonly positions: number
  readonly from: number
  /** Each position gets a new mid once in this time; the positions are spread over it. */
  readonly everyMs: number
  readonly forMs: number
}

/** Large enough for another spread, small enough for every limit on a mid's step. */
const STEP_BPS = 40

type Waiting = { readonly dueAt: number; answeredAt: number | null }

/**
 * An open loop: when a mid changes is fixed before the first one does, so a daemon that is slow gets no fewer of them.
 * A mid that waits for its PATCH when the next one is due counts as missed, and its age then among those that came.
 */
export function createMidSchedule({ positions, from, everyMs, forMs }: MidScheduleParts): MidSchedule {
  const dueToPatchMs: number[] = []
  const answerToPatchMs: number[] = []
  const waiting = new Map<number, Waiting>()
  const moved = new Int32Array(positions)
  const rounds = Math.floor(forMs / everyMs)
  let due = 0
  let missed = 0

  function miss(position: number, untilAt: number): void {
    const old = waiting.get(position)
    if (old === undefined) return
    waiting.delete(position)
    missed += 1
    dueToPatchMs.push(untilAt - old.dueAt)
    if (old.answeredAt !== null) answerToPatchMs.push(untilAt - old.answeredAt)
  }

  return {
    moves(position, at, jump) {
      const first = from + (everyMs * position) / positions
      const reached = Math.min(rounds, Math.floor((at - first) / everyMs) + 1)
      const before = moved[position] ?? 0
      if (reached <= before) return false
      for (let round = before; round < reached; round++) {
        const dueAt = first + round * everyMs
        miss(position, dueAt)
        waiting.set(position, { dueAt, answeredAt: null })
        jump(round % 2 === 0 ? STEP_BPS : -STEP_BPS)
        due += 1
      }
      moved[position] = reached
      return true
    },
    answered(position, at) {
      const mid = waiting.get(position)
      if (mid !== undefined) mid.answeredAt ??= at
    },
    patched(position, at) {
      const mid = waiting.get(position)
      // A PATCH before the new mid was answered is about an older one.
      if (mid === undefined || mid.answeredAt === null) return
      waiting.delete(position)
      dueToPatchMs.push(at - mid.dueAt)
      answerToPatchMs.push(at - mid.answeredAt)
    },
    result() {
      for (const position of waiting.keys()) {
        const first = from + (everyMs * position) / positions
        miss(position, first + rounds * everyMs)
      }
      // Positions that did not ask for the rate at all have missed every mid that was due.
      for (const count of moved) missed += rounds - count
      due += moved.reduce((sum, count) => sum + rounds - count, 0)
      return { due, dueToPatchMs, answerToPatchMs, missed }
    },
  }
}
