import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Passing = { readonly method: string; readonly path: string; readonly body: string }
export type Answered = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What a test does to what passes by; both may be changed while it runs. */
export type ProxyRules = {
  /**
   * Seen before it continues. Otherwise it never arrives: `cut` = the connection breaks, `hold` = no one is answered, and an
   * answer is given in the place of the target.
   */
  onRequest: (passing: Passing) => 'pass' | 'cut' | 'hold' | Answered
  /** The answer as it is handed on; null = the connection breaks instead. A promise that never resolves holds it back. */
  onAnswer: (passing: Passing, answered: Answered) => Answered | null | Promise<Answered | null>
}

export type HttpProxy = {
  readonly url: string
  readonly rules: ProxyRules
  readonly close: () => Promise<void>
}

/** A proxy on loopback in front of a venue or a node. It lives in the test and outlives every killed daemon. */
export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const rules: ProxyRules = { onRequest: () => 'pass', onAnswer: (_passing, answered) => answered }
  const server = createServer((request, response) => {
    void pass(target, rules, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    rules,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function pass(
  target: string,
  rules: ProxyRules,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  const { method = 'GET', url: path = '/' } = request
  const passing = { method, path, body: Buffer.concat(chunks).toString() }
  const decided = rules.onRequest(passing)
  if (decided === 'hold') return
  if (decided === 'cut') return void response.destroy()
  if (decided !== 'pass') return void response.writeHead(decided.status, decided.headers).end(decided.text)
  const { authorization } = request.headers
  const answer = await fetch(`${target}${path}`, {
    method,
    headers: {
      ...(passing.body === '' ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(passing.body === '' ? {} : { body: passing.body }),
  })
  const headers = Object.fromEntries(
    ['content-type', 'date', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const answered = await rules.onAnswer(passing, {
    status: answer.status,
    headers,
    text: await answer.text(),
  })
  if (answered === null) return void response.destroy()
  response.writeHead(answered.status, answered.headers).end(answered.text)
}
