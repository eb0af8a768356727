import { existsSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { z } from 'zod'
import { field } from '../schema/field.ts'
import { readConfigRemains } from '../source/config-text.ts'
import { mergeData } from '../source/merge-data.ts'
import { type Env, readSecret, type Secret, SecretReference } from '../source/secret.ts'
import { DEFAULTS_FILE } from './fleet-defaults.ts'
import type { LoadedConfig } from './loaded-config.ts'

/** What it takes to reach the daemon of a position, and nothing else of its configuration. */
export type Contact = {
  readonly file: string
  /** Null = the file does not show it: the daemon decides what a command without a name means. */
  readonly name: string | null
  /** `token` is null where none is set or its secret cannot be read. */
  readonly http: { readonly host: string; readonly port: number; readonly token: Secret | null }
  /** Null = the daemon is named by its URL, and its store is not known here. */
  readonly storePath: string | null
  /** Instead of host and port. */
  readonly url?: string
}

const NEAR = { host: '127.0.0.1', port: 9_464 }

/** How a daemon is reached that is named by its store or its URL, without a configuration. */
export function contactAt(
  place: { readonly store: string } | { readonly url: string },
  name: string | null,
): Contact {
  const http = { ...NEAR, token: null }
  return 'url' in place
    ? { file: place.url, name, http, storePath: null, url: place.url }
    : { file: place.store, name, http, storePath: place.store }
}

/** A value that cannot be read is its default: a stop must not fail because of another line of the file. */
const contactSchema = z.object({
  name: z.string().min(1).nullable().catch(null),
  http: z
    .object({
      host: field.text.catch(NEAR.host),
      port: z.int().min(0).max(65_535).catch(NEAR.port),
      token: z.instanceof(SecretReference).nullable().catch(null),
    })
    .catch({ ...NEAR, token: null }),
  store: z.object({ path: field.text.catch('./data') }).catch({ path: './data' }),
})

/** Reads as much as it takes from a file that may have any fault: syntax, unknown keys, secrets that are not set. */
export function readContact(file: string, env: Env): Contact {
  const defaultsFile = join(dirname(file), DEFAULTS_FILE)
  const beside = defaultsFile !== file && existsSync(defaultsFile) ? readConfigRemains(defaultsFile) : {}
  const isFleet = 'fleet' in beside
  const own = readConfigRemains(file)
  const { name, http, store } = contactSchema.parse(isFleet ? mergeData(beside, own) : own)
  const token = http.token === null ? null : readSecret(http.token, file, env)
  return {
    file,
    name,
    http: { ...http, token: token?.ok === true ? token.value : null },
    storePath: isFleet && name !== null ? join(store.path, name) : store.path,
  }
}

/** The same for a file of a fleet: without a readable name its position is taken to be called like the file. */
export function readFleetContact(file: string, env: Env): Contact {
  const contact = readContact(file, env)
  if (contact.name !== null) return contact
  const name = parse(file).name
  return { ...contact, name, storePath: join(contact.storePath ?? '', name) }
}

/** How the daemon of a whole configuration is reached. */
export function contactOf({
  file,
  core,
  http,
  store,
}: Pick<LoadedConfig, 'file' | 'core' | 'http' | 'store'>): Contact {
  return { file, name: core.name, http, storePath: store.path }
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
