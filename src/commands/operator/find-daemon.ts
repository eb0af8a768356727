import type { Contact } from '../../config/load/contact.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { findOperatorSocket } from '../../runtime/host/operator-socket.ts'
import { readOperatorToken } from '../../runtime/host/operator-token.ts'
import { readLockState } from '../../store/store-lock.ts'
import { printable } from '../../base/printable.ts'
import { printWarning } from '../output/print.ts'
import type { DaemonPlace } from './ask-daemon.ts'

/** How the daemon of a whole configuration is reached. */
export function contactOf({
  file,
  core,
  http,
  store,
}: Pick<LoadedConfig, 'file' | 'core' | 'http' | 'store'>): Contact {
  return { file, name: core.name, http, storePath: store.path }
}

/** The ways to a daemon, its socket first, and the token for both. */
export function findDaemon(contact: Contact): DaemonPlace {
  return {
    url: daemonUrl(contact),
    token: readOperatorToken(contact),
    socket: socketOf(contact),
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

/** Where the daemon of a configuration listens, as this machine reaches it. */
export function daemonUrl({
  http: { host, port },
  url,
}: {
  readonly http: Pick<LoadedConfig['http'], 'host' | 'port'>
  readonly url?: string
}): string {
  if (url !== undefined) return url
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
