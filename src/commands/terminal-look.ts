/** What a stream can show. */
export type TerminalLook = {
  /** Can be drawn upon: a terminal that knows how to move its cursor. */
  readonly live: boolean
  readonly colour: boolean
}

/**
 * Pipes, files and TERM=dumb get plain lines without colour; NO_COLOR (any text but an empty one, as
 * no-color.org has it) takes only the colour away.
 */
export function terminalLook(
  output: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): TerminalLook {
  const live = output.isTTY === true && env['TERM'] !== 'dumb'
  return { live, colour: live && (env['NO_COLOR'] ?? '') === '' }
}
