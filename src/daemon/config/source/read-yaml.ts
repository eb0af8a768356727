import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from 'yaml'
import { err, ok, type Result } from '../../../base/result.ts'
import type { PathStep, SecretRange } from './problem.ts'
import { SECRET_TAGS, SecretReference } from './secret.ts'
import { placeKey, type SourcePlace, type RawProblem, type YamlTree } from './locate-problem.ts'

/**
 * The keys with special rules: secrets must be tagged, possible secrets are never repeated, and money keeps its exact
 * digits.
 */
export type KeyRules = {
  readonly isSecret: (path: readonly PathStep[]) => boolean
  readonly mayBeSecret: (path: readonly PathStep[]) => boolean
  readonly isMoney: (path: readonly PathStep[]) => boolean
  /** The message for a text that is empty or not a mapping; by default it describes a configuration. */
  readonly wanted?: string
  /** The maximum number of values in a text; 20,000 by default. */
  readonly maxNodes?: number
}

type ReadYaml = {
  /** The readable part despite problems, for a command that must reach a daemon with a broken file. */
  readonly data: Readonly<Record<string, unknown>>
  readonly tree: Result<YamlTree, readonly RawProblem[]>
  readonly lines: LineCounter
  readonly hidden: readonly SecretRange[]
}

/** Nested aliases grow without bound; real configurations are much smaller. */
const MAX_NODES = 20_000
const WANTED_WHERE_EMPTY = 'a configuration with name, venue and strategy'
const WANTED_WHERE_NO_MAPPING = 'lines of "key: value"'
const MAX_DEPTH = 40
const PLAIN_SECRET = 'secret in plain text: use !env NAME or !file PATH'
const SECRETISH_KEY = /(key|token|secret|passw)/i

/** Parses text into plain data with the position of every key. Anchors and `<<` work; unreadable parts become problems. */
export function readYaml(text: string, rules: KeyRules): ReadYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    stringKeys: false,
    customTags: Object.entries(SECRET_TAGS).map(([tag, kind]) => ({
      tag,
      resolve: (value: string) => new SecretReference(kind, value.trim()),
    })),
  })
  const walk = new Walk(document, rules)
  const data = walk.root()
  // What follows an open bracket is read wrongly.
  const open = document.errors.find(({ message }) => OPEN_BRACKET.test(message))
  const errors = open === undefined ? [...document.errors, ...document.warnings] : [open]
  const parseProblems = errors.map((error) => ({
    path: [],
    range: error.pos,
    message: yamlErrorText(error),
  }))
  const problems = parseProblems.length > 0 ? parseProblems : walk.problems
  const { places, hidden } = walk
  if (problems.length > 0) return { data, tree: err(problems), lines, hidden }
  return { data, tree: ok({ data, places, hidden }), lines, hidden }
}

class Walk {
  readonly problems: RawProblem[] = []
  readonly places = new Map<string, SourcePlace>()
  readonly hidden: SecretRange[] = []
  readonly #document: Document.Parsed
  readonly #rules: KeyRules
  /** Filled in the order of the text, as YAML requires: an alias refers to the last anchor before it. */
  readonly #anchors = new Map<string, unknown>()
  #nodes = 0

  constructor(document: Document.Parsed, rules: KeyRules) {
    this.#document = document
    this.#rules = rules
  }

  root(): Readonly<Record<string, unknown>> {
    const contents: unknown = this.#document.contents
    if (isMap(contents)) return this.#map(contents, [], 0)
    const empty = contents === null || (isScalar(contents) && contents.value === null)
    const { wanted } = this.#rules
    const message = empty
      ? `${wanted === undefined ? 'the file' : 'this'} is empty; expected ${wanted ?? WANTED_WHERE_EMPTY}`
      : `${wanted === undefined ? 'the file' : 'this'} is not a mapping; expected ${wanted ?? WANTED_WHERE_NO_MAPPING}`
    this.problems.push({ path: [], range: [0, 0], message })
    return {}
  }

  #value(node: unknown, path: readonly PathStep[], depth: number, range: readonly [number, number]): unknown {
    this.#nodes += 1
    const { maxNodes = MAX_NODES } = this.#rules
    if (this.#nodes > maxNodes || depth > MAX_DEPTH) {
      if (this.#nodes <= maxNodes + 1 || depth === MAX_DEPTH + 1) {
        this.#problem(path, range, 'too many values or levels (aliases in aliases?); write it out, shorter')
      }
      return null
    }
    const anchor = (node as { anchor?: string } | null)?.anchor
    if (anchor !== undefined) this.#anchors.set(anchor, node)
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source)
      if (target !== undefined) return this.#value(target, path, depth + 1, range)
      return this.#problem(path, range, 'an alias without an anchor; set &name before *name')
    }
    if (isScalar(node)) return this.#scalar(node, path, range)
    if (this.#rules.isSecret(path)) return this.#problem(path, range, PLAIN_SECRET)
    if (isMap(node)) return this.#map(node, path, depth)
    if (isSeq(node))
      return node.items.map((item, index) => this.#placed(item, [...path, index], depth, range))
    return null
  }

  #placed(
    node: unknown,
    path: readonly PathStep[],
    depth: number,
    parent: readonly [number, number],
  ): unknown {
    const range = rangeOf(node) ?? parent
    this.places.set(placeKey(path), { key: range, value: range })
    if (this.#rules.mayBeSecret(path)) this.hidden.push([range[0], Math.max(range[1], range[0])])
    return this.#value(node, path, depth + 1, range)
  }

  #map(
    node: { items: readonly unknown[] },
    path: readonly PathStep[],
    depth: number,
  ): Record<string, unknown> {
    // Without a prototype, so a key named __proto__ is an ordinary key.
    const own = Object.create(null) as Record<string, unknown>
    const merged = Object.create(null) as Record<string, unknown>
    for (const pair of node.items as readonly { key: unknown; value: unknown }[]) {
      const keyRange = rangeOf(pair.key) ?? [0, 0]
      const key = isScalar(pair.key) ? pair.key.value : undefined
      const valueRange = rangeOf(pair.value) ?? keyRange
      if (typeof key !== 'string') {
        this.#problem(path, keyRange, 'a key must be a plain word; put it in quotes')
        continue
      }
      if (key === '<<') {
        this.#merge(merged, pair.value, path, depth, valueRange)
        continue
      }
      const inside = [...path, key]
      if (SECRETISH_KEY.test(key) || this.#rules.isSecret(inside) || this.#rules.mayBeSecret(inside))
        this.hidden.push([valueRange[0], Math.max(valueRange[1], valueRange[0])])
      this.places.set(placeKey(inside), {
        key: keyRange,
        value: valueRange[1] > valueRange[0] ? valueRange : keyRange,
      })
      own[key] = this.#value(pair.value, inside, depth + 1, valueRange)
    }
    for (const key of Object.keys(merged)) if (!Object.hasOwn(own, key)) own[key] = merged[key]
    return own
  }

  #merge(
    into: Record<string, unknown>,
    node: unknown,
    path: readonly PathStep[],
    depth: number,
    range: readonly [number, number],
  ): void {
    const sources = isSeq(node) ? node.items : [node]
    for (const source of sources) {
      const value = this.#value(source, path, depth + 1, range)
      if (
        typeof value !== 'object' ||
        value === null ||
        Array.isArray(value) ||
        value instanceof SecretReference
      ) {
        this.#problem([...path, '<<'], range, '<< needs a mapping; use the alias of a mapping (*name)')
        return
      }
      for (const [key, inner] of Object.entries(value)) if (!Object.hasOwn(into, key)) into[key] = inner
    }
  }

  #scalar(
    node: { value: unknown; source?: string },
    path: readonly PathStep[],
    range: readonly [number, number],
  ): unknown {
    const { value, source } = node
    const isSecret = this.#rules.isSecret(path)
    if (value instanceof SecretReference) {
      if (isSecret || this.#rules.mayBeSecret(path)) return value
      return this.#problem(
        path,
        range,
        `!${value.kind} is for secrets only (venue.apiKey, http.token, rfq.rpc.urls, rfq.signer, store.postgres, notify, alert, treasury); write the value itself`,
      )
    }
    if (isSecret && value !== null && value !== '') return this.#problem(path, range, PLAIN_SECRET)
    if (this.#rules.isMoney(path) && typeof value === 'number' && source !== undefined) return source
    return value
  }

  #problem(path: readonly PathStep[], range: readonly [number, number], message: string): null {
    this.problems.push({ path, range, message })
    return null
  }
}

/** The range of the value itself, after a tag or an anchor. */
function rangeOf(node: unknown): readonly [number, number] | null {
  const range = (node as { range?: readonly [number, number, number] | null } | null)?.range
  return range === undefined || range === null ? null : [range[0], range[1]]
}

/**
 * Explains each YAML error to the author of the file. The parser's own messages may quote the text, which may be a
 * secret.
 */
const SENTENCES: { readonly [code in ErrorCode]?: string } = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag; write the alias alone',
  BAD_ALIAS: 'a broken alias; use *name of an anchor set before it (&name)',
  BAD_COLLECTION_TYPE: 'the tag does not fit what follows it; only !env NAME and !file PATH are known here',
  BAD_DIRECTIVE: 'a YAML directive that is not understood; leave out the line that begins with %',
  BAD_DQ_ESCAPE: "an unknown escape in double quotes; use 'single quotes' or double the backslash",
  BAD_INDENT:
    'the indentation fits nothing above it; line it up with its neighbours, or close the brace or quote above',
  BAD_PROP_ORDER: 'an anchor or tag is in the wrong place; put it right before the value',
  BAD_SCALAR_START: 'a plain value cannot begin with this character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a mapping cannot begin here; put the key on a new line, or use { } on one line',
  BLOCK_IN_FLOW: 'an indented block is not allowed inside { } or [ ]; write it with braces',
  DUPLICATE_KEY: 'this key was set before in the same mapping; keep one of them',
  IMPOSSIBLE: 'this is not YAML',
  KEY_OVER_1024_CHARS: 'a key of more than 1024 characters; is a quote or a colon missing?',
  MISSING_CHAR: 'a character is missing; close the quote, bracket or brace, or put ": " after the key',
  MULTILINE_IMPLICIT_KEY: 'a key cannot go over several lines; put ": " and the value on the same line',
  MULTIPLE_ANCHORS: 'a value can have one anchor only; leave out one',
  MULTIPLE_DOCS: 'a second document begins here; one file holds one configuration, leave out the "---"',
  MULTIPLE_TAGS: 'a value can have one tag only; leave out one',
  NON_STRING_KEY: 'a key must be a plain word; put it in quotes',
  RESOURCE_EXHAUSTION: 'too many aliases or levels; write it out, shorter',
  TAB_AS_INDENT: 'a tab in the indentation; indent with spaces',
  TAG_RESOLVE_FAILED: 'an unknown tag; only !env NAME and !file PATH are known, for secrets',
  UNEXPECTED_TOKEN: 'this is not expected here; is a quote, a brace or a line break missing before it?',
}

/** The parser's message about an open bracket, which quotes nothing but the bracket that is missing. */
const OPEN_BRACKET = /^Flow .* in block collection .* end with a ([\]}])$/

function yamlErrorText({ code, message }: YAMLError): string {
  const bracket = OPEN_BRACKET.exec(message)?.[1]
  if (bracket !== undefined)
    return `no ${bracket} closes the bracket above; add it, or indent the lines up to it`
  return SENTENCES[code] ?? 'this is not YAML that can be understood; check quotes, braces and indentation'
}
