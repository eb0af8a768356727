import { startHttpProxy } from '../custody/http-proxy.ts'

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

/** Stands between us and a node, and falsifies or drops answers. */
export async function chainProxy(target: string): Promise<ChainProxy> {
  const { url, rules, close } = await startHttpProxy(target)
  const proxy: ChainProxy = { url, close, answer: (_, answer) => answer, passes: () => true }
  const callsIn = (body: string) => [JSON.parse(body) as Call | Call[]].flat()
  rules.onRequest = ({ body }) => (callsIn(body).every((call) => proxy.passes(call)) ? 'pass' : 'hold')
  rules.onAnswer = async ({ body }, answered) => {
    const given = JSON.parse(answered.text) as Answer | Answer[]
    const answers: unknown[] = []
    for (const [index, call] of callsIn(body).entries()) {
      const answer = [given].flat()[index]
      if (answer === undefined) throw new Error(`no answer to ${call.method}`)
      answers.push(await proxy.answer(call, answer))
    }
    return { ...answered, text: JSON.stringify(Array.isArray(given) ? answers : answers[0]) }
  }
  return proxy
}
