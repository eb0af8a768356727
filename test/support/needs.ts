import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that some tests need beside Node, and the Debian package that has each. */
const DEBIAN_PACKAGES = {
  promtool: 'prometheus',
  prometheus: 'prometheus',
  chromium: 'chromium',
  buildah: 'buildah',
  psql: 'postgresql-client',
  initdb: 'postgresql',
} as const

export type Tool = keyof typeof DEBIAN_PACKAGES

/** What `needs` looks at and speaks to; a test of its own gives another one. */
export type Surroundings = {
  readonly searchPath: string
  readonly ci: boolean
  readonly say: (line: string) => void
}

const said = new Set<Tool>()

/**
 * For `test.skipIf(needs('promtool'))`: false where the program is installed, true where it is not, and
 * then says why, once per test file. With CI=true it throws instead: there a missing tool is a failure,
 * because a check that nobody runs is no check.
 */
export function needs(tool: Tool, surroundings: Surroundings = thisProcess()): boolean {
  if (surroundings.searchPath.split(delimiter).some((folder) => isProgram(folder, tool))) return false
  const remedy = `install the Debian package ${DEBIAN_PACKAGES[tool]}`
  if (surroundings.ci) throw new Error(`${tool} is missing and CI=true allows no skipping: ${remedy}`)
  if (!said.has(tool)) surroundings.say(`skipped: ${tool} is not installed (${remedy})`)
  said.add(tool)
  return true
}

function thisProcess(): Surroundings {
  return {
    searchPath: process.env['PATH'] ?? '',
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
