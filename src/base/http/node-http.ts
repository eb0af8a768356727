/**
 * Node's servers and clients. `import … from 'node:http'` reads every export, and one of them loads all of Node's
 * `fetch`: a twentieth of the start time of a daemon.
 */
const { createServer, request, Agent: PlainAgent } = process.getBuiltinModule('node:http')
const {
  createServer: createSecureServer,
  request: requestSecure,
  Agent: SecureAgent,
} = process.getBuiltinModule('node:https')

export { createServer, createSecureServer, request, requestSecure, PlainAgent, SecureAgent }
