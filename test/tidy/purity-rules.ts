import {
  bindingsOf,
  declaredBy,
  isNode,
  nameOf,
  textOf,
  walk,
  type Node,
  type SourceFile,
  type Violation,
} from './source-file.ts'

/** Names through which time, chance and the world would come in. */
const BANNED = new Map<string, string>([
  ['Date', 'time comes in with the event'],
  ['performance', 'time comes in with the event'],
  ['setTimeout', 'timers belong to the shell'],
  ['setInterval', 'timers belong to the shell'],
  ['setImmediate', 'timers belong to the shell'],
  ['clearTimeout', 'timers belong to the shell'],
  ['clearInterval', 'timers belong to the shell'],
  ['clearImmediate', 'timers belong to the shell'],
  ['queueMicrotask', 'timers belong to the shell'],
  ['scheduler', 'timers belong to the shell'],
  ['process', 'the process belongs to the shell'],
  ['console', 'observations are for saying things'],
  ['fetch', 'requests are effects'],
  ['WebSocket', 'requests are effects'],
  ['EventSource', 'requests are effects'],
  ['crypto', 'randomness comes from a labelled seed'],
  ['Promise', 'the core is synchronous'],
  ['globalThis', 'it is a way round this rule'],
  ['global', 'it is a way round this rule'],
  ['eval', 'it is a way round this rule'],
])

/**
 * What rings 0 to 2 and the strategies do not know. A name that the file itself declares or imports is not
 * the global one: the engine has a function called `process`.
 */
export function checkPurity(file: SourceFile): readonly Violation[] {
  const found: Violation[] = []
  const report = (node: Node, message: string) =>
    void found.push({ path: file.path, line: file.lineOf(node.start), message })
  walk(file.program, (node, parents) => {
    const message = syntaxProblem(node, parents.at(-1)) ?? identifierProblem(node, parents)
    if (message !== null) report(node, message)
  })
  return found
}

function syntaxProblem(node: Node, parent: Node | undefined): string | null {
  if (node['async'] === true) return 'async: the core is synchronous'
  if (node.type === 'AwaitExpression' || node['kind'] === 'await using')
    return 'await: the core is synchronous'
  if (node.type === 'ForOfStatement' && node['await'] === true) return 'for await: the core is synchronous'
  if (node.type === 'TSAnyKeyword') return 'any: say what it is'
  if (node.type === 'MetaProperty' && nameOf(node['meta']) === 'import')
    return 'import.meta: the core has no place'
  return node.type === 'Identifier' && node['name'] === 'Math' ? mathProblem(node, parent) : null
}

/** `Math` may only be asked for a named function, so that `random` cannot hide in a copy or an alias. */
function mathProblem(node: Node, parent: Node | undefined): string | null {
  if (parent?.type === 'MemberExpression' && parent['object'] === node) {
    const property = parent['computed'] === true ? textOf(parent['property']) : nameOf(parent['property'])
    if (property === null) return 'Math is asked for a computed name'
    return property === 'random' ? 'Math.random: randomness comes from a labelled seed' : null
  }
  return parent !== undefined && isMerelyName(node, parent) ? null : 'Math as a whole could hide Math.random'
}

function identifierProblem(node: Node, parents: readonly Node[]): string | null {
  if (node.type !== 'Identifier') return null
  const name = node['name'] as string
  const why = BANNED.get(name)
  const parent = parents.at(-1)
  if (why === undefined || parent === undefined || isMerelyName(node, parent) || isOwn(name, parents))
    return null
  return `${name}: ${why}`
}

const KEYED =
  /^(Property|MethodDefinition|PropertyDefinition|AccessorProperty|TSPropertySignature|TSMethodSignature)$/
const SIGNATURE =
  /^(TSFunctionType|TSConstructorType|TSMethodSignature|TSCallSignatureDeclaration|TSIndexSignature)$/

/** True where an identifier is only a label: a property, a key, a name in a type's signature, an alias. */
function isMerelyName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return parent['property'] === node && parent['computed'] !== true
  if (KEYED.test(parent.type) && parent['key'] === node) return parent['computed'] !== true
  if (SIGNATURE.test(parent.type)) return true
  if (parent.type === 'TSQualifiedName') return parent['right'] === node
  if (parent.type === 'TSImportType') return parent['qualifier'] === node
  if (parent.type === 'ImportSpecifier') return true
  if (parent.type === 'ExportSpecifier') return parent['local'] !== node
  return /^(LabeledStatement|BreakStatement|ContinueStatement|TSNamedTupleMember|MetaProperty)$/.test(
    parent.type,
  )
}

/** Whether a scope around the place declares the name, so that it is not the global of that name. */
function isOwn(name: string, scopes: readonly Node[]): boolean {
  return scopes.some((scope) => namesIn(scope).has(name))
}

const known = new WeakMap<Node, ReadonlySet<string>>()

/** What a block, function, loop, switch, catch clause or the file declares itself, not what is nested in it. */
function namesIn(scope: Node): ReadonlySet<string> {
  const before = known.get(scope)
  if (before !== undefined) return before
  const names = new Set([
    ...listOf(scope['params']).flatMap(bindingsOf),
    ...(/^(Function|Class)Expression$/.test(scope.type) ? bindingsOf(scope['id']) : []),
    ...(scope.type === 'CatchClause' ? bindingsOf(scope['param']) : []),
    ...statementsOf(scope).flatMap(declaredBy),
  ])
  known.set(scope, names)
  return names
}

function statementsOf(scope: Node): readonly Node[] {
  if (/^(Program|BlockStatement|StaticBlock)$/.test(scope.type)) return listOf(scope['body'])
  if (scope.type === 'SwitchStatement')
    return listOf(scope['cases']).flatMap((each) => listOf(each['consequent']))
  if (/^For(In|Of)?Statement$/.test(scope.type)) return [scope['init'] ?? scope['left']].filter(isNode)
  return []
}

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}
