import { posix } from 'node:path'
import type { Room } from './floor-plan.ts'
import { isNode, nameOf, textOf, walk, type Node, type SourceFile, type Violation } from './source-file.ts'

/** A place where a file reaches for another one. Null = computed at run time. */
export type Reach = { readonly target: string | null; readonly at: number }

/** What a file under src/ or strategies/ may import, by the table of rooms. `exists` knows the repository's files. */
export function checkImports(
  file: SourceFile,
  rooms: readonly Room[],
  dependencies: readonly string[],
  exists: (path: string) => boolean,
): readonly Violation[] {
  const problemOf = problemFinder(file.path, rooms, dependencies, exists)
  return reachesOf(file.program).flatMap(({ target, at }) => {
    const message = problemOf(target)
    return message === null ? [] : [{ path: file.path, line: file.lineOf(at), message }]
  })
}

function problemFinder(
  path: string,
  rooms: readonly Room[],
  dependencies: readonly string[],
  exists: (path: string) => boolean,
): (target: string | null) => string | null {
  if (path.startsWith('strategies/')) {
    return (target) => (target === '#kit' ? null : `a strategy imports only '#kit', not ${quoted(target)}`)
  }
  const room = rooms.find(({ name }) => name === roomOf(path, rooms)) ?? entryRoom(path)
  if (room === null) return () => `${path} is in no room of the table`
  return (target) => {
    if (target === null) return room.ring < 3 ? 'a computed import in a ring below 3' : null
    if (target.startsWith('.')) return relativeProblem(path, target, { room, rooms, exists })
    if (target.startsWith('node:')) {
      return room.ring < 3 ? `${target} in ring ${room.ring}: node:* is for rings 3 and 4` : null
    }
    const name = packageOf(target)
    const allowed = room.packages === '*' ? dependencies : room.packages
    return allowed.includes(name) ? null : `${room.name} may not import the package ${name}`
  }
}

/** Rooms and packages that the table allows a room and none of its files imports. */
export function checkUnusedRights(rooms: readonly Room[], files: readonly SourceFile[]): readonly string[] {
  return rooms.flatMap(({ name, imports, packages }) => {
    const used = new Set(
      files.filter(({ path }) => roomOf(path, rooms) === name).flatMap((file) => importedBy(file, rooms)),
    )
    const listed = [imports, packages].flatMap((list) => (list === '*' ? [] : list))
    return listed.filter((right) => !used.has(right)).map((right) => `${name} does not import ${right}`)
  })
}

/** The rooms and packages that a file reaches for. */
function importedBy({ path, program }: SourceFile, rooms: readonly Room[]): readonly string[] {
  return reachesOf(program).flatMap(({ target }) => {
    if (target === null) return []
    return target.startsWith('.')
      ? [roomOf(posix.join(posix.dirname(path), target), rooms) ?? '']
      : [packageOf(target)]
  })
}

function relativeProblem(
  path: string,
  target: string,
  { room, rooms, exists }: { room: Room; rooms: readonly Room[]; exists: (path: string) => boolean },
): string | null {
  const resolved = posix.join(posix.dirname(path), target)
  if (!exists(resolved)) return `${target} does not exist (relative imports end in .ts)`
  if (resolved === 'package.json') return room.ring < 3 ? 'package.json is for rings 3 and 4' : null
  if (!resolved.startsWith('src/')) return `${target} leaves src/`
  const other = roomOf(resolved, rooms)
  if (other === null)
    return path.startsWith('src/main.') || path.startsWith('src/launch.')
      ? null
      : `${target} is an entry point`
  if (other === room.name || room.imports === '*' || room.imports.includes(other)) return null
  return `${room.name} may not import from ${other}`
}

/**
 * 'src/base/money/rate.ts' is in 'money'; files right under src/ are in no room. A folder that has a row of its own in the
 * table ('treasury/api') is a room, and not part of the one around it.
 */
export function roomOf(path: string, rooms: readonly Pick<Room, 'name'>[] = []): string | null {
  const [, name, ...rest] = path.split('/')
  if (name === undefined || rest.length === 0) return null
  const inner = `${name}/${rest[0]}`
  return rest.length > 1 && rooms.some((room) => room.name === inner) ? inner : name
}

/** main and launch hand over to a command and know nothing else; index has what the library exports. */
function entryRoom(path: string): Room | null {
  if (path === 'src/index.ts') return { name: 'index.ts', ring: 4, imports: '*', packages: [] }
  if (!/^src\/(main\.ts|launch\.mjs)$/.test(path)) return null
  return { name: posix.basename(path), ring: 4, imports: ['cli', 'base'], packages: ['commander'] }
}

function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/')
}

const known = new WeakMap<Node, readonly Reach[]>()

/** Static, type-only and dynamic imports, re-exports, require() and new URL('./x.ts', import.meta.url). */
export function reachesOf(program: Node): readonly Reach[] {
  const before = known.get(program)
  if (before !== undefined) return before
  const found: Reach[] = []
  walk(program, (node) => {
    if (
      /^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) ||
      /^(ImportExpression|TSImportType)$/.test(node.type)
    ) {
      if (isNode(node['source'])) found.push({ target: textOf(node['source']), at: node.start })
    } else if (node.type === 'TSExternalModuleReference' || isRequire(node)) {
      found.push({ target: textOf(node['expression'] ?? firstArgument(node)), at: node.start })
    } else if (node.type === 'NewExpression' && nameOf(node['callee']) === 'URL') {
      const target = textOf(firstArgument(node))
      if (target?.startsWith('.') && target.endsWith('.ts') && hasMetaUrl(node))
        found.push({ target, at: node.start })
    }
  })
  known.set(program, found)
  return found
}

function isRequire(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(node['callee']) === 'require'
}

function firstArgument(node: Node): unknown {
  return (node['arguments'] as readonly unknown[])[0]
}

function hasMetaUrl(node: Node): boolean {
  const second = (node['arguments'] as readonly unknown[])[1]
  return isNode(second) && second.type === 'MemberExpression' && nameOf(second['property']) === 'url'
}

function quoted(target: string | null): string {
  return target === null ? 'a computed import' : `'${target}'`
}
