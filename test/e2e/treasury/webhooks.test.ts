import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { startPositionHere } from '../daemon/position-here.ts'
import { until } from '../daemon/until.ts'
import {
  openTreasuryMarket,
  TREASURY_ENV,
  WEBHOOK_SECRET,
  type TreasuryMarket,
} from './open-treasury-market.ts'

const SLOW_POLLS = { pollEveryMs: 60_000 }

function hasSettled(market: TreasuryMarket): boolean {
  return Object.values(market.state()?.intents ?? {}).some(({ stage }) => stage === 'settled')
}

describe('webhooks of the partner API', () => {
  test('bring the end of a deposit long before the next poll, are journalled, and a forgery is refused', async () => {
    const port = await freePort()
    await using market = await openTreasuryMarket(
      { ...SLOW_POLLS, webhooks: { port, secrets: ['!env WEBHOOK_SECRET'] } },
      { partner: { webhookUrl: `http://127.0.0.1:${port}/hook` } },
    )
    const daemon = await startPositionHere(market.config, TREASURY_ENV)
    await until('the refill has ended', () => hasSettled(market), {
      withinMs: 30_000,
      otherwise: () => daemon.notices,
    })
    expect(market.events().filter(({ type }) => type === 'webhookSeen')).not.toEqual([])
    const body = '{"type":"deposit.completed","data":{"depositId":"forged"}}'
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const sign = (secret: string) => createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const post = async (signature: string) => {
      const headers = { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp }
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
      return answer.status
    }
    const before = market.events().length
    expect(await post(sign('another secret'))).toBe(401)
    expect(await post(sign(WEBHOOK_SECRET))).toBe(200)
    // Answered 200 means on disk.
    expect(market.events().slice(before)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ type: 'webhookSeen', resourceId: 'forged' })]),
    )
    await until('it is notified', () =>
      daemon.notices.some((notice) => notice.code === 'treasury-webhook-refused'),
    )
    await daemon.leave()
  })

  test('that no one receives cost time and nothing else: the next poll brings the same end', async () => {
    const gone = await freePort()
    await using market = await openTreasuryMarket(
      {},
      { partner: { webhookUrl: `http://127.0.0.1:${gone}/` } },
    )
    const daemon = await startPositionHere(market.config, TREASURY_ENV)
    await until('the refill has ended', () => hasSettled(market), { withinMs: 30_000 })
    expect(market.events().filter(({ type }) => type === 'webhookSeen')).toEqual([])
    await daemon.leave()
  })
})
