import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createPartnerClient, type PartnerClient } from '../../../src/treasury/api/client.ts'
import { ENDPOINTS, type EndpointName } from '../../../src/treasury/api/endpoints.ts'
import { BAD } from './bad-bodies.ts'
import type { PartnerOutcome } from '../../../src/treasury/api/outcome.ts'
import { partnerSettingsSchema } from '../../../src/treasury/api/settings.ts'
import { scriptedServer, type ScriptedServer } from '../../unit/venue/scripted-server.ts'

// Each answer of each route replaced by one that cannot be right: one request where money moves, no exception, no figure that
// the answer does not have, and words that name the route and, where there is a body to read, the field.

const SETTINGS = partnerSettingsSchema.parse({ baseUrl: 'http://127.0.0.1:1' })
const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
/** Their answers are shown as they come: the contract has no fields of them. */
const AS_THEY_COME: readonly EndpointName[] = NAMES.filter((name) => isFree(name))

/** Their words name other things than a field: lines of a stream, a list, one of several names. */
const OTHERWISE: readonly EndpointName[] = [
  'swap',
  'supply',
  'payMobileMoney',
  'listBillers',
  'listSettlements',
  'listCollections',
]

let server: ScriptedServer | null = null
let client: PartnerClient | null = null
afterEach(async () => {
  await client?.close()
  await server?.close()
  server = null
  client = null
})

function isFree(name: EndpointName): boolean {
  const call = ENDPOINTS[name].callOf(SETTINGS, { body: '{}' })
  return call.translate({ anything: 1 }, { status: 200, receivedAt: 0, venueTime: null }).ok
}

/** Parameters of the form that the endpoint takes, without what it may lack. */
function paramsOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape)
    const needed = fields.filter(([, field]) => !(field instanceof z.ZodOptional))
    return Object.fromEntries(needed.map(([name, field]) => [name, paramsOf(field)]))
  }
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodBigInt) return 700_000n
  if (schema instanceof z.ZodBoolean) return true
  if (schema instanceof z.ZodRecord) return {}
  return schema instanceof z.ZodNumber ? 1 : 'a1'
}

async function ask(
  name: EndpointName,
  body: string,
): Promise<{ outcome: PartnerOutcome<unknown>; requests: number }> {
  server = await scriptedServer((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  )
  client = createPartnerClient({ baseUrl: server.url, requestTimeoutMs: 5_000 }, { apiKey: 'svc_test_1' })
  const call = client[name] as (params: unknown) => Promise<PartnerOutcome<unknown>>
  const outcome = await call(paramsOf(ENDPOINTS[name].params))
  return { outcome, requests: server.seen.length }
}

describe.each(NAMES)('%s', (name) => {
  test.each(Object.entries(BAD))('reports %s with its route, and sends nothing again', async (what, body) => {
    const { outcome, requests } = await ask(name, body)
    const { route } = ENDPOINTS[name]
    expect(requests).toBe(1)
    if (isShown(name, what)) {
      expect(outcome.kind).toBe('answered')
      return
    }
    expect(outcome).toMatchObject({ kind: 'unknown', sent: 'yes', status: 200 })
    const words = outcome.kind === 'unknown' ? outcome.words : ''
    expect(words).toContain(route)
    if (what === 'a field twice' && name !== 'swap') expect(words).toContain('amountTzs')
    if (what === 'one more level of nesting' && !OTHERWISE.includes(name))
      expect(words).toMatch(/ match the contract: \w+: /)
  })
})

/** What the contract does not show is shown as it comes; an empty list is an answer of a route that lists. */
function isShown(name: EndpointName, what: string): boolean {
  if (what === 'one more level of nesting') return AS_THEY_COME.includes(name)
  return what === 'an empty list' && (MAY_BE_EMPTY.includes(name) || isFreeList(name))
}

const MAY_BE_EMPTY: readonly EndpointName[] = [
  'listSettlements',
  'listBillers',
  'listLinks',
  'listCollections',
]

/** Two look-ups have optional fields alone, and are an object all the same. */
function isFreeList(name: EndpointName): boolean {
  return AS_THEY_COME.includes(name) && !name.startsWith('lookup')
}
