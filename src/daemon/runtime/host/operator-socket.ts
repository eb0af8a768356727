import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { err, errorText, ok, type Result } from '../../../base/result.ts'

/** With the zero at its end, 104 bytes on macOS and 108 on Linux. */
const MOST_PATH_BYTES = 103
const CONNECT_MS = 500

/** The link by which the command line finds the socket of the process that runs a store. */
export function socketLinkOf(store: string): string {
  return join(store, 'operator.sock')
}

export type OperatorSocket = {
  /** Leaves the link in a store that this process runs; null, or why the command line has to use the port. */
  readonly show: (store: string) => Promise<string | null>
  /** Takes the link away from a store that this process has left. */
  readonly hide: (store: string) => Promise<void>
}

/**
 * The second way in: one Unix socket a process, in the first of its stores, which no TCP connection can fill. `listenAt` returns
 * null once it listens, or why it does not; it makes the socket before it first waits.
 */
export function createOperatorSocket(listenAt: (path: string) => Promise<string | null>): OperatorSocket {
  let made: Promise<Result<string, string>> | null = null

  async function open(store: string): Promise<Result<string, string>> {
    const path = placeIn(store)
    if (dirname(path) !== resolve(store)) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const problem = strangersIn(dirname(path))
    if (problem !== null) return err(problem)
    const before = process.umask(0o177)
    const listening = listenAt(path)
    process.umask(before)
    const why = await listening
    return why === null ? ok(path) : err(why)
  }

  async function show(store: string): Promise<string | null> {
    const link = socketLinkOf(store)
    mkdirSync(store, { recursive: true, mode: 0o700 })
    const left = targetOf(link)
    if (left !== null && left === (await own())) return null
    if (left !== null && (await answers(left)))
      return `another daemon has its socket in ${link}: stop it, or give this one a store of its own`
    if (left !== null && isSocket(left)) rmSync(left)
    rmSync(link, { force: true })
    made ??= open(store)
    const opened = await made
    if (!opened.ok) return opened.error
    symlinkSync(opened.value, link)
    return null
  }

  async function own(): Promise<string | null> {
    const opened = await made
    return opened?.ok === true ? opened.value : null
  }

  return {
    show: (store) => show(store).catch((error: unknown) => errorText(error)),
    async hide(store) {
      const link = socketLinkOf(store)
      if (made !== null && targetOf(link) === (await own())) rmSync(link, { force: true })
    },
  }
}

/** A new name, so that a store that another process takes over takes nothing from this one. */
function placeIn(store: string): string {
  const path = resolve(store, `operator-${randomBytes(4).toString('hex')}.sock`)
  if (Buffer.byteLength(path) <= MOST_PATH_BYTES) return path
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join(tmpdir(), `mizani-${process.getuid?.()}`, `${name}.sock`)
}

/** Whether a process accepts connections there. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.setTimeout(CONNECT_MS, () => end(true))
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

/** Returns the target of a link; null = it does not exist. */
function targetOf(link: string): string | null {
  const found = lstatSync(link, { throwIfNoEntry: false })
  if (found === undefined) return null
  return found.isSymbolicLink() ? resolve(dirname(link), readlinkSync(link)) : resolve(link)
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
}

/** Returns why another user may have written into this folder; null = none can. */
function strangersIn(folder: string): string | null {
  const { uid, mode } = statSync(folder)
  const own = process.getuid?.()
  // A link to a folder of this user, in a folder where others can make links, is theirs.
  const isOwnLink = [own, 0].includes(lstatSync(folder).uid)
  if (uid !== own || !isOwnLink) return `${folder} belongs to the user with id ${uid}, and this is ${own}`
  if ((mode & 0o022) === 0) return null
  return `others can write into ${folder} (mode ${(mode & 0o7777).toString(8)}): \`chmod go-w ${folder}\``
}

/**
 * The socket of the daemon that runs this store, for its own user; null = it has left none. An error where another user may have
 * made it: the token must not be sent there.
 */
export function findOperatorSocket(store: string): Result<string | null, string> {
  try {
    const socket = targetOf(socketLinkOf(store))
    if (socket === null || !isSocket(socket)) return ok(null)
    const problem = strangersIn(store) ?? strangersIn(dirname(socket))
    return problem === null ? ok(socket) : err(problem)
  } catch (error) {
    return err(errorText(error))
  }
}
