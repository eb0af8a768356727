import { posix } from 'node:path'
import { reachesOf, roomOf } from './import-rules.ts'
import type { SourceFile, Violation } from './source-file.ts'

/** Which files each file reaches for: by import, type-only import, dynamic import or as a worker. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

const SMALL_LINES = 25
const FOLDER_FILES = 20
const LONG_LINES = 400
const LONG_FILES = 12

export function importGraph(files: readonly SourceFile[]): ImportGraph {
  const known = new Set(files.map(({ path }) => path))
  return new Map(
    files.map(({ path, program }) => {
      const targets = reachesOf(program).flatMap(({ target }) =>
        target?.startsWith('.') === true ? [posix.join(posix.dirname(path), target)] : [],
      )
      return [path, [...new Set(targets)].filter((target) => known.has(target) && target !== path)]
    }),
  )
}

/** Every group of files that reach one another in a circle, each as one violation of its first file. */
export function checkCircles(graph: ImportGraph): readonly Violation[] {
  return circlesOf(graph).map((circle) => {
    const [first = '', ...others] = circle.toSorted()
    return { path: first, line: 1, message: `is in a circle with ${others.join(', ')}` }
  })
}

/** Which folders each folder reaches for, among those beside it: files directly in the common folder are of no side. */
export function folderGraph(graph: ImportGraph): ImportGraph {
  const folders = new Map<string, readonly string[]>()
  for (const [file, targets] of graph) {
    const from = file.split('/')
    for (const to of targets.map((target) => target.split('/'))) {
      const apart = from.findIndex((part, at) => part !== to[at]) + 1
      if (apart >= from.length || apart >= to.length) continue
      const [folder, other] = [from.slice(0, apart).join('/'), to.slice(0, apart).join('/')]
      const known = folders.get(folder) ?? []
      if (!known.includes(other)) folders.set(folder, [...known, other])
    }
  }
  return folders
}

/** Imports of a folder from one that comes after it in the list, or that is not in the list. */
export function checkOrder(list: readonly string[], folders: ImportGraph): readonly string[] {
  return list.flatMap((folder, at) =>
    (folders.get(folder) ?? [])
      .filter((target) => !list.slice(0, at).includes(target))
      .map((target) => `${folder} imports ${target}, which is not before it in the list`),
  )
}

/** The strongly connected components of more than one file (Tarjan's algorithm). */
function circlesOf(graph: ImportGraph): readonly (readonly string[])[] {
  const indices = new Map<string, number>()
  const lows = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (file: string): void => {
    const index = indices.size
    indices.set(file, index)
    lows.set(file, index)
    open.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!indices.has(target)) {
        visit(target)
        lower(lows, file, lows.get(target))
      } else if (open.includes(target)) lower(lows, file, indices.get(target))
    }
    if (lows.get(file) !== index) return
    const circle = open.splice(open.indexOf(file))
    if (circle.length > 1) found.push(circle)
  }
  for (const file of graph.keys()) if (!indices.has(file)) visit(file)
  return found
}

function lower(lows: Map<string, number>, file: string, to: number | undefined): void {
  lows.set(file, Math.min(lows.get(file) ?? Infinity, to ?? Infinity))
}

/** A file of under 25 lines with one importer is a part of that importer, if both are in one room. */
export function checkCohesion(files: readonly SourceFile[], graph: ImportGraph): readonly Violation[] {
  const importers = new Map<string, string[]>()
  for (const [file, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  return files.flatMap(({ path, text }) => {
    const [importer, ...others] = importers.get(path) ?? []
    const isSmall = lineCount(text) < SMALL_LINES
    // The first file of the program has nobody above it.
    if (path === 'src/main.ts') return []
    if (!isSmall || importer === undefined || others.length > 0 || roomOf(importer) !== roomOf(path))
      return []
    return [{ path, line: 1, message: `${lineCount(text)} lines that only ${importer} imports: merge them` }]
  })
}

/** At most twenty files of source in a folder, and at most a dozen files of more than 400 lines in all. */
export function checkSizes(files: readonly Pick<SourceFile, 'path' | 'text'>[]): readonly Violation[] {
  const folders = Object.groupBy(files, ({ path }) => posix.dirname(path))
  const crowded = Object.entries(folders).flatMap(([path, inside = []]) =>
    inside.length <= FOLDER_FILES
      ? []
      : [{ path, line: 1, message: `${inside.length} files: a folder has at most ${FOLDER_FILES}` }],
  )
  const long = files.filter(({ text }) => lineCount(text) > LONG_LINES)
  if (long.length <= LONG_FILES) return crowded
  const message = `one of ${long.length} files over ${LONG_LINES} lines: there may be ${LONG_FILES}`
  return [...crowded, ...long.map(({ path }) => ({ path, line: 1, message }))]
}

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length
}
