import { gunzipSync } from 'node:zlib'
import {
  createTestClient,
  defineChain,
  http,
  maxUint256,
  publicActions,
  toHex,
  walletActions,
  type Address,
} from 'viem'
import { CHAIN_ID, EXCHANGE_ADDRESS, PLENTY, POOL_ADDRESS, TEST_ACCOUNTS } from './addresses.ts'
import { findAnvil, runAnvil } from './anvil.ts'
import { cacheFolder, contractCode, type FetchTarball, keptChainFile } from './contract-code.ts'
import { CHAIN_TOKENS, etchContracts } from './etch-contracts.ts'
import { chainRpc, type ChainRpc } from './rpc.ts'
import { chainTokens, type ChainTokens } from './tokens.ts'

export type ChainOptions = {
  /** 0 = any free port. */
  readonly port?: number
  /** Seconds between blocks in addition to one block per transaction; null = no additional blocks. */
  readonly blockSeconds?: number | null
  /** The folder of contracts and the prepared chain; default `cacheFolder()`. */
  readonly cache?: string
  /** Replaces the download of packages in tests. */
  readonly fetchTarball?: FetchTarball
}

export type StartedChain = {
  /** JSON-RPC; the same port speaks WebSocket. */
  readonly url: string
  readonly chainId: number
  readonly exchange: Address
  readonly accounts: typeof TEST_ACCOUNTS & { readonly pool: { readonly address: Address } }
  readonly tokens: ChainTokens
  readonly rpc: ChainRpc
  /** viem's test client, which is also a public and a wallet client. */
  readonly client: ChainClient
  readonly mine: (blocks?: number) => Promise<void>
  /** Unix milliseconds of the latest block. */
  readonly now: () => Promise<number>
  /** Moves the chain's clock forward and mines a block there. */
  readonly advance: (ms: number) => Promise<void>
  readonly snapshot: () => Promise<string>
  /** Restores a snapshot, which can be used only once. */
  readonly revert: (snapshot: string) => Promise<void>
  /** Resolves once the chain has ended for any reason. */
  readonly ended: Promise<void>
  readonly close: () => Promise<void>
}

type ChainClient = ReturnType<typeof chainClient>

/** Similar to Base: 0.01 gwei. */
const BASE_FEE_WEI = 10_000_000n
/** Part of the cached chain's name: a change of the preparation makes a new chain. */
const PREPARED = 'chain-4'

/**
 * Starts a local chain with Base's id, the real exchange at its real address, the registry's tokens at theirs and
 * rich accounts. Prepared once and cached for later starts. The maker has not approved the exchange yet. Throws if
 * anvil is missing or the contracts cannot be fetched.
 */
export async function startChain(options: ChainOptions = {}): Promise<StartedChain> {
  const binary = findAnvil()
  const folder = options.cache ?? cacheFolder()
  const { path } = await keptChainFile(folder, PREPARED, () => prepare(binary, folder, options.fetchTarball))
  const { blockSeconds = null, port = 0 } = options
  const blocks = blockSeconds === null ? [] : ['--block-time', String(blockSeconds), '--mixed-mining']
  const anvil = await runAnvil(binary, ['--load-state', path, '--port', String(port), ...blocks, ...ALWAYS])
  const { url, ended, close } = anvil
  const rpc = chainRpc(url)
  // The cached chain's head is as old as the cache.
  await rpc('anvil_mine', ['0x1'])
  return {
    url,
    chainId: CHAIN_ID,
    exchange: EXCHANGE_ADDRESS,
    accounts: { ...TEST_ACCOUNTS, pool: { address: POOL_ADDRESS } },
    tokens: chainTokens(rpc),
    rpc,
    client: chainClient(url),
    async mine(blocks = 1) {
      await rpc('anvil_mine', [toHex(blocks)])
    },
    async now() {
      const block = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
      return Number(block.timestamp) * 1_000
    },
    async advance(ms) {
      await rpc('evm_increaseTime', [Math.ceil(ms / 1_000)])
      await rpc('anvil_mine', ['0x1'])
    },
    snapshot: async () => (await rpc('evm_snapshot')) as string,
    async revert(snapshot) {
      if ((await rpc('evm_revert', [snapshot])) !== true) throw new Error(`there is no snapshot ${snapshot}`)
    },
    ended,
    close,
  }
}

const ALWAYS: readonly string[] = [
  '--host=127.0.0.1',
  `--chain-id=${CHAIN_ID}`,
  `--block-base-fee-per-gas=${BASE_FEE_WEI}`,
]

async function prepare(binary: string, folder: string, fetch: FetchTarball | undefined): Promise<Buffer> {
  const code = await contractCode(folder, fetch)
  const anvil = await runAnvil(binary, ['--port', '0', ...ALWAYS])
  try {
    const rpc = chainRpc(anvil.url)
    await etchContracts(rpc, code)
    await fund(chainTokens(rpc))
    const dump = (await rpc('anvil_dumpState')) as string
    return gunzipSync(Buffer.from(dump.slice(2), 'hex'))
  } finally {
    await anvil.close()
  }
}

/** Gives the maker the sandbox's opening balances and the others more than they can spend. The solver approves the exchange. */
async function fund(tokens: ChainTokens): Promise<void> {
  const { maker, solver, taker } = TEST_ACCOUNTS
  const opening = { NTZS: 40_000_000n, USDC: 12_000n, USDT: 4_000n }
  for (const { asset, decimals } of CHAIN_TOKENS) {
    const one = 10n ** BigInt(decimals)
    await tokens.setBalance(asset, maker.address, opening[asset] * one)
    for (const { address } of [solver, taker]) await tokens.setBalance(asset, address, PLENTY * one)
    await tokens.approve(asset, solver.address, EXCHANGE_ADDRESS, maxUint256)
  }
}

function chainClient(url: string) {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'Simulated Base',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  return createTestClient({ chain, mode: 'anvil', transport: http(url), pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}
