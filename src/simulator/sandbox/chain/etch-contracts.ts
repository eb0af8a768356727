import {
  concat,
  encodeAbiParameters,
  keccak256,
  parseAbi,
  toFunctionSelector,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import { TOKENS } from '../market/tokens.ts'
import { EXCHANGE_ADDRESS, OPERATOR_ADDRESS } from './addresses.ts'
import type { ContractCode } from './contract-code.ts'
import { type ChainRpc, sendAs } from './rpc.ts'

/** The tokens of the primary chain, the only ones on the simulated chain. */
export const CHAIN_TOKENS = [
  { asset: 'NTZS', address: TOKENS.NTZS.address, decimals: 18 },
  { asset: 'USDC', address: TOKENS.USDC.address, decimals: 6 },
  { asset: 'USDT', address: TOKENS.USDT.address, decimals: 6 },
] as const
export type EtchedAsset = (typeof CHAIN_TOKENS)[number]['asset']

/** The part of the exchange that is simulated: its native orders feature for RFQ orders. Source: rfq.md. */
const SELECTORS: readonly Hex[] = [
  ...parseAbi(EXCHANGE_ABI)
    .filter((item) => item.type === 'function')
    .map(toFunctionSelector),
  toFunctionSelector('registerAllowedOrderSigner(address,bool)'),
  toFunctionSelector('isValidOrderSigner(address,address)'),
]
/** Storage of the proxy: mapping(bytes4 => address) at 1 << 128. */
const IMPLEMENTATIONS_SLOT = 1n << 128n
/** A test token stores owner, supply, name, symbol and decimals in its first slots. */
const COPIED_SLOTS = 12
const NOBODY: Address = '0x0000000000000000000000000000000000000000'
const RICH = toHex(10n ** 24n)

/** Puts the exchange and the tokens at their addresses of the real chain. */
export async function etchContracts(rpc: ChainRpc, code: ContractCode): Promise<void> {
  await rpc('anvil_setBalance', [OPERATOR_ADDRESS, RICH])
  await etchExchange(rpc, code)
  for (const token of CHAIN_TOKENS) await etchToken(rpc, code, token)
}

async function etchExchange(rpc: ChainRpc, code: ContractCode): Promise<void> {
  const address = { type: 'address' } as const
  const controller = await deploy(
    rpc,
    code.feeCollectorController.creation,
    encodeAbiParameters([address, address], [NOBODY, NOBODY]),
  )
  const feature = await deploy(
    rpc,
    code.nativeOrders.creation,
    encodeAbiParameters(
      [address, address, address, address, { type: 'uint32' }],
      [EXCHANGE_ADDRESS, NOBODY, NOBODY, controller, 0],
    ),
  )
  await rpc('anvil_setCode', [EXCHANGE_ADDRESS, code.proxy.runtime])
  const implementation = encodeAbiParameters([address], [feature])
  for (const selector of SELECTORS) {
    const slot = keccak256(
      encodeAbiParameters([{ type: 'bytes4' }, { type: 'uint256' }], [selector, IMPLEMENTATIONS_SLOT]),
    )
    await rpc('anvil_setStorageAt', [EXCHANGE_ADDRESS, slot, implementation])
  }
}

async function etchToken(
  rpc: ChainRpc,
  code: ContractCode,
  { asset, address, decimals }: (typeof CHAIN_TOKENS)[number],
): Promise<void> {
  const deployed = await deploy(
    rpc,
    code.token.creation,
    encodeAbiParameters(
      [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'uint256' }],
      [asset, asset, BigInt(decimals), 0n],
    ),
  )
  await rpc('anvil_setCode', [address, await rpc('eth_getCode', [deployed, 'latest'])])
  for (let index = 0; index < COPIED_SLOTS; index += 1) {
    const slot = toHex(index, { size: 32 })
    await rpc('anvil_setStorageAt', [
      address,
      slot,
      await rpc('eth_getStorageAt', [deployed, slot, 'latest']),
    ])
  }
}

async function deploy(rpc: ChainRpc, creation: Hex, args: Hex): Promise<Address> {
  const data = concat([creation, args])
  const { contractAddress } = await sendAs(rpc, { from: OPERATOR_ADDRESS, data, gas: toHex(20_000_000) })
  if (contractAddress === null) throw new Error('a contract of the exchange could not be deployed')
  return contractAddress
}
