import { decodeFunctionResult, encodeFunctionResult, parseAbi, type Hex } from 'viem'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../../src/core/rfq/rfq-order.ts'
import type { ProxyRules } from './http-proxy.ts'

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Reply = { readonly id: number; readonly result?: unknown }

const BATCH_STATES = {
  abi: parseAbi(EXCHANGE_ABI),
  functionName: 'batchGetRfqOrderRelevantStates',
} as const
const BATCH_STATES_SELECTOR = '0xad354eeb'

/** An endpoint that says of every order that it is over, and wholly filled. */
export const saysAllIsFilled: ProxyRules['onAnswer'] = withReplies(({ method, params }, result) => {
  const { data } = (params[0] ?? {}) as { data?: string }
  if (method !== 'eth_call' || data?.startsWith(BATCH_STATES_SELECTOR) !== true) return result
  const [infos, fillable, valid] = decodeFunctionResult({ ...BATCH_STATES, data: result as Hex })
  const status = ORDER_STATUSES.indexOf('FILLED' satisfies OrderStatus)
  const lies = infos.map((info) => ({
    ...info,
    status,
    takerTokenFilledAmount: info.takerTokenFilledAmount + 1n,
  }))
  return encodeFunctionResult({ ...BATCH_STATES, result: [lies, fillable, valid] })
})

/** An endpoint that knows of no fill. */
export const hidesFills: ProxyRules['onAnswer'] = withReplies(({ method }, result) =>
  method === 'eth_getLogs' ? [] : result,
)

/** Changes results one by one, in single answers and in batches. */
function withReplies(change: (call: Call, result: unknown) => unknown): ProxyRules['onAnswer'] {
  return ({ body }, answered) => {
    const calls = [JSON.parse(body) as Call | Call[]].flat()
    const parsed = JSON.parse(answered.text) as Reply | Reply[]
    const changed = [parsed].flat().map((reply) => {
      const call = calls.find(({ id }) => id === reply.id)
      if (call === undefined || reply.result === undefined) return reply
      return { ...reply, result: change(call, reply.result) }
    })
    return { ...answered, text: JSON.stringify(Array.isArray(parsed) ? changed : changed[0]) }
  }
}
