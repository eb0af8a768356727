import type { Address, Hex } from 'viem'

/** The exchange's address on Base. Source: rfq.md. */
export const EXCHANGE_ADDRESS: Address = '0xdef1c0ded9bec7f1a1670819833240f027b25eff'
/** Base. */
export const CHAIN_ID = 8_453

/** The address of the shared pool's tokens. It has no key: the simulated venue moves them by impersonation. */
export const POOL_ADDRESS: Address = '0x00000000000000000000000000000000000f0071'
/** Deploys the contracts and owns the test tokens. */
export const OPERATOR_ADDRESS: Address = '0x0000000000000000000000000000000000009e7a'

type TestAccount = { readonly address: Address; readonly key: Hex }

/**
 * The first accounts of the mnemonic that every local test chain uses ("test test ... junk"). Their keys are public,
 * so they are safe only on a local chain.
 */
export const TEST_ACCOUNTS = {
  maker: {
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  },
  solver: {
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    key: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  },
  taker: {
    address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    key: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  },
  stranger: {
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    key: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  },
} as const satisfies Record<string, TestAccount>

/** Whole tokens of the solver and the takers: more than they can spend. */
export const PLENTY = 10n ** 12n
