import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Link, openLink } from '../../../../src/guard/link.ts'
import { type ChainHand, createChainHand } from '../../../../src/guard/process/chain-hand.ts'
import { MAKER, sealOf } from '../sealed-cancels.ts'

const open: (Server | Link)[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

type Node = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

/** For a node's answer: a refusal with these words. */
const refusal = (message: string) => ({ refusal: message })

/** A hand over nodes that answer by method; one that is text answers with that, whatever it is asked. */
async function handOver(nodes: readonly (Node | string)[], quorum = 1): Promise<ChainHand> {
  const endpoints = await Promise.all(
    nodes.map(async (node) => {
      const server = createServer((request, response) => {
        let body = ''
        request.on('data', (chunk: Buffer) => (body += chunk.toString()))
        request.on('end', () => response.end(typeof node === 'string' ? node : answer(node, body)))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const link = openLink(`http://127.0.0.1:${port}`, { maxBytes: 100_000, connections: 8 })
      open.push(link, server)
      return { link, path: '/v2/key' }
    }),
  )
  return createChainHand(endpoints, quorum)
}

function answer(node: Node, body: string): string {
  const { method, params, id } = JSON.parse(body) as {
    readonly method: string
    readonly params: readonly unknown[]
    readonly id: number
  }
  const result = node[method]?.(params)
  const message = (result as { readonly refusal?: string } | null | undefined)?.refusal
  return JSON.stringify(
    message === undefined
      ? { jsonrpc: '2.0', id, result }
      : { jsonrpc: '2.0', id, error: { code: -32_000, message } },
  )
}

const at = (nonce: number, receipts: Readonly<Record<string, string>> = {}): Node => ({
  eth_getTransactionCount: ([maker, block]) => {
    expect([maker, block]).toEqual([MAKER, 'latest'])
    return `0x${nonce.toString(16)}`
  },
  eth_getTransactionReceipt: ([hash]) => {
    const status = receipts[String(hash)]
    return status === undefined ? null : { status }
  },
})
const taking = (...words: readonly (string | null)[]) =>
  handOver(words.map((one) => ({ eth_sendRawTransaction: () => (one === null ? '0xaa' : refusal(one)) })))

const { transactions } = sealOf([7, 8])

describe('On the chain the guard', () => {
  test('sees the fewest and the most used nonces that endpoints show, and passes over one that answers nonsense', async () => {
    const hand = await handOver([at(7), '<html>', 'null', at(9)])
    expect((await hand.look(MAKER, []))?.nonce).toEqual({ least: 7, most: 9 })
    expect(await (await handOver(['<html>', '{"result":"12"}'])).look(MAKER, transactions)).toBeNull()
  })

  test('takes a transaction for done where as many endpoints as must agree show it in a block', async () => {
    const shown = at(8, { '0x72': '0x1' })
    const ended = async (nodes: readonly Node[], quorum: number) => [
      ...((await (await handOver(nodes, quorum)).look(MAKER, transactions))?.ended ?? []),
    ]
    expect(await ended([shown, at(7)], 1)).toEqual([['0x72', 'done']])
    expect(await ended([shown, at(7)], 2)).toEqual([])
    expect(await ended([shown, shown], 2)).toEqual([['0x72', 'done']])
    expect(await ended([at(8, { '0x71': '0x0' })], 1)).toEqual([['0x71', 'reverted']])
  })

  test('asks for no receipt of a nonce that no endpoint calls used', async () => {
    const hand = await handOver([{ ...at(7), eth_getTransactionReceipt: () => expect.unreachable() }])
    expect((await hand.look(MAKER, transactions))?.ended.size).toBe(0)
  })

  test('has a transaction taken where one endpoint takes it or has it already, whatever the others answer', async () => {
    expect((await (await taking('internal error', null)).send('0x02')).kind).toBe('taken')
    expect((await (await taking('already known', 'nonce too low')).send('0x02')).kind).toBe('taken')
  })

  test.each([
    ['nonce too low: next nonce 9, tx nonce 7', 'void'],
    ['replacement transaction underpriced', 'underpriced'],
    ['transaction underpriced', 'underpriced'],
    ['insufficient funds for gas * price + value', 'failed'],
    ['something else', 'failed'],
  ])('reads the refusal "%s" as %s', async (words, kind) => {
    expect(await (await taking(words)).send('0x02')).toEqual({ kind, words })
  })

  test('reads silence of all endpoints as a failure that is tried again', async () => {
    expect(await (await handOver(['<html>'])).send('0x02')).toEqual({
      kind: 'failed',
      words: expect.stringContaining('no endpoint'),
    })
  })
})
