/** Sign-ins, which count once; the sessions, access keys and secrets that come of them; and OAuth. */
import { authorizeParameters, codeVerifier, handleIn, tickedIn } from '../oauth/flow.ts'
import { type Actor, isSurely, settle } from './actor.ts'
import { type Answer, outcomeOf, publicUrl, type World } from './world.ts'

export interface KnownSignIn {
  readonly body: { readonly message: string; readonly signature: string }
  readonly preparedAt: number
  /** Requests with it that have no answer yet. */
  underWay: number
  readonly may: Set<'unused' | 'used'>
}
interface Live {
  readonly may: Set<'live' | 'ended'>
}
export interface KnownSession extends Live {
  readonly headers: Readonly<Record<string, string>>
}
export interface KnownKey extends Live {
  readonly key: string
  readonly keyId: string
}
/** Known by its alias, which its maker chose. */
export interface KnownSecret {
  readonly alias: string
  id: string | undefined
  readonly may: Set<'none' | 'there' | 'gone'>
}
export interface KnownFamily extends Live {
  current: string
  /** Exchanged, and answered: never good again, with one exception (mayRepeat). */
  readonly used: string[]
  /** The exchange that made `current`; the runs of the server of which one made it. */
  exchange: Exchange | undefined
  /** Requests for the next exchange that had no sure answer. */
  unsure: Exchange | undefined
}
interface Exchange {
  readonly runs: ReadonlySet<number>
  /** Time by the process clock. */
  readonly since: number
  readonly clockMoves: number
}

const nonceMs = 600_000

/** Signs in with a new message, or with one of before: a message makes one session, whatever happens. */
export async function signIn(actor: Actor): Promise<void> {
  const { world, signer } = actor
  const asked = { walletAddress: signer.address, chain: 'solana:mainnet' }
  const prepared = await world.post(`${actor.name} asks for a nonce`, '/auth/nonce', asked)
  if (prepared?.status !== 200 || !prepared.isClockSteady) return
  const preparedAt = prepared.at
  const { message } = prepared.body.data
  const body = { message, signature: signer.sign(message) }
  const known: KnownSignIn = { body, preparedAt, underWay: 0, may: new Set(['unused']) }
  actor.signIns.push(known)
  if (world.chance(0.3)) await Promise.all([use(actor, known), use(actor, known)])
  else await use(actor, known)
}

export async function signInAgain(actor: Actor): Promise<void> {
  const known = actor.world.pick(actor.signIns)
  if (known) await use(actor, known)
}

async function use(actor: Actor, known: KnownSignIn): Promise<void> {
  const { world } = actor
  const what = `${actor.name} signs in (${[...known.may]})`
  known.underWay++
  const answer = await world.post(what, '/auth/verify', known.body)
  known.underWay--
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`sign in: ${outcome}`)
  if (outcome === 'unsure') {
    if (known.may.has('unused')) known.may.add('used')
  } else if (outcome === 'done') {
    if (!known.may.has('unused')) world.surprise(`${what}: a message was good twice`)
    known.may.clear()
    known.may.add('used')
    const { csrfToken } = answer!.body.data
    const cookie = answer!.headers.get('set-cookie')!.split(';', 1)[0]!
    actor.sessions.push({ headers: { cookie, 'x-csrf-token': csrfToken }, may: new Set(['live']) })
  } else {
    const code = answer!.body?.error?.code
    if (code === 'CONFLICT') {
      // The other of two at once may have been faster.
      if (known.underWay > 0) known.may.add('used')
      settle(world, known, ['used'], what)
    } else if (code === 'EXPIRED_SIGNATURE' || code === 'VALIDATION_ERROR') {
      const age = answer!.at - known.preparedAt
      if (answer!.isClockSteady && age > -55_000 && age < nonceMs - 5_000)
        world.surprise(`${what}: a fresh message is refused: ${JSON.stringify(answer!.body)}`)
    } else world.expectRefusal(what, answer!, [])
  }
}

const pickLive = <Thing extends Live>(actor: Actor, things: readonly Thing[]): Thing | undefined =>
  actor.world.pick(things.filter((one) => isSurely(one, 'live')))

/** A session or key acknowledged as live, and not ended since, must be accepted. */
async function observe(actor: Actor, thing: Live, name: string, headers: Record<string, string>): Promise<void> {
  const { world } = actor
  const answer = await world.get(name, '/auth/me', headers)
  if (answer?.status !== 200 && answer?.status !== 401) return
  const isIn = answer.status === 200 && answer.body.data.authenticated === true
  // While the clock is wrong, things that it calls expired may be refused. It has to come back with the clock.
  if (!isIn && (world.isClockWrong() || !answer.isClockSteady)) return
  settle(world, thing, [isIn ? 'live' : 'ended'], `${actor.name}: ${name} is ${isIn ? 'good' : 'not good'}`)
  world.count(`${name} checked`)
}

export async function signOut(actor: Actor): Promise<void> {
  const session = pickLive(actor, actor.sessions)
  if (!session) return
  await end(actor, session, 'signs out', '/auth/logout', { method: 'POST', headers: session.headers })
}

async function end(actor: Actor, thing: Live, name: string, path: string, init: RequestInit): Promise<void> {
  const { world } = actor
  const what = `${actor.name} ${name}`
  const answer = await world.ask(`/api/v1${path}`, { what, ...init })
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`${name}: ${outcome}`)
  if (outcome === 'done') thing.may.clear()
  if (outcome !== 'refused') thing.may.add('ended')
  else if (!world.isClockWrong()) world.expectRefusal(what, answer!, [])
}

export async function makeKey(actor: Actor): Promise<void> {
  const { world } = actor
  const session = pickLive(actor, actor.sessions)
  if (!session) return
  const what = `${actor.name} makes a key`
  const answer = await world.post(what, '/auth/profile-keys', { name: 'A program' }, session.headers)
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`make a key: ${outcome}`)
  if (outcome === 'done') {
    const { key, keyId } = answer!.body.data
    actor.keys.push({ key, keyId, may: new Set(['live']) })
  } else if (outcome === 'refused' && !world.isClockWrong()) world.expectRefusal(what, answer!, [])
}

export async function revokeKey(actor: Actor): Promise<void> {
  const [key, session] = [pickLive(actor, actor.keys), pickLive(actor, actor.sessions)]
  if (key && session)
    await end(actor, key, 'revokes a key', `/auth/profile-keys/${key.keyId}`, {
      method: 'DELETE',
      headers: session.headers,
    })
}

let secretsMade = 0
export async function keepSecret(actor: Actor): Promise<void> {
  const { world } = actor
  const session = pickLive(actor, actor.sessions)
  if (!session) return
  const known: KnownSecret = { alias: `S${++secretsMade}`, id: undefined, may: new Set(['none']) }
  actor.secrets.push(known)
  const what = `${actor.name} keeps the secret ${known.alias}`
  const answer = await world.post(what, '/profile/secrets', { alias: known.alias, content: 'sk' }, session.headers)
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`secret: ${outcome}`)
  if (outcome === 'done') {
    known.may.clear()
    known.id = answer!.body.data.id
  }
  if (outcome !== 'refused') known.may.add('there')
  else if (!world.isClockWrong()) world.expectRefusal(what, answer!, [])
}

export async function dropSecret(actor: Actor): Promise<void> {
  const { world } = actor
  const session = pickLive(actor, actor.sessions)
  const known = world.pick(actor.secrets.filter((one) => one.id !== undefined && isSurely(one, 'there')))
  if (!session || !known) return
  const what = `${actor.name} drops the secret ${known.alias}`
  const init = { method: 'DELETE', headers: session.headers }
  const answer = await world.ask(`/api/v1/profile/secrets/${known.id}`, { what, ...init })
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`drop a secret: ${outcome}`)
  if (outcome === 'done') known.may.clear()
  if (outcome !== 'refused') known.may.add('gone')
  else if (!world.isClockWrong()) world.expectRefusal(what, answer!, [])
}

const resource = `${publicUrl}/mcp`
const redirect_uri = 'http://127.0.0.1:43301/callback'

const token = (actor: Actor, what: string, fields: Record<string, string>): Promise<Answer | undefined> =>
  actor.world.ask('/api/v1/auth/mcp/token', {
    what,
    method: 'POST',
    body: new URLSearchParams({ client_id: 'svc-cli', resource, ...fields }),
  })

/** A person allows a client, which redeems the code. */
export async function connect(actor: Actor): Promise<void> {
  const { world } = actor
  const session = pickLive(actor, actor.sessions)
  if (!session) return
  const { cookie } = session.headers as { cookie: string }
  const parameters = new URLSearchParams(authorizeParameters({ resource, redirect_uri }) as Record<string, string>)
  const what = `${actor.name} connects a client`
  let answer = await world.ask(`/oauth/authorize?${parameters}`, {
    what,
    headers: { cookie, accept: 'text/html' },
    redirect: 'manual',
  })
  if (answer?.status === 200)
    answer = await world.ask('/oauth/consent', {
      what,
      method: 'POST',
      headers: { cookie, origin: 'null', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ handle: handleIn(answer.body), decision: 'allow', scope: tickedIn(answer.body) }),
      redirect: 'manual',
    })
  const location = answer?.headers.get('location')
  const code = location && new URL(location, publicUrl).searchParams.get('code')
  if (!code) return
  const redeem = () =>
    token(actor, what, { grant_type: 'authorization_code', code, redirect_uri, code_verifier: codeVerifier })
  const redeemed = await redeem()
  const outcome = outcomeOf(redeemed)
  world.note(`${what}: ${redeemed?.status ?? 'no answer'} ${outcome}`)
  world.count(`redeem a code: ${outcome}`)
  if (outcome !== 'done') return
  if (world.chance(0.3)) {
    const again = await redeem()
    if (outcomeOf(again) === 'done') world.surprise(`${what}: a code was good twice`)
    // A token sent twice counts as stolen: its grant has ended, unless that could not be written.
    return
  }
  actor.families.push({
    current: redeemed!.body.refresh_token,
    used: [],
    exchange: undefined,
    unsure: undefined,
    may: new Set(['live']),
  })
}

export async function refresh(actor: Actor): Promise<void> {
  const { world } = actor
  const family = world.pick(actor.families.filter(({ may }) => may.has('live')))
  if (!family) return
  const what = `${actor.name} refreshes (${[...family.may]})`
  const [since, clockMoves, runBefore] = [performance.now(), world.clockMoves(), world.runs()]
  const answer = await token(actor, what, { grant_type: 'refresh_token', refresh_token: family.current })
  const asked = { since, clockMoves, runs: new Set([runBefore, world.runs()]) }
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`refresh: ${outcome}`)
  if (outcome === 'done') {
    settle(world, family, ['live'], what)
    family.used.push(family.current)
    family.current = answer!.body.refresh_token
    // After unsure ones, any of them may have been the one that counted.
    family.exchange = joinExchanges(family.unsure, asked)
    family.unsure = undefined
  } else if (outcome === 'unsure') {
    // By default a token whose answer was lost signs the client out.
    family.may.add('ended')
    family.unsure = joinExchanges(family.unsure, asked)
  } else if (answer!.status < 500 && !world.isClockWrong() && answer!.isClockSteady)
    settle(world, family, ['ended'], `${what}: ${JSON.stringify(answer!.body)}`)
}

const joinExchanges = (first: Exchange | undefined, { since, clockMoves, runs }: Exchange): Exchange => ({
  since: first?.since ?? since,
  clockMoves: first?.clockMoves ?? clockMoves,
  runs: new Set([...(first?.runs ?? []), ...runs]),
})

/** As in refresh-token.ts: for this time a lost answer of an earlier run is given again. */
const lostAnswerMs = 120_000

/**
 * The newest used refresh token gets the same successor again from a server that was restarted since. This ends once
 * the successor was used. `surely`: must. `perhaps`: may.
 */
function mayRepeat(world: World, { exchange, unsure, may }: KnownFamily): 'surely' | 'perhaps' | 'never' {
  if (!exchange) return 'never'
  const [run, ageMs] = [world.runs(), performance.now() - exchange.since]
  const isSteady = exchange.clockMoves === world.clockMoves()
  const isOther = [...exchange.runs].filter((one) => one !== run).length
  if (isOther === 0 || (isSteady && ageMs > lostAnswerMs + 1_000)) return 'never'
  const isUnused = unsure === undefined && !may.has('ended')
  return isUnused && isSteady && isOther === exchange.runs.size && ageMs < lostAnswerMs - 20_000 ? 'surely' : 'perhaps'
}

/** Shows a used token, as a thief would: it must be refused and end the grant, except as in mayRepeat. */
export async function stealToken(actor: Actor): Promise<void> {
  const { world } = actor
  const family = world.pick(actor.families.filter(({ used, may }) => used.length > 0 && may.has('live')))
  if (!family) return
  const shown = world.pick(family.used)
  const isNewest = shown === family.used.at(-1)
  const allowedBefore = isNewest ? mayRepeat(world, family) : 'never'
  const what = `${actor.name} shows ${isNewest ? 'the newest' : 'a'} used refresh token (good again: ${allowedBefore})`
  const answer = await token(actor, what, { grant_type: 'refresh_token', refresh_token: shown })
  // The server may have been another one by the time that it was asked.
  const allowed =
    isNewest && mayRepeat(world, family) === allowedBefore ? allowedBefore : isNewest ? 'perhaps' : 'never'
  const outcome = outcomeOf(answer)
  world.note(`${what}: ${answer?.status ?? 'no answer'} ${outcome}`)
  world.count(`used refresh token, good again ${allowed}: ${outcome}`)
  if (outcome === 'done') {
    if (allowed === 'never') world.surprise(`${what}: it was good twice`)
    else if (answer!.body.refresh_token !== family.current) world.surprise(`${what}: it made another next token`)
    // The answer changed nothing: the successor stays unused, unless a request with it was under way.
    if (answer!.isSettled) settle(world, family, ['live'], what)
  } else if (outcome === 'unsure') family.may.add('ended')
  else if (answer!.status === 400) {
    if (allowed === 'surely') world.surprise(`${what}: refused: ${JSON.stringify(answer!.body)}`)
    // By a clock that is wrong it may be over without having ended.
    if (!world.isClockWrong() && answer!.isClockSteady) family.may.clear()
    family.may.add('ended')
  }
}

export async function checkSessions(actor: Actor): Promise<void> {
  for (const session of actor.sessions) await observe(actor, session, 'a session', session.headers)
  for (const key of actor.keys) await observe(actor, key, 'an access key', { authorization: `Bearer ${key.key}` })
}

/** Every message that was used, or may have been, is tried again. */
export async function checkSignIns(actor: Actor, share: number): Promise<void> {
  for (const known of actor.signIns) if (actor.world.chance(share)) await use(actor, known)
}

export async function checkSecrets(actor: Actor): Promise<void> {
  const { world } = actor
  const session = pickLive(actor, actor.sessions)
  if (!session || actor.secrets.length === 0) return
  const answer = await world.get('secrets', '/profile/secrets', session.headers)
  if (answer?.status !== 200) return
  const listed: readonly { alias: string }[] = answer.body.data.secrets
  for (const known of actor.secrets) {
    const isThere = listed.some(({ alias }) => alias === known.alias)
    const what = `${actor.name}: the secret ${known.alias} is ${isThere ? '' : 'not '}there`
    settle(world, known, isThere ? ['there'] : ['none', 'gone'], what)
    world.count('secrets checked')
  }
}

export async function checkFamilies(actor: Actor, share: number): Promise<void> {
  if (actor.world.chance(share)) await refresh(actor)
}
