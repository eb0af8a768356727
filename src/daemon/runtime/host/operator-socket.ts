import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { err, errorText, ok, type Result } from '../../../base/result.ts'

/** The limit of a socket path, including the terminating zero, is 104 bytes on macOS and 108 on Linux. */
const MOST_PATH_BYTES = 103
const CONNECT_MS = 500

/** Returns the link through which the command line finds the socket of the process that runs a store. */
export function socketLinkOf(store: string): string {
  return join(store, 'operator.sock')
}

export type OperatorSocket = {
  /** Creates the link in a store that this process runs. Resolves with null, or with why the command line has to use the port. */
  readonly show: (store: string) => Promise<string | null>
  /** Removes the link from a store that this process has left. */
  readonly hide: (store: string) => Promise<void>
}

/** A Unix socket per process, in its first store, which a flood of TCP connections cannot block. `listenAt` resolves
 * with null once it listens, or with why it does not; it must create the socket before its first await.
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
      return `another daemon has its socket in ${link}: stop it, or give this one its own store`
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

/** Returns a new socket name, so a process that takes over the store does not interfere with ours. */
function placeIn(store: string): string {
  const path = resolve(store, `operator-${randomBytes(4).toString('hex')}.sock`)
  if (Buffer.byteLength(path) <= MOST_PATH_BYTES) return path
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join(tmpdir(), `mizani-${process.getuid?.()}`, `${name}.sock`)
}

/** Whether a process accepts connections at the path. */
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

/** Returns the target of a link; null = the link does not exist. */
function targetOf(link: string): string | null {
  const found = lstatSync(link, { throwIfNoEntry: false })
  if (found === undefined) return null
  return found.isSymbolicLink() ? resolve(dirname(link), readlinkSync(link)) : resolve(link)
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
}

/** Returns why another user may have written into the folder; null = no other user can. */
function strangersIn(folder: string): string | null {
  const { uid, mode } = statSync(folder)
  const own = process.getuid?.()
  // Others can create links in a shared folder, so the owner of the link itself counts too.
  const isOwnLink = [own, 0].includes(lstatSync(folder).uid)
  if (uid !== own || !isOwnLink)
    return `${folder} belongs to the user with id ${uid}, but this process runs as ${own}`
  if ((mode & 0o022) === 0) return null
  return `others can write into ${folder} (mode ${(mode & 0o7777).toString(8)}): \`chmod go-w ${folder}\``
}

/**
 * Returns the socket of the daemon that runs this store, for the same user; null = none. The error means that another user may have created
 * it: the token must not be sent there.
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
