import { posix } from 'node:path'
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

const FILE_LINES = 300
const FUNCTION_LINES = 60

export type ShapeRule = 'short' | 'one-idea' | 'no-barrel'

/** Size, exports and name of a file under src/ or strategies/, less the rules it is excepted from. */
export function checkShape(file: SourceFile, excepted: readonly ShapeRule[] = []): readonly Violation[] {
  const rules: Record<ShapeRule, (file: SourceFile) => readonly Violation[]> = {
    short: checkLength,
    'one-idea': file.path.startsWith('strategies/') ? checkStrategy : checkExports,
    'no-barrel': checkBarrel,
  }
  return (Object.keys(rules) as ShapeRule[])
    .filter((rule) => !excepted.includes(rule))
    .flatMap((rule) => rules[rule](file))
}

function checkLength(file: SourceFile): readonly Violation[] {
  const found: Violation[] = []
  const lines = file.text.trimEnd().split('\n').length
  if (lines >= FILE_LINES)
    found.push(violation(file, 0, `${lines} lines: a file has fewer than ${FILE_LINES}`))
  walk(file.program, (node, parents) => {
    if (!isFunction(node)) return
    const length = file.lineOf(node.end) - file.lineOf(node.start) + 1
    if (length < FUNCTION_LINES) return
    const name = functionName(node, parents.at(-1)) ?? 'a function'
    found.push(
      violation(file, node.start, `${name} has ${length} lines: a function has fewer than ${FUNCTION_LINES}`),
    )
  })
  return found
}

function isFunction(node: Node): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
}

function functionName(node: Node, parent: Node | undefined): string | null {
  return nameOf(node['id']) ?? nameOf(parent?.['id']) ?? nameOf(parent?.['key'])
}

/** A file has a plain name. One that exports nothing is an entry point: main, launch or a worker. */
function checkExports(file: SourceFile): readonly Violation[] {
  const found: Violation[] = []
  const base = baseOf(file.path)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(base)) found.push(violation(file, 0, `${base} is not kebab-case`))
  if (exportsOf(file.program).length === 0 && !/^(main|launch|worker|.+-worker)$/.test(base)) {
    found.push(violation(file, 0, 'exports nothing, and only main, launch and workers are entry points'))
  }
  return found
}

/** A strategy is one default export whose `name` is the file's. */
function checkStrategy(file: SourceFile): readonly Violation[] {
  const exported = exportsOf(file.program)
  if (exported.length !== 1 || exported[0]?.name !== 'default') {
    return [violation(file, 0, 'a strategy file has one export, the default one')]
  }
  const names: (string | null)[] = []
  walk(file.program, (node, parents) => {
    const isDefinition =
      parents.at(-2)?.type === 'CallExpression' && nameOf(parents.at(-2)?.['callee']) === 'defineStrategy'
    if (isDefinition && node.type === 'Property' && nameOf(node['key']) === 'name')
      names.push(textOf(node['value']))
  })
  const base = baseOf(file.path)
  if (names.length === 1 && names[0] === base) return []
  return [violation(file, 0, `a strategy is called like its file: name: '${base}'`)]
}

function checkBarrel(file: SourceFile): readonly Violation[] {
  const found: Violation[] = []
  if (baseOf(file.path) === 'index')
    found.push(violation(file, 0, 'an index file: import from where things are'))
  for (const statement of file.program['body'] as readonly Node[]) {
    if (/^Export(All|Named)Declaration$/.test(statement.type) && isNode(statement['source'])) {
      found.push(violation(file, statement.start, 'a re-export: import from where things are'))
    }
  }
  return found
}

export type Exported = { readonly name: string; readonly kind: 'value' | 'constant' | 'type' | 'error' }

export function exportsOf(program: Node): readonly Exported[] {
  const body = program['body'] as readonly Node[]
  return body.flatMap((statement): readonly Exported[] => {
    if (statement.type === 'ExportDefaultDeclaration') return [{ name: 'default', kind: 'value' }]
    if (statement.type !== 'ExportNamedDeclaration') return []
    if (isNode(statement['declaration'])) return exportedBy(statement['declaration'])
    return (statement['specifiers'] as readonly Node[]).map((specifier) => ({
      name: nameOf(specifier['exported']) ?? 'default',
      kind: statement['exportKind'] === 'type' || specifier['exportKind'] === 'type' ? 'type' : 'value',
    }))
  })
}

function exportedBy(declaration: Node): readonly Exported[] {
  if (declaration.type === 'VariableDeclaration') {
    const declarators = declaration['declarations'] as readonly Node[]
    return declarators
      .flatMap(({ id }) => bindingsOf(id as Node))
      .map((name) => ({
        name,
        kind: /^[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'value',
      }))
  }
  const name = nameOf(declaration['id']) ?? ''
  if (/^TS(TypeAlias|Interface)Declaration$/.test(declaration.type)) return [{ name, kind: 'type' }]
  const isError =
    declaration.type === 'ClassDeclaration' && nameOf(declaration['superClass'])?.endsWith('Error') === true
  return [{ name, kind: isError ? 'error' : 'value' }]
}

function baseOf(path: string): string {
  return posix.basename(path).replace(/\.[a-z]+$/, '')
}

function violation(file: SourceFile, offset: number, message: string): Violation {
  return { path: file.path, line: file.lineOf(offset), message }
}
