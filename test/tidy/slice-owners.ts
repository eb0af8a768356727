import { isNode, nameOf, walk, type Node, type SourceFile, type Violation } from './source-file.ts'

/** A slice of the core's state and the paths (below `src/`) whose files may assign to it. */
export type SliceOwners = ReadonlyMap<string, readonly string[]>

/** A member of `EngineState` and the name of its type, or null where it has none of its own. */
export type Slices = ReadonlyMap<string, string | null>

const HEADING = '## Who writes what'
const STATE = 'EngineState'
const TRANSITION = 'Transition'
const MUTATORS = /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear)$/

/** Reads the table under its heading. Throws where the heading or the columns are missing, or a slice stands in two rows. */
export function parseOwners(markdown: string): SliceOwners {
  const [, after] = markdown.split(`${HEADING}\n`)
  if (after === undefined) throw new Error(`src/README.md has no heading '${HEADING}'`)
  const [section = ''] = after.split('\n## ')
  const [header, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'))
  if (header !== '| Slice | Owner |') throw new Error('the table of owners has the columns Slice and Owner')
  const owners = new Map<string, readonly string[]>()
  for (const row of rows) {
    const [slices = [], paths = []] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.split(',').map((word) => word.trim()))
    for (const slice of slices) {
      if (owners.has(slice)) throw new Error(`the slice ${slice} is in two rows of the table of owners`)
      owners.set(slice, paths)
    }
  }
  return owners
}

/** The members of `EngineState` in the file that declares it. */
export function slicesOf({ program }: SourceFile): Slices {
  const slices = new Map<string, string | null>()
  walk(program, (node, parents) => {
    const declaration = parents.at(-2)
    if (node.type !== 'TSPropertySignature' || nameOf(declaration?.['id']) !== STATE) return
    slices.set(nameOf(node['key']) ?? '', typeNameOf(node))
  })
  return slices
}

/** What is wrong with the table: slices without a row, rows without a slice, paths without a file. */
export function checkOwnersTable(
  owners: SliceOwners,
  slices: Slices,
  paths: readonly string[],
): readonly string[] {
  const exists = (owner: string) => paths.some((path) => isBelow(path, owner))
  return [
    ...[...slices.keys()].filter((slice) => !owners.has(slice)).map((slice) => `${slice} has no owner`),
    ...[...owners.keys()].filter((slice) => !slices.has(slice)).map((slice) => `${slice} is no slice`),
    ...[...new Set([...owners.values()].flat())]
      .filter((owner) => !exists(owner))
      .map((owner) => `src/${owner} has no file`),
  ]
}

/** Assignments to a slice, its fields or its lists in a file that does not own it. */
export function checkWrites(file: SourceFile, owners: SliceOwners, slices: Slices): readonly Violation[] {
  const found: Violation[] = []
  walk(file.program, (node, parents) => {
    const target = targetOf(node)
    const slice = target === null ? null : kindOf(target, parents, slices)
    if (slice === null || !slices.has(slice)) return
    const allowed = owners.get(slice) ?? []
    if (allowed.some((owner) => isBelow(file.path, owner))) return
    const message = `writes state.${slice}, which is written in ${allowed.join(', ')} only`
    found.push({ path: file.path, line: file.lineOf(node.start), message })
  })
  return found
}

function isBelow(path: string, owner: string): boolean {
  return path === `src/${owner}` || path.startsWith(`src/${owner}/`)
}

/** The expression that a node changes: what is assigned, counted, deleted, or changed by a method of lists and maps. */
function targetOf(node: Node): Node | null {
  if (node.type === 'AssignmentExpression') return memberOf(node['left'])
  if (node.type === 'UpdateExpression') return memberOf(node['argument'])
  if (node.type === 'UnaryExpression')
    return node['operator'] === 'delete' ? memberOf(node['argument']) : null
  if (node.type !== 'CallExpression') return null
  const callee = memberOf(node['callee'])
  if (callee === null) return null
  const method = nameOf(callee['property']) ?? ''
  if (nameOf(callee['object']) === 'Object' && method === 'assign') {
    const [first] = node['arguments'] as readonly Node[]
    return first ?? null
  }
  return MUTATORS.test(method) ? (callee['object'] as Node) : null
}

function memberOf(node: unknown): Node | null {
  return isNode(node) && node.type === 'MemberExpression' ? node : null
}

/** `state.orders.lastSent[id]` is state, orders, lastSent, []; [] = the expression is no path. */
function pathOf(expression: Node): readonly string[] {
  const name = nameOf(expression)
  if (name !== null) return [name]
  if (/^(ChainExpression|TSNonNullExpression|TSAsExpression)$/.test(expression.type))
    return pathOf(expression['expression'] as Node)
  if (expression.type !== 'MemberExpression') return []
  const object = pathOf(expression['object'] as Node)
  const field = expression['computed'] === true ? '[]' : (nameOf(expression['property']) ?? '')
  return object.length === 0 ? [] : [...object, field]
}

/** What an expression stands for where it is used: a transition, the state, one of its slices (by its name), or null. */
function kindOf(expression: Node, scopes: readonly Node[], slices: Slices): string | null {
  const [root, ...fields] = pathOf(expression)
  if (root === undefined) return null
  for (let depth = scopes.length - 1; depth >= 0; depth--) {
    const binding = bindingIn(scopes[depth] as Node, root)
    if (binding === null) continue
    const { type, init, taken } = binding
    const origin = init === null ? kindOfType(type, slices) : kindOf(init, scopes.slice(0, depth + 1), slices)
    // A transition that a closure holds is known by its name alone.
    const start = origin ?? (type === null && root === 'transition' ? TRANSITION : null)
    return [...taken, ...fields].reduce((kind, field) => step(kind, field, slices), start)
  }
  return null
}

/** A field of a transition is the state, a field of the state a slice, and a field of a slice belongs to the slice. */
function step(kind: string | null, field: string, slices: Slices): string | null {
  if (kind === TRANSITION) return field === 'state' ? STATE : null
  if (kind === STATE) return slices.has(field) ? field : null
  return kind
}

/** The state, a transition, or the only slice that has this type. */
function kindOfType(type: string | null, slices: Slices): string | null {
  if (type === STATE || type === TRANSITION) return type
  const [slice, ...others] = [...slices].filter(([, of]) => of !== null && of === type)
  return slice === undefined || others.length > 0 ? null : slice[0]
}

type Binding = { readonly type: string | null; readonly init: Node | null; readonly taken: readonly string[] }

/** How a function or a block binds the name: by a parameter or a declaration, and through which fields of it. */
function bindingIn(scope: Node, name: string): Binding | null {
  const declarators = listOf(scope['body'])
    .map((statement) => (isNode(statement['declaration']) ? statement['declaration'] : statement))
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap((statement) => listOf(statement['declarations']))
  const bindings = [
    ...listOf(scope['params']).map((pattern) => ({ pattern, init: null })),
    ...declarators.map(({ id, init }) => ({ pattern: id as Node, init: isNode(init) ? init : null })),
  ]
  for (const { pattern, init } of bindings) {
    const taken = fieldsTo(name, pattern)
    if (taken !== null) return { type: typeNameOf(pattern), init, taken }
  }
  return null
}

/** The fields through which a pattern binds the name: none = the value itself; null = it does not bind it. */
function fieldsTo(name: string, pattern: Node): readonly string[] | null {
  if (pattern.type === 'AssignmentPattern') return fieldsTo(name, pattern['left'] as Node)
  if (pattern.type !== 'ObjectPattern') return nameOf(pattern) === name ? [] : null
  for (const { key, value } of pattern['properties'] as readonly Node[]) {
    const inner = isNode(value) ? fieldsTo(name, value) : null
    if (inner !== null) return [nameOf(key) ?? '', ...inner]
  }
  return null
}

/** The name in `x: Name`; null for any other type. */
function typeNameOf(node: Node): string | null {
  const annotation = node['typeAnnotation']
  const type = isNode(annotation) ? annotation['typeAnnotation'] : null
  return isNode(type) && type.type === 'TSTypeReference' ? nameOf(type['typeName']) : null
}

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}
