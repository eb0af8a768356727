import type { Document } from 'yaml'
import { CHAIN_ID, EXCHANGE_ADDRESS } from '../sandbox/chain/exchange-address.ts'
import { TEST_ACCOUNTS } from '../sandbox/chain/test-accounts.ts'
import { TOKENS } from '../sandbox/tokens.ts'
import { TEST_KEY_FILES } from './write-test-key.ts'

/** A demo of a Sunday shows the mid of Friday, of a long weekend that of Thursday. */
const OLD_MID_MS = 432_000_000

/** Turns the demo's configuration into one of signed orders on the venue's own chain. */
export function configureSelfCustody(document: Document, chainUrl: string): void {
  document.setIn(['strategy'], {
    use: 'rfq-ladder',
    params: { levels: 3, baseHalfSpreadBps: 60, sizePremiumBps: 15, levelUsd: 200, maxSkewBps: 40 },
  })
  document.setIn(['risk', 'maxMidAgeMs'], OLD_MID_MS)
  const rfq = {
    chainId: CHAIN_ID,
    exchange: EXCHANGE_ADDRESS,
    maker: TEST_ACCOUNTS.maker.address,
    solver: TEST_ACCOUNTS.solver.address,
    tokens: { NTZS: TOKENS.NTZS.address, USDC: TOKENS.USDC.address, USDT: TOKENS.USDT.address },
    rpc: { urls: [chainUrl] },
    signer: { keystore: TEST_KEY_FILES.keystore, password: fromFile(document, TEST_KEY_FILES.password) },
    confirmations: 2,
    pollMs: 1_000,
    approve: { NTZS: '100000000', USDC: '50000', USDT: '50000' },
  }
  document.setIn(['rfq'], document.createNode(rfq))
}

function fromFile(document: Document, path: string) {
  const scalar = document.createNode(path)
  scalar.tag = '!file'
  return scalar
}
