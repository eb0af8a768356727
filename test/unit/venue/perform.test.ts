import { describe, expect, onTestFinished, test } from 'vitest'
import type { VenueEffect } from '../../../src/core/engine/model/effect.ts'
import { createVenueClient } from '../../../src/venue/client.ts'
import { scriptedServer, sendJson } from './scripted-server.ts'

/** Performs effects against canned answers by `METHOD path`; the clock advances by 10 at every look. */
async function performer(answers: Record<string, unknown>) {
  const server = await scriptedServer((response, request) => {
    const path = (request.url ?? '').split('?')[0]
    const body = answers[`${request.method} ${path}`]
    if (body === undefined) sendJson(response, { code: 'NOT_FOUND' }, 404)
    else sendJson(response, body)
  })
  const client = createVenueClient(
    { baseUrl: server.url, publicUrl: server.url },
    { apiKey: 'mm_test_performer', mayPayOut: true },
  )
  onTestFinished(() => server.close())
  onTestFinished(() => client.close())
  let now = 1_000
  return (effect: VenueEffect) => client.perform(effect, () => (now += 10))
}

const spread = { bidBps: 50, askBps: 60, quoteBid: true, quoteAsk: true, quotePairs: null }
const row = { id: 'f1', fromToken: 'USDC', toToken: 'NTZS', amountIn: '1', amountOut: '2500' }

describe('an effect', () => {
  test('becomes the event that answers it, with its number and its times', async () => {
    const perform = await performer({
      'GET /api/v1/mm/account': { isActive: true, walletAddress: '0xw' },
      'GET /api/v1/mm/rate': { midRateTZS: 2600 },
      'GET /api/v1/mm/balances': { ntzs: '1', usdc: '2', usdt: '3' },
      'GET /api/v1/mm/quote': { spreadBps: 60 },
      'GET /api/v1/swap/rate': { midRate: 2600, spreadBps: 40 },
      'PATCH /api/v1/mm/spread': spread,
      'POST /api/v1/mm/activate': { isActive: true },
      'POST /api/v1/mm/withdraw': { status: 'confirmed', txHash: '0xt' },
    })
    expect(await perform({ type: 'readAccount', id: 1 })).toMatchObject({
      type: 'account',
      request: 1,
      t: 1_020,
    })
    expect(await perform({ type: 'readRate', id: 2 })).toMatchObject({ type: 'rate', request: 2 })
    expect(await perform({ type: 'readBalances', id: 3 })).toEqual({
      type: 'balances',
      request: 3,
      sentAt: 1_050,
      t: 1_060,
      source: null,
      amounts: { NTZS: 10n ** 18n, USDC: 2n * 10n ** 18n, USDT: 3n * 10n ** 18n },
    })
    expect(await perform({ type: 'readQuote', id: 4, side: 'bid' })).toEqual({
      type: 'quoteRead',
      request: 4,
      t: 1_080,
      side: 'bid',
      spreadBps: 60,
      mid: null,
      protocolFeeBps: null,
      formula: null,
    })
    expect(
      await perform({ type: 'readBestQuote', id: 5, side: 'ask', probe: 7n, stable: 'USDT' }),
    ).toMatchObject({
      type: 'bestQuote',
      request: 5,
      side: 'ask',
      probe: 7n,
      stable: 'USDT',
      bestBps: 40,
    })
    expect(await perform({ type: 'setQuote', id: 6, spread })).toMatchObject({ type: 'quoteSet', spread })
    expect(await perform({ type: 'activate', id: 7, isActive: true })).toMatchObject({
      type: 'activation',
      partial: false,
    })
    expect(
      await perform({ type: 'withdraw', id: 8, asset: 'USDC', amount: 5n, toAddress: '0xd' }),
    ).toMatchObject({
      type: 'withdrawn',
      asset: 'USDC',
      amount: 5n,
      txHash: '0xt',
    })
  })

  test('that reads fills brings each row once', async () => {
    const perform = await performer({
      'GET /api/v1/mm/fills': { fills: [row, { ...row, id: 'bad', amountIn: '0' }] },
    })
    expect(await perform({ type: 'readFills', id: 1 })).toMatchObject({
      type: 'fills',
      sentAt: 1_010,
      fills: [{ id: 'f1' }],
      quarantined: [{ id: 'bad' }],
      repeated: 0,
    })
    expect(await perform({ type: 'readFills', id: 2 })).toMatchObject({
      fills: [],
      quarantined: [],
      repeated: 2,
    })
  })

  test('that fails is an event too', async () => {
    const perform = await performer({})
    expect(await perform({ type: 'readRate', id: 9 })).toMatchObject({
      type: 'requestFailed',
      request: 9,
      t: 1_020,
      failure: { kind: 'refused', code: 'NOT_FOUND', route: 'GET /rate' },
    })
  })
})
