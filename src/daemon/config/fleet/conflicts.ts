import { guardDifference } from '../load/guard.ts'
import type { LoadedConfig } from '../load/loaded-config.ts'
import { SECRET_NOT_READ } from '../source/secret.ts'

/** Configurations that cannot run in one process, because they share something that only one may have. */
type Conflict = {
  /** The shared setting, as a path of the configuration. */
  readonly path: readonly string[]
  readonly files: readonly string[]
  /** An entry of `claimsOf`. May contain a secret. */
  readonly claim: string
  /** The reason, without file names. Never contains a secret. */
  readonly message: string
}

type Shared = {
  readonly path: readonly string[]
  /** Returns what a configuration claims exclusively; empty = nothing. */
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
    message: (address) => `two configurations listen for webhooks on ${address}; each needs its own port`,
  },
]

/** Returns each claim that several configurations make, in the order in which an operator would fix them. */
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

/** Returns everything a configuration claims exclusively: names, stores, wallets, keys. Contains secrets. */
export function claimsOf(config: LoadedConfig): ReadonlySet<string> {
  return new Set(
    SHARED.flatMap((shared) => shared.claims(config).map((claimed) => claimText(shared, claimed))),
  )
}

function claimText({ path }: Shared, claimed: string): string {
  return `${path.join('.')} ${claimed}`
}

/** Returns the wallet whose tokens a position commits; empty in a dry run, which signs nothing. */
function committedWallet({ core: { rfq, mode } }: LoadedConfig): readonly string[] {
  return rfq === null || mode === 'dry-run' ? [] : [`the wallet ${rfq.maker} on chain ${rfq.chainId}`]
}

/**
 * Returns the account that a position quotes from, identified by venue URL and key; empty in a dry run, which only reads, or if the key was
 * not read.
 */
function quotedAccount({ core, venue, apiKey }: LoadedConfig): readonly string[] {
  if (core.mode === 'dry-run' || apiKey === SECRET_NOT_READ) return []
  return [`${venue.baseUrl} ${apiKey.reveal()}`]
}

/** Returns the partner user whose wallet a treasury moves; empty if it only plans. */
function movedWallet({ treasury }: LoadedConfig): readonly string[] {
  return treasury === null || treasury.core.mode === 'plan' ? [] : [`partner user ${treasury.core.userId}`]
}

/** Port 0 means any free port, so it conflicts with nothing. */
function webhookPort({ treasury }: LoadedConfig): readonly string[] {
  const webhooks = treasury?.webhooks ?? null
  return webhooks === null || webhooks.port === 0 ? [] : [`${webhooks.host}:${webhooks.port}`]
}

/** Returns why these cannot share a process's server and log; null = they can. */
export function serverDifference(
  one: Pick<LoadedConfig, 'http' | 'log'>,
  other: Pick<LoadedConfig, 'http' | 'log'>,
): 'http' | 'log' | null {
  if (JSON.stringify(one.log) !== JSON.stringify(other.log)) return 'log'
  return isSameServer(one.http, other.http) ? null : 'http'
}

type Guarded = Pick<LoadedConfig, 'file' | 'guard'>

/**
 * Compares a position with the first configuration that has a guard. Returns that file and the differing key if one guard cannot watch
 * both; null = it can, or the position has none.
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
