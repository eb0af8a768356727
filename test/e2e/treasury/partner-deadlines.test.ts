import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createPartnerClient } from '../../../src/treasury/api/client.ts'
import type { PartnerSettingsInput } from '../../../src/treasury/api/settings.ts'
import { scriptedServer, sendJson } from '../../unit/venue/scripted-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()))
})

async function against(
  answer: (response: ServerResponse) => void,
  settings: Partial<PartnerSettingsInput> = {},
) {
  const server = await scriptedServer((response) => answer(response))
  const client = createPartnerClient(
    { baseUrl: server.url, ...settings },
    { apiKey: 'svc_test_0123456789abcdef' },
    { random: () => 0.01 },
  )
  opened.push(client, server)
  return { client, server }
}

describe('a request that moves money', () => {
  test('is one request on the wire when no answer comes within the deadline', async () => {
    const { client, server } = await against(() => undefined, { requestTimeoutMs: 1_000 })
    expect(await client.createDeposit({ amountTzs: 500n })).toMatchObject({ kind: 'unknown', sent: 'maybe' })
    expect(server.seen).toHaveLength(1)
  })

  test('whose body drips past the one deadline is unknown', async () => {
    const { client } = await against(
      (response) => {
        response.writeHead(201).write('{"id":')
      },
      { requestTimeoutMs: 1_000 },
    )
    expect(await client.createDeposit({ amountTzs: 500n })).toMatchObject({
      kind: 'unknown',
      sent: 'yes',
      status: 201,
    })
  })
})

describe('a read', () => {
  test('waits for Retry-After before its next try', async () => {
    const { client } = await against((response) => {
      response.setHeader('retry-after', '1')
      sendJson(response, { error: 'rate_limited' }, 429)
    })
    const began = performance.now()
    await client.readWithdrawal({ id: 'w1' })
    expect(performance.now() - began).toBeGreaterThan(1_900)
  })

  test('keeps one deadline over all its tries', async () => {
    const { client, server } = await against(() => undefined, { requestTimeoutMs: 1_000 })
    expect(await client.readUser({ id: 'u1' })).toMatchObject({ kind: 'unknown' })
    expect(server.seen).toHaveLength(1)
  })
})
