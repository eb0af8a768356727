import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  maxUint256,
  parseAbi,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import { OPERATOR_ADDRESS } from './addresses.ts'
import { CHAIN_TOKENS, type EtchedAsset } from './etch-contracts.ts'
import { type ChainRpc, sendAs } from './rpc.ts'

/** The tokens of the local chain. Amounts are base units. */
export type ChainTokens = {
  readonly address: Readonly<Record<EtchedAsset, Address>>
  /** At the latest block, or at the given one. */
  readonly balance: (asset: EtchedAsset, owner: Address, block?: Hex) => Promise<bigint>
  readonly allowance: (asset: EtchedAsset, owner: Address, spender: Address) => Promise<bigint>
  /** Sets the balance by minting or burning, without a Transfer event. */
  readonly setBalance: (asset: EtchedAsset, owner: Address, amount: bigint) => Promise<Hex>
  /** Sends from any address without its key. Resolves with the hash of the mined transaction. */
  readonly transfer: (asset: EtchedAsset, from: Address, to: Address, amount: bigint) => Promise<Hex>
  /** Sends as the operator, who needs no allowance, so the owner's nonce does not change. */
  readonly move: (asset: EtchedAsset, from: Address, to: Address, amount: bigint) => Promise<Hex>
  readonly approve: (asset: EtchedAsset, owner: Address, spender: Address, amount: bigint) => Promise<Hex>
}

const SET_BALANCE = parseAbi(['function setBalance(address target, uint256 value)'])

export function chainTokens(rpc: ChainRpc): ChainTokens {
  const entries = CHAIN_TOKENS.map(({ asset, address: at }) => [asset, at] as const)
  const address = Object.fromEntries(entries) as Record<EtchedAsset, Address>
  const read = async (asset: EtchedAsset, data: Hex, block: Hex | 'latest' = 'latest') =>
    (await rpc('eth_call', [{ to: address[asset], data }, block])) as Hex
  const send = async (asset: EtchedAsset, from: Address, data: Hex) =>
    (await sendAs(rpc, { from, to: address[asset], data })).transactionHash
  return {
    address,
    async balance(asset, owner, block) {
      const call = { abi: erc20Abi, functionName: 'balanceOf' } as const
      const data = await read(asset, encodeFunctionData({ ...call, args: [owner] }), block)
      return decodeFunctionResult({ ...call, data })
    },
    async allowance(asset, owner, spender) {
      const call = { abi: erc20Abi, functionName: 'allowance' } as const
      const data = await read(asset, encodeFunctionData({ ...call, args: [owner, spender] }))
      return decodeFunctionResult({ ...call, data })
    },
    setBalance: (asset, owner, amount) =>
      send(asset, OPERATOR_ADDRESS, encodeFunctionData({ abi: SET_BALANCE, args: [owner, amount] })),
    transfer: (asset, from, to, amount) =>
      send(asset, from, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })),
    async move(asset, from, to, amount) {
      const slot = allowanceSlot(from, OPERATOR_ADDRESS)
      await rpc('anvil_setStorageAt', [address[asset], slot, toHex(maxUint256)])
      const call = { abi: erc20Abi, functionName: 'transferFrom' } as const
      return send(asset, OPERATOR_ADDRESS, encodeFunctionData({ ...call, args: [from, to, amount] }))
    },
    approve: (asset, owner, spender, amount) =>
      send(
        asset,
        owner,
        encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
      ),
  }
}

/** The storage slot of the test token's mapping owner => spender => amount. */
const ALLOWANCES_SLOT = 2n

function allowanceSlot(owner: Address, spender: Address): Hex {
  const outer = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, ALLOWANCES_SLOT])
  return keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [spender, keccak256(outer)]),
  )
}
