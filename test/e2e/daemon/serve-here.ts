import { catchProcess } from './caught-process.ts'
import { HTTP_TOKEN, type RunningDaemon } from './running-daemon.ts'
import { until } from './until.ts'

/** A daemon within the process of the test; the threads of its positions are its own, as ever. */
export type ServedHere = Pick<RunningDaemon, 'url' | 'output' | 'errors' | 'get' | 'post' | 'state'> & {
  /** Ends it in good order; the exit code. */
  readonly end: () => Promise<number>
  readonly reload: () => void
}

/** Runs a command that serves until a signal ends it: what it covers is measured. One at a time in a process. */
export function serveHere(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServedHere {
  const caught = catchProcess(command, env)
  let exitCode: number | null = null
  void caught.ended.then((code) => (exitCode = code))
  const url = () =>
    until('the daemon listens', () => {
      const found = /"msg":"listening","url":"([^"]+)"/.exec(caught.out())?.[1]
      if (found === undefined && exitCode !== null)
        throw new Error(`the daemon ended with ${exitCode}:\n${caught.err()}\n${caught.out()}`)
      return found
    })
  const ask = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${await url()}${path}`, { ...init, signal: AbortSignal.timeout(10_000) })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text }
  }
  return {
    url,
    output: caught.out,
    errors: caught.err,
    get: (path) => ask(path, {}),
    post: (name, body = {}, token = HTTP_TOKEN) =>
      ask(`/api/v1/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async state(position) {
      const query = position === undefined ? '' : `?position=${position}`
      const { status, body } = await ask(`/api/v1/state${query}`, {})
      if (status !== 200) throw new Error(`the state is answered with ${status}: ${JSON.stringify(body)}`)
      return body as Awaited<ReturnType<RunningDaemon['state']>>
    },
    reload: () => caught.signal('SIGHUP'),
    end() {
      caught.signal('SIGTERM')
      return caught.ended
    },
  }
}
