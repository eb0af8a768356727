/** A warning beside the answer: on stderr, where it does not spoil a JSON document. */
export function warnOnStderr(line: string): void {
  process.stderr.write(`warning: ${line}\n`)
}
