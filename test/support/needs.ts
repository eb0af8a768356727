import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs that some tests need beside Node, and where each comes from. */
const REMEDIES = {
  promtool: 'install the Debian package prometheus',
  prometheus: 'install the Debian package prometheus',
  chromium: 'install the Debian package chromium',
  buildah: 'install the Debian package buildah',
  psql: 'install the Debian package postgresql-client',
  initdb: 'install the Debian package postgresql',
  pgbouncer: 'install the Debian package pgbouncer',
  script: 'install the Debian package bsdutils',
  openssl: 'install the Debian package openssl',
  unshare: 'install the Debian package util-linux, and allow user namespaces',
  ip: 'install the Debian package iproute2',
  'ssh-keygen': 'install the Debian package openssh-client',
  faketime: 'install the Debian package faketime',
  hledger: 'install the Debian package hledger',
  'bean-check': 'install the Debian package beancount',
  python3: 'install the Debian package python3-venv',
  anvil: 'on Linux x64 npm ci brings it, elsewhere install Foundry',
} as const

export type Tool = keyof typeof REMEDIES

/** What `needs` looks at and speaks to; a test of its own gives another one. */
export type Surroundings = {
  readonly searchPath: string
  readonly ci: boolean
  readonly say: (line: string) => void
}

/** The optional package has the program outside of node_modules/.bin. */
const ANVIL_FOLDER = fileURLToPath(
  new URL('../../node_modules/@foundry-rs/anvil-linux-amd64/bin', import.meta.url),
)

const said = new Set<Tool>()

/**
 * For `test.skipIf(needs('promtool'))`: false where the program is installed, true where it is not, and
 * then says why, once per test file. With CI=true it throws instead: there a missing tool is a failure,
 * because a check that no one runs is no check.
 */
export function needs(tool: Tool, surroundings: Surroundings = thisProcess()): boolean {
  if (surroundings.searchPath.split(delimiter).some((folder) => isProgram(folder, tool))) return false
  const remedy = REMEDIES[tool]
  if (surroundings.ci) throw new Error(`${tool} is missing and CI=true allows no skipping: ${remedy}`)
  if (!said.has(tool)) surroundings.say(`skipped: ${tool} is not installed (${remedy})`)
  said.add(tool)
  return true
}

function thisProcess(): Surroundings {
  return {
    searchPath: [process.env['PATH'] ?? '', ANVIL_FOLDER].join(delimiter),
    ci: process.env['CI'] === 'true',
    say: (line) => {
      process.stderr.write(`${line}\n`)
    },
  }
}

function isProgram(folder: string, tool: Tool): boolean {
  if (folder === '') return false
  try {
    accessSync(join(folder, tool), constants.X_OK)
    return true
  } catch {
    return false
  }
}
