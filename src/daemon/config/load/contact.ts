import { existsSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { z } from 'zod'
import { field } from '../schema/field.ts'
import { readConfigRemains } from './config-text.ts'
import { mergeData } from '../source/merge-data.ts'
import { type Env, readSecret, type Secret, SecretReference } from '../source/secret.ts'
import { DEFAULTS_FILE } from './fleet-defaults.ts'
import type { LoadedConfig } from './loaded-config.ts'

/** The settings that are needed to reach the daemon of a position. */
export type Contact = {
  readonly file: string
  /** Null = not in the file: the daemon decides what a command without a name applies to. */
  readonly name: string | null
  /** `token` is null if none is set or its secret is unreadable. */
  readonly http: { readonly host: string; readonly port: number; readonly token: Secret | null }
  /** Null = the daemon was given by its URL, so its store is unknown here. */
  readonly storePath: string | null
  /** Replaces host and port. */
  readonly url?: string
}

const NEAR = { host: '127.0.0.1', port: 9_464 }

/** Returns the contact of a daemon given by its store or URL, without a configuration. */
export function contactAt(
  place: { readonly store: string } | { readonly url: string },
  name: string | null,
): Contact {
  const http = { ...NEAR, token: null }
  return 'url' in place
    ? { file: place.url, name, http, storePath: null, url: place.url }
    : { file: place.store, name, http, storePath: place.store }
}

/** An unreadable value becomes its default: a stop must not fail because of another line of the file. */
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

/** Reads the contact from a file with any fault: invalid syntax, unknown keys, missing secrets. */
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

/** Like `readContact`, for a file of a fleet: if the name is unreadable, the position is assumed to have the file's name. */
export function readFleetContact(file: string, env: Env): Contact {
  const contact = readContact(file, env)
  if (contact.name !== null) return contact
  const name = parse(file).name
  return { ...contact, name, storePath: join(contact.storePath ?? '', name) }
}

/** Returns the contact of the daemon of a loaded configuration. */
export function contactOf({
  file,
  core,
  http,
  store,
}: Pick<LoadedConfig, 'file' | 'core' | 'http' | 'store'>): Contact {
  return { file, name: core.name, http, storePath: store.path }
}

/** Returns the URL of the daemon as reached from this machine. */
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
