/** What a node sent is not what JSON-RPC says it should be. Caught where its answer is read. */
export class MalformedAnswerError extends Error {
  override name = 'MalformedAnswerError'
}
