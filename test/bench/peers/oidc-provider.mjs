import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Provider } from 'oidc-provider'

// Peer of the token endpoint: oidc-provider on Node, with a durable adapter (better-sqlite3). It rotates refresh tokens
// and issues JWT access tokens for a resource (RFC 8707). Its own adapter is a small LRU in memory that forgets tokens
// under load, so that refusals would be measured. The client stands in the configuration, which saves a look-up.
//
// Without the scope `openid` it makes no ID token, as ours does not. At its first start it makes SEED grants with its
// own models. Each has a refresh token, which is written to SEED_FILE.

const { PORT, DATA, SEED, SEED_FILE } = process.env
const clientId = 'bench'
const resource = 'https://mcp.bench.example/mcp'
const scopes = 'bench:core bench:profile bench:secrets'

const db = new Database(`${DATA}/peer.db`)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`
  CREATE TABLE IF NOT EXISTS records (
    model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, grant_id TEXT, uid TEXT, user_code TEXT,
    expires_at INTEGER, consumed_at INTEGER, PRIMARY KEY (model, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS records_by_grant ON records (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS records_by_uid ON records (model, uid) WHERE uid IS NOT NULL;
  CREATE INDEX IF NOT EXISTS records_by_user_code ON records (model, user_code) WHERE user_code IS NOT NULL;
  CREATE TABLE IF NOT EXISTS keys (jwk TEXT NOT NULL);`)

const upsert = db.prepare(
  `INSERT INTO records (model, id, payload, grant_id, uid, user_code, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
)
const columns = 'payload, expires_at AS expiresAt, consumed_at AS consumedAt'
const find = db.prepare(`SELECT ${columns} FROM records WHERE model = ? AND id = ?`)
const findByUid = db.prepare(`SELECT ${columns} FROM records WHERE model = ? AND uid = ?`)
const findByUserCode = db.prepare(`SELECT ${columns} FROM records WHERE model = ? AND user_code = ?`)
const consume = db.prepare('UPDATE records SET consumed_at = ? WHERE model = ? AND id = ?')
const destroy = db.prepare('DELETE FROM records WHERE model = ? AND id = ?')
const destroyGrant = db.prepare('DELETE FROM records WHERE grant_id = ?')

const epoch = () => Math.floor(Date.now() / 1000)

function payloadOf(row) {
  if (!row || (row.expiresAt !== null && row.expiresAt < epoch())) return undefined
  const payload = JSON.parse(row.payload)
  return row.consumedAt === null ? payload : { ...payload, consumed: row.consumedAt }
}

class SqliteAdapter {
  constructor(model) {
    this.model = model
  }
  async upsert(id, payload, expiresIn) {
    const { grantId = null, uid = null, userCode = null } = payload
    const expiresAt = expiresIn ? epoch() + expiresIn : null
    upsert.run(this.model, id, JSON.stringify(payload), grantId, uid, userCode, expiresAt)
  }
  async find(id) {
    return payloadOf(find.get(this.model, id))
  }
  async findByUid(uid) {
    return payloadOf(findByUid.get(this.model, uid))
  }
  async findByUserCode(userCode) {
    return payloadOf(findByUserCode.get(this.model, userCode))
  }
  async consume(id) {
    consume.run(epoch(), this.model, id)
  }
  async destroy(id) {
    destroy.run(this.model, id)
  }
  async revokeByGrantId(grantId) {
    destroyGrant.run(grantId)
  }
}

function signingKey() {
  const stored = db.prepare('SELECT jwk FROM keys').get()
  if (stored) return JSON.parse(stored.jwk)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'bench' }
  db.prepare('INSERT INTO keys VALUES (?)').run(JSON.stringify(jwk))
  return jwk
}

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  adapter: SqliteAdapter,
  jwks: { keys: [signingKey()] },
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
      application_type: 'native',
    },
  ],
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  scopes: ['offline_access', ...scopes.split(' ')],
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, RefreshToken: 30 * 86_400, Grant: 365 * 86_400 },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: scopes,
        audience: resource,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
})

async function seed(count) {
  const client = await provider.Client.find(clientId)
  const tokens = []
  // The commits of the preparation need not last.
  db.pragma('synchronous = OFF')
  for (let at = 0; at < count; at++) {
    const accountId = `person-${at}`
    const grant = new provider.Grant({ clientId, accountId })
    grant.addOIDCScope('offline_access')
    grant.addResourceScope(resource, scopes)
    const grantId = await grant.save()
    const token = new provider.RefreshToken({
      accountId,
      authTime: epoch(),
      client,
      grantId,
      gty: 'authorization_code',
      resource,
      scope: `${scopes} offline_access`,
    })
    tokens.push(await token.save())
  }
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.pragma('synchronous = FULL')
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, resource })
  writeFileSync(SEED_FILE, JSON.stringify({ path: '/token', form: `${form}&refresh_token=`, tokens }))
}

if (SEED) await seed(Number(SEED))
provider.listen(Number(PORT), '127.0.0.1')
