import type { CommandName } from '../console/command-bodies.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { inspectLock } from '../store/inspect-lock.ts'
import { askDaemon, daemonUrl, type DaemonAnswer } from './ask-daemon.ts'
import { EXIT_CODE } from './exit-code.ts'
import type { Outcome } from './outcome.ts'

/**
 * Gives a command to the running daemon of this position. Null = none runs, and the store is free. A store
 * that is held by somebody who does not answer is an outcome: nothing may be done behind that one's back.
 */
export async function commandDaemon(
  config: LoadedConfig,
  command: CommandName,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Outcome | null> {
  const position = config.core.name
  const common = { command, position, via: 'daemon' } as const
  const answer = await askDaemon(config, 'POST', `/api/v1/${command}`, { position, ...body }, headers)
  if (answer !== null) return { ...common, ...judge(answer, config) }
  const lock = inspectLock(config.store.path)
  if (!lock.ok) return { ...common, via: 'nobody', exitCode: EXIT_CODE.failed, answer: lock.error.message }
  if (!lock.value.held) return null
  const who = lock.value.holder === null ? 'a process' : `process ${lock.value.holder.pid}`
  const why = `${who} has the store ${config.store.path} and does not answer at ${daemonUrl(config)}; was it started with another http.port?`
  return { ...common, via: 'nobody', exitCode: EXIT_CODE.failed, answer: why }
}

type Judgement = { readonly exitCode: number; readonly answer: string }

/** 200 = accepted, 409 = refused; 502 and 503 are the daemon's own word on the venue and on itself. */
function judge({ status, body }: DaemonAnswer, config: LoadedConfig): Judgement {
  const said = body as { answer?: unknown; message?: unknown; error?: unknown; exitCode?: unknown }
  const words =
    [said.answer, said.message, said.error].find((text) => typeof text === 'string') ?? `status ${status}`
  switch (status) {
    case 200:
      return { exitCode: EXIT_CODE.ok, answer: words }
    case 409:
      return { exitCode: EXIT_CODE.refused, answer: words }
    case 502:
      return { exitCode: EXIT_CODE.unreachable, answer: words }
    case 400:
      return { exitCode: EXIT_CODE.usage, answer: words }
    case 401:
    case 403:
    case 421: {
      const cure = `set http.token in ${config.file}, e.g. token: !env MIZANI_HTTP_TOKEN, the same for the daemon and here`
      return {
        exitCode: EXIT_CODE.usage,
        answer: `the daemon at ${daemonUrl(config)} does not take commands from here (${words}); ${cure}`,
      }
    }
    case null:
    default:
      return {
        exitCode: typeof said.exitCode === 'number' && said.exitCode !== 0 ? said.exitCode : EXIT_CODE.failed,
        answer:
          status === null
            ? `${words}: it may or may not have happened; look at \`status\` before trying again`
            : words,
      }
  }
}
