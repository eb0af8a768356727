import { guardDifference } from '../load/guard.ts'
import type { LoadedConfig } from '../load/loaded-config.ts'
import { SECRET_NOT_READ } from '../source/secret.ts'

/** Configurations that cannot run side by side in one process: they share what only one may have. */
type Conflict = {
  /** What they share, as a path of the configuration. */
  readonly path: readonly string[]
  readonly files: readonly string[]
  /** As in `claimsOf`. May hold a secret. */
  readonly claim: string
  /** Why, without the files. Never holds a secret. */
  readonly message: string
}

type Shared = {
  readonly path: readonly string[]
  /** What a configuration claims for itself; none where it claims nothing. */
  readonly claims: (config: LoadedConfig) => readonly string[]
  readonly message: (claimed: string) => string
}

const SHARED: readonly Shared[] = [
  {
    path: ['name'],
    claims: ({ core }) => [core.name],
    message: (name) => `two configurations are named ${name}; each position needs its own name`,
  },
  {
    path: ['store', 'path'],
    claims: ({ store }) => [store.path],
    message: (store) => `two configurations use the store ${store}; each position needs its own store`,
  },
  {
    path: ['rfq', 'maker'],
    claims: committedWallet,
    message: (wallet) =>
      `two configurations sign orders from ${wallet}; each would commit all of its balance, so each position needs its own wallet`,
  },
  {
    path: ['venue', 'apiKey'],
    claims: quotedAccount,
    message: (account) =>
      `two configurations trade with one key at ${account.split(' ')[0]}; both would set its one quote and book its fills, so each position needs its own key`,
  },
  {
    path: ['treasury', 'userId'],
    claims: movedWallet,
    message: (user) =>
      `two configurations move the wallet of ${user}; each would plan with all of it, so each position needs its own partner user`,
  },
  {
    path: ['treasury', 'webhooks', 'port'],
    claims: webhookPort,
    message: (address) =>
      `two configurations listen for webhooks on ${address}; each needs a port of its own`,
  },
]

/** What configurations claim twice, each claim once, in the order in which a person would mend it. */
export function findConflicts(configs: readonly LoadedConfig[]): readonly Conflict[] {
  return SHARED.flatMap((shared) => {
    const claimants = new Map<string, string[]>()
    for (const config of configs) {
      for (const claimed of shared.claims(config)) {
        const files = claimants.get(claimed)
        if (files === undefined) claimants.set(claimed, [config.file])
        else files.push(config.file)
      }
    }
    return [...claimants]
      .filter(([, files]) => files.length > 1)
      .map(([claimed, files]) => conflict(shared, claimed, files))
  })
}

function conflict(shared: Shared, claimed: string, files: readonly string[]): Conflict {
  return { path: shared.path, files, claim: claimText(shared, claimed), message: shared.message(claimed) }
}

/** All that a configuration claims for itself: names, stores, wallets, keys. Holds secrets. */
export function claimsOf(config: LoadedConfig): ReadonlySet<string> {
  return new Set(
    SHARED.flatMap((shared) => shared.claims(config).map((claimed) => claimText(shared, claimed))),
  )
}

function claimText({ path }: Shared, claimed: string): string {
  return `${path.join('.')} ${claimed}`
}

/** The wallet whose tokens a position commits; none in a dry run, which signs nothing. */
function committedWallet({ core: { rfq, mode } }: LoadedConfig): readonly string[] {
  return rfq === null || mode === 'dry-run' ? [] : [`the wallet ${rfq.maker} on chain ${rfq.chainId}`]
}

/** The account a position quotes from, by the venue's address and the key; none in a dry run, which only reads, or without the key. */
function quotedAccount({ core, venue, apiKey }: LoadedConfig): readonly string[] {
  if (core.mode === 'dry-run' || apiKey === SECRET_NOT_READ) return []
  return [`${venue.baseUrl.replace(/\/+$/, '')} ${apiKey.reveal()}`]
}

/** The partner user whose wallet a treasury moves; none where it only plans. */
function movedWallet({ treasury }: LoadedConfig): readonly string[] {
  return treasury === null || treasury.core.mode === 'plan' ? [] : [`partner user ${treasury.core.userId}`]
}

/** Port 0 is a free one each time. */
function webhookPort({ treasury }: LoadedConfig): readonly string[] {
  const webhooks = treasury?.webhooks ?? null
  return webhooks === null || webhooks.port === 0 ? [] : [`${webhooks.host}:${webhooks.port}`]
}

/** Why these cannot share a process's server and log; null = they can. With other tokens commands would be refused. */
export function serverDifference(
  one: Pick<LoadedConfig, 'http' | 'log'>,
  other: Pick<LoadedConfig, 'http' | 'log'>,
): 'http' | 'log' | null {
  if (JSON.stringify(one.log) !== JSON.stringify(other.log)) return 'log'
  return isSameServer(one.http, other.http) ? null : 'http'
}

type Guarded = Pick<LoadedConfig, 'file' | 'guard'>

/**
 * Where a position would need another guard than the first of these that wants one, and in which key; null = one guard can
 * watch both, or the position wants none.
 */
export function otherGuard(
  { guard }: Guarded,
  configs: readonly Guarded[],
): { readonly key: string; readonly file: string } | null {
  const first = configs.find((config) => config.guard !== null)
  if (guard === null || first === undefined || first.guard === null) return null
  const key = guardDifference(guard, first.guard)
  return key === null ? null : { key, file: first.file }
}

export function isSameServer(one: LoadedConfig['http'], other: LoadedConfig['http']): boolean {
  return one.host === other.host && one.port === other.port && accessTo(one) === accessTo(other)
}

function accessTo({ token, readToken, readsNeedToken, tokens }: LoadedConfig['http']): string {
  const named = tokens.map(({ name, may, token: secret }) => [name, may, secret.reveal()])
  return JSON.stringify([token?.reveal(), readToken?.reveal(), readsNeedToken, named])
}
