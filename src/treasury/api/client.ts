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
import { createSender, type PartnerParts, type SendOptions } from './send.ts'
import { partnerSettingsSchema, type PartnerSettings, type PartnerSettingsInput } from './settings.ts'

type Methods = {
  readonly [Name in EndpointName]: (
    params: ParamsOf<Name>,
    options?: SendOptions,
  ) => Promise<PartnerOutcome<PartnerAnswerOf<Name>>>
}

/** An attempt as the journal has it: which money call, the Idempotency-Key, and the exact bytes of the body. */
type AttemptToSend<Name extends MoneyEndpointName> = {
  readonly endpoint: Name
  readonly key: string
  readonly body: string
}

/** One method an endpoint. None ever rejects, and nothing that they give out holds the key, a header or a request. */
export type PartnerClient = Methods & {
  readonly settings: PartnerSettings
  /** The endpoints as calls: what would be sent, as data. They throw ZodError for parameters of another form. */
  readonly calls: PartnerCalls
  /** Puts exactly these bytes with this Idempotency-Key on the wire, once. */
  transmit<Name extends MoneyEndpointName>(
    attempt: AttemptToSend<Name>,
    options?: Pick<SendOptions, 'onLine'>,
  ): Promise<PartnerOutcome<PartnerAnswerOf<Name>>>
  /** Breaks off what is under way and closes every connection. */
  close(): Promise<void>
}

/** What fits a header, as long as the contract allows. */
const KEY = /^[\x21-\x7e]{1,255}$/

/**
 * A client of the partner API. A money route is one request on the wire, whatever becomes of it: to repeat it is the
 * journal's decision. Reads by GET are tried three times within their deadline. Throws ZodError for settings that are
 * wrong.
 */
export function createPartnerClient(
  input: PartnerSettingsInput,
  { apiKey }: { readonly apiKey: string },
  parts: PartnerParts = {},
): PartnerClient {
  const settings = partnerSettingsSchema.parse(input)
  const { send, close } = createSender(settings, apiKey, parts)
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
      // A price is read again under the other name of the shilling; what moves money never is.
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

/** A mistake of the caller: nothing was sent. */
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
