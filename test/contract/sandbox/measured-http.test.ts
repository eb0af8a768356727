import { afterEach, expect, test } from 'vitest'
import { httpClient, type HttpClient } from './http-client.ts'

const opened: HttpClient[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ sandbox }) => sandbox.close()))
})

test.each([
  ['POST', '/activate', { isActive: true }, 405, '', { allow: null, 'content-type': null }],
  ['OPTIONS', '/activate', undefined, 204, '', { allow: 'OPTIONS, PATCH', 'content-type': null }],
  ['PATCH', '/spread', { bidBps: 60.5, askBps: 60 }, 500, '', { 'content-type': null }],
  ['GET', '/rfq/info', undefined, 404, /^<!DOCTYPE html>/, { 'content-type': 'text/html; charset=utf-8' }],
  [
    'GET',
    '/rate',
    undefined,
    200,
    /^\{"midRateTZS":\d+\}$/,
    { 'content-type': 'application/json; charset=utf-8' },
  ],
] as const)(
  '%s %s of the measured venue has the recorded status, headers and body on the wire',
  async (method, path, body, status, text, headers) => {
    const client = await httpClient({ venue: 'measured' })
    opened.push(client)
    const answer = await client.ask(method, path, body)
    expect([answer.status, answer.text]).toEqual([
      status,
      typeof text === 'string' ? text : expect.stringMatching(text),
    ])
    for (const [name, value] of Object.entries(headers))
      expect([name, answer.headers.get(name)]).toEqual([name, value])
  },
)
