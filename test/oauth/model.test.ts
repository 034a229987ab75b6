/**
 * Random histories of clients against a small model: redeemed codes, refreshed and replayed tokens, revoked grants,
 * passing time and restarts. After each step every access token gives exactly the access that the model says.
 *
 * MODEL_RUNS=2000 runs longer; fast-check prints the seed of a failure.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { type App, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { openAccessTokens } from '../../src/oauth/access-token.ts'
import { type OpenedParts, openParts } from '../../src/start.ts'
import { sweepOnce } from '../../src/sweep.ts'
import { startOfTime } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { alice } from '../wallets.ts'
import { authorizeParameters, codeVerifier, resource } from './flow.ts'

setDefaultTimeout(600_000)

const runs = Number(process.env.MODEL_RUNS ?? 30)
const newFolder = temporaryFolders()
const secondMs = 1000
const oneDayMs = 86_400_000
const lostAnswerMs = 120_000
const clients = ['svc-cli', 'c_other'] as const
const redirects = { 'svc-cli': 'http://127.0.0.1:43301/callback', c_other: 'https://app.example/cb' } as const
type ClientId = (typeof clients)[number]

interface Refresh {
  readonly token: string
  readonly expiresAt: number
  used?: { readonly at: number; readonly run: number }
  isSwept?: true
}
interface Grant {
  readonly client: ClientId
  readonly code: string
  readonly codeEndsAt: number
  readonly isLasting: boolean
  codeState: 'open' | 'burnt' | 'redeemed' | 'swept'
  endsAt: number
  isRevoked: boolean
  readonly refresh: Refresh[]
  readonly access: { readonly token: string; readonly expiresAt: number }[]
}

interface Model {
  now: number
  run: number
  readonly graceMs: number
  readonly grants: Grant[]
}

/** The server, which can be stopped and started on the same folder. */
class Real {
  private opened!: OpenedParts
  private app!: App
  private cookie = ''
  private signedInAt = Number.NEGATIVE_INFINITY
  now = startOfTime
  constructor(
    private readonly folder: string,
    private readonly graceSeconds: number,
  ) {}

  async start(): Promise<void> {
    const env = {
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_STORAGE_WRITER: 'inline',
      PROOFGATE_OAUTH_REFRESH_GRACE_SECONDS: String(this.graceSeconds),
    }
    this.opened = await openParts(await loadConfig({ env, cwd: this.folder }), this.folder, () => this.now)
    const url = 'http://localhost:8787'
    this.opened.setAddresses({ baseUrl: url, authUrl: url, mcpUrl: url })
    this.app = createApp(this.opened.parts)
  }
  stop(): Promise<void> {
    return this.opened.close()
  }
  /** Alice, and a client that she has allowed everything. */
  async prepare(): Promise<void> {
    await this.signedIn()
    await this.opened.parts.db.write([
      {
        sql: "INSERT INTO oauth_clients (id, kind, redirect_uris, created_at, expires_at) VALUES ('c_other', 'dcr', ?1, 0, 9e15)",
        params: [JSON.stringify([redirects.c_other])],
      },
      {
        sql: "INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at) SELECT id, 'c_other', 'app.example', 'svc:core offline_access', 0 FROM profiles",
        params: [],
      },
    ])
  }
  /** A session lasts for 30 days. */
  private async signedIn(): Promise<string> {
    if (this.now - this.signedInAt < 29 * oneDayMs) return this.cookie
    const post = (path: string, body: object) =>
      this.app.handle(
        new Request(`http://localhost/api/v1/auth/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    const prepared = await (await post('nonce', { walletAddress: alice.address })).json()
    const { message } = (prepared as { data: { message: string } }).data
    const answer = await post('verify', { message, signature: await alice.sign(message) })
    this.cookie = answer.headers.get('set-cookie')!.split(';', 1)[0]!
    this.signedInAt = this.now
    return this.cookie
  }
  async authorize(client: ClientId, scope: string): Promise<string> {
    const parameters = authorizeParameters({ client_id: client, redirect_uri: redirects[client], scope })
    const response = await this.app.handle(
      new Request(`http://localhost/oauth/authorize?${new URLSearchParams(parameters as Record<string, string>)}`, {
        headers: { cookie: await this.signedIn() },
      }),
    )
    return new URL(response.headers.get('location')!).searchParams.get('code')!
  }
  async post(path: string, fields: Record<string, string>) {
    const response = await this.app.handle(
      new Request(`http://localhost/api/v1/auth/mcp/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ resource, ...fields }),
      }),
    )
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { status: response.status, body: (await response.json()) as any }
  }
  sweep = () => sweepOnce(this.opened.parts)
  async opens(token: string): Promise<boolean> {
    return (await openAccessTokens(this.opened.parts).verify(token)) !== undefined
  }
}

type Step = fc.AsyncCommand<Model, Real>

/** Picks a grant, token or client: numbers are taken modulo how many there are. */
const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(list.length, 1)]

async function compare(model: Model, real: Real): Promise<void> {
  for (const grant of model.grants)
    for (const { token, expiresAt } of grant.access)
      expect([token.slice(-8), await real.opens(token)]).toEqual([
        token.slice(-8),
        !grant.isRevoked && expiresAt > model.now,
      ])
}

function step(name: string, run: (model: Model, real: Real) => Promise<void>): Step {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real)
      await compare(model, real)
    },
    toString: () => name,
  }
}

const accessOf = (model: Model, token: string) => ({
  token,
  expiresAt: (Math.floor(model.now / 1000) + 3600) * 1000,
})

const authorize = (client: ClientId, isLasting: boolean): Step =>
  step(`authorize(${client}, ${isLasting})`, async (model, real) => {
    const code = await real.authorize(client, isLasting ? 'svc:core offline_access' : 'svc:core')
    model.grants.push({
      client,
      code,
      codeEndsAt: model.now + 600_000,
      isLasting,
      codeState: 'open',
      endsAt: 0,
      isRevoked: false,
      refresh: [],
      access: [],
    })
  })

const redeem = (number: number, isRightVerifier: boolean, isRightClient: boolean): Step =>
  step(`redeem(${number}, ${isRightVerifier}, ${isRightClient})`, async (model, real) => {
    const grant = pick(model.grants, number)
    if (!grant) return
    const client = isRightClient ? grant.client : clients.find((one) => one !== grant.client)!
    const { status, body } = await real.post('token', {
      grant_type: 'authorization_code',
      code: grant.code,
      redirect_uri: redirects[grant.client],
      client_id: client,
      code_verifier: isRightVerifier ? codeVerifier : 'x'.repeat(43),
    })
    const isGood = grant.codeState === 'open' && isRightClient && isRightVerifier && model.now < grant.codeEndsAt
    expect([status, body.error]).toEqual(isGood ? [200, undefined] : [400, 'invalid_grant'])
    if (isGood) {
      grant.codeState = 'redeemed'
      grant.endsAt = model.now + (grant.isLasting ? 365 * oneDayMs : 3600 * secondMs)
      grant.access.push(accessOf(model, body.access_token))
      expect(body.refresh_token !== undefined).toBe(grant.isLasting)
      if (grant.isLasting) grant.refresh.push({ token: body.refresh_token, expiresAt: model.now + 30 * oneDayMs })
    } else if (isRightClient && grant.codeState === 'redeemed' && isRightVerifier) grant.isRevoked = true
    else if (isRightClient && grant.codeState === 'open' && model.now < grant.codeEndsAt) grant.codeState = 'burnt'
  })

/** `back` 0 is the current one. */
const refresh = (number: number, back: number, isRightClient: boolean): Step =>
  step(`refresh(${number}, ${back}, ${isRightClient})`, async (model, real) => {
    const grant = pick(
      model.grants.filter(({ refresh }) => refresh.length > 0),
      number,
    )
    if (!grant) return
    const position = Math.max(0, grant.refresh.length - 1 - back)
    const presented = grant.refresh[position]!
    const next = grant.refresh[position + 1]
    const client = isRightClient ? grant.client : clients.find((one) => one !== grant.client)!
    const { status, body } = await real.post('token', {
      grant_type: 'refresh_token',
      refresh_token: presented.token,
      client_id: client,
    })
    const stands = isRightClient && !presented.isSwept && !grant.isRevoked && model.now < grant.endsAt
    const isFirstUse = stands && !presented.used && model.now < presented.expiresAt
    const age = presented.used ? model.now - presented.used.at : 0
    const mayRepeat =
      presented.used !== undefined &&
      (age < model.graceMs || (presented.used.run !== model.run && age < lostAnswerMs)) &&
      next !== undefined &&
      next.used === undefined
    const isGood = isFirstUse || (stands && mayRepeat)
    expect([status, body.error]).toEqual(isGood ? [200, undefined] : [400, 'invalid_grant'])
    if (isGood) grant.access.push(accessOf(model, body.access_token))
    if (isFirstUse) {
      presented.used = { at: model.now, run: model.run }
      expect(grant.refresh.map(({ token }) => token)).not.toContain(body.refresh_token)
      const expiresAt = Math.min(grant.endsAt, model.now + 30 * oneDayMs)
      grant.refresh.push({ token: body.refresh_token, expiresAt })
    } else if (isGood) expect(body.refresh_token).toBe(next!.token)
    else if (stands && presented.used) grant.isRevoked = true
  })

const revoke = (number: number, which: number, isRightClient: boolean): Step =>
  step(`revoke(${number}, ${which}, ${isRightClient})`, async (model, real) => {
    const grant = pick(
      model.grants.filter(({ access }) => access.length > 0),
      number,
    )
    if (!grant) return
    const refreshable = grant.refresh.filter(({ isSwept }) => !isSwept)
    const tokens = [...grant.access.slice(-1), ...refreshable].map(({ token }) => token)
    const client = isRightClient ? grant.client : clients.find((one) => one !== grant.client)!
    const { status } = await real.post('revoke', { token: pick(tokens, which)!, client_id: client })
    expect(status).toBe(200)
    // The server forgets access tokens a day after they end. The model then revokes by the refresh token.
    const newest = grant.access.at(-1)!
    const isForgotten = which % tokens.length === 0 && newest.expiresAt + oneDayMs <= model.now
    if (isRightClient && !isForgotten) grant.isRevoked = true
    else if (isRightClient)
      await real.post('revoke', { token: grant.refresh.at(-1)?.token ?? 'none', client_id: client })
    if (isRightClient && isForgotten && grant.refresh.at(-1) && !grant.refresh.at(-1)!.isSwept) grant.isRevoked = true
  })

const wait = (ms: number): Step =>
  step(`wait(${ms})`, async (model, real) => {
    model.now += ms
    real.now = model.now
  })

const restart: Step = step('restart', async (model, real) => {
  await real.stop()
  await real.start()
  model.run++
})

const sweep: Step = step('sweep', async (model, real) => {
  await real.sweep()
  for (const grant of model.grants) {
    if (grant.codeEndsAt + oneDayMs <= model.now) grant.codeState = 'swept'
    for (const one of grant.refresh) if (one.expiresAt <= model.now) one.isSwept = true
  }
})

const number = fc.nat({ max: 3 })
const mostly = fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(fc.constantFrom(...clients), mostly).map((given) => authorize(...given)),
  fc.tuple(number, mostly, mostly).map((given) => redeem(...given)),
  fc.tuple(number, mostly, mostly).map((given) => redeem(...given)),
  fc.tuple(number, fc.constant(0), mostly).map((given) => refresh(...given)),
  fc.tuple(number, fc.constant(0), mostly).map((given) => refresh(...given)),
  fc.tuple(number, fc.nat({ max: 3 }), mostly).map((given) => refresh(...given)),
  fc.tuple(number, number, mostly).map((given) => revoke(...given)),
  fc.constantFrom(1, secondMs, 29 * secondMs, 31 * secondMs, 121 * secondMs, 600 * secondMs, 3600 * secondMs).map(wait),
  fc.constantFrom(oneDayMs, 29 * oneDayMs, 31 * oneDayMs, 200 * oneDayMs).map(wait),
  fc.constant(restart),
  fc.constant(sweep),
]

test.each([0, 30])(`${runs} random histories end as the model says, with %d seconds of grace`, async (graceSeconds) => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: 'max' }), async (commands) => {
      const real = new Real(newFolder(), graceSeconds)
      await real.start()
      try {
        await real.prepare()
        await fc.asyncModelRun(
          () => ({ model: { now: startOfTime, run: 0, graceMs: graceSeconds * 1000, grants: [] }, real }),
          commands,
        )
      } finally {
        await real.stop()
      }
    }),
    { numRuns: runs },
  )
})
