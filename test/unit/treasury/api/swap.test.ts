import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPartnerClient } from '../../../../src/treasury/api/client.ts'
import { createLineReader, readStream, type StreamLine } from '../../../../src/treasury/api/kit/stream.ts'
import { swapStep } from '../../../../src/treasury/api/swap/swap.ts'
import { scriptedServer, sendJson } from '../../venue/scripted-server.ts'
import type { ServerResponse } from 'node:http'
import { anyCharacter } from '../../../support/any-character.ts'

const SWAP = { userId: 'u1', fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 1_000_000n } as const
const STEPS = [
  { status: 'CHECKING', message: 'checking' },
  { status: 'SENDING', txHash: '0x01' },
  { status: 'FILLING', txHash: '0x02' },
  { status: 'FILLED', txHash: '0x02' },
]
const stream = (steps: readonly object[], between = '\n\n') =>
  steps.map((step) => `data: ${JSON.stringify(step)}${between}`).join('')

async function swapAgainst(answer: (response: ServerResponse) => void) {
  const server = await scriptedServer(answer)
  const client = createPartnerClient(
    { baseUrl: server.url, requestTimeoutMs: 1_000 },
    { apiKey: 'svc_test_012345' },
  )
  onTestFinished(() => server.close())
  onTestFinished(() => client.close())
  const received: StreamLine[] = []
  const outcome = await client.swap(SWAP, { onLine: (line) => received.push(line) })
  return { outcome, received, requests: server.seen.length }
}

describe('a swap', () => {
  test('reports each step as it arrives, and ends filled with both transactions', async () => {
    const { outcome, received } = await swapAgainst((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream(STEPS))
    })
    expect(received.map((line) => swapStep(line)?.status)).toEqual([
      'CHECKING',
      'SENDING',
      'FILLING',
      'FILLED',
    ])
    expect(outcome).toMatchObject({
      kind: 'answered',
      value: { status: 'FILLED', txHash: '0x02', sentTxHash: '0x01' },
    })
  })

  test('that fails before anything was sent is answered as failed, without a transaction', async () => {
    const { outcome } = await swapAgainst((response) => {
      response.writeHead(200).end(stream([STEPS[0] ?? {}, { status: 'FAILED', error: 'no liquidity' }]))
    })
    expect(outcome).toMatchObject({
      kind: 'answered',
      value: { status: 'FAILED', sentTxHash: null, words: 'no liquidity' },
    })
  })

  test('whose stream ends early is unknown, and its steps were received', async () => {
    const ended = await swapAgainst((response) => response.writeHead(200).end(stream(STEPS.slice(0, 2))))
    expect(ended.outcome).toMatchObject({ kind: 'unknown', sent: 'yes', status: 200 })
    expect(ended.outcome).toHaveProperty('words', expect.stringContaining('(0x01)'))
    const cut = await swapAgainst((response) => {
      response.writeHead(200)
      response.write(stream(STEPS.slice(0, 2)), () => response.destroy())
    })
    expect(cut.outcome).toMatchObject({ kind: 'unknown', sent: 'yes', status: 200 })
    expect(cut.received).toHaveLength(2)
    expect(cut.requests).toBe(1)
  })

  test('below its floor is refused before anything moves', async () => {
    const { outcome, received } = await swapAgainst((response) =>
      sendJson(response, { error: 'SLIPPAGE_EXCEEDED' }, 409),
    )
    expect(outcome).toMatchObject({ kind: 'refused', code: 'SLIPPAGE_EXCEEDED', retry: 'never' })
    expect(received).toEqual([])
  })
})

describe('the lines of a stream', () => {
  test('are the same however the bytes are cut, and with one line break or two between them', () => {
    const words = fc.record({ status: fc.string({ unit: anyCharacter }), txHash: fc.string() })
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 6 }),
        fc.constantFrom('\n', '\n\n', '\r\n\r\n'),
        fc.infiniteStream(fc.nat(7)),
        (steps, between, cuts) => {
          const bytes = new TextEncoder().encode(stream(steps, between))
          const received: StreamLine[] = []
          const reader = createLineReader((line) => received.push(line))
          for (let at = 0; at < bytes.length;) {
            const size = 1 + (cuts.next().value ?? 0)
            reader.feed(bytes.subarray(at, at + size))
            at += size
          }
          reader.end()
          expect(received).toEqual(steps.map((step) => JSON.parse(JSON.stringify(step)) as unknown))
        },
      ),
      { numRuns: 30 },
    )
  })

  test('that are no JSON objects are left out, and nothing throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(Array.isArray(readStream(text))).toBe(true)
      }),
    )
    expect(readStream('data: 7\n\ndata: [1]\n\nretry: x\n\ndata: {"status":"FILLED"}')).toEqual([
      { status: 'FILLED' },
    ])
  })
})
