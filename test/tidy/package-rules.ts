const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

export type Manifest = { readonly [list in (typeof LISTS)[number]]?: Readonly<Record<string, string>> }

export type LockFile = {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly integrity?: string; readonly link?: boolean }>
  >
}

/** Every dependency is pinned: what was tested together is what gets installed. */
export function checkVersions(manifest: Manifest): readonly string[] {
  return LISTS.flatMap((list) =>
    Object.entries(manifest[list] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
      .map(([name, version]) => `${list}: ${name} is '${version}', not an exact version`),
  )
}

/** The lock file names no host, so that it works behind any registry, and a hash for every package. */
export function checkLockFile(lock: LockFile): readonly string[] {
  return Object.entries(lock.packages).flatMap(([name, { resolved, integrity, link }]) => {
    const problems: string[] = []
    if (resolved !== undefined && link !== true) problems.push(`${name} is resolved to ${resolved}`)
    if (name !== '' && integrity === undefined && link !== true)
      problems.push(`${name} has no integrity hash`)
    return problems
  })
}

/** The two commands a newcomer types stand in the README as they are. */
export function checkReadme(readme: string | null): readonly string[] {
  if (readme === null) return ['README.md is missing']
  return ['npm ci && npm start', 'npm ci && npm test']
    .filter((command) => !readme.includes(command))
    .map((command) => `README.md does not show \`${command}\``)
}
