import { isNode, nameOf, textOf, walk, type Node, type SourceFile, type Violation } from './source-file.ts'

const STARTERS = new Set(['test', 'it', 'describe', 'suite', 'bench'])
const SILENT = new Set(['only', 'skip', 'todo'])
const CONDITIONAL = new Set(['skipIf', 'runIf'])
const SHORTHANDS = new Set(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe'])
/** `.only`, `['only']`, `{ only` and `, only`, or `xit(`: wherever `checkTests` may find something. */
const WORDS = new RegExp(
  `[.'"\`{,]\\s*(${[...SILENT, ...CONDITIONAL].join('|')})\\b|\\b(${[...SHORTHANDS].join('|')})\\(`,
)

/** Whether a text has one of the words that `checkTests` looks for, so that it must be parsed. */
export function mayLeaveOut(text: string): boolean {
  return WORDS.test(text)
}

/**
 * No test is left out in silence: `.only`, `.skip` and `.todo` are refused, as modifiers or as options;
 * `skipIf` and `runIf` ask `needs(tool)`, which says the reason; inside a test, `skip('reason')` is fine.
 */
export function checkTests(file: SourceFile): readonly Violation[] {
  const found: Violation[] = []
  walk(file.program, (node) => {
    const message = memberProblem(node) ?? callProblem(node)
    if (message !== null) found.push({ path: file.path, line: file.lineOf(node.start), message })
  })
  return found
}

function memberProblem(node: Node): string | null {
  if (node.type !== 'MemberExpression' || !isStarter(node['object'])) return null
  const property = node['computed'] === true ? textOf(node['property']) : nameOf(node['property'])
  return property !== null && SILENT.has(property)
    ? `.${property}: a test is run, or skipped for a said reason`
    : null
}

function callProblem(node: Node): string | null {
  if (node.type !== 'CallExpression') return null
  const callee = node['callee'] as Node
  const callArguments = node['arguments'] as readonly Node[]
  const name = nameOf(callee)
  if (name !== null && SHORTHANDS.has(name)) return `${name}: a test is run, or skipped for a said reason`
  const method = callee.type === 'MemberExpression' ? nameOf(callee['property']) : null
  if (method !== null && CONDITIONAL.has(method) && isStarter(callee['object'])) {
    return callArguments.some(asksNeeds) ? null : `.${method}: ask needs(tool), which says the reason`
  }
  if (isStarter(callee)) return optionProblem(callArguments)
  if (method === 'skip' && /^(context|ctx|task)$/.test(nameOf(callee['object']) ?? '')) {
    return callArguments.length > 0 ? null : 'skip() says no reason'
  }
  return null
}

function optionProblem(callArguments: readonly Node[]): string | null {
  for (const argument of callArguments.filter(({ type }) => type === 'ObjectExpression')) {
    for (const property of argument['properties'] as readonly Node[]) {
      const key = nameOf(property['key'])
      const value = property['value']
      if (key === null || !SILENT.has(key) || (isNode(value) && value['value'] === false)) continue
      if (!(isNode(value) && asksNeeds(value)))
        return `{ ${key} }: a test is run, or skipped for a said reason`
    }
  }
  return null
}

/** `test`, `test.concurrent`, `test.each(...)`, `describe.skipIf(...)`: whatever begins a test. */
function isStarter(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node.type === 'MemberExpression') return isStarter(node['object'])
  if (node.type === 'CallExpression') {
    const callee = node['callee'] as Node
    return callee.type === 'MemberExpression' && isStarter(callee['object'])
  }
  return STARTERS.has(nameOf(node) ?? '')
}

function asksNeeds(node: Node): boolean {
  let asks = false
  walk(node, (inner) => {
    if (inner.type === 'CallExpression' && nameOf(inner['callee']) === 'needs') asks = true
  })
  return asks
}
