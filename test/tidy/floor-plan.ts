/** One row of the table 'Rooms and who may enter' in src/README.md. */
export type Room = {
  readonly name: string
  readonly ring: number
  /** '*' = every room. */
  readonly imports: readonly string[] | '*'
  /** '*' = every package the product depends on. */
  readonly packages: readonly string[] | '*'
}

const HEADER = ['Room', 'Ring', 'Imports', 'Packages']
const ROOMS = '## Rooms and who may enter'

/** Reads the table under its heading. Throws where the heading, the columns or a row are not as expected. */
export function parseFloorPlan(markdown: string): readonly Room[] {
  const [, after] = markdown.split(`${ROOMS}\n`)
  if (after === undefined) throw new Error(`src/README.md has no heading '${ROOMS}'`)
  const [section = ''] = after.split('\n## ')
  const [header, , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  if (header === undefined || HEADER.some((title, column) => header[column] !== title)) {
    throw new Error(`the table of rooms must begin with the columns ${HEADER.join(', ')}`)
  }
  return rows.map(([name = '', ring = '', imports = '', packages = '']) => {
    if (!/^[a-z][a-z-]*(\/[a-z][a-z-]*)?$/.test(name) || !/^\d$/.test(ring))
      throw new Error(`not a room: | ${name} | ${ring} |`)
    return { name, ring: Number(ring), imports: parseList(imports), packages: parseList(packages) }
  })
}

function parseList(cell: string): readonly string[] | '*' {
  if (cell === '*') return '*'
  return cell === '' ? [] : cell.split(',').map((word) => word.trim())
}

/**
 * What is wrong with the plan itself: rooms and folders that do not match, imports of rooms that do not
 * exist or lie in a higher ring, circles, packages that package.json does not have.
 */
export function checkFloorPlan(
  rooms: readonly Room[],
  folders: readonly string[],
  dependencies: readonly string[],
): readonly string[] {
  const byName = new Map(rooms.map((room) => [room.name, room]))
  const problems: string[] = []
  if (byName.size !== rooms.length) problems.push('a room is listed twice')
  for (const room of rooms) {
    if (!folders.includes(room.name))
      problems.push(`room ${room.name} has no files: src/${room.name} is missing`)
    for (const name of room.imports === '*' ? [] : room.imports) {
      const other = byName.get(name)
      if (other === undefined) problems.push(`room ${room.name} may import ${name}, which is no room`)
      else if (other.ring > room.ring)
        problems.push(`room ${room.name} may not import ${name} from a higher ring`)
    }
    for (const name of room.packages === '*' ? [] : room.packages) {
      if (!dependencies.includes(name))
        problems.push(`room ${room.name} lists ${name}, which package.json lacks`)
    }
  }
  for (const folder of folders)
    if (!folder.includes('/') && !rooms.some(({ name }) => name === folder || name.startsWith(`${folder}/`)))
      problems.push(`src/${folder} is not in the table of rooms`)
  for (const room of rooms)
    if (reaches(room, room.name, byName, new Set())) problems.push(`room ${room.name} is in a circle`)
  return problems
}

function reaches(from: Room, target: string, rooms: ReadonlyMap<string, Room>, seen: Set<string>): boolean {
  if (from.imports === '*') return false
  return from.imports.some((name) => {
    if (name === target) return true
    const next = rooms.get(name)
    if (next === undefined || seen.has(name)) return false
    seen.add(name)
    return reaches(next, target, rooms, seen)
  })
}
