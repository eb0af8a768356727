import type { DaemonPort, AssistantQuery } from '../../daemon/assistant/ports.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { askDaemonAt, type DaemonAnswer, type DaemonPlace } from '../../daemon/console/ask-daemon.ts'

const NO_TOKEN =
  'a proposal is kept with the name of a token: set http.readToken in the configuration, or MIZANI_READ_TOKEN here'

/** Returns the daemon at this address, reached with a reader's token. */
export function createDaemonPort(place: DaemonPlace): DaemonPort {
  return {
    async propose(asked, client) {
      if (place.token === null) return err(NO_TOKEN)
      const body = { ...asked, who: client }
      return answerOf(await askDaemonAt(place, 'POST', '/api/v1/proposals', body), place)
    },
    read: async (path, query) => answerOf(await askDaemonAt(place, 'GET', pathOf(path, query)), place),
  }
}

function pathOf(path: string, query: AssistantQuery): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  const text = given.toString()
  return `/api/v1/${path}${text === '' ? '' : `?${text}`}`
}

/** Returns the body of an accepted request, or the daemon's own sentence. */
function answerOf(answer: DaemonAnswer | null, { url }: DaemonPlace): Result<unknown, string> {
  if (answer === null)
    return err(`no daemon of this configuration answers at ${url}, or it has no position of that name`)
  const { status, body } = answer
  if (status === 200) return ok(body)
  const { message, answer: words, error } = body as Readonly<Record<string, unknown>>
  const why = [message, words, error].find((text) => typeof text === 'string')
  return err(typeof why === 'string' ? why : `the daemon answers with status ${status}`)
}
