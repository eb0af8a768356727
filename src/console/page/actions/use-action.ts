import { useRef, useState } from 'preact/hooks'
import { askApi, newIdempotencyKey, session } from '../live/ask-api.ts'

export type ActionState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'sending' }
  | { readonly phase: 'done'; readonly answer: string }
  | { readonly phase: 'failed'; readonly message: string }

export type Sender = {
  readonly state: ActionState
  readonly send: (command: string, body: object) => void
}

type Answer = { readonly answer?: string }

/**
 * Sends one action. Its name stays the same while it is tried again unchanged, so that an action whose
 * answer was lost is done once; an action that was refused gets a new one.
 */
export function useAction(): Sender {
  const [state, setState] = useState<ActionState>({ phase: 'asking' })
  const tried = useRef({ text: '', key: '' })

  async function send(command: string, body: object): Promise<void> {
    const text = command + JSON.stringify(body)
    if (tried.current.text !== text) tried.current = { text, key: newIdempotencyKey() }
    setState({ phase: 'sending' })
    const answer = await askApi<Answer>(command, { body, idempotencyKey: tried.current.key })
    if (answer.ok) return setState({ phase: 'done', answer: answer.value.answer ?? 'accepted' })
    const { status, message } = answer.error
    if (status === 401) session.forgetToken()
    if (status !== 0) tried.current = { text: '', key: '' }
    setState({ phase: 'failed', message })
  }

  return { state, send: (command, body) => void send(command, body) }
}
