import { randomUUID } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** The kernel that a process runs on: its host name, and a random number drawn at boot. */
type Machine = { readonly host: string; readonly boot: string }

const FILE = 'holder.id'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns an identity that only one live process can have. Requires the folder's lock on this kernel, so an earlier
 * process with the same identity is dead and candidates need not wait for it. A copied folder has another file and a
 * copied machine another boot id; a folder moved to another machine may still be written to from the old one.
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

/** Linux provides a boot id. Elsewhere each process draws a random one, so a daemon waits after each of its own crashes. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}
