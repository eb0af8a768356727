import { randomUUID } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** The kernel that a process runs on: its host's name, and a number that it draws when it boots. */
type Machine = { readonly host: string; readonly boot: string }

const FILE = 'holder.id'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns an identity that only one living process can have. It requires the folder's lock on this kernel, so an earlier
 * process with the same identity is dead and need not be waited for. A copy of the folder has a different file, a copied
 * machine has a different boot id, and a folder moved to another machine may still be written to from the former one.
 */
export function holderIdentity(folder: string, { host, boot }: Machine = thisMachine()): string {
  const file = join(folder, FILE)
  const known = read(file)
  const id = UUID.test(known) ? known : randomUUID()
  if (id !== known) writeFileSync(file, `${id}\n`, { mode: 0o600 })
  return [id, statSync(file).ino, boot, host].join('/').replaceAll(/\s/g, '-')
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function thisMachine(): Machine {
  return { host: hostname(), boot: bootId() }
}

/** Linux provides a boot id. Elsewhere each process draws a random one, so a daemon waits after each of its own deaths. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}
