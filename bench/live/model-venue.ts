import type { Ms } from '../../src/base/time.ts'
import type { Audit, Engine } from '../../src/core/engine/engine.ts'
import { isOrderEffect, type Effect } from '../../src/core/engine/model/effect.ts'
import type { Event } from '../../src/core/engine/model/event.ts'
import type { SandboxOptionsInput } from '../../src/simulator/sandbox/options.ts'
import { createVenueModel, type VenueModel } from '../../src/simulator/sandbox/model.ts'
import type { World } from '../../src/simulator/sandbox/world/world.ts'
import { createVenueCalls, effectCall } from '../../src/venue/endpoints.ts'
import { outcomeEvent } from '../../src/venue/perform.ts'
import { createFillsWindow } from '../../src/venue/fills-window.ts'
import { interpret } from '../../src/venue/interpret.ts'
import { venueSettingsSchema } from '../../src/venue/settings.ts'
import { createScheduler } from '../../test/world/scheduler.ts'

/** The venue in a box without its socket, read by the daemon's own client code. */
export type ModelVenue = {
  readonly model: VenueModel
  /** Carries an effect out at `now`; the event is the outcome, dated when the answer would arrive. */
  readonly perform: (effect: Effect, now: Ms) => Event
}

/** There and back, plus the venue's thinking. */
const ROUND_TRIP_MS = 40

/** `world` replaces the scenario's. */
export function createModelVenue(options: SandboxOptionsInput, world?: World): ModelVenue {
  const model = createVenueModel(options, world)
  const settings = venueSettingsSchema.parse({
    baseUrl: 'http://venue.invalid',
    publicUrl: 'http://venue.invalid',
    // What the daemon learns from a 405.
    ...(options.venue === 'measured' ? { activateMethod: 'PATCH' } : {}),
  })
  const calls = createVenueCalls(settings)
  const fillsWindow = createFillsWindow()
  const authorization = `Bearer ${model.options.apiKey}`
  return {
    model,
    perform(effect, now) {
      if (isOrderEffect(effect)) throw new Error(`${effect.type} is not for the venue alone`)
      const call = effectCall(calls, effect, settings)
      const { method, path, query, body } = call
      const at = now + ROUND_TRIP_MS / 2
      const answer = model.handle({
        method,
        path,
        query,
        body,
        authorization: call.isPublic ? null : authorization,
        now: at,
      })
      const t = Math.ceil(at + ROUND_TRIP_MS / 2 + answer.delayMs)
      const result = interpret(call, {
        status: answer.status,
        headers: answer.headers,
        body: answer.body,
        receivedAt: t,
      })
      return outcomeEvent(effect, result, { route: call.route, sentAt: now, t }, fillsWindow)
    },
  }
}

/** A core that trades at the venue in virtual time. */
export type ModelRun = {
  readonly submit: (event: Event) => void
  /** Acts at a time, before the core's own events of that time. */
  readonly at: (t: Ms, act: () => void) => void
  /** Runs everything before `end`. */
  readonly runUntil: (end: Ms) => void
}

/** Connects the core with the venue; `onAudit` gets each event with what the core made of it. */
export function createModelRun(
  engine: Engine,
  venue: ModelVenue,
  onAudit: (event: Event, audit: Audit) => void = () => undefined,
): ModelRun {
  const scheduler = createScheduler()
  let seq = 0
  let wakeAt = Infinity
  function submit(event: Event): void {
    seq += 1
    const audit = engine.process(seq, event)
    ;({ wakeAt } = audit)
    onAudit(event, audit)
    for (const effect of audit.effects) {
      const outcome = venue.perform(effect, event.t)
      scheduler.add(outcome.t, () => submit(outcome))
    }
  }
  return {
    submit,
    at: (t, act) => scheduler.add(t, act),
    runUntil(end) {
      const next = () => Math.min(scheduler.nextAt(), wakeAt)
      for (let at = next(); at < end; at = next()) {
        if (scheduler.nextAt() <= wakeAt) scheduler.runNext()
        else submit({ type: 'tick', t: Math.ceil(at) })
      }
    },
  }
}
