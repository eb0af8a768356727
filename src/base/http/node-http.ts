/**
 * Node's servers and clients. `import … from 'node:http'` evaluates every export, one of which loads Node's whole
 * `fetch`: a twentieth of the daemon's start time.
 */
const { createServer, request, Agent: PlainAgent } = process.getBuiltinModule('node:http')
const {
  createServer: createSecureServer,
  request: requestSecure,
  Agent: SecureAgent,
} = process.getBuiltinModule('node:https')

export { createServer, createSecureServer, request, requestSecure, PlainAgent, SecureAgent }
