import { ZodError } from 'zod'
import { mapValues } from '../../base/record.ts'
import { problemOf } from '../../base/http/body.ts'
import type { PartnerCall } from './call.ts'
import {
  createPartnerCalls,
  ENDPOINTS,
  type PartnerAnswerOf,
  type EndpointName,
  type MoneyEndpointName,
  type ParamsOf,
  type PartnerCalls,
} from './endpoints.ts'
import { createShillingSymbol } from './kit/shilling-symbol.ts'
import type { PartnerOutcome, RefusedOutcome } from './outcome.ts'
import { createPartnerSender, type PartnerParts, type SendOptions } from './send.ts'
import { partnerSettingsSchema, type PartnerSettings, type PartnerSettingsInput } from './settings.ts'

type Methods = {
  readonly [Name in EndpointName]: (
    params: ParamsOf<Name>,
    options?: SendOptions,
  ) => Promise<PartnerOutcome<PartnerAnswerOf<Name>>>
}

/** An attempt as journalled: the money call, the Idempotency-Key, and the exact bytes of the body. */
type AttemptToSend<Name extends MoneyEndpointName> = {
  readonly endpoint: Name
  readonly key: string
  readonly body: string
}

/** One method per endpoint. No method rejects, and no result contains the key, a header or a request. */
export type PartnerClient = Methods & {
  readonly settings: PartnerSettings
  /** The endpoints as calls: the request as data. They throw ZodError for invalid parameters. */
  readonly calls: PartnerCalls
  /** Sends exactly these bytes with this Idempotency-Key, once. */
  transmit<Name extends MoneyEndpointName>(
    attempt: AttemptToSend<Name>,
    options?: Pick<SendOptions, 'onLine'>,
  ): Promise<PartnerOutcome<PartnerAnswerOf<Name>>>
  /** Aborts the requests in flight and closes every connection. */
  close(): Promise<void>
}

/** A valid header value, up to the contract's length. */
const KEY = /^[\x21-\x7e]{1,255}$/

/**
 * Creates a client of the partner API. Each money call sends exactly one request; the journal decides whether to repeat
 * it. Tries GET reads three times within their deadline. Throws ZodError for invalid settings.
 */
export function createPartnerClient(
  input: PartnerSettingsInput,
  { apiKey }: { readonly apiKey: string },
  parts: PartnerParts = {},
): PartnerClient {
  const settings = partnerSettingsSchema.parse(input)
  const { send, close } = createPartnerSender(settings, apiKey, parts)
  const shilling = createShillingSymbol(settings)
  const known = { ...settings, shilling }
  const calls = createPartnerCalls(known)

  async function sendMade(
    name: EndpointName,
    options: SendOptions,
    make: () => PartnerCall<unknown>,
  ): Promise<PartnerOutcome<unknown>> {
    const { route } = ENDPOINTS[name]
    if (options.key !== undefined && !KEY.test(options.key))
      return notSent(route, 'the Idempotency-Key: 1 to 255 printable characters without spaces')
    try {
      const outcome = await send(make(), options)
      if (name !== 'swapRate' && name !== 'swap') return outcome
      // A price is requested again under the shilling's other name; a call that moves money never is.
      return shilling.learn(outcome) && name === 'swapRate' ? await send(make(), options) : outcome
    } catch (error) {
      if (!(error instanceof ZodError)) throw error
      return notSent(route, problemOf(error))
    }
  }

  const methods = mapValues(calls, (makeCall: (params: unknown) => PartnerCall<unknown>, name) => {
    return (params: unknown, options: SendOptions = {}) =>
      sendMade(name as EndpointName, options, () => makeCall(params))
  })
  return {
    ...(methods as Methods),
    settings,
    calls,
    transmit: <Name extends MoneyEndpointName>(
      { endpoint, key, body }: AttemptToSend<Name>,
      options: Pick<SendOptions, 'onLine'> = {},
    ) =>
      sendMade(endpoint, { ...options, key }, () => ENDPOINTS[endpoint].callOf(known, { body })) as Promise<
        PartnerOutcome<PartnerAnswerOf<Name>>
      >,
    close,
  }
}

/** Returns the outcome of a caller's mistake: nothing was sent. */
function notSent(route: string, problem: string): RefusedOutcome {
  const words = `${route}: ${problem}; nothing was sent`
  return {
    kind: 'refused',
    status: 400,
    code: 'other(not_sent)',
    words,
    retry: 'never',
    retryAfterMs: null,
    details: null,
  }
}
