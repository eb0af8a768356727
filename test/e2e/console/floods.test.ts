import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { consoleOf, position, WITH_TOKEN } from '../../unit/console/console-fixture.ts'

describe('a stranger who floods', () => {
  test('with six thousand commands a minute does not keep the right token from the kill switch', async () => {
    const { port, given } = position('a')
    const { ask, port: at } = await consoleOf({ positions: [port] })
    const agent = new Agent({ connections: 20, pipelining: 10 })
    const one = async () => {
      const { body } = await request(`http://127.0.0.1:${at}/api/v1/halt`, {
        dispatcher: agent,
        method: 'POST',
      })
      await body.dump()
    }
    for (let round = 0; round < 61; round++) await Promise.all(Array.from({ length: 100 }, one))
    await agent.close()
    expect((await ask('/api/v1/halt', { method: 'POST' })).status).toBe(401)
    expect(given).toEqual([])
    expect((await ask('/api/v1/halt', { method: 'POST', headers: WITH_TOKEN })).status).toBe(200)
    expect(given).toHaveLength(1)
  }, 60_000)
})

describe('a program that runs wild', () => {
  test('is stopped at 6000 reads a minute, while health is answered still and commands are taken', async () => {
    const a = position('a')
    const { ask, port } = await consoleOf({ positions: [a.port] })
    const agent = new Agent({ connections: 20, pipelining: 10 })
    const statuses = new Map<number, number>()
    const one = async () => {
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/`, { dispatcher: agent })
      await body.dump()
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    for (let round = 0; round < 61; round++) await Promise.all(Array.from({ length: 100 }, one))
    await agent.close()
    expect(statuses.get(200)).toBe(6_000)
    expect(statuses.get(429)).toBe(100)
    const refused = await ask('/api/v1/state')
    expect([refused.status, refused.json()['error']]).toEqual([429, 'too-many'])
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/readyz')).status).toBe(200)
    expect((await ask('/api/v1/halt', { method: 'POST', headers: WITH_TOKEN })).status).toBe(200)
    expect(a.given).toHaveLength(1)
  }, 60_000)
})
