import { expect, onTestFinished, test } from 'vitest'
import { httpClient } from './http-client.ts'

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
    onTestFinished(() => client.sandbox.close())
    const answer = await client.ask(method, path, body)
    expect([answer.status, answer.text]).toEqual([
      status,
      typeof text === 'string' ? text : expect.stringMatching(text),
    ])
    for (const [name, value] of Object.entries(headers))
      expect([name, answer.headers.get(name)]).toEqual([name, value])
  },
)
