import { err, type Result } from '../../src/base/result.ts'
import { MINUTE_MS, type Ms } from '../../src/base/time.ts'
import type { SystemClock } from '../../src/daemon/runtime/position/clock.ts'
import { isOrderEffect, type Effect } from '../../src/core/engine/model/effect.ts'
import type { Event, VenueAnswer } from '../../src/core/engine/model/event.ts'
import type { VenueFailure } from '../../src/core/engine/model/venue-answer.ts'
import type { VenueModel } from '../../src/simulator/sandbox/model.ts'
import type { VenueResponse } from '../../src/simulator/sandbox/api/request.ts'
import { createVenueCalls, effectCall } from '../../src/venue/endpoints.ts'
import { outcomeEvent } from '../../src/venue/perform.ts'
import { refusalFailure, silenceFailure } from '../../src/venue/failure.ts'
import { createFillsWindow } from '../../src/venue/fills-window.ts'
import { interpret } from '../../src/venue/interpret.ts'
import { venueSettingsSchema } from '../../src/venue/settings.ts'
import type { VenueCall } from '../../src/venue/call.ts'
import { TOKENS } from '../../src/simulator/sandbox/market/tokens.ts'
import type { Scheduler } from './scheduler.ts'
import { createDice } from './dice.ts'
import type { Liar } from './liar.ts'
import type { VenueWatch } from './venue-watch.ts'
import type { WorldOptions } from './world-options.ts'

export type LinkParts = {
  readonly options: WorldOptions
  readonly model: VenueModel
  readonly scheduler: Scheduler
  readonly watch: VenueWatch
  readonly liar: Liar
  readonly now: () => Ms
  /** The daemon's clock. */
  readonly clock: SystemClock
  /** What becomes of an answer on its way. */
  readonly spoil?: (response: VenueResponse) => VenueResponse
}

/** The venue client of one process of the daemon, on virtual time: the real translation without HTTP. */
export type Link = {
  /** `deliver` is notified of the outcome when it is known; never at once. */
  readonly send: (effect: Effect, deliver: (event: Event) => void) => void
  /** The key is refused from now on, or good again. */
  revoked: boolean
}

type Outcome = (call: VenueCall<VenueAnswer>) => Result<VenueAnswer, VenueFailure>

/** `process` labels the jitter, so that each process of a world has its own. */
export function createLink(parts: LinkParts, process: number): Link {
  const { options, model, scheduler, watch, liar, now, clock } = parts
  const { network, daemon } = options
  const settings = venueSettingsSchema.parse({
    baseUrl: 'http://venue.invalid',
    publicUrl: 'http://venue.invalid',
    requestTimeoutMs: daemon.requestTimeoutMs,
    slowTimeoutMs: daemon.slowTimeoutMs,
    tokens: { [TOKENS.NTZS.address]: 'NTZS' },
  })
  const calls = createVenueCalls(settings)
  const fillsWindow = createFillsWindow()
  const dice = createDice(options.seed, `network ${process}`)

  function send(effect: Effect, deliver: (event: Event) => void): void {
    if (isOrderEffect(effect)) throw new Error(`${effect.type} is not for the venue alone`)
    const call = effectCall(calls, effect, settings)
    const sentAt = clock.now()
    const timeoutMs = call.isSlow ? settings.slowTimeoutMs : settings.requestTimeoutMs
    const deadline = now() + timeoutMs
    const finish = (at: Ms, outcome: Outcome) =>
      scheduler.add(at, () =>
        deliver(
          dated(
            outcomeEvent(effect, outcome(call), { route: call.route, sentAt, t: clock.now() }, fillsWindow),
          ),
        ),
      )
    const late: Outcome = () =>
      err(
        silenceFailure(call, {
          kind: 'timeout',
          words: `no whole answer within ${timeoutMs} ms`,
          wasSent: true,
          status: null,
        }),
      )
    const there = Math.round(network.thereMs + dice.next() * network.thereJitterMs)
    const back = 1 + Math.round(dice.exponential(network.backMeanMs))
    scheduler.add(now() + there, () => {
      const response = arrive(effect, call)
      const at = now() + response.delayMs + back
      if (response.drop !== null && response.dropHow === 'hang') finish(deadline, late)
      else if (at >= deadline) finish(deadline, late)
      else if (response.drop !== null) finish(now() + back, () => err(cutOff(call, null)))
      else if (response.truncate === true) finish(at, () => err(cutOff(call, response.status)))
      else finish(at, () => interpret(call, replyOf(response)))
    })
  }

  /** As the shell adds it to a rate while the machine's clock is another one than ours. */
  function dated(event: Event): Event {
    const ourWall = clock.wall()
    return event.type === 'rate' && Math.abs(ourWall - event.t) > MINUTE_MS ? { ...event, ourWall } : event
  }

  function arrive(effect: Effect, call: VenueCall<VenueAnswer>): VenueResponse {
    if (!call.isPublic) watch.arrived(now())
    if (effect.type === 'setQuote') watch.expect(effect.spread)
    const response = model.handle({
      method: call.method,
      path: call.path,
      query: call.query,
      body: call.body,
      authorization: call.isPublic
        ? null
        : `Bearer ${link.revoked ? 'mm_test_of_old' : model.options.apiKey}`,
      now: now(),
    })
    watch.look(now())
    if (effect.type === 'readBalances') watch.noteReading(effect.id)
    if (effect.type === 'setQuote') {
      const note = () => void (watch.holds(effect.spread) && watch.confirmed.set(effect.id, watch.version))
      note()
      if (response.delayMs > 0) scheduler.add(now() + response.delayMs, note)
    }
    const told =
      effect.type === 'readRate' || effect.type === 'readBestQuote' ? liar.told(response, now()) : response
    return parts.spoil?.(told) ?? told
  }

  function replyOf(response: VenueResponse) {
    const { status, headers } = response
    const body =
      response.rawBody ??
      (network.text && response.body !== null ? JSON.stringify(response.body) : response.body)
    return { status, headers, body, receivedAt: clock.now() }
  }

  const link: Link = { send, revoked: false }
  return link
}

/** As the client says it: a status that is a clear no stays one, however its body ended. */
function cutOff(call: VenueCall<VenueAnswer>, status: number | null): VenueFailure {
  const words = status === null ? 'no answer (UND_ERR_SOCKET)' : `the answer (${status}) broke off`
  if (status !== null && status >= 400 && status <= 499) {
    return refusalFailure(call, { status, code: null, words, retryAfterMs: null })
  }
  return silenceFailure(call, { kind: 'network', words, wasSent: true, status })
}
