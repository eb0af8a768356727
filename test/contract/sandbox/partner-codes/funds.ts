import { LIVE_KEY, PHONE, TILL } from '../partner-venue.ts'
import { type Way, off, transfer, swap } from './requests.ts'

export const FUNDS: readonly Way[] = [
  ['quote_required', 'a payment without quoteId', ({ spend }) => spend({ quoteId: undefined })],
  [
    'quote_mismatch',
    'a payment of another amount than the quote',
    async (venue) => {
      const body = { userId: venue.userId, ...TILL, amountTzs: 1_000 }
      const { quoteId } = (await venue.post('/spend/quote', body)).json
      return venue.post('/spend', { ...body, amountTzs: 2_000, quoteId })
    },
  ],
  [
    'invalid_quote',
    'a payment with the quoteId `x`, or after five minutes',
    ({ spend }) => spend({ quoteId: 'x' }),
  ],
  [
    'quote_stale',
    'a quote, then another `tariff` in the settings, then the payment',
    async (venue) => {
      const body = { userId: venue.userId, ...TILL, amountTzs: 1_000 }
      const { quoteId } = (await venue.post('/spend/quote', body)).json
      await venue.settings({ tariff: 2 })
      return venue.post('/spend', { ...body, quoteId })
    },
  ],
  [
    'insufficient_balance',
    'a transfer of more than the wallet has',
    (venue) => transfer(venue, { amountTzs: 90_000_000 }),
  ],
  [
    'end_user_required',
    'a payment from the platform wallet without endUser',
    ({ spend }) => spend({ userId: undefined, fromTreasury: true }),
  ],
  [
    'treasury_not_provisioned',
    '`outOfOrder: ["treasury"]` and fromTreasury',
    off('treasury', ({ spend }) => spend({ userId: undefined, fromTreasury: true })),
  ],
  [
    'funding_source_required',
    'a payment with neither userId, fromTreasury nor subWalletId',
    ({ spend }) => spend({ userId: undefined }),
  ],
  [
    'lender_controls_settlement',
    'a draw on the financing, then a withdrawal of the merchant',
    async (venue) => {
      const shop = await venue.openShop()
      await shop('POST', 'financing/withdraw', { amountTzs: 10_000 })
      return shop('POST', 'withdraw', { amountTzs: 5_000 })
    },
  ],
  [
    'duplicate_withdrawal',
    'the same payout twice within five minutes',
    async ({ withdraw }) => {
      await withdraw()
      return withdraw()
    },
  ],
  [
    'idempotency_key_used',
    'one Idempotency-Key for two bodies',
    async ({ post, userId }) => {
      const body = { userId, amountTzs: 1_000, phoneNumber: PHONE }
      const headers = { 'idempotency-key': 'k' }
      await post('/deposits', body, { headers })
      return post('/deposits', { ...body, amountTzs: 2_000 }, { headers })
    },
  ],
  [
    'invalid_idempotency_key',
    'a merchant transfer with an idempotencyKey of 129 characters',
    async (venue) =>
      (await venue.openShop())('POST', 'transfer-to-wallet', {
        amountTzs: 1,
        idempotencyKey: 'x'.repeat(129),
      }),
  ],
  [
    'transfer_in_flight',
    'two merchant transfers within three seconds, or two swaps of one wallet',
    async (venue) => {
      const shop = await venue.openShop()
      await shop('POST', 'financing/withdraw', { amountTzs: 1_000 })
      await venue.post(
        '/merchant/pay',
        { payerUserId: venue.liveUserId, handle: 'shop', amountTzs: 2_000 },
        { key: LIVE_KEY },
      )
      await shop('POST', 'transfer-to-wallet', { amountTzs: 1, idempotencyKey: 'a' })
      return shop('POST', 'transfer-to-wallet', { amountTzs: 1, idempotencyKey: 'b' })
    },
  ],
  [
    'SLIPPAGE_EXCEEDED',
    'a swap with a minOutput above the rate',
    (venue) => swap(venue, { minOutput: 9_000_000 }),
  ],
]
