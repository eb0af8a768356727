import { diagnose } from './diagnose.ts'
import {
  createVenueCalls,
  createMethods,
  effectCall,
  type EndpointMethods,
  type VenueCalls,
} from './endpoints.ts'
import { createFillsWindow } from './fills-window.ts'
import type { VenueEffect } from '../core/engine/model/effect.ts'
import { performEffect } from './perform.ts'
import type { CustodyPort, VenueParts, VenuePort } from './port.ts'
import { readQuotedSide } from './quoted-side.ts'
import { isReadOfApi } from './relay.ts'
import { createSender, type Sender, type VenueSecrets } from './sender.ts'
import { venueSettingsSchema, type VenueSettings, type VenueSettingsInput } from './settings.ts'
import { LP_DIALECT } from './wire/lp-dialect.ts'

/** The client of the LP API. No method rejects or sends twice, and none returns the key. */
export type VenueClient = EndpointMethods &
  VenuePort &
  Sender & {
    readonly settings: VenueSettings
    /** The endpoints as calls, for `send`. */
    readonly calls: VenueCalls
    readonly selfCustody: CustodyPort
  }

/** Throws ZodError for invalid settings, which the configuration has validated before. */
export function createVenueClient(
  input: VenueSettingsInput,
  secrets: VenueSecrets,
  parts: VenueParts = {},
): VenueClient {
  const settings = venueSettingsSchema.parse(input)
  const sender = createSender(
    { ...settings, isRead: (read) => isReadOfApi(read, settings), keyHeaders: LP_DIALECT.keyHeaders },
    secrets,
    parts,
  )
  const calls = createVenueCalls(settings)
  const methods = createMethods(calls, sender.send)
  const performing = {
    ...sender,
    callOf: (effect: VenueEffect) => effectCall(calls, effect, settings),
    fillsWindow: createFillsWindow(),
  }
  return {
    settings,
    calls,
    ...methods,
    ...sender,
    perform: (effect, now) => performEffect(performing, effect, now),
    useLearned({ 'activate-method': learned }) {
      const method = learned?.value
      if (method === 'POST' || method === 'PATCH') sender.remember(calls.activate(true).path, method)
    },
    diagnose: (options) => diagnose({ ...methods, ...sender, calls }, settings, options),
    quotedSide: (side) => readQuotedSide(methods, settings, side),
    selfCustody: methods,
  }
}
