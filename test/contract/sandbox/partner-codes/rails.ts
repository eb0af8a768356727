import { TILL } from '../partner-venue.ts'
import { type Way, FRIEND, off, announced, transfer, deposit, swap } from './requests.ts'

export const RAILS: readonly Way[] = [
  ['token_paused', '`outOfOrder: ["token"]` and a transfer', off('token', transfer)],
  ['relayer_unavailable', '`outOfOrder: ["relayer"]` and a transfer', off('relayer', transfer)],
  [
    'compliance_screening_unavailable',
    '`outOfOrder: ["compliance"]` and a transfer',
    off('compliance', transfer),
  ],
  [
    'compliance_screening_blocked',
    '`blocked: [DESTINATION]` and a payment to it',
    async (venue) => {
      await venue.settings({ blocked: [TILL.payNumber] })
      return venue.spend()
    },
  ],
  ['initiation_failed', '`outOfOrder: ["collections"]` and a deposit', off('collections', deposit)],
  [
    'bank_rail_unavailable',
    '`outOfOrder: ["bank"]` and a payout to a bank',
    off('bank', ({ withdraw }) =>
      withdraw({ phoneNumber: undefined, bankCode: 'NMB', accountNumber: '0150123456789' }),
    ),
  ],
  [
    'bank_amount_unsupported',
    'a payout of 1,000,000 to a bank',
    ({ withdraw }) =>
      withdraw({
        phoneNumber: undefined,
        bankCode: 'NMB',
        accountNumber: '0150123456789',
        amountTzs: 1_000_000,
      }),
  ],
  [
    'spend_disabled',
    '`outOfOrder: ["spend"]` and a payment',
    off('spend', ({ spend }) => spend({ quoteId: 'x' })),
  ],
  [
    'spend_kind_disabled',
    '`outOfOrder: ["bills"]` or `["tills"]` and a payment of that kind',
    off('tills', ({ spend }) => spend({ quoteId: 'x' })),
  ],
  [
    'ramp_unavailable',
    '`outOfOrder: ["ramp"]`, or a rate that is not quotable, and a quote',
    off('ramp', ({ post }) => post('/ramp/quote', { direction: 'offramp', tzsAmount: 1_000 })),
  ],
  [
    'ramp_not_provisioned',
    '`outOfOrder: ["rampSetup"]` and a quote',
    off('rampSetup', ({ post }) => post('/ramp/quote', { direction: 'offramp', tzsAmount: 1_000 })),
  ],
  [
    'ramp_spend_disabled',
    '`outOfOrder: ["rampSpend"]` and a quote for a till',
    off('rampSpend', ({ post }) =>
      post('/ramp/quote', { direction: 'offramp', tzsAmount: 1_000, destination: TILL }),
    ),
  ],
  [
    'agent_float_disabled',
    '`outOfOrder: ["agentFloat"]` and a sub-wallet',
    off('agentFloat', ({ post }) => post('/partners/sub-wallets', { label: 'a' })),
  ],
  [
    'network_error',
    'POST /sandbox/partner/next, or the fault `500-after` of the route',
    announced('network_error', 'POST /transfers', transfer),
  ],
  ['database_error', 'POST /sandbox/partner/next', announced('database_error', 'POST /transfers', transfer)],
  [
    'configuration_error',
    'POST /sandbox/partner/next',
    announced('configuration_error', 'POST /transfers', transfer),
  ],
  [
    'initiation_uncertain',
    'POST /sandbox/partner/next, with `isTaken` where the prompt went out',
    announced('initiation_uncertain', 'POST /deposits', deposit),
  ],
  [
    'not_provisioned',
    'POST /sandbox/partner/next',
    announced('not_provisioned', 'POST /users', ({ post }) => post('/users', FRIEND)),
  ],
  ['migration_pending', 'POST /sandbox/partner/next', announced('migration_pending', 'POST /swap', swap)],
]
