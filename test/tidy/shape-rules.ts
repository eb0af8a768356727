import { parse } from 'node:path/posix'
import {
  bindingsOf,
  isNode,
  nameOf,
  textOf,
  walk,
  type Node,
  type SourceFile,
  type Violation,
} from './source-file.ts'

/** The one file that exports what other files hold: strategies import from #kit and from nowhere else. */
export const KIT = 'src/core/strategy/kit.ts'

/** What a file under src/ or strategies/ exports. oxlint checks its length, its functions and its name. */
export function checkShape(file: SourceFile): readonly Violation[] {
  const problem = file.path.startsWith('strategies/') ? strategyProblem(file) : exportProblem(file)
  return problem === null ? [] : [{ path: file.path, line: 1, message: problem }]
}

/** A file that exports nothing is an entry point: main, launch or a worker. */
function exportProblem({ path, program }: SourceFile): string | null {
  const { name } = parse(path)
  if (name === 'index') return 'an index file: import from where things are'
  if (exportsOf(program).length === 0 && !/^(main|launch|worker|.+-worker)$/.test(name))
    return 'exports nothing, and only main, launch and workers are entry points'
  const isBarrel = bodyOf(program).some(
    ({ type, source }) => /^Export(All|Named)Declaration$/.test(type) && isNode(source),
  )
  return isBarrel ? 'a re-export: import from where things are' : null
}

/** A strategy is one default export whose `name` is the file's. */
function strategyProblem({ path, program }: SourceFile): string | null {
  if (exportsOf(program).join() !== 'default') return 'a strategy file has one export, the default one'
  const names: (string | null)[] = []
  walk(program, (node, parents) => {
    const isDefinition =
      parents.at(-2)?.type === 'CallExpression' && nameOf(parents.at(-2)?.['callee']) === 'defineStrategy'
    if (isDefinition && node.type === 'Property' && nameOf(node['key']) === 'name')
      names.push(textOf(node['value']))
  })
  const { name } = parse(path)
  return names.join() === name ? null : `a strategy is called like its file: name: '${name}'`
}

/** The names that a file exports; a default export is called default. */
export function exportsOf(program: Node): readonly string[] {
  return bodyOf(program).flatMap((statement): readonly string[] => {
    if (statement.type === 'ExportDefaultDeclaration') return ['default']
    if (statement.type !== 'ExportNamedDeclaration') return []
    if (isNode(statement['declaration'])) return declaredBy(statement['declaration'])
    return (statement['specifiers'] as readonly Node[]).map(({ exported }) => nameOf(exported) ?? 'default')
  })
}

function declaredBy(declaration: Node): readonly string[] {
  if (declaration.type !== 'VariableDeclaration') return [nameOf(declaration['id']) ?? '']
  return (declaration['declarations'] as readonly Node[]).flatMap(({ id }) => bindingsOf(id))
}

function bodyOf(program: Node): readonly Node[] {
  return program['body'] as readonly Node[]
}
