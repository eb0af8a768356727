import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Answer = { readonly id: number; result?: unknown; readonly error?: unknown }

export type ChainProxy = {
  readonly url: string
  /** Sees each answer and gives the one that goes out; a promise that never resolves holds it back. */
  answer: (call: Call, answer: Answer) => Answer | Promise<Answer>
  /** Sees each call before the node does; false = the node never gets it, and no one is answered. */
  passes: (call: Call) => boolean
  close: () => Promise<void>
}

/** Stands between us and a node, and lies or loses what it is notified to. */
export async function chainProxy(target: string): Promise<ChainProxy> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk as Uint8Array)
      const body = Buffer.concat(chunks).toString()
      const asked = JSON.parse(body) as Call | Call[]
      if (![asked].flat().every((call) => proxy.passes(call))) return
      const headers = { 'content-type': 'application/json' }
      const given = (await (await fetch(target, { method: 'POST', headers, body })).json()) as
        | Answer
        | Answer[]
      const answers = await Promise.all(
        [asked].flat().map(async (call, index) => {
          const answer = [given].flat()[index]
          if (answer === undefined) throw new Error(`no answer to ${call.method}`)
          return proxy.answer(call, answer)
        }),
      )
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy: ChainProxy = {
    url: `http://127.0.0.1:${port}`,
    answer: (_, answer) => answer,
    passes: () => true,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
