import { type Contact, daemonUrl } from '../../daemon/config/load/contact.ts'
import { findOperatorSocket } from '../../daemon/runtime/host/operator-socket.ts'
import { readOperatorToken } from '../../daemon/runtime/operator-token.ts'
import { readLockState } from '../../store/store-lock.ts'
import { printable } from '../../base/printable.ts'
import { printWarning } from '../output/print.ts'
import type { DaemonPlace } from '../../daemon/console/auth/ask-daemon.ts'

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
