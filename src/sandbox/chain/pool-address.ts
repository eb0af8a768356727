import type { Address } from 'viem'

/** Where the shared pool's tokens lie. Nobody has its key: the venue in a box moves them by impersonation. */
export const POOL_ADDRESS: Address = '0x00000000000000000000000000000000000f0071'
/** Deploys the contracts and owns the test tokens. */
export const OPERATOR_ADDRESS: Address = '0x0000000000000000000000000000000000009e7a'
