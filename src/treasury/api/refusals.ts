import type { RetryClass } from './outcome.ts'

type Row = readonly [statuses: readonly number[], retry: RetryClass, meaning: string]

/**
 * Every code of the contract with its statuses, retry class and meaning. The code decides the class, not the status:
 * 409 has nine codes, of which only `transfer_in_flight` may be retried.
 */
const CODES = {
  missing_required_fields: [[400], 'never', 'a required field is missing'],
  invalid_amount: [[400], 'never', 'the amount is zero, negative or below the minimum'],
  amount_too_large: [[400], 'never', 'the amount is above the ceiling of the rail'],
  invalid_address: [[400], 'never', 'toAddress is not a valid address'],
  invalid_token: [[400], 'never', 'the token is not supported'],
  invalid_transfer: [[400], 'never', 'exactly one of toUserId and toAddress is needed'],
  invalid_phone: [[400], 'never', 'not a valid Tanzanian mobile number'],
  invalid_external_reference: [
    [400],
    'never',
    'the reference is not text, is too long or has control characters',
  ],
  phone_required: [[400], 'never', 'a phone number is needed'],
  phone_invalid: [[400], 'never', 'the phone number failed validation'],
  invalid_country: [[400], 'never', 'the country is not an ISO 3166-1 alpha-2 code'],
  payload_required: [[400], 'never', 'the scanned text of the QR code is missing'],
  invalid_entry: [[400], 'never', 'an allow-list entry is not an address or CIDR range'],
  invalid_utility_ref: [[400], 'never', 'the reference is not valid for this biller'],
  unknown_biller: [[400], 'never', 'no biller has this code'],
  till_network_required: [[502], 'verify', 'the network of the till is unknown; name it with network'],
  ip_not_allowed: [[403], 'never', "this machine's address is not on the partner's allow-list"],
  capability_required: [[403], 'never', 'the key lacks the capability'],
  kyb_required: [[403], 'never', 'KYB is not approved, or the allowance before it is used up'],
  capability_not_held: [[403], 'never', 'a capability that the issuer lacks cannot be delegated'],
  agent_credential_revoked: [[403], 'never', 'the credential is revoked'],
  agent_credential_expired: [[403], 'never', 'the credential has expired'],
  agent_credential_partner_inactive: [[403], 'never', 'the partner is deactivated'],
  agent_per_txn_cap_exceeded: [[403], 'never', "above the credential's ceiling for one transaction"],
  agent_daily_cap_exceeded: [[403], 'never', "above the credential's ceiling of 24 hours"],
  merchant_unavailable: [[403], 'never', 'the merchant cannot accept payments now'],
  wallet_frozen: [[403], 'never', 'the wallet is frozen'],
  endpoint_retired: [[410], 'never', 'the route is withdrawn; its answer has a migration note'],
  not_available_in_test_mode: [[501], 'never', 'the sandbox does not simulate this product'],
  test_mode_only: [[400], 'never', 'this route takes test keys only'],
  already_test: [[400], 'never', 'the account is already a sandbox account'],
  kyc_required: [[400], 'never', 'nidaNumber and phone are needed for a user in Tanzania'],
  kyc_pending_review: [[202], 'never', 'the verification is pending'],
  kyc_attestation_required: [[202], 'never', "report the verification's outcome with an attestation"],
  kyc_failed: [[400], 'never', 'the verification was negative'],
  kyc_already_decided: [[409], 'never', 'the case is already decided'],
  kyc_reliance_not_granted: [[403], 'never', 'the partner may not attest'],
  verified_at_stale: [[400], 'never', 'the attested verification is older than 365 days'],
  identity_already_registered: [[409], 'never', 'the identity already backs another wallet'],
  nida_already_registered: [[409], 'never', 'the NIDA number already backs another wallet'],
  identity_mismatch: [[409], 'never', 'the attested identity disagrees with the open case'],
  kyc_unavailable: [[503], 'backoff', 'the verification is not available now'],
  quote_required: [[400], 'never', 'a quote is needed first'],
  quote_mismatch: [[400], 'never', 'the quote is for another user, destination or amount'],
  invalid_quote: [[400], 'never', 'the quote is malformed or has expired'],
  quote_stale: [[409], 'never', 'the price moved; ask for a new quote'],
  insufficient_balance: [[400, 402], 'never', 'the balance does not cover it'],
  wallet_not_provisioned: [[400], 'backoff', 'the wallet does not exist yet'],
  end_user_required: [[400], 'never', 'a call on the platform wallet needs endUser.reference'],
  treasury_not_provisioned: [[400], 'never', 'the platform wallet is not set up'],
  funding_source_required: [[400], 'never', 'no funding source is named'],
  not_provisioned: [[503], 'never', 'the feature is not set up'],
  user_not_found: [[404], 'never', 'the partner has no such user'],
  lender_controls_settlement: [[403], 'never', "a lender manages the merchant's wallet"],
  token_paused: [[503], 'backoff', 'the issuer has paused transfers of the token; nothing was debited'],
  duplicate_withdrawal: [
    [409],
    'never',
    'an identical withdrawal of the last 5 minutes holds funds; read it back',
  ],
  idempotency_key_used: [[409], 'never', 'the key was already used'],
  invalid_idempotency_key: [[400], 'never', 'idempotencyKey has at most 128 characters'],
  transfer_in_flight: [[409], 'backoff', 'another transfer of this wallet is under way'],
  compliance_screening_blocked: [[403], 'never', 'the destination cannot be paid'],
  compliance_screening_unavailable: [[503], 'backoff', 'the screening is down; nothing moved'],
  rate_limited: [[429], 'backoff', 'too many requests'],
  relayer_unavailable: [[503], 'backoff', 'the relay for gas is offline'],
  network_error: [[500], 'backoff', "the venue's connection to the chain timed out"],
  database_error: [[500], 'backoff', 'the transfer was not recorded; nothing moved'],
  configuration_error: [[500], 'never', "the venue's configuration is incomplete"],
  initiation_failed: [[502], 'verify', 'the provider rejected the collection'],
  initiation_uncertain: [[502], 'verify', 'the prompt is unconfirmed; the collection may still be taken'],
  bank_rail_unavailable: [[503], 'backoff', 'payouts to banks are off'],
  bank_amount_unsupported: [[400], 'never', 'the amount cannot go over the bank rail'],
  spend_disabled: [[503], 'backoff', 'the rails of bills and tills are off'],
  spend_kind_disabled: [[503], 'never', 'this kind of destination is off'],
  ramp_unavailable: [[502, 503], 'backoff', 'the ramp could not price it; nothing was charged'],
  ramp_not_provisioned: [[503], 'never', 'the ramp is not set up'],
  ramp_spend_disabled: [[503], 'never', 'off-ramps to tills and bills await approval'],
  agent_float_disabled: [[503], 'never', 'payouts of sub-wallets are off'],
  signup_disabled: [[503], 'never', 'the sandbox takes no new accounts'],
  migration_pending: [[503], 'backoff', 'the deployment is ahead of its database'],
  SLIPPAGE_EXCEEDED: [[409], 'never', 'the price fell below minOutput; nothing moved'],
} as const satisfies Readonly<Record<string, Row>>

type PartnerCode = keyof typeof CODES

/** Every code, in the contract's order. */
export const PARTNER_CODES = Object.keys(CODES) as readonly PartnerCode[]

export function isPartnerCode(code: string): code is PartnerCode {
  return Object.hasOwn(CODES, code)
}

/** Returns the statuses, the retry class and the meaning of a code. */
export function readCode(code: PartnerCode): {
  readonly statuses: readonly number[]
  readonly retry: RetryClass
  readonly meaning: string
} {
  const [statuses, retry, meaning]: Row = CODES[code]
  return { statuses, retry, meaning }
}
