import type { Ms } from '../../../src/base/time.ts'
import type { SimulatedRequest, VenueResponse } from '../../../src/simulator/sandbox/api/request.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import type { PartnerCall } from '../../../src/treasury/api/call.ts'
import type { PartnerClient } from '../../../src/treasury/api/client.ts'
import {
  createPartnerCalls,
  ENDPOINTS,
  type EndpointName,
  type MoneyEndpointName,
} from '../../../src/treasury/api/endpoints.ts'
import { interpretPartner, outcomeOfSilence } from '../../../src/treasury/api/interpret.ts'
import type { PartnerOutcome } from '../../../src/treasury/api/outcome.ts'
import { partnerSettingsSchema } from '../../../src/treasury/api/settings.ts'

/** A money call as it leaves: exactly what the journal has. */
export type Sending = {
  readonly endpoint: MoneyEndpointName
  readonly key: string
  readonly body: string
}

export type VenueClientParts = {
  readonly model: VenueModel
  readonly now: () => Ms
  /** Looks at a sending before it reaches the venue; what it returns is called once the venue has it. */
  readonly onSending: (sending: Sending) => () => void
  /** How often each money call really leaves: more than once is a bug, each time under a key of its own. */
  readonly times?: number
  /** What becomes of an answer on its way. */
  readonly spoil?: (text: string, status: number) => { readonly text: string; readonly status: number }
}

/** A client of the partner API on the model itself: the real calls and the real reading of answers, without HTTP. */
export function createVenueClient({
  model,
  now,
  onSending,
  times = 1,
  spoil = (text, status) => ({ text, status }),
}: VenueClientParts): PartnerClient {
  const settings = partnerSettingsSchema.parse({ baseUrl: 'https://venue.invalid' })
  const calls = createPartnerCalls(settings)

  function exchange(call: PartnerCall<unknown>, key: string | null): PartnerOutcome<unknown> {
    const response = model.handle(requestOf(call, { key, now: now(), apiKey: model.options.partner.apiKey }))
    return outcomeOf(call, response, now(), spoil)
  }

  const methods = (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => [
    name,
    (params: unknown) => Promise.resolve(ask(name, params)),
  ])

  /** Parameters that make no call, such as an id that cannot stand in a path, are an outcome and no error. */
  function ask(name: EndpointName, params: unknown): PartnerOutcome<unknown> {
    const { route, params: schema } = ENDPOINTS[name]
    const checked = schema.safeParse(params)
    if (checked.success) return exchange(calls[name](params as never), null)
    const words = `${route}: ${checked.error.issues[0]?.message ?? 'wrong parameters'}; nothing was sent`
    return outcomeOfSilence(
      { route, isMoney: false },
      { kind: 'network', words, code: 'PARAMS', wasSent: false, status: null },
    )
  }

  const transmit = ({ endpoint, key, body }: Sending): Promise<PartnerOutcome<unknown>> => {
    const done = onSending({ endpoint, key, body })
    const outcome = exchange(ENDPOINTS[endpoint].callOf(settings, { body }), key)
    for (let again = 2; again <= times; again++)
      exchange(ENDPOINTS[endpoint].callOf(settings, { body }), `${key}-${again}`)
    done()
    return Promise.resolve(outcome)
  }
  const close = () => Promise.resolve()
  return { ...Object.fromEntries(methods), settings, calls, transmit, close }
}

function requestOf(
  { method, path: target, body, headers }: PartnerCall<unknown>,
  { key, now, apiKey }: { readonly key: string | null; readonly now: Ms; readonly apiKey: string },
): SimulatedRequest {
  const [path = '', search = ''] = target.split('?')
  return {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(search)),
    body: body === null ? undefined : (JSON.parse(body) as unknown),
    authorization: `Bearer ${apiKey}`,
    now,
    idempotencyKey: key,
    merchantId: headers['x-merchant-id'] ?? null,
  }
}

function outcomeOf(
  call: PartnerCall<unknown>,
  response: VenueResponse,
  now: Ms,
  spoil: NonNullable<VenueClientParts['spoil']>,
): PartnerOutcome<unknown> {
  const { drop, truncate, status, headers } = response
  const isCut = truncate === true
  if (drop !== null || isCut) {
    const silence = {
      kind: 'network',
      words: 'the connection was cut',
      code: 'RESET',
      wasSent: true,
    } as const
    return outcomeOfSilence(call, { ...silence, status: isCut ? status : null })
  }
  return interpretPartner(call, { ...spoil(textOf(response), status), headers, receivedAt: now })
}

function textOf({ rawBody, body, stream }: VenueResponse): string {
  if (stream !== undefined) return stream.map(({ data }) => `data: ${JSON.stringify(data)}\n\n`).join('')
  if (rawBody !== undefined) return rawBody
  return typeof body === 'string' ? body : JSON.stringify(body)
}
