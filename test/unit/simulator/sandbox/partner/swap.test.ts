import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../support/conservation-gap.ts'
import { partnerClient, type PartnerClient } from './partner-client.ts'

const venue = () => partnerClient({ partner: { owner: { NTZS: '1000000', USDC: '500' } } })

const swap = (client: PartnerClient, more: object = {}, idempotencyKey?: string) =>
  client.ask(
    'POST',
    '/swap',
    { userId: client.ownerId, fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 100, ...more },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )

const statuses = (answer: ReturnType<PartnerClient['ask']>) => answer.events.map(({ data }) => data['status'])

describe("a swap of a user's wallet", () => {
  test('streams its four steps and moves exactly what was quoted', () => {
    const client = venue()
    const quoted = client.ask('GET', '/swap/rate?from=USDC&to=TZS_TOKEN&amount=100').json
    expect(statuses(swap(client))).toEqual(['CHECKING', 'SENDING', 'FILLING', 'FILLED'])
    const user = client.ask('GET', `/users/${client.ownerId}`).json
    expect(user).toMatchObject({
      balanceUsdc: 400,
      balanceTzs: Math.floor(1_000_000 + Number(quoted['expectedOutput'])),
    })
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
  })

  test('understands both spellings of its tokens', () => {
    const client = venue()
    const body = { userId: client.ownerId, from: 'TZS_TOKEN', to: 'USDC', amount: 100_000 }
    expect(statuses(client.ask('POST', '/swap', body)).at(-1)).toBe('FILLED')
  })

  test('is refused while another one of the wallet runs, and under a used key', () => {
    const client = venue()
    swap(client, {}, 'a')
    expect(swap(client, {}, 'b')).toMatchObject({ status: 409, json: { error: 'transfer_in_flight' } })
    client.wait(1_200)
    expect(swap(client, {}, 'a')).toMatchObject({ status: 409, json: { error: 'idempotency_key_used' } })
    expect(statuses(swap(client, {}, 'b')).at(-1)).toBe('FILLED')
  })

  test.each([
    [{ amount: 501 }, 400, 'insufficient_balance'],
    [{ amount: 0 }, 400, 'invalid_amount'],
    [{ fromToken: 'GOLD' }, 400, 'invalid_token'],
    [{ toToken: 'USDC' }, 400, 'invalid_token'],
    [{ userId: '00000000-0000-4000-a000-00000000dead' }, 404, 'user_not_found'],
    [{ userId: 'me' }, 400, 'missing_required_fields'],
  ])('with %j is refused', (more, status, code) => {
    expect(swap(venue(), more)).toMatchObject({ status, json: { error: code } })
  })

  test('ends in FAILED where no provider covers it, and the wallet keeps what it had', () => {
    const client = partnerClient({ partner: { owner: { USDC: '100000000' } } })
    expect(statuses(swap(client, { amount: 90_000_000 }))).toEqual(['CHECKING', 'FAILED'])
    expect(client.ask('GET', `/users/${client.ownerId}`).json['balanceUsdc']).toBe(100_000_000)
  })

  test('needs the capability, and a halted rate answers 503', () => {
    const bare = partnerClient({ partner: { settings: { capabilities: ['wallets'] } } })
    expect(swap(bare)).toMatchObject({ status: 403, json: { error: 'capability_required' } })
    const halted = venue()
    halted.model.inject({ notQuotable: { ms: 60_000 } })
    expect(swap(halted).status).toBe(503)
  })

  test('without a key of a partner stays the swap of an unnamed taker', () => {
    const client = venue()
    const body = { userId: client.ownerId, from: 'USDC', to: 'TZS_TOKEN', amount: 100 }
    const answer = client.ask('POST', '/swap', body, { key: null })
    expect(statuses(answer).at(-1)).toBe('FILLED')
    expect(client.ask('GET', `/users/${client.ownerId}`).json['balanceUsdc']).toBe(500)
  })
})
