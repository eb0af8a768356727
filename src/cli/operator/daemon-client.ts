import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { type Contact, daemonUrl } from '../../daemon/config/load/contact.ts'
import { exitCodeOfSilence } from '../../daemon/console/commands/command-bodies.ts'
import type { CommandName } from '../../daemon/console/commands/command-entry.ts'
import type { TreasuryOrderPath } from '../../daemon/console/treasury/treasury-bodies.ts'
import { findOperatorSocket } from '../../daemon/runtime/host/operator-socket.ts'
import { findOperatorTokens, readOperatorToken } from '../../daemon/runtime/operator-token.ts'
import { printable } from '../../base/printable.ts'
import { storeFiles } from '../../store/store-files.ts'
import { readLockState } from '../../store/store-lock.ts'
import { viewSchema } from '../../daemon/view/position-view.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { type CommandResult, type Outcome, printWarning } from '../output/print.ts'
import {
  askDaemonAt,
  type DaemonAnswer,
  type DaemonPlace,
  isStopRoute,
} from '../../daemon/console/ask-daemon.ts'

/** Returns how to reach a daemon, its socket first, and the token for both. */
export function findDaemon(contact: Contact): DaemonPlace {
  return {
    url: daemonUrl(contact),
    token: readOperatorToken(contact),
    socket: socketOf(contact),
    isChosen: contact.url !== undefined,
    isHeld() {
      const lock = contact.storePath === null ? null : readLockState(contact.storePath)
      return lock?.ok === true && lock.value.held
    },
  }
}

const warned = new Set<string>()

function socketOf({ storePath }: Contact): string | null {
  if (storePath === null) return null
  const socket = findOperatorSocket(storePath)
  if (socket.ok) return socket.value
  if (!warned.has(storePath)) printWarning(printable(`the daemon's socket is not used: ${socket.error}`))
  warned.add(storePath)
  return null
}

/** Sends a request to the daemon of this contact; null = none runs there. Never throws. */
export function askDaemon(
  contact: Contact,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<DaemonAnswer | null> {
  return askDaemonAt(findDaemon(contact), method, path, body)
}

/** Returns the position's view from the running daemon, or null. */
export async function daemonView(contact: Contact): Promise<DaemonAnswer | null> {
  const query = contact.name === null ? '' : `?position=${encodeURIComponent(contact.name)}`
  const answer = await askDaemon(contact, 'GET', `/api/v1/state${query}`)
  return answer?.status === 200 && !OURS.safeParse(answer.body).success ? null : answer
}

/** The fields that identify a position's view; the others may differ by version. */
const OURS = viewSchema.pick({ name: true, now: true, tradingState: true })

/**
 * Sends a command to the running daemon of this position. Returns null if no daemon runs and the store is free. A store held
 * by a process that does not answer is an outcome: nothing may be changed while that process lives.
 */
export async function commandDaemon(
  contact: Contact,
  command: CommandName | `treasury/${TreasuryOrderPath | 'stop'}` | `proposals/${'accept' | 'reject'}`,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Outcome | null> {
  const { file, name, storePath } = contact
  const common = { command, position: name ?? file, via: 'daemon' } as const
  const named = name === null ? {} : { position: name }
  const path = `/api/v1/${command}`
  const found = findOperatorTokens(contact)
  const tokens = isStopRoute(path) && found.length > 0 ? found : [found[0] ?? null]
  let answer: DaemonAnswer | null = null
  let tried: readonly string[] = []
  for (const one of tokens) {
    const place = { ...findDaemon(contact), token: one?.token ?? null }
    answer = await askDaemonAt(place, 'POST', path, { ...named, ...body }, headers)
    if (one !== null) tried = [...tried, one.from]
    if (answer?.status !== 401 && answer?.status !== 403) break
  }
  const isDown = answer?.isStranger === true && isStoreFree(storePath)
  // The command continues, but the daemon may run elsewhere, with another token and another store.
  if (isDown)
    printWarning(
      printable(
        `the program at ${daemonUrl(contact)} did not prove that it knows this token. No daemon holds the store ${storePath}, so the command goes to that store; if the daemon runs on another machine or in a container, give its token in MIZANI_OPERATOR_TOKEN and --url`,
      ),
    )
  const isSilent = answer?.isStranger === true && answer.status === 503
  if (answer !== null && !isDown) {
    const { answer: words, ...judged } = judge(answer, command, { contact, tried })
    return { ...common, ...judged, answer: isSilent ? words + wayOut(storePath) : words }
  }
  if (storePath === null) return null
  const lock = readLockState(storePath)
  if (!lock.ok) return { ...common, via: 'nobody', exitCode: EXIT_CODE.failed, answer: lock.error.message }
  if (!lock.value.held) return null
  const who = lock.value.holder === null ? 'a process' : `process ${lock.value.holder.pid}`
  const why = `${who} holds the store ${storePath} and does not answer at ${daemonUrl(contact)}; was it started with a different http.port?`
  return { ...common, via: 'nobody', exitCode: EXIT_CODE.failed, answer: why }
}

/** Returns the outcome of a command that only a daemon performs, if none runs. */
export function refusedWithoutDaemon({ file, name }: Contact, command: string, answer: string): Outcome {
  return { command, position: name ?? file, via: 'nobody', exitCode: EXIT_CODE.refused, answer }
}

/** Returns what to do about a daemon that is frozen: it holds the store, and its port is silent. */
function wayOut(storePath: string | null): string {
  const lock = storePath === null ? null : readLockState(storePath)
  if (lock === null || !lock.ok || !lock.value.held) return ''
  const who = lock.value.holder === null ? 'a process' : `process ${lock.value.holder.pid}`
  return `; ${who} holds the store ${storePath}: end it (kill -9) and repeat the command, which then goes to the store and the venue`
}

/** Returns whether a daemon has used this store before and none holds it now. */
function isStoreFree(storePath: string | null): storePath is string {
  if (storePath === null || !existsSync(storeFiles(storePath).lock)) return false
  const lock = readLockState(storePath)
  return lock.ok && !lock.value.held
}

/** 200 = accepted, 409 = refused; 502 and 503 are the daemon's own report on the venue and on itself. */
function judge(
  { status, body }: DaemonAnswer,
  command: string,
  { contact, tried }: { readonly contact: Contact; readonly tried: readonly string[] },
): CommandResult {
  const fields = body as { answer?: unknown; message?: unknown; error?: unknown; exitCode?: unknown }
  const words =
    [fields.answer, fields.message, fields.error].find((text) => typeof text === 'string') ??
    `status ${status}`
  switch (status) {
    case 200:
      // The daemon has accepted a stop that the venue does not show yet; its answer lists the missing confirmations.
      return {
        exitCode: typeof fields.exitCode === 'number' ? fields.exitCode : EXIT_CODE.ok,
        accepted: true,
        answer: words,
      }
    case 404:
    case 409:
      return { exitCode: EXIT_CODE.refused, answer: words }
    case 502:
      return { exitCode: EXIT_CODE.unconfirmed, answer: words }
    case 400:
      return { exitCode: EXIT_CODE.usage, answer: words }
    case 401:
    case 403:
    case 421: {
      const hasFile = contact.url === undefined && contact.file !== contact.storePath
      const remedy = words.includes(', and this needs ')
        ? 'give the token of an operator who may, in MIZANI_OPERATOR_TOKEN'
        : hasFile
          ? `set http.token in ${contact.file}, e.g. token: !env MIZANI_HTTP_TOKEN, the same for the daemon and here`
          : 'set MIZANI_OPERATOR_TOKEN to your token, or to http.token of the daemon'
      const whence =
        tried.length === 0 ? 'no token was found here' : `the token came from ${tried.join(', then ')}`
      return {
        exitCode: EXIT_CODE.usage,
        answer: `the daemon at ${daemonUrl(contact)} does not accept commands from here (${words}); ${whence}; ${remedy}`,
      }
    }
    case null: {
      const answer = `${words}: the outcome is unknown; check \`status\` before trying again`
      return { exitCode: exitCodeOfSilence(command), answer }
    }
    default:
      return {
        exitCode:
          typeof fields.exitCode === 'number' && fields.exitCode !== 0 ? fields.exitCode : EXIT_CODE.failed,
        answer: words,
      }
  }
}

/** The operator's name for the journal: the user of this machine, if it has a name. */
export function operatorName(): string {
  try {
    return `${userInfo().username} (command line)`
  } catch {
    // A container may run as a user id without a name.
    return 'command line'
  }
}
