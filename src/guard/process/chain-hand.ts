import { SECOND_MS, type Ms } from '../../base/time.ts'
import type { SealedTransaction } from '../../rfq/sealed/sealed-cancels.ts'
import type { Link } from '../link.ts'
import type { ChainSight, SentOutcome } from '../position/sealed-step.ts'

/** What the guard sees and sends on the chain. It signs nothing. Nothing rejects. */
export type ChainHand = {
  /** Null = no endpoint answers. */
  readonly look: (maker: string, transactions: readonly SealedTransaction[]) => Promise<ChainSight | null>
  /** To every endpoint: the more nodes have it, the sooner it is in a block. */
  readonly send: (raw: string) => Promise<{ readonly kind: SentOutcome['kind']; readonly words: string }>
}

/** An endpoint of the chain: JSON-RPC over HTTP. */
export type ChainEndpoint = { readonly link: Link; readonly path: string }

const TIMEOUT_MS: Ms = 3 * SECOND_MS
/** The messages of geth, anvil, erigon, nethermind and besu. */
const KNOWN = /already ?known|already imported|\bknown transaction/i
const REFUSALS: readonly (readonly [RegExp, SentOutcome['kind']])[] = [
  [/nonce (is )?too low|oldnonce/i, 'void'],
  [/replacement|already exists with the same nonce|underpriced|feetoolow|fee too low/i, 'underpriced'],
]
/** What people read of a refusal. */
const LONGEST_WORDS = 120

type Reply = { readonly result: unknown } | { readonly refusal: string }

export function createChainHand(endpoints: readonly ChainEndpoint[], quorum: number): ChainHand {
  const askAll = (method: string, params: readonly unknown[]) =>
    Promise.all(endpoints.map((endpoint) => ask(endpoint, method, params)))

  /** How it ended, by so many endpoints as must agree. */
  async function endOf(hash: string): Promise<'done' | 'reverted' | null> {
    const receipts = await askAll('eth_getTransactionReceipt', [hash])
    const shown = receipts.map((reply) => statusOf(reply))
    const isAgreed = (status: string) => shown.filter((one) => one === status).length >= quorum
    return isAgreed('0x1') ? 'done' : isAgreed('0x0') ? 'reverted' : null
  }

  return {
    async look(maker, transactions) {
      const counts = await askAll('eth_getTransactionCount', [maker, 'latest'])
      const nonces = counts.flatMap((reply) => quantityOf(reply) ?? [])
      if (nonces.length === 0) return null
      const [least, most] = [Math.min(...nonces), Math.max(...nonces)]
      // Only what a nonce below says to be used can be in a block.
      const used = transactions.filter(({ nonce }) => nonce < most)
      const ends = await Promise.all(used.map(async ({ hash }) => [hash, await endOf(hash)] as const))
      const ended = new Map(ends.flatMap(([hash, end]) => (end === null ? [] : [[hash, end]])))
      return { nonce: { least, most }, ended }
    },
    async send(raw) {
      const replies = await askAll('eth_sendRawTransaction', [raw])
      if (replies.some((reply) => reply !== null && isTaken(reply))) return { kind: 'taken', words: '' }
      const refusals = replies.flatMap((reply) =>
        reply !== null && 'refusal' in reply ? [reply.refusal] : [],
      )
      const kinds = refusals.map((words) => REFUSALS.find(([known]) => known.test(words))?.[1])
      const kind = kinds.find((one) => one !== undefined) ?? 'failed'
      return { kind, words: refusals[0] ?? 'no endpoint of the chain answers' }
    },
  }
}

function isTaken(reply: Reply): boolean {
  return 'refusal' in reply ? KNOWN.test(reply.refusal) : typeof reply.result === 'string'
}

/** Null = no answer that is one. */
async function ask(
  { link, path }: ChainEndpoint,
  method: string,
  params: readonly unknown[],
): Promise<Reply | null> {
  const answer = await link.send({
    method: 'POST',
    path,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    timeoutMs: TIMEOUT_MS,
  })
  return answer.ok ? replyOf(answer.value.text) : null
}

function replyOf(text: string): Reply | null {
  try {
    const { result, error } = JSON.parse(text) as { readonly result?: unknown; readonly error?: unknown }
    if (error == null) return result === undefined ? null : { result }
    const { message } = error as { readonly message?: unknown }
    return {
      refusal: typeof message === 'string' ? message.slice(0, LONGEST_WORDS) : 'a refusal without words',
    }
  } catch {
    // HTML, a part of an answer, or no object.
    return null
  }
}

function quantityOf(reply: Reply | null): number | null {
  if (reply === null || 'refusal' in reply) return null
  const { result } = reply
  return typeof result === 'string' && /^0x[0-9a-f]{1,12}$/i.test(result) ? Number(result) : null
}

/** The status in a receipt; null where the endpoint shows none. */
function statusOf(reply: Reply | null): unknown {
  if (reply === null || 'refusal' in reply) return null
  const { status } = (reply.result ?? {}) as { readonly status?: unknown }
  return status ?? null
}
