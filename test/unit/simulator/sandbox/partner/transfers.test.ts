import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../support/conservation-gap.ts'
import type { SandboxOptionsInput } from '../../../../../src/simulator/sandbox/options.ts'
import { partnerClient } from './partner-client.ts'

const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

function open(options: SandboxOptionsInput = {}) {
  const client = partnerClient({
    ...options,
    partner: { owner: { NTZS: '100000', USDC: '50' }, ...options.partner },
  })
  const { model, ownerId, ask } = client
  const lpWallet = model.options.walletAddress
  const transfer = (body: object, more = {}) =>
    ask('POST', '/transfers', { fromUserId: ownerId, ...body }, more)
  const owner = () => ask('GET', `/users/${ownerId}`).json
  return { ...client, lpWallet, transfer, owner }
}

describe('a transfer', () => {
  test("to the LP wallet's address arrives there as a deposit of whole shillings", () => {
    const { transfer, lpWallet, model, owner } = open()
    const before = model.book().ours.wallet.NTZS
    const { status, json } = transfer({ amountTzs: 40_000, toAddress: lpWallet })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      status: 'completed',
      amountTzs: 40_000,
      recipientAmountTzs: 40_000,
      feeAmountTzs: 0,
      feeTxHash: null,
      toAddress: lpWallet,
    })
    expect(model.book().ours.wallet.NTZS - before).toBe(40_000n * 10n ** 18n)
    expect(model.book().ours.transfers.at(-1)).toMatchObject({ kind: 'deposit', txHash: json['txHash'] })
    expect(owner()).toMatchObject({ balanceTzs: 60_000 })
    expect(conservationGap(model.book())).toEqual(zeroAmounts())
  })

  test('of USDC has figures of its own, and pays the partner’s fee out of the amount', () => {
    const { transfer, model, owner, partner } = open({
      partner: { settings: { fees: { transferBps: 100 } } },
    })
    expect(transfer({ token: 'USDC', amount: 12.5, toAddress: STRANGER }).json).toMatchObject({
      token: 'usdc',
      amount: 12.5,
      recipientAmount: 12.375,
      feeAmount: 0.125,
      feeTxHash: expect.any(String),
    })
    expect(model.book().accounts.get(partner.platformAddress.toLowerCase())?.USDC).toBe(125_000n)
    expect(owner()).toMatchObject({ balanceUsdc: 37.5 })
    expect(conservationGap(model.book())).toEqual(zeroAmounts())
  })

  test('to another user arrives in that wallet', () => {
    const { transfer, ask } = open()
    const created = ask('POST', '/users', {
      externalId: 'b',
      email: 'b@b.example',
      phone: '0754123456',
      nidaNumber: '19880101141210000125',
    })
    const id = String(created.json['id'])
    expect(transfer({ amountTzs: 7, toUserId: id }).json).toMatchObject({
      toAddress: created.json['walletAddress'],
    })
    expect(ask('GET', `/users/${id}`).json).toMatchObject({ balanceTzs: 7 })
  })

  test('is repeated where the venue has forgotten the key', () => {
    const { transfer, lpWallet, owner, wait } = open({ partner: { settings: { keyLifeMs: 60_000 } } })
    const wish = { amountTzs: 1_000, toAddress: lpWallet }
    transfer(wish, { idempotencyKey: 'k' })
    wait(59_999)
    transfer(wish, { idempotencyKey: 'k' })
    expect(owner()).toMatchObject({ balanceTzs: 99_000 })
    wait(1)
    transfer(wish, { idempotencyKey: 'k' })
    expect(owner()).toMatchObject({ balanceTzs: 98_000 })
  })

  test('may come again, mended, under the key of a refusal', () => {
    const { transfer, lpWallet } = open()
    expect(transfer({ amountTzs: 0, toAddress: lpWallet }, { idempotencyKey: 'k' }).status).toBe(400)
    expect(transfer({ amountTzs: 1, toAddress: lpWallet }, { idempotencyKey: 'k' }).status).toBe(201)
    expect(
      transfer({ amountTzs: 1, toAddress: lpWallet }, { idempotencyKey: 'k'.repeat(256) }),
    ).toMatchObject({
      status: 400,
      json: { error: 'invalid_idempotency_key' },
    })
  })

  test.each([
    [{ amountTzs: 1, toAddress: STRANGER, token: 'EURC' }, 'invalid_token'],
    [{ toAddress: STRANGER }, 'missing_required_fields'],
    [{ amountTzs: 1.5, toAddress: STRANGER }, 'invalid_amount'],
    [{ amountTzs: -1, toAddress: STRANGER }, 'invalid_amount'],
    [{ amountTzs: '1', toAddress: STRANGER }, 'invalid_amount'],
    [{ token: 'USDC', amount: 0.0000001, toAddress: STRANGER }, 'invalid_amount'],
    [{ amountTzs: 1 }, 'invalid_transfer'],
    [{ amountTzs: 1, toAddress: STRANGER, toUserId: 'x' }, 'invalid_transfer'],
    [{ amountTzs: 1, toAddress: '0x12' }, 'invalid_address'],
    [{ amountTzs: 1, toUserId: 'x' }, 'user_not_found'],
    [{ fromUserId: 'x', amountTzs: 1, toAddress: STRANGER }, 'user_not_found'],
    [{ amountTzs: 100_001, toAddress: STRANGER }, 'insufficient_balance'],
  ])('of %j is refused: %s', (body, error) => {
    const { transfer, owner } = open()
    expect(transfer(body).json).toMatchObject({ error })
    expect(owner()).toMatchObject({ balanceTzs: 100_000 })
  })

  test.each([
    ['token', 503, 'token_paused'],
    ['relayer', 503, 'relayer_unavailable'],
    ['compliance', 503, 'compliance_screening_unavailable'],
  ] as const)('is refused before anything moves while %s is out of order', (part, status, error) => {
    const { transfer } = open({ partner: { settings: { outOfOrder: [part] } } })
    expect(transfer({ amountTzs: 1, toAddress: STRANGER })).toMatchObject({ status, json: { error } })
  })

  test('to a blocked address is refused, and a shortfall has its figures and the status of the options', () => {
    const blocked = open({
      partner: { settings: { blocked: [STRANGER.toLowerCase()], insufficientStatus: 402 } },
    })
    expect(blocked.transfer({ amountTzs: 1, toAddress: STRANGER })).toMatchObject({
      status: 403,
      json: { error: 'compliance_screening_blocked' },
    })
    expect(blocked.transfer({ token: 'USDC', amount: 51, toAddress: blocked.lpWallet })).toMatchObject({
      status: 402,
      json: { error: 'insufficient_balance', details: { available: 50, requested: 51, shortfall: 1 } },
    })
  })
})

test("an LP withdrawal to the address of a partner's user arrives in its wallet", () => {
  const { ask, model, owner } = open()
  const answered = ask(
    'POST',
    '/api/v1/mm/withdraw',
    { token: 'ntzs', amount: '1234.5', toAddress: owner()['walletAddress'] },
    { key: model.options.apiKey },
  )
  expect(answered.status).toBe(200)
  expect(owner()).toMatchObject({ balanceTzs: 101_234 })
  expect(conservationGap(model.book())).toEqual(zeroAmounts())
})
