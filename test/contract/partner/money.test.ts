import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { funded, fundedUser, PLACES, refusalOf, valueOf } from './place.ts'

const PAYER = '255754000333'
const key = () => randomBytes(16).toString('hex')

describe.each(PLACES)('deposits, against $name', ({ open }) => {
  test('createDeposit by mobile money is submitted, and completed once the payer has paid', async () => {
    const { client, userId } = await funded(open, 0n)
    const { id, status } = valueOf(
      await client.createDeposit({ amountTzs: 25_000n, userId, phoneNumber: PAYER }),
    )
    expect(status).toBe('submitted')
    valueOf(await client.advance({}))
    expect(valueOf(await client.readDeposit({ id }))).toMatchObject({
      id,
      status: 'completed',
      amountTzs: 25_000n,
    })
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(25_000n)
  })

  test('createDeposit by bank transfer has instructions to show, and a reference', async () => {
    const { client, userId } = await funded(open, 0n)
    const wanted = { amountTzs: 40_000_000n, userId, paymentMethod: 'bank_transfer' } as const
    const deposit = valueOf(await client.createDeposit(wanted))
    expect(deposit.reference).toMatch(/^[A-Z]+-[A-Z0-9]{6}$/)
    expect(deposit.instructions).toMatchObject({ reference: deposit.reference })
    expect(valueOf(await client.readDeposit({ id: deposit.id })).instructions).toEqual(deposit.instructions)
  })

  test('createDeposit by card has a page to pay on, and by till number the number to pay', async () => {
    const { client, userId } = await funded(open, 0n)
    const urls = { redirectUrl: 'https://desk.example/done', cancelUrl: 'https://desk.example/no' }
    const card = await client.createDeposit({ amountTzs: 5_000n, userId, paymentMethod: 'card', ...urls })
    expect(valueOf(card).paymentUrl).toMatch(/^https:/)
    const till = { amountTzs: 5_001n, userId, paymentMethod: 'lipa_namba', phoneNumber: PAYER } as const
    expect(valueOf(await client.createDeposit(till)).instructions).toHaveProperty('lipaNamba')
  })

  test('an amount that ends in 13 fails, and one that ends in 99 stays open', async () => {
    const { client, userId } = await funded(open, 0n)
    const failing = valueOf(await client.createDeposit({ amountTzs: 5_013n, userId, phoneNumber: PAYER }))
    const waiting = valueOf(await client.createDeposit({ amountTzs: 5_099n, userId, phoneNumber: PAYER }))
    valueOf(await client.advance({}))
    expect(valueOf(await client.readDeposit({ id: failing.id })).status).toBe('failed')
    expect(['pending', 'submitted']).toContain(valueOf(await client.readDeposit({ id: waiting.id })).status)
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(0n)
  })

  test('a replay of the same key and bytes returns the original deposit', async () => {
    const { client, userId } = await funded(open, 0n)
    const { body } = client.calls.createDeposit({ amountTzs: 7_000n, userId, phoneNumber: PAYER })
    const attempt = { endpoint: 'createDeposit', key: key(), body: body ?? '' } as const
    const { id } = valueOf(await client.transmit(attempt))
    expect(valueOf(await client.transmit(attempt)).id).toBe(id)
    valueOf(await client.advance({}))
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(7_000n)
  })

  test('below 500 an amount is refused, and a platform deposit without an end user is', async () => {
    const { client, userId } = await funded(open, 0n)
    const small = await client.createDeposit({ amountTzs: 499n, userId, phoneNumber: PAYER })
    expect(refusalOf(small)).toMatchObject({ status: 400, code: 'invalid_amount', retry: 'never' })
    const unnamed = await client.createDeposit({ amountTzs: 5_000n, phoneNumber: PAYER })
    expect(refusalOf(unnamed).code).toBe('end_user_required')
    const named = { amountTzs: 5_000n, phoneNumber: PAYER, endUser: { reference: key() } }
    expect(valueOf(await client.createDeposit(named)).status).toBe('submitted')
  })
})

describe.each(PLACES)('transfers, against $name', ({ open }) => {
  test('createTransfer moves whole shillings at once, and the answer adds up', async () => {
    const client = await open()
    const from = await fundedUser(client, 50_000n)
    const to = await fundedUser(client, 0n)
    const transfer = valueOf(
      await client.createTransfer({ fromUserId: from.id, toUserId: to.id, amountTzs: 20_001n }),
    )
    expect(transfer).toMatchObject({ status: 'completed', amountTzs: 20_001n })
    const received = transfer.recipientAmountTzs ?? -1n
    expect(received + (transfer.feeAmountTzs ?? 0n)).toBe(20_001n)
    expect(valueOf(await client.readUser({ id: to.id })).balanceTzs).toBe(received)
    expect(valueOf(await client.readUser({ id: from.id })).balanceTzs).toBe(29_999n)
  })

  test('a replay of a transfer moves nothing a second time', async () => {
    const client = await open()
    const from = await fundedUser(client, 50_000n)
    const to = await fundedUser(client, 0n)
    const call = client.calls.createTransfer({
      fromUserId: from.id,
      toAddress: to.walletAddress,
      amountTzs: 9_000n,
    })
    const attempt = { endpoint: 'createTransfer', key: key(), body: call.body ?? '' } as const
    const first = valueOf(await client.transmit(attempt))
    expect(valueOf(await client.transmit(attempt))).toMatchObject({ id: first.id, txHash: first.txHash })
    expect(valueOf(await client.readUser({ id: from.id })).balanceTzs).toBe(41_000n)
  })

  test('needs exactly one destination, an address that is one, and the balance', async () => {
    const client = await open()
    const { id: fromUserId, walletAddress } = await fundedUser(client, 1_000n)
    const send = (more: object) => client.createTransfer({ fromUserId, amountTzs: 900n, ...more })
    expect(refusalOf(await send({})).code).toBe('invalid_transfer')
    expect(refusalOf(await send({ toAddress: '0x12' })).code).toBe('invalid_address')
    const short = refusalOf(await send({ amountTzs: 5_000n, toAddress: walletAddress }))
    expect(short).toMatchObject({ code: 'insufficient_balance', retry: 'never' })
    expect(short.details).toMatchObject({ available: 1_000, requested: 5_000, shortfall: 4_000 })
  })
})

describe.each(PLACES)('withdrawals, against $name', ({ open }) => {
  test('quoteWithdrawal and createWithdrawal pay what was quoted, to a phone and to a bank', async () => {
    const { client, userId } = await funded(open, 900_000n)
    const before = 900_000n
    const phone = { amountTzs: 100_001n, userId, phoneNumber: '255754000345' }
    const bank = { amountTzs: 200_003n, userId, bankCode: 'CRDB', accountNumber: '0150123456' }
    let burned = 0n
    for (const wanted of [phone, bank]) {
      const quote = valueOf(await client.quoteWithdrawal(wanted))
      expect(quote).toMatchObject({ receiveAmountTzs: wanted.amountTzs, balance: { sufficient: true } })
      expect(quote.burnAmountTzs).toBe(wanted.amountTzs + quote.totalFeeTzs)
      const quoteId = quote.quoteId ?? ''
      const { id, status } = valueOf(await client.createWithdrawal({ ...wanted, quoteId }))
      expect(status).toBe('burned')
      valueOf(await client.advance({}))
      expect(valueOf(await client.readWithdrawal({ id }))).toMatchObject({
        status: 'paid',
        payoutStatus: 'completed',
      })
      burned += quote.burnAmountTzs
    }
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(before - burned)
  })

  test.each([
    ['13', 'reverted', 'reverted', 0n],
    ['02', 'burned', 'reconcile_required', null],
    ['99', 'burned', 'pending', null],
  ] as const)('a destination that ends in %s ends %s, %s', async (ending, status, payoutStatus, kept) => {
    const { client, userId } = await funded(open, 90_000n)
    const wanted = { amountTzs: 50_000n, userId, phoneNumber: `2557540003${ending}` }
    const { quoteId, burnAmountTzs } = valueOf(await client.quoteWithdrawal(wanted))
    const { id } = valueOf(await client.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' }))
    valueOf(await client.advance({}))
    expect(valueOf(await client.readWithdrawal({ id }))).toMatchObject({ status, payoutStatus })
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(90_000n - (kept ?? burnAmountTzs))
  })

  test('are refused without a quote, with the quote of another amount, and twice within five minutes', async () => {
    const { client, userId } = await funded(open, 300_000n)
    const wanted = { amountTzs: 60_000n, userId, phoneNumber: '255754000345' }
    const quoted = async () => valueOf(await client.quoteWithdrawal(wanted)).quoteId ?? ''
    expect(refusalOf(await client.createWithdrawal(wanted)).code).toBe('quote_required')
    expect(refusalOf(await client.createWithdrawal({ ...wanted, quoteId: 'made-up' })).code).toBe(
      'invalid_quote',
    )
    const other = { ...wanted, amountTzs: 60_001n, quoteId: await quoted() }
    expect(refusalOf(await client.createWithdrawal(other)).code).toBe('quote_mismatch')
    valueOf(await client.createWithdrawal({ ...wanted, quoteId: await quoted() }))
    const again = await client.createWithdrawal({ ...wanted, quoteId: await quoted() })
    expect(refusalOf(again)).toMatchObject({ status: 409, code: 'duplicate_withdrawal', retry: 'verify' })
    const forced = { ...wanted, quoteId: await quoted(), allowDuplicate: true }
    expect(valueOf(await client.createWithdrawal(forced)).status).toBe('burned')
  })

  test('a replay within the window returns the original payout, and nothing is paid twice', async () => {
    const { client, userId } = await funded(open, 300_000n)
    const wanted = { amountTzs: 60_000n, userId, phoneNumber: '255754000345' }
    const { quoteId, burnAmountTzs } = valueOf(await client.quoteWithdrawal(wanted))
    const { body } = client.calls.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' })
    const attempt = { endpoint: 'createWithdrawal', key: key(), body: body ?? '' } as const
    const { id } = valueOf(await client.transmit(attempt))
    expect(valueOf(await client.transmit(attempt)).id).toBe(id)
    valueOf(await client.advance({}))
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(300_000n - burnAmountTzs)
  })

  test('from 1,000,000 a phone waits for an approval, and a bank is refused', async () => {
    const { client, userId } = await funded(open, 3_000_000n)
    const phone = { amountTzs: 1_000_000n, userId, phoneNumber: '255754000345' }
    const quote = valueOf(await client.quoteWithdrawal(phone))
    expect(quote.approval).toMatchObject({ requiresApproval: true, secondApprovalThresholdTzs: 1_000_000n })
    const payout = valueOf(await client.createWithdrawal({ ...phone, quoteId: quote.quoteId ?? '' }))
    expect(payout.status).toBe('requested')
    const bank = { amountTzs: 1_000_000n, userId, bankCode: 'CRDB', accountNumber: '0150123456' }
    expect(refusalOf(await client.quoteWithdrawal(bank))).toMatchObject({
      status: 400,
      code: 'bank_amount_unsupported',
    })
  })

  test('a quote beyond the balance has no id, one to a number without a name has no name, and 4,999 has none', async () => {
    const { client, userId } = await funded(open, 10_000n)
    const quote = valueOf(
      await client.quoteWithdrawal({ amountTzs: 50_000n, userId, phoneNumber: '255754000300' }),
    )
    expect(quote).toMatchObject({
      quoteId: null,
      recipientName: null,
      balance: { sufficient: false, availableTzs: 10_000n },
    })
    const small = await client.quoteWithdrawal({ amountTzs: 4_999n, userId, phoneNumber: '255754000345' })
    expect(refusalOf(small).code).toBe('invalid_amount')
  })
})
