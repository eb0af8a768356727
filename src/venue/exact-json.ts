type JsonWithSource = {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/**
 * Parses a body whose numbers keep the digits that were sent: `keep` returns what stands for each of them. 0.10 stays 0.10,
 * and no digit is lost to a double. Throws SyntaxError where the text is not JSON.
 */
function parseExactly(text: string, keep: (digits: string, json: JsonWithSource) => unknown): unknown {
  const json = JSON as unknown as JsonWithSource
  return json.parse(text.trimStart(), (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? keep(source, json) : value,
  )
}

/** The body with each number as a raw value, which `JSON.stringify` writes with the digits that were sent. */
export function rawNumbers(text: string): unknown {
  return parseExactly(text, (digits, json) => json.rawJSON(digits))
}

/** The body with each number as the text that was sent. */
export function numbersAsText(text: string): unknown {
  return parseExactly(text, (digits) => digits)
}
