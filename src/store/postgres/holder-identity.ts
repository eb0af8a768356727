import { randomUUID } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** The kernel that a process runs on: its host's name, and a number that it draws when it boots. */
type Machine = { readonly host: string; readonly boot: string }

const FILE = 'holder.id'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * What only one living process can be. Anyone who has the folder's lock is this one, and anyone who had the same identity before is
 * dead: it had this lock, on this kernel. Only then no one waits for it. A copy of the folder is another file, a copied
 * machine boots another kernel, and a folder that moved to another machine may still be written to from the former one.
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

/** Linux has one. Elsewhere the number is drawn by each process, so that a daemon waits after every death of its own. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}
