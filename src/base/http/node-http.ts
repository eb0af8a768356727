/**
 * Node's own servers and clients. `import … from 'node:http'` reads every export, and reading one of them loads the whole of
 * Node's `fetch`: a twentieth of what the start of a daemon costs.
 */
const { createServer, request, Agent: PlainAgent } = process.getBuiltinModule('node:http')
const {
  createServer: createSecureServer,
  request: requestSecure,
  Agent: SecureAgent,
} = process.getBuiltinModule('node:https')

export { createServer, createSecureServer, request, requestSecure, PlainAgent, SecureAgent }
