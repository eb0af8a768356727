import { CLOSED_SHOP } from '../../../../src/simulator/sandbox/partner/commerce/accounts.ts'
import { LIVE_KEY, PHONE, TILL } from '../partner-venue.ts'
import { type Way, FRIEND, METER, off, transfer, deposit, merchantPay, agent } from './requests.ts'

export const INPUT: readonly Way[] = [
  ['missing_required_fields', 'a body without a required field', ({ post }) => post('/transfers')],
  ['invalid_amount', 'a deposit of less than 500', (venue) => deposit(venue, { amountTzs: 499 })],
  [
    'amount_too_large',
    'a bill or till whose principal and fees reach 1,000,000',
    ({ post, userId }) => post('/spend/quote', { userId, ...TILL, amountTzs: 999_000 }),
  ],
  ['invalid_address', 'a transfer to `0x12`', (venue) => transfer(venue, { toAddress: '0x12' })],
  ['invalid_token', 'a transfer of `token: GOLD`', (venue) => transfer(venue, { token: 'GOLD' })],
  [
    'invalid_transfer',
    'a transfer with both toUserId and toAddress',
    (venue) => transfer(venue, { toUserId: venue.userId }),
  ],
  [
    'invalid_phone',
    'a lookup of the phone `123`',
    ({ post }) => post('/lookup/recipient-name', { phoneNumber: '123' }),
  ],
  [
    'invalid_external_reference',
    'a merchant payment with a reference of 129 characters',
    (venue) => merchantPay(venue, { externalReference: 'x'.repeat(129) }),
  ],
  [
    'phone_required',
    'a mobile-money deposit without phoneNumber',
    ({ post, userId }) => post('/deposits', { userId, amountTzs: 1_000 }),
  ],
  [
    'phone_invalid',
    'a new user with the phone `123`',
    ({ post }) => post('/users', { ...FRIEND, phone: '123' }),
  ],
  [
    'invalid_country',
    'a new user of the country `XX1`',
    ({ post }) => post('/users', { ...FRIEND, country: 'XX1' }),
  ],
  ['payload_required', 'a QR lookup without payload', ({ post }) => post('/lookup/qr')],
  [
    'invalid_entry',
    'POST /sandbox/partner/settings with `allowList: ["home"]`',
    ({ settings }) => settings({ allowList: ['home'] }),
  ],
  [
    'invalid_utility_ref',
    'a bill whose reference is too short',
    ({ spend }) => spend({ ...METER, utilityRef: '1' }),
  ],
  ['unknown_biller', 'a bill of the biller `NONE`', ({ spend }) => spend({ ...METER, utilityCode: 'NONE' })],
  [
    'till_network_required',
    'a payment to a till that begins with 9, without network',
    ({ spend }) => spend({ payNumber: '912345' }),
  ],
  ['endpoint_retired', 'POST /v1/payouts', ({ post }) => post('/payouts')],
]

export const ACCESS: readonly Way[] = [
  [
    'ip_not_allowed',
    'an allowList without your address',
    async ({ settings, ask }) => {
      await settings({ allowList: ['192.0.2.1'] })
      return ask('GET', '/testmode')
    },
  ],
  [
    'capability_required',
    'capabilities without the one of the route',
    async ({ settings, ask }) => {
      await settings({ capabilities: ['wallets'] })
      return ask('GET', '/ramp/balance')
    },
  ],
  [
    'kyb_required',
    '`kyb: pending` and a sub-wallet, or more than 100,000 through the platform wallet',
    async (venue) => {
      await venue.settings({ kyb: 'pending' })
      return venue.spend({
        userId: undefined,
        fromTreasury: true,
        amountTzs: 150_000,
        endUser: { reference: 'a' },
      })
    },
  ],
  [
    'capability_not_held',
    'POST /sandbox/partner/agents for a capability that the settings lack',
    async (venue) => {
      await venue.settings({ capabilities: ['wallets'] })
      return venue.control('agents', { capabilities: ['ramp'] })
    },
  ],
  [
    'agent_credential_revoked',
    'POST /sandbox/partner/agent/KEY/revoked, then a request with KEY',
    async (venue) => {
      const more = await agent(venue, {})
      await venue.control(`agent/${more.key}/revoked`)
      return venue.ask('GET', '/spend/billers', undefined, more)
    },
  ],
  [
    'agent_credential_expired',
    'an agent with `lifeMs`, after that time',
    async (venue) => {
      const more = await agent(venue, { lifeMs: 1_000 })
      await venue.advance(1_000)
      return venue.ask('GET', '/spend/billers', undefined, more)
    },
  ],
  [
    'agent_credential_partner_inactive',
    '`outOfOrder: ["issuer"]` and a request of an agent',
    async (venue) => {
      const more = await agent(venue, {})
      await venue.settings({ outOfOrder: ['issuer'] })
      return venue.ask('GET', '/spend/billers', undefined, more)
    },
  ],
  [
    'agent_per_txn_cap_exceeded',
    'an agent with `perTransactionTzs`, and a payment above it',
    async (venue) => venue.spend({}, await agent(venue, { perTransactionTzs: 900 })),
  ],
  [
    'agent_daily_cap_exceeded',
    'an agent with `dailyTzs`, and payments above it in 24 hours',
    async (venue) => {
      const more = await agent(venue, { dailyTzs: 1_500 })
      await venue.spend({}, more)
      return venue.spend({}, more)
    },
  ],
  [
    'merchant_unavailable',
    'a payment to the merchant `closed-shop`',
    (venue) => merchantPay(venue, { handle: CLOSED_SHOP }),
  ],
  [
    'wallet_frozen',
    'POST /sandbox/partner/user/ID/frozen, then a transfer',
    async (venue) => {
      await venue.control(`user/${venue.userId}/frozen`)
      return transfer(venue)
    },
  ],
  [
    'not_available_in_test_mode',
    'a route of commerce with a test key',
    ({ ask }) => ask('GET', '/commerce/links'),
  ],
  [
    'test_mode_only',
    'POST /testmode/advance with a live key',
    ({ post }) => post('/testmode/advance', {}, { key: LIVE_KEY }),
  ],
  [
    'already_test',
    'a second sign-up with the same e-mail address',
    async ({ post }) => {
      await post('/testmode/signup', { name: 'A', email: 'a@b.example' })
      return post('/testmode/signup', { name: 'A', email: 'a@b.example' })
    },
  ],
  [
    'signup_disabled',
    '`outOfOrder: ["signup"]` and a sign-up',
    off('signup', ({ post }) => post('/testmode/signup', { name: 'A', email: 'a@b.example' })),
  ],
  [
    'rate_limited',
    '`requestsPerMinute: 1` in the options, or 31 lookups a minute with a live key',
    async ({ post }) => {
      const look = () => post('/lookup/recipient-name', { phoneNumber: PHONE }, { key: LIVE_KEY })
      for (let i = 0; i < 30; i++) await look()
      return look()
    },
  ],
]
