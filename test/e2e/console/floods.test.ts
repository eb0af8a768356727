import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { consoleOf, position, WITH_TOKEN } from '../../unit/daemon/console/console-fixture.ts'

describe('a stranger who floods', () => {
  test('with a thousand commands at once does not keep the right token from the kill switch', async () => {
    const { port, given } = position('a')
    const { ask, port: at } = await consoleOf({ positions: [port] })
    const agent = new Agent({ connections: 20 })
    const one = async () => {
      const { body } = await request(`http://127.0.0.1:${at}/api/v1/halt`, {
        dispatcher: agent,
        method: 'POST',
      })
      await body.dump()
    }
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 100 }, one))
    await agent.close()
    expect((await ask('/api/v1/halt', { method: 'POST' })).status).toBe(401)
    expect(given).toEqual([])
    expect((await ask('/api/v1/halt', { method: 'POST', headers: WITH_TOKEN })).status).toBe(200)
    expect(given).toHaveLength(1)
  }, 60_000)
})

describe('a program that runs wild', () => {
  test('is stopped at 1,200 reads a minute, while health is answered still and commands are taken', async () => {
    const a = position('a')
    const { ask, port } = await consoleOf({ positions: [a.port] })
    const agent = new Agent({ connections: 20 })
    const statuses = new Map<number, number>()
    const errors = new Set<unknown>()
    const one = async () => {
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/v1/alerts`, {
        dispatcher: agent,
      })
      const { error } = (await body.json()) as { readonly error?: string }
      errors.add(error)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: 600 }, one))
    await agent.close()
    const minutes = (performance.now() - began) / 60_000
    expect(statuses.get(200)).toBeGreaterThanOrEqual(200)
    expect(statuses.get(200)).toBeLessThanOrEqual(201 + 1_200 * minutes)
    expect(statuses.get(429)).toBeGreaterThan(0)
    expect(errors).toContain('too-many')
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/readyz')).status).toBe(200)
    expect((await ask('/api/v1/halt', { method: 'POST', headers: WITH_TOKEN })).status).toBe(200)
    expect(a.given).toHaveLength(1)
  }, 60_000)
})
