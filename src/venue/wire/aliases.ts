/**
 * Names of venues for fields of the LP API, by endpoint: another field, or one inside of another object. The keys are
 * the documented names, if the contract has one. Source: venue-measured.md, sections 1 and 5; venue.md, the LP API in
 * practice.
 */
export const LP_ALIASES = {
  account: {
    isActive: ['account.isActive'],
    walletAddress: ['account.walletAddress'],
  },
  /** Our part of a token in `positions`. */
  position: { amount: ['balance', 'contributed'] },
  custody: { enabled: ['selfCustody'] },
  rfqInfo: {
    solverWallet: ['solver', 'solverAddress', 'taker'],
    exchange: ['exchangeProxy', 'verifyingContract'],
  },
} as const

/** Informational fields of a fill; the first present one is shown. No figure depends on them. */
export const FILL_INFORMATION = {
  earned: ['feesEarned', 'spreadEarned'],
  txHash: ['txHash', 'outTxHash', 'inTxHash'],
  wallet: ['userAddress'],
  source: ['source'],
  partner: ['partnerId'],
} as const

/** Fields that name the token of an entry; an address decides before a symbol. */
export const TOKEN_NAMES = ['tokenAddress', 'token', 'symbol'] as const
