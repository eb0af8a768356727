import { err, ok, type Result } from '../base/result.ts'

/** No answer of the contract nests deeper than 4; reading is recursive and must not run out of stack. */
const MAX_DEPTH = 64

/** The JSON of a body, or in a few words what it is instead. An object is JSON that was parsed already. */
export function parseBody(body: unknown): Result<unknown, string> {
  if (typeof body !== 'string') return ok(body)
  const text = body.trimStart()
  if (text === '') return err('an empty body')
  if (text.startsWith('<')) return err('an HTML page')
  if (isTooDeep(text)) return err('JSON nested too deep')
  try {
    return ok(JSON.parse(text))
  } catch {
    // What the parser says would quote the body; that it is no JSON is all there is to know.
    return err('not JSON')
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 92) index += 1
      else if (character === 34) inString = false
    } else if (character === 34) inString = true
    else if (character === 91 || character === 123) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (character === 93 || character === 125) depth -= 1
  }
  return false
}
