import type { Document } from 'yaml'
import { CHAIN_ID, EXCHANGE_ADDRESS, TEST_ACCOUNTS } from '../chain/addresses.ts'
import { TOKENS } from '../market/tokens.ts'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { encryptKeystore } from '../../../custody/signing/keystore/keystore.ts'
import { writeKeystoreFile } from '../../../custody/signing/keystore/keystore-file.ts'
import { PrivateKey } from '../../../custody/signing/local/private-key.ts'

/** On a Sunday the demo shows the mid of Friday, on a long weekend that of Thursday. */
const OLD_MID_MS = 432_000_000

/** Changes the demo's configuration to signed orders on the venue's own chain. */
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

const TEST_KEY_FILES = { keystore: 'maker.json', password: 'maker.password' } as const

/** Writes the published test key to this folder as a keystore with its own password; keeps an existing one. */
export async function writeTestKey(folder: string): Promise<Result<void, string>> {
  if (existsSync(join(folder, TEST_KEY_FILES.keystore))) return ok(undefined)
  const key = PrivateKey.parse(TEST_ACCOUNTS.maker.key)
  if (!key.ok) return err(key.error)
  const password = randomBytes(16).toString('hex')
  writeFileSync(join(folder, TEST_KEY_FILES.password), `${password}\n`, { mode: 0o600 })
  const text = await encryptKeystore(key.value, password)
  key.value.wipe()
  return writeKeystoreFile(join(folder, TEST_KEY_FILES.keystore), text, 'new')
}
