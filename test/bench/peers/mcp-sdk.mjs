import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import Database from 'better-sqlite3'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

// Peer of the MCP endpoint: the SDK's own Express app, bearer middleware and stateless transport with JSON answers. As
// in its examples, each request has a server and a transport, which the SDK demands. The tools are ours, from
// TOOLS_FILE (JSON: the `tools` of an answer of tools/list). The bearer is verified with jose and looked up in SQLite.
//
// STYLE says how the tools are declared. With 'prepared' the low-level Server returns the JSON it read, the least work
// that the SDK can do. With 'declared' McpServer has zod schemas, as its documentation teaches.

const { PORT, DATA, TOOLS_FILE, STYLE, SEED, SEED_FILE } = process.env
const issuer = 'https://auth.bench.example'
const resource = 'https://mcp.bench.example/mcp'
const scope = 'bench:core bench:profile bench:secrets offline_access'
const info = { name: 'bench', version: '1.0.0' }

const db = new Database(`${DATA}/peer.db`)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`CREATE TABLE IF NOT EXISTS access_tokens (
  jti TEXT PRIMARY KEY, person TEXT NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER) WITHOUT ROWID`)
const findToken = db.prepare('SELECT person FROM access_tokens WHERE jti = ? AND expires_at > ? AND revoked_at IS NULL')

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicKey = createPublicKey(privateKey)

const verifier = {
  async verifyAccessToken(token) {
    const checks = { issuer, audience: resource, typ: 'at+jwt', algorithms: ['ES256'], requiredClaims: ['jti', 'sub'] }
    const { payload } = await jwtVerify(token, publicKey, checks).catch(() => {
      throw new InvalidTokenError('the token is not valid')
    })
    const found = findToken.get(payload.jti, Date.now())
    if (found?.person !== payload.sub) throw new InvalidTokenError('the token was revoked')
    const scopes = payload.scope.split(' ')
    return { token, clientId: payload.client_id, scopes, expiresAt: payload.exp, extra: { subject: payload.sub } }
  },
}

const { tools } = JSON.parse(readFileSync(TOOLS_FILE, 'utf8'))
const done = { content: [{ type: 'text', text: 'done' }] }

function preparedServer() {
  const server = new Server(info, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, () => done)
  return server
}

const schemaOf = (schema) => (schema ? { schema: z.fromJSONSchema(schema) } : {})
const declarations = tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
  name,
  config: {
    title,
    description,
    annotations,
    inputSchema: schemaOf(inputSchema).schema,
    outputSchema: schemaOf(outputSchema).schema,
  },
}))

function declaredServer() {
  const server = new McpServer(info, { capabilities: { tools: {} } })
  for (const { name, config } of declarations) server.registerTool(name, config, () => done)
  return server
}

const newServer = STYLE === 'declared' ? declaredServer : preparedServer

const app = createMcpExpressApp()
app.post('/mcp', requireBearerAuth({ verifier, requiredScopes: ['bench:core'] }), async (request, response) => {
  const server = newServer()
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  response.on('close', () => {
    transport.close()
    server.close()
  })
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
})

async function seed(count) {
  const insert = db.prepare('INSERT INTO access_tokens (jti, person, expires_at) VALUES (?, ?, ?)')
  const expiresAt = Math.floor(Date.now() / 1000) + 3600
  const tokens = []
  for (let at = 0; at < count; at++) {
    const jti = randomBytes(16).toString('base64url')
    const person = `person-${at}`
    const claims = { client_id: 'bench', azp: 'bench', scope, token_use: 'mcp_access' }
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })
      .setIssuer(issuer)
      .setAudience(resource)
      .setSubject(person)
      .setJti(jti)
      .setIssuedAt()
      .setExpirationTime(expiresAt)
    tokens.push(await token.sign(privateKey))
    insert.run(jti, person, expiresAt * 1000)
  }
  writeFileSync(SEED_FILE, JSON.stringify(tokens))
}

if (SEED) await seed(Number(SEED))
app.listen(Number(PORT), '127.0.0.1')
