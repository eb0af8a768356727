import { encodeJson } from '../../../base/codec.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { ChainReading } from '../../../core/rfq/chain-reading.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'
import { noQuorum } from './heads.ts'
import { rpcFailure, type RpcFailure } from '../rpc/rpc-failure.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'

type Witness = { readonly endpoint: RpcEndpoint; readonly reading: ChainReading; readonly text: string }

/**
 * Returns a reading on which `quorum` endpoints agree in everything except the gas price. Queries `quorum` endpoints at
 * once, and the others if one fails or disagrees. An outvoted endpoint pauses.
 */
export async function agreedReading(
  endpoints: readonly RpcEndpoint[],
  quorum: number,
  pool: EndpointPool,
  read: (endpoint: RpcEndpoint) => Promise<Result<ChainReading, RpcFailure>>,
): Promise<Result<ChainReading, RpcFailure>> {
  const witnesses: Witness[] = []
  const failures: RpcFailure[] = []
  const waiting = [...endpoints]
  for (let wanted = quorum; waiting.length > 0 && wanted > 0; wanted = quorum - largest(witnesses).length) {
    const asked = waiting.splice(0, wanted)
    const results = await Promise.all(asked.map(read))
    for (const [index, endpoint] of asked.entries()) {
      const result = results[index]
      if (result === undefined) continue
      if (result.ok) witnesses.push({ endpoint, reading: result.value, text: textOf(result.value) })
      else failures.push(result.error)
      if (!result.ok && !result.error.isAnswer) pool.note(endpoint, false)
    }
  }
  const agreeing = largest(witnesses)
  const [first] = agreeing
  if (first !== undefined && agreeing.length >= quorum) {
    for (const { endpoint } of witnesses.filter(({ text }) => text !== first.text)) pool.note(endpoint, false)
    return ok(first.reading)
  }
  const moved = failures.find(({ code }) => code === 'HEAD_MOVED')
  if (moved !== undefined) return err(moved)
  const other = witnesses.find(({ text }) => text !== first?.text)
  if (first === undefined || other === undefined) {
    const [only] = failures
    return err(quorum === 1 && only !== undefined ? only : noQuorum(witnesses.length, quorum, failures))
  }
  const words = `${first.endpoint.label} and ${other.endpoint.label} disagree at block ${first.reading.head.number}: ${differenceOf(first, other)}`
  return err(rpcFailure('malformed', words, { code: 'RPC_DISAGREES' }))
}

function largest(witnesses: readonly Witness[]): readonly Witness[] {
  const groups = witnesses.map(({ text }) => witnesses.filter((witness) => witness.text === text))
  return groups.reduce((best, group) => (group.length > best.length ? group : best), [])
}

function textOf({
  head,
  isReorganised,
  orders,
  fills,
  outflows,
  balances,
  allowances,
}: ChainReading): string {
  return encodeJson([head.hash, isReorganised ?? false, orders, fills, outflows ?? [], balances, allowances])
}

/** Returns the first difference between two readings, as a clause. */
function differenceOf(a: Witness, b: Witness): string {
  for (const [index, order] of a.reading.orders.entries()) {
    const other = b.reading.orders[index]
    if (encodeJson(order) === encodeJson(other)) continue
    const states = [order, other].map((one) => `${one?.status} with ${one?.takerFilled} filled`)
    return `order ${order.salt} is ${states.join(' or ')}`
  }
  for (const what of ['balances', 'allowances'] as const) {
    const [ours, theirs] = [a.reading[what], b.reading[what]]
    const asset = (Object.keys(ours) as (keyof typeof ours)[]).find((key) => ours[key] !== theirs[key])
    if (asset !== undefined) return `${what} of ${asset} are ${ours[asset]} or ${theirs[asset]}`
  }
  if (a.reading.isReorganised !== b.reading.isReorganised)
    return 'the chain does or does not contain the block of the last reading'
  const keys = [a, b].map(({ reading }) => reading.fills.map(({ key }) => key).join(', ') || 'none')
  return `the fills are ${keys.join(' or ')}`
}
