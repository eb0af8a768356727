import { err, type Result } from '../../../../src/base/result.ts'
import type { Ms } from '../../../../src/base/time.ts'
import type { Spread } from '../../../../src/core/engine/model/effect.ts'
import type { VenueFailure } from '../../../../src/core/engine/model/venue-answer.ts'
import type { VenueResponse } from '../../../../src/simulator/sandbox/api/request.ts'
import { createVenueModel, type VenueModel } from '../../../../src/simulator/sandbox/model.ts'
import { TOKENS } from '../../../../src/simulator/sandbox/market/tokens.ts'
import { DEFAULT_START_MS } from '../../../../src/simulator/sandbox/state.ts'
import type { VenueCall } from '../../../../src/venue/call.ts'
import type { WriteGate } from '../../../../src/venue/port.ts'
import { silenceFailure } from '../../../../src/venue/failure.ts'
import { interpret } from '../../../../src/venue/interpret.ts'
import { venueSettingsSchema } from '../../../../src/venue/settings.ts'
import type { Dice } from '../../../world/dice.ts'
import type { Machine, Reality } from '../guard/machine.ts'
import type { Network } from '../guard/network.ts'
import { SAFE_BPS } from './settings.ts'

export const VENUE_SETTINGS = venueSettingsSchema.parse({
  baseUrl: 'http://venue.invalid',
  publicUrl: 'http://venue.invalid',
  requestTimeoutMs: 5_000,
  slowTimeoutMs: 30_000,
  tokens: { [TOKENS.NTZS.address]: 'NTZS' },
})

/** The simulated venue, which cannot be fenced, in the real time of the day. */
export class DeskVenue {
  readonly model: VenueModel
  /** What an answer waits for in the mean; exponential. */
  slowMs: Ms = 0
  /** The chance that a write is taken by the venue and carried out late, no matter who still waits for it; and how late. */
  lates = 0
  lateMs: Ms = 0
  readonly #reality: Reality
  readonly #dice: Dice
  readonly #onLate: () => void

  constructor(seed: number, reality: Reality, dice: Dice, onLate: () => void) {
    this.#reality = reality
    this.#dice = dice
    this.#onLate = onLate
    this.model = createVenueModel({
      seed,
      isActive: true,
      retailFactor: 60,
      activationDelayMs: dice.pick([400, 4_000, 12_000]),
      withdrawalDelayMs: dice.pick([200, 1_500]),
    })
  }

  /** The venue's clock. */
  time(): Ms {
    return DEFAULT_START_MS + this.#reality.now()
  }

  isSafe(): boolean {
    const { isActive, bidBps, askBps, quoteBid, quoteAsk } = this.model.state.ours
    return !isActive || ((!quoteBid || bidBps === SAFE_BPS) && (!quoteAsk || askBps === SAFE_BPS))
  }

  holds(spread: Spread | null): boolean {
    const { bidBps, askBps, quoteBid, quoteAsk } = this.model.state.ours
    return (
      spread !== null &&
      spread.bidBps === bidBps &&
      spread.askBps === askBps &&
      spread.quoteBid === quoteBid &&
      spread.quoteAsk === quoteAsk
    )
  }

  /** A request has arrived; `answer` is called once its answer leaves. */
  take(
    call: VenueCall<unknown>,
    landed: (isLate: boolean) => void,
    answer: (response: VenueResponse) => void,
  ): void {
    const isLate = call.method !== 'GET' && this.lates > 0 && this.#dice.happens(this.lates)
    if (!isLate) return this.#execute(call, () => landed(false), answer)
    this.#onLate()
    this.#later(this.#dice.exponential(this.lateMs), () => this.#execute(call, () => landed(true), answer))
  }

  #execute(
    { method, path, query, body, isPublic }: VenueCall<unknown>,
    landed: () => void,
    answer: (response: VenueResponse) => void,
  ): void {
    landed()
    const { apiKey } = this.model.options
    const authorization = isPublic ? null : `Bearer ${apiKey}`
    const response = this.model.handle({ method, path, query, body, authorization, now: this.time() })
    const slowMs = this.slowMs === 0 ? 0 : this.#dice.exponential(this.slowMs)
    const waitMs = response.delayMs + slowMs
    if (waitMs === 0) answer(response)
    else this.#later(waitMs, () => answer(response))
  }

  #later(ms: Ms, run: () => void): void {
    const { scheduler, now } = this.#reality
    scheduler.add(now() + ms, run)
  }
}

export type VenueClientParts = {
  readonly machine: Machine
  readonly network: Network
  readonly venue: DeskVenue
  readonly gate: WriteGate
  /** A planted bug: every other write waits for so long behind the gate; 0 = none does. */
  readonly queuesMs: Ms
  readonly onSettled: () => void
  /** Bytes of a write leave now; the returned functions are called when it lands, and when its client is done with it. */
  readonly onWrite: (
    call: VenueCall<unknown>,
    timeoutMs: Ms,
  ) => { readonly landed: (isLate: boolean) => void; readonly ended: () => void }
}

/**
 * The venue client of one process without HTTP: the gate is asked just before the bytes of a write, a write to the quote has the
 * time-out of the lease and is reset then, and answers go through the real translation.
 */
export class DeskClient {
  isClosed = false
  readonly #parts: VenueClientParts
  #writes = 0

  constructor(parts: VenueClientParts) {
    this.#parts = parts
  }

  send<Answer>(call: VenueCall<Answer>): Promise<Result<Answer, VenueFailure>> {
    const { machine, network, venue, gate, onSettled, onWrite } = this.#parts
    const isWrite = call.method !== 'GET'
    if (this.isClosed || (isWrite && !gate.mayStart(call.sets)))
      return Promise.resolve(
        err(
          silenceFailure(call, {
            kind: 'network',
            words: 'it was cancelled before it was sent',
            wasSent: false,
            status: null,
          }),
        ),
      )
    const usualMs = call.isSlow ? VENUE_SETTINGS.slowTimeoutMs : VENUE_SETTINGS.requestTimeoutMs
    const ownMs = call.sets === undefined ? null : gate.spreadTimeoutMs()
    const timeoutMs = ownMs ?? usualMs
    const write = isWrite ? onWrite(call, timeoutMs) : null
    const link = `${machine.name}-venue` as const
    const { life } = machine
    return new Promise((resolve) => {
      let isOver = false
      const end = (result: Result<Answer, VenueFailure>): void => {
        if (isOver) return
        isOver = true
        write?.ended()
        resolve(result)
        onSettled()
      }
      const answered = ({ status, headers, body }: VenueResponse): void => {
        network.send(link, () =>
          machine.wake(life, () => end(interpret(call, { status, headers, body, receivedAt: venue.time() }))),
        )
      }
      const reset = this.#leave(write !== null, () =>
        venue.take(call, (late) => write?.landed(late), answered),
      )
      machine.later(timeoutMs, () => {
        if (isOver) return
        reset()
        const words = `no whole answer within ${timeoutMs} ms`
        end(err(silenceFailure(call, { kind: 'timeout', words, wasSent: true, status: null })))
      })
    })
  }

  /** Bytes leave; the returned function resets them on their way. */
  #leave(isWrite: boolean, arrive: () => void): () => void {
    const { machine, network, queuesMs } = this.#parts
    const link = `${machine.name}-venue` as const
    if (isWrite) this.#writes += 1
    if (queuesMs === 0 || this.#writes % 2 === 0 || !isWrite) return network.send(link, arrive)
    machine.later(queuesMs, () => void network.send(link, arrive))
    return () => undefined
  }
}
